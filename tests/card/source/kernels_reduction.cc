// Ops that make one number of many: sums and the like along some dimensions, and sums of arrays.
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "chunk.h"
#include "kernel.h"
#include "kernels.h"

namespace card {
namespace {

// Sums of floats are kept in double: a card adds in a tree, and this comes as near to the truth.
template <class T>
using Total = std::conditional_t<
    std::is_same_v<T, bool>, bool,
    std::conditional_t<std::is_floating_point_v<Wide<T>>, double, int64_t>>;

// Which dimensions go, of axes that may count from the end.
std::vector<bool> reduced_dimensions(const std::vector<int64_t>& axes, size_t dimensions) {
  std::vector<bool> reduced(dimensions, false);
  const int64_t count = static_cast<int64_t>(dimensions);
  for (const int64_t axis : axes) {
    if (axis < -count || axis >= count) {
      throw Failure{TF_INVALID_ARGUMENT, "Invalid reduction dimension " + std::to_string(axis) +
                                             " for input with " + std::to_string(count) +
                                             " dimensions"};
    }
    reduced[axis < 0 ? axis + count : axis] = true;
  }
  return reduced;
}

// How numbers become one: what there is before the first, and how some more are joined to it. The
// total is one number (a step of 0) or one for each that is joined.
template <class A>
struct Rule {
  A begin;
  void (*join)(A* total, int64_t step, const A* x, int64_t count);
  bool averages;
};

template <class T>
class Reduction {
  using A = Total<T>;

 public:
  Reduction(const Attributes& attributes, Rule<A> (*rule)())
      : keeps_(attributes.flag("keep_dims")), rule_(rule()) {}

  void compute(Call& call) const {
    const Array x = call.input(0);
    const std::vector<bool> gone = reduced_dimensions(call.host_numbers(1), x.shape.size());
    Shape shape;
    Shape kept;  // the same with a dimension of 1 in place of each that goes
    for (size_t i = 0; i < x.shape.size(); ++i) {
      kept.push_back(gone[i] ? 1 : x.shape[i]);
      if (!gone[i] || keeps_) shape.push_back(kept.back());
    }
    const Array y = call.output(0, shape);
    const int64_t size = y.size();
    if (size == 0) return;
    Loop<2> loop{x.shape, {steps_of(x.shape), stretched(kept, x.shape)}};
    loop.merge();
    const double each = static_cast<double>(x.size()) / static_cast<double>(size);
    call.run([loop, size, each, rule = rule_, from = x.as<T>(), to = y.as<T>()] {
      // No vector: one of bools has no elements of its own.
      const std::unique_ptr<A[]> totals(new A[size]);
      std::fill_n(totals.get(), size, rule.begin);
      loop.run([&](auto offsets, int64_t length, auto steps) {
        for (int64_t i = 0; i < length; i += CHUNK) {
          A numbers[CHUNK];
          const int64_t count = std::min(CHUNK, length - i);
          const T* first = from + offsets[0] + i * steps[0];
          for (int64_t k = 0; k < count; ++k) {
            numbers[k] = static_cast<A>(Wide<T>(first[k * steps[0]]));
          }
          rule.join(totals.get() + offsets[1] + i * steps[1], steps[1], numbers, count);
        }
      });
      for (int64_t i = 0; i < size; ++i) {
        const A total = rule.averages ? static_cast<A>(totals[i] / each) : totals[i];
        to[i] = T(static_cast<Wide<T>>(total));
      }
    });
  }

 private:
  bool keeps_;
  Rule<A> rule_;
};

template <class A>
A lowest() {
  return std::numeric_limits<A>::has_infinity ? -std::numeric_limits<A>::infinity()
                                              : std::numeric_limits<A>::lowest();
}

template <class A>
A highest() {
  return std::numeric_limits<A>::has_infinity ? std::numeric_limits<A>::infinity()
                                              : std::numeric_limits<A>::max();
}

#define RULE(NAME, BEGIN, JOINED, AVERAGES)                                       \
  struct NAME {                                                                   \
    template <class A>                                                            \
    static Rule<A> of() {                                                         \
      const auto join = [](A* totals, int64_t step, const A* xs, int64_t count) { \
        for (int64_t i = 0; i < count; ++i) {                                     \
          A& total = totals[i * step];                                            \
          const A x = xs[i];                                                      \
          total = JOINED;                                                         \
        }                                                                         \
      };                                                                          \
      return {BEGIN, join, AVERAGES};                                             \
    }                                                                             \
  };

RULE(Summed, 0, total + x, false)
RULE(Averaged, 0, total + x, true)
RULE(Multiplied, 1, total* x, false)
RULE(Largest, lowest<A>(), x > total || x != x ? x : total, false)
RULE(Smallest, highest<A>(), x < total || x != x ? x : total, false)
RULE(AllOf, true, total&& x, false)
RULE(AnyOf, false, total || x, false)

template <class T, class Name>
void add_reduction(const char* op, std::initializer_list<Constraint> constraints,
                   OnHost on_host = {"reduction_indices"}) {
  add_kernel<Reduction<T>, Name::template of<Total<T>>>(op, constraints, on_host);
}

template <class Name>
void add(const char* op) {
  for_types<float, double, Half, BFloat16, int64_t>([op](auto type) {
    using T = decltype(type);
    add_reduction<T, Name>(op, {{"T", TYPE<T>}});
  });
}

// Whole numbers of 32 bits are shapes and sizes to TensorFlow: they stay with the host.
template <class Name>
void add_on_host(const char* op) {
  add_reduction<int32_t, Name>(op, {{"T", TF_INT32}}, {"input", "output", "reduction_indices"});
}

template <class T>
struct SumOfArrays : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    std::vector<const T*> inputs;
    for (int i = 0; i < call.inputs(); ++i) inputs.push_back(call.input(i).as<T>());
    const Array y = call.output_in_place({0}, call.input(0).shape);
    const int64_t size = y.size();
    if (size == 0) return;
    call.run([inputs, to = y.as<T>(), size] {
      for (int64_t i = 0; i < size; ++i) {
        Wide<T> total = inputs[0][i];
        for (size_t k = 1; k < inputs.size(); ++k) total += Wide<T>(inputs[k][i]);
        to[i] = T(total);
      }
    });
  }
};

template <class T>
struct HalfSumOfSquares : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    const Array x = call.input(0);
    const Array y = call.output(0, {});
    call.run([from = x.as<T>(), to = y.as<T>(), size = x.size()] {
      double total = 0;
      for (int64_t i = 0; i < size; ++i) total += double(from[i]) * double(from[i]);
      *to = T(static_cast<Wide<T>>(total / 2));
    });
  }
};

// The index of the largest or smallest number along one dimension.
template <class T, class Index, bool LARGEST>
struct IndexOf : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    const Array x = call.input(0);
    const int64_t dimensions = static_cast<int64_t>(x.shape.size());
    const int64_t asked = call.host_numbers(1).at(0);
    const int64_t axis = asked < 0 ? asked + dimensions : asked;
    if (axis < 0 || axis >= dimensions) {
      throw Failure{TF_INVALID_ARGUMENT, "Expected dimension in the range of the input's, got " +
                                             std::to_string(asked)};
    }
    Shape shape = x.shape;
    shape.erase(shape.begin() + axis);
    const int64_t length = x.shape[axis];
    const int64_t step = steps_of(x.shape)[axis];
    const Array y = call.output(0, shape);
    const int64_t size = y.size();
    if (size == 0) return;
    call.run([=, from = x.as<T>(), to = y.as<Index>()] {
      for (int64_t i = 0; i < size; ++i) {
        const T* row = from + i / step * step * length + i % step;
        int64_t best = 0;
        for (int64_t k = 1; k < length; ++k) {
          const Wide<T> value = row[k * step];
          const Wide<T> so_far = row[best * step];
          if (LARGEST ? value > so_far : value < so_far) best = k;
        }
        to[i] = static_cast<Index>(best);
      }
    });
  }
};

template <class T, class Index>
void add_index_of() {
  const auto constraints = {Constraint{"T", TYPE<T>}, Constraint{"output_type", TYPE<Index>}};
  add_kernel<IndexOf<T, Index, true>>("ArgMax", constraints, {"dimension"});
  add_kernel<IndexOf<T, Index, false>>("ArgMin", constraints, {"dimension"});
}

}  // namespace

void add_reduction_kernels() {
  add<Summed>("Sum");
  add<Averaged>("Mean");
  add<Multiplied>("Prod");
  add<Largest>("Max");
  add<Smallest>("Min");
  add_on_host<Summed>("Sum");
  add_on_host<Multiplied>("Prod");
  add_reduction<bool, AllOf>("All", {});
  add_reduction<bool, AnyOf>("Any", {});
  for_types<float, double, Half, BFloat16, int64_t>([](auto type) {
    using T = decltype(type);
    add_kernel<SumOfArrays<T>>("AddN", {{"T", TYPE<T>}});
  });
  for_floats([](auto type) {
    using T = decltype(type);
    add_kernel<HalfSumOfSquares<T>>("L2Loss", {{"T", TYPE<T>}});
    add_index_of<T, int64_t>();
    add_index_of<T, int32_t>();
  });
}

}  // namespace card
