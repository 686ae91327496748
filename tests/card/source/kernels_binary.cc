// Ops that make one number of each two, with broadcasting.
#include <algorithm>
#include <cmath>

#include "chunk.h"
#include "kernel.h"
#include "kernels.h"

namespace card {
namespace {

// A function of many pairs of numbers, in what is computed with.
template <class T, class R>
using Row = void (*)(const Wide<T>* x, int64_t x_step, const Wide<T>* y, int64_t y_step,
                     Wide<R>* z, int64_t count);

template <class T, class R>
class Binary {
 public:
  Binary(const Attributes&, Row<T, R> row) : row_(row) {}

  void compute(Call& call) const {
    const Array x = call.input(0);
    const Array y = call.input(1);
    const Shape shape = broadcast(x.shape, y.shape);
    const Array z = std::is_same_v<T, R> ? call.output_in_place({0, 1}, shape)
                                         : call.output(0, shape);
    if (z.size() == 0) return;
    Loop<3> loop{shape, {stretched(x.shape, shape), stretched(y.shape, shape), steps_of(shape)}};
    loop.merge();
    call.run([loop, row = row_, xs = x.as<T>(), ys = y.as<T>(), zs = z.as<R>()] {
      loop.run([&](auto offsets, int64_t length, auto steps) {
        for (int64_t i = 0; i < length; i += CHUNK) {
          const int64_t count = std::min(CHUNK, length - i);
          Chunk<const T> left(xs + offsets[0] + i * steps[0], steps[0], count);
          Chunk<const T> right(ys + offsets[1] + i * steps[1], steps[1], count);
          Chunk<R> to(zs + offsets[2] + i, 1, count);
          row(left.numbers(), left.step(), right.numbers(), right.step(), to.numbers(), count);
          to.store();
        }
      });
    });
  }

 private:
  Row<T, R> row_;
};

template <class Function, class W, class V>
void row_of(const W* x, int64_t x_step, const W* y, int64_t y_step, V* z, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    z[i] = static_cast<V>(Function::of(x[i * x_step], y[i * y_step]));
  }
}

#define FUNCTION(NAME, VALUE)  \
  struct NAME {                \
    template <class T>         \
    static auto of(T x, T y) { \
      return VALUE;            \
    }                          \
  };

// Of a NaN and a number NaN, as TensorFlow has it.
FUNCTION(Larger, x > y || x != x ? x : y)
FUNCTION(Smaller, x < y || x != x ? x : y)
FUNCTION(Plus, x + y)
FUNCTION(Minus, x - y)
FUNCTION(Times, x* y)
FUNCTION(Over, x / y)
FUNCTION(OverOrZero, y == 0 ? T(0) : x / y)
FUNCTION(TimesOrZero, y == 0 ? T(0) : x * y)
FUNCTION(SquareOfDifference, (x - y) * (x - y))
FUNCTION(Power, std::pow(x, y))
FUNCTION(LoweredQuotient, std::floor(x / y))
FUNCTION(Remainder, x - std::floor(x / y) * y)
FUNCTION(Same, x == y)
FUNCTION(Different, x != y)
FUNCTION(Below, x < y)
FUNCTION(NotAbove, x <= y)
FUNCTION(Above, x > y)
FUNCTION(NotBelow, x >= y)
FUNCTION(Both, x && y)
FUNCTION(Either, x || y)

// Gradients: x is what the op gave (of ReluGrad y: what it got), the other the gradient so far.
FUNCTION(TangentGradient, y*(1 - x * x))
FUNCTION(LogisticGradient, y* x*(1 - x))
FUNCTION(RootGradient, y * T(0.5) / x)
FUNCTION(InverseRootGradient, T(-0.5) * y * x * x * x)
FUNCTION(InverseGradient, -y * x * x)
FUNCTION(PositiveGradient, y > 0 ? x : T(0))
FUNCTION(SoftPositiveGradient, x / (1 + std::exp(-y)))

template <class Function, class... Types>
void add(const char* op) {
  for_types<Types...>([op](auto type) {
    using T = decltype(type);
    add_kernel<Binary<T, T>, row_of<Function, Wide<T>, Wide<T>>>(op, {{"T", TYPE<T>}});
  });
}

template <class Function>
void add_for_floats(const char* op) {
  add<Function, float, double, Half, BFloat16>(op);
}

template <class Function>
void add_for_all(const char* op) {
  add<Function, float, double, Half, BFloat16, int64_t>(op);
}

template <class Function, class... More>
void add_comparison(const char* op) {
  for_types<float, double, Half, BFloat16, int64_t, uint8_t, More...>([op](auto type) {
    using T = decltype(type);
    add_kernel<Binary<T, bool>, row_of<Function, Wide<T>, bool>>(op, {{"T", TYPE<T>}});
  });
}

}  // namespace

void add_binary_kernels() {
  add_for_all<Plus>("Add");
  add_for_all<Plus>("AddV2");
  add_for_all<Minus>("Sub");
  add_for_all<Times>("Mul");
  add_for_all<Larger>("Maximum");
  add_for_all<Smaller>("Minimum");
  add_for_all<SquareOfDifference>("SquaredDifference");
  add_for_floats<Over>("RealDiv");
  add_for_floats<Over>("Div");
  add_for_floats<OverOrZero>("DivNoNan");
  add_for_floats<TimesOrZero>("MulNoNan");
  add_for_floats<Power>("Pow");
  add_for_floats<LoweredQuotient>("FloorDiv");
  add_for_floats<Remainder>("FloorMod");

  add_for_floats<TangentGradient>("TanhGrad");
  add_for_floats<LogisticGradient>("SigmoidGrad");
  add_for_floats<RootGradient>("SqrtGrad");
  add_for_floats<InverseRootGradient>("RsqrtGrad");
  add_for_floats<InverseGradient>("ReciprocalGrad");
  add_for_floats<InverseGradient>("InvGrad");
  add_for_floats<PositiveGradient>("ReluGrad");
  add_for_floats<SoftPositiveGradient>("SoftplusGrad");

  add_comparison<Same, bool>("Equal");
  add_comparison<Different, bool>("NotEqual");
  add_comparison<Below>("Less");
  add_comparison<NotAbove>("LessEqual");
  add_comparison<Above>("Greater");
  add_comparison<NotBelow>("GreaterEqual");
  add_kernel<Binary<bool, bool>, row_of<Both, bool, bool>>("LogicalAnd", {});
  add_kernel<Binary<bool, bool>, row_of<Either, bool, bool>>("LogicalOr", {});
}

}  // namespace card
