// See move.h.
#include "move.h"

#include <cstring>
#include <string>
#include <utility>

namespace card {
namespace {

template <class Element>
void run_move(const Move& move) {
  const auto* from = reinterpret_cast<const Element*>(move.from);
  auto* to = reinterpret_cast<Element*>(move.to);
  move.loop.run([&](auto offsets, int64_t count, auto steps) {
    const Element* first = from + offsets[0];
    Element* target = to + offsets[1];
    if (steps[0] == 1 && steps[1] == 1) {
      std::memcpy(target, first, count * sizeof(Element));
    } else {
      for (int64_t i = 0; i < count; ++i) target[i * steps[1]] = first[i * steps[0]];
    }
  });
}

void run_move(const Move& move, size_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return run_move<uint8_t>(move);
    case 2:
      return run_move<uint16_t>(move);
    case 4:
      return run_move<uint32_t>(move);
    default:
      return run_move<uint64_t>(move);
  }
}

}  // namespace

void run_moves(const Call& call, std::vector<Move> moves, size_t element_bytes) {
  for (Move& move : moves) move.loop.merge();
  call.run([moves = std::move(moves), element_bytes] {
    for (const Move& move : moves) run_move(move, element_bytes);
  });
}

char* behind(const Array& array, int64_t elements) {
  return array.as<char>() + elements * static_cast<int64_t>(TF_DataTypeSize(array.type));
}

int64_t checked_axis(int64_t axis, int64_t dimensions) {
  if (axis < -dimensions || axis >= dimensions) {
    throw Failure{TF_INVALID_ARGUMENT, "There is no dimension " + std::to_string(axis) + " in " +
                                           std::to_string(dimensions) + " dimensions"};
  }
  return axis < 0 ? axis + dimensions : axis;
}

}  // namespace card
