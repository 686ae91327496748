// Ops that make one number of each number.
#include <algorithm>
#include <cmath>

#include "chunk.h"
#include "kernel.h"
#include "kernels.h"

namespace card {
namespace {

// A function of many numbers, one after the other, in what is computed with.
template <class T, class R>
using Row = void (*)(const Wide<T>* from, Wide<R>* to, int64_t count);

template <class T, class R>
class Unary {
 public:
  Unary(const Attributes&, Row<T, R> row) : row_(row) {}

  void compute(Call& call) const {
    const Array x = call.input(0);
    const int64_t size = x.size();
    const Array y = std::is_same_v<T, R> ? call.output_in_place({0}, x.shape)
                                         : call.output(0, x.shape);
    if (size == 0) return;
    call.run([row = row_, from = x.as<T>(), to = y.as<R>(), size] {
      for (int64_t i = 0; i < size; i += CHUNK) {
        const int64_t count = std::min(CHUNK, size - i);
        Chunk<const T> read(from + i, 1, count);
        Chunk<R> written(to + i, 1, count);
        row(read.numbers(), written.numbers(), count);
        written.store();
      }
    });
  }

 private:
  Row<T, R> row_;
};

template <class Function, class W, class V>
void row_of(const W* from, V* to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<V>(Function::of(from[i]));
}

// x is float, double or a wide integer.
#define FUNCTION(NAME, VALUE) \
  struct NAME {               \
    template <class T>        \
    static auto of(T x) {     \
      return VALUE;           \
    }                         \
  };

FUNCTION(Negative, -x)
FUNCTION(Squared, x* x)
FUNCTION(Absolute, x < 0 ? -x : x)
FUNCTION(SignOf, T((x > 0) - (x < 0)))
FUNCTION(SquareRoot, std::sqrt(x))
FUNCTION(InverseRoot, 1 / std::sqrt(x))
FUNCTION(Inverse, 1 / x)
FUNCTION(Exponential, std::exp(x))
FUNCTION(ExponentialLessOne, std::expm1(x))
FUNCTION(Logarithm, std::log(x))
FUNCTION(LogarithmOfOneMore, std::log1p(x))
FUNCTION(Sine, std::sin(x))
FUNCTION(Cosine, std::cos(x))
FUNCTION(HyperbolicTangent, std::tanh(x))
FUNCTION(Logistic, 1 / (1 + std::exp(-x)))
FUNCTION(ErrorFunction, std::erf(x))
FUNCTION(Lowered, std::floor(x))
FUNCTION(Raised, std::ceil(x))
FUNCTION(Rounded, std::nearbyint(x))
FUNCTION(Positive, x < 0 ? T(0) : x)  // NaN stays
FUNCTION(SoftPositive, x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)))
FUNCTION(Not, !x)
FUNCTION(Nan, std::isnan(x))
FUNCTION(Infinite, std::isinf(x))
FUNCTION(Finite, std::isfinite(x))

template <class Function, class... Types>
void add(const char* op) {
  for_types<Types...>([op](auto type) {
    using T = decltype(type);
    add_kernel<Unary<T, T>, row_of<Function, Wide<T>, Wide<T>>>(op, {{"T", TYPE<T>}});
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

template <class Function>
void add_test(const char* op) {
  for_floats([op](auto type) {
    using T = decltype(type);
    add_kernel<Unary<T, bool>, row_of<Function, Wide<T>, bool>>(op, {{"T", TYPE<T>}});
  });
}

}  // namespace

void add_unary_kernels() {
  add_for_all<Negative>("Neg");
  add_for_all<Squared>("Square");
  add_for_all<Absolute>("Abs");
  add_for_all<SignOf>("Sign");
  add_for_floats<SquareRoot>("Sqrt");
  add_for_floats<InverseRoot>("Rsqrt");
  add_for_floats<Inverse>("Reciprocal");
  add_for_floats<Inverse>("Inv");
  add_for_floats<Exponential>("Exp");
  add_for_floats<ExponentialLessOne>("Expm1");
  add_for_floats<Logarithm>("Log");
  add_for_floats<LogarithmOfOneMore>("Log1p");
  add_for_floats<Sine>("Sin");
  add_for_floats<Cosine>("Cos");
  add_for_floats<HyperbolicTangent>("Tanh");
  add_for_floats<Logistic>("Sigmoid");
  add_for_floats<ErrorFunction>("Erf");
  add_for_floats<Lowered>("Floor");
  add_for_floats<Raised>("Ceil");
  add_for_floats<Rounded>("Rint");
  add_for_floats<Rounded>("Round");
  add_for_floats<Positive>("Relu");
  add_for_floats<SoftPositive>("Softplus");
  add_kernel<Unary<bool, bool>, row_of<Not, bool, bool>>("LogicalNot", {});
  add_test<Nan>("IsNan");
  add_test<Infinite>("IsInf");
  add_test<Finite>("IsFinite");
}

}  // namespace card
