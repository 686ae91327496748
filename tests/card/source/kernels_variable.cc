// Ops that change a variable where it lies. TensorFlow itself brings those that make, read and
// replace one; its own of these would count on the host before the stream has come that far.
//
// This file alone uses the C++ of TensorFlow's headers for ops of one's own: the C functions for
// variables stand in a header of its packages (kernels_experimental.h), and in none of its libraries.
#include <cmath>
#include <cstring>

#include "kernel.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/resource_mgr.h"
#include "tensorflow/core/framework/resource_var.h"

namespace card {
namespace {

using tensorflow::OpKernel;
using tensorflow::OpKernelConstruction;
using tensorflow::OpKernelContext;
using tensorflow::Tensor;

// The C functions take the same context under another name.
void launch(OpKernelContext* context, Task work) {
  card::launch(reinterpret_cast<TF_OpKernelContext*>(context), std::move(work));
}

template <class T>
T* data_of(const Tensor& tensor) {
  return static_cast<T*>(tensor.data());
}

void check(const absl::Status& status) {
  if (status.ok()) return;
  throw Failure{static_cast<TF_Code>(status.code()), std::string(status.message())};
}

// A kernel of this file: what it throws becomes the error of its op.
class VariableKernel : public OpKernel {
 public:
  using OpKernel::OpKernel;

  void Compute(OpKernelContext* context) final {
    try {
      change(context);
    } catch (const Failure& failure) {
      context->SetStatus(absl::Status(static_cast<absl::StatusCode>(failure.code), failure.text));
    }
  }

  virtual void change(OpKernelContext* context) = 0;
};

// A variable that is about to be changed, locked until the change is queued. Nobody else holds its
// tensor: whoever has read it must not see it change, so where it is held it gets a new one first.
template <class T>
class Owned {
 public:
  Owned(OpKernelContext* context, int input, const Tensor& like)
      : variable_(find(context, input)), lock_(*variable_->mu()) {
    Tensor* tensor = variable_->tensor();
    if (!variable_->is_initialized || !tensor->shape().IsSameSize(like.shape())) {
      throw Failure{TF_INVALID_ARGUMENT, "Cannot update variable with shape " +
                                             tensor->shape().DebugString() +
                                             " using a Tensor with shape " +
                                             like.shape().DebugString() +
                                             ", shapes must be equal."};
    }
    if (!tensor->RefCountIsOne()) {
      Tensor copy;
      check(context->allocate_temp(tensor->dtype(), tensor->shape(), &copy));
      launch(context, [to = copy.data(), from = tensor->data(), bytes = tensor->TotalBytes()] {
        std::memcpy(to, from, bytes);
      });
      *tensor = copy;
    }
  }

  T* data() const { return data_of<T>(*variable_->tensor()); }

 private:
  using Variable = tensorflow::core::RefCountPtr<tensorflow::Var>;

  static Variable find(OpKernelContext* context, int input) {
    Variable variable;
    check(LookupResource(context, HandleFromInput(context, input), &variable));
    return variable;
  }

  Variable variable_;
  tensorflow::mutex_lock lock_;
};

template <class T, int SIGN>
class Update : public VariableKernel {
 public:
  using VariableKernel::VariableKernel;

  void change(OpKernelContext* context) override {
    const Tensor& value = context->input(1);
    const Owned<T> variable(context, 0, value);
    launch(context, [size = value.NumElements(), to = variable.data(), by = data_of<T>(value)] {
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
    const Owned<T> weights(context, 0, gradient);
    launch(context, [size = gradient.NumElements(), to = weights.data(),
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
    const Owned<T> weights(context, 0, gradient);
    const Owned<T> means(context, 1, gradient);
    const Owned<T> squares(context, 2, gradient);
    launch(context, [size = gradient.NumElements(), nesterov = nesterov_, w = weights.data(),
                     m = means.data(), v = squares.data(), power1 = number(3), power2 = number(4),
                     rate = number(5), beta1 = number(6), beta2 = number(7), epsilon = number(8),
                     by = data_of<T>(gradient)] {
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
