// Shapes, and loops over several arrays at once that differ in how they lie in memory. Nearly every
// kernel is such a loop: a broadcast has steps of 0, a transpose exchanges them, a slice begins
// later. Nothing here knows TensorFlow.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace card {

using Shape = std::vector<int64_t>;

int64_t size_of(const Shape& shape);

// The steps, in elements, from one index of each dimension to the next.
Shape steps_of(const Shape& shape);

// The shape that both fit into by NumPy's rule of broadcasting; throws Failure where there is none.
Shape broadcast(const Shape& x, const Shape& y);

// The steps of an array of one shape as if it had the other, which it fits into by broadcasting.
Shape stretched(const Shape& shape, const Shape& whole);

template <int ARRAYS>
struct Loop {
  Shape shape;
  std::array<Shape, ARRAYS> steps;

  // Calls row(offsets, count, steps) until all is done: `count` elements, which lie `offsets` from
  // the beginning of each array and `steps` apart.
  template <class Row>
  void run(Row row) const;

  // Makes one dimension of two where the second follows the first in all arrays: rows get long.
  void merge();
};

template <int ARRAYS>
void Loop<ARRAYS>::merge() {
  Loop merged;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    bool follows = !merged.shape.empty();
    for (int a = 0; a < ARRAYS && follows; ++a) {
      follows = merged.steps[a].back() == steps[a][i] * shape[i];
    }
    if (follows) {
      merged.shape.back() *= shape[i];
      for (int a = 0; a < ARRAYS; ++a) merged.steps[a].back() = steps[a][i];
    } else {
      merged.shape.push_back(shape[i]);
      for (int a = 0; a < ARRAYS; ++a) merged.steps[a].push_back(steps[a][i]);
    }
  }
  *this = merged;
}

template <int ARRAYS>
template <class Row>
void Loop<ARRAYS>::run(Row row) const {
  if (size_of(shape) == 0) return;
  std::array<int64_t, ARRAYS> offsets{};
  std::array<int64_t, ARRAYS> last{};
  if (shape.empty()) {
    row(offsets, int64_t{1}, last);
    return;
  }
  const int dimensions = static_cast<int>(shape.size());
  for (int a = 0; a < ARRAYS; ++a) last[a] = steps[a][dimensions - 1];
  Shape index(dimensions, 0);
  while (true) {
    row(offsets, shape[dimensions - 1], last);
    int d = dimensions - 2;
    for (; d >= 0; --d) {
      for (int a = 0; a < ARRAYS; ++a) offsets[a] += steps[a][d];
      if (++index[d] < shape[d]) break;
      for (int a = 0; a < ARRAYS; ++a) offsets[a] -= steps[a][d] * shape[d];
      index[d] = 0;
    }
    if (d < 0) return;
  }
}

}  // namespace card
