// Ops that change a variable where it lies. TensorFlow itself brings those that make, read and
// replace one; its own of these would count on the host before the stream has come that far.
#include <cmath>

#include "rows.h"
#include "variable.h"

namespace card {
namespace {

template <class T, int SIGN>
class Update : public VariableKernel {
 public:
  using VariableKernel::VariableKernel;

  void change(OpKernelContext* context) override {
    const Tensor& value = context->input(1);
    const Owned variable(context, 0, value);
    launch(context, [size = value.NumElements(), to = variable.data<T>(), by = data_of<T>(value)] {
      for (int64_t i = 0; i < size; ++i) to[i] = T(Wide<T>(to[i]) + SIGN * Wide<T>(by[i]));
    });
  }
};

template <class T>
class GradientDescent : public VariableKernel {
 public:
  using VariableKernel::VariableKernel;

  void change(OpKernelContext* context) override {
    const Tensor& gradient = context->input(2);
    const Owned weights(context, 0, gradient);
    launch(context, [size = gradient.NumElements(), to = weights.data<T>(),
                     rate = data_of<T>(context->input(1)), by = data_of<T>(gradient)] {
      const Wide<T> step = *rate;
      for (int64_t i = 0; i < size; ++i) to[i] = T(Wide<T>(to[i]) - step * Wide<T>(by[i]));
    });
  }
};

template <class T>
class Adam : public VariableKernel {
 public:
  explicit Adam(OpKernelConstruction* made) : VariableKernel(made) {
    OP_REQUIRES_OK(made, made->GetAttr("use_nesterov", &nesterov_));
  }

  void change(OpKernelContext* context) override {
    const Tensor& gradient = context->input(9);
    const auto number = [&](int input) { return data_of<T>(context->input(input)); };
    const Owned weights(context, 0, gradient);
    const Owned means(context, 1, gradient);
    const Owned squares(context, 2, gradient);
    launch(context, [size = gradient.NumElements(), nesterov = nesterov_, w = weights.data<T>(),
                     m = means.data<T>(), v = squares.data<T>(), power1 = number(3),
                     power2 = number(4), rate = number(5), beta1 = number(6), beta2 = number(7),
                     epsilon = number(8), by = data_of<T>(gradient)] {
      using W = Wide<T>;
      const W b1 = *beta1;
      const W b2 = *beta2;
      const W step = W(*rate) * std::sqrt(1 - W(*power2)) / (1 - W(*power1));
      for (int64_t i = 0; i < size; ++i) {
        const W g = by[i];
        const W mean = W(m[i]) + (g - W(m[i])) * (1 - b1);
        const W square = W(v[i]) + (g * g - W(v[i])) * (1 - b2);
        const W direction = nesterov ? g * (1 - b1) + b1 * mean : mean;
        m[i] = T(mean);
        v[i] = T(square);
        w[i] = T(W(w[i]) - step * direction / (std::sqrt(square) + W(*epsilon)));
      }
    });
  }

 private:
  bool nesterov_ = false;
};

#define UPDATES(TYPE, CODE)                                              \
  REGISTER_KERNEL_BUILDER(Name("AssignAddVariableOp")                    \
                              .Device("GPU")                             \
                              .HostMemory("resource")                    \
                              .TypeConstraint("dtype", tensorflow::CODE), \
                          Update<TYPE, 1>)                               \
  REGISTER_KERNEL_BUILDER(Name("AssignSubVariableOp")                    \
                              .Device("GPU")                             \
                              .HostMemory("resource")                    \
                              .TypeConstraint("dtype", tensorflow::CODE), \
                          Update<TYPE, -1>)

#define OPTIMIZERS(TYPE, CODE)                                       \
  REGISTER_KERNEL_BUILDER(Name("ResourceApplyGradientDescent")       \
                              .Device("GPU")                         \
                              .HostMemory("var")                     \
                              .TypeConstraint("T", tensorflow::CODE), \
                          GradientDescent<TYPE>)                     \
  REGISTER_KERNEL_BUILDER(Name("ResourceApplyAdam")                  \
                              .Device("GPU")                         \
                              .HostMemory("var")                     \
                              .HostMemory("m")                       \
                              .HostMemory("v")                       \
                              .TypeConstraint("T", tensorflow::CODE), \
                          Adam<TYPE>)

#define ROWS(OP, KERNEL, CODE, INDEX_CODE)                                    \
  REGISTER_KERNEL_BUILDER(Name(OP)                                            \
                              .Device("GPU")                                  \
                              .HostMemory("resource")                         \
                              .TypeConstraint("dtype", tensorflow::CODE)      \
                              .TypeConstraint("Tindices", tensorflow::INDEX_CODE), \
                          KERNEL)

// A macro takes no type with a comma in it.
template <class T>
using ReplacedBy32 = Scatter<T, int32_t, Replaced>;
template <class T>
using ReplacedBy64 = Scatter<T, int64_t, Replaced>;
template <class T>
using IncreasedBy32 = Scatter<T, int32_t, Increased>;
template <class T>
using IncreasedBy64 = Scatter<T, int64_t, Increased>;
template <class T>
using DecreasedBy32 = Scatter<T, int32_t, Decreased>;
template <class T>
using DecreasedBy64 = Scatter<T, int64_t, Decreased>;
template <class T>
using GatheredBy32 = VariableGather<T, int32_t>;
template <class T>
using GatheredBy64 = VariableGather<T, int64_t>;

#define ALL_ROWS(TYPE, CODE)                                              \
  ROWS("ResourceScatterUpdate", ReplacedBy32<TYPE>, CODE, DT_INT32)       \
  ROWS("ResourceScatterUpdate", ReplacedBy64<TYPE>, CODE, DT_INT64)       \
  ROWS("ResourceScatterAdd", IncreasedBy32<TYPE>, CODE, DT_INT32)         \
  ROWS("ResourceScatterAdd", IncreasedBy64<TYPE>, CODE, DT_INT64)         \
  ROWS("ResourceScatterSub", DecreasedBy32<TYPE>, CODE, DT_INT32)         \
  ROWS("ResourceScatterSub", DecreasedBy64<TYPE>, CODE, DT_INT64)         \
  ROWS("ResourceGather", GatheredBy32<TYPE>, CODE, DT_INT32)              \
  ROWS("ResourceGather", GatheredBy64<TYPE>, CODE, DT_INT64)

ALL_ROWS(float, DT_FLOAT)
ALL_ROWS(double, DT_DOUBLE)
UPDATES(float, DT_FLOAT)
UPDATES(double, DT_DOUBLE)
UPDATES(Half, DT_HALF)
UPDATES(BFloat16, DT_BFLOAT16)
UPDATES(int64_t, DT_INT64)
UPDATES(int32_t, DT_INT32)
OPTIMIZERS(float, DT_FLOAT)
OPTIMIZERS(double, DT_DOUBLE)

}  // namespace
}  // namespace card
