// See shape.h.
#include "shape.h"

#include <algorithm>

#include "failure.h"

namespace card {

int64_t size_of(const Shape& shape) {
  int64_t size = 1;
  for (const int64_t length : shape) size *= length;
  return size;
}

Shape steps_of(const Shape& shape) {
  Shape steps(shape.size());
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    steps[i] = step;
    step *= shape[i];
  }
  return steps;
}

Shape broadcast(const Shape& x, const Shape& y) {
  Shape whole(std::max(x.size(), y.size()));
  for (size_t back = 1; back <= whole.size(); ++back) {
    const int64_t of_x = back <= x.size() ? x[x.size() - back] : 1;
    const int64_t of_y = back <= y.size() ? y[y.size() - back] : 1;
    if (of_x != of_y && of_x != 1 && of_y != 1) {
      throw Failure{TF_INVALID_ARGUMENT, "Incompatible shapes: " + std::to_string(of_x) + " and " +
                                             std::to_string(of_y) + " in one dimension"};
    }
    whole[whole.size() - back] = of_x == 1 ? of_y : of_x;
  }
  return whole;
}

Shape stretched(const Shape& shape, const Shape& whole) {
  const Shape steps = steps_of(shape);
  Shape result(whole.size(), 0);
  const size_t missing = whole.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1) result[missing + i] = steps[i];
  }
  return result;
}

}  // namespace card
