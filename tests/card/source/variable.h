// What a kernel needs that changes a variable where it lies: the variable, locked and not shared.
//
// This alone uses the C++ of TensorFlow's headers for ops of one's own: the C functions for
// variables stand in a header of its packages (kernels_experimental.h), and in none of its
// libraries. It takes the compiler some seconds to read, so one file includes it.
#pragma once

#include <cstring>
#include <string>
#include <utility>

#include "kernel.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/resource_mgr.h"
#include "tensorflow/core/framework/resource_var.h"

namespace card {

using tensorflow::OpKernel;
using tensorflow::OpKernelConstruction;
using tensorflow::OpKernelContext;
using tensorflow::Tensor;

// The C functions take the same context under another name.
inline void launch(OpKernelContext* context, Task work) {
  card::launch(reinterpret_cast<TF_OpKernelContext*>(context), std::move(work));
}

template <class T>
T* data_of(const Tensor& tensor) {
  return static_cast<T*>(tensor.data());
}

inline void check(const absl::Status& status) {
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

// A variable that no other op changes or reads as long as this is there.
class Locked {
 public:
  Locked(OpKernelContext* context, int input)
      : variable_(find(context, input)), lock_(*variable_->mu()) {
    if (!variable_->is_initialized) {
      throw Failure{TF_FAILED_PRECONDITION, "A variable is used before it has a value"};
    }
  }

  Tensor& tensor() const { return *variable_->tensor(); }

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

// One that is about to be changed. Nobody else holds its tensor: whoever has read it must not see
// it change, so where it is held the variable gets a new one first.
class Owned : public Locked {
 public:
  Owned(OpKernelContext* context, int input) : Locked(context, input) {
    if (tensor().RefCountIsOne()) return;
    Tensor copy;
    check(context->allocate_temp(tensor().dtype(), tensor().shape(), &copy));
    launch(context, [to = copy.data(), from = tensor().data(), bytes = tensor().TotalBytes()] {
      std::memcpy(to, from, bytes);
    });
    tensor() = copy;
  }

  // The same for a change that has a number for each number of the variable.
  Owned(OpKernelContext* context, int input, const Tensor& like) : Owned(context, input) {
    if (tensor().shape().IsSameSize(like.shape())) return;
    throw Failure{TF_INVALID_ARGUMENT,
                  "Cannot update variable with shape " + tensor().shape().DebugString() +
                      " using a Tensor with shape " + like.shape().DebugString() +
                      ", shapes must be equal."};
  }

  template <class T>
  T* data() const {
    return data_of<T>(tensor());
  }
};

}  // namespace card
