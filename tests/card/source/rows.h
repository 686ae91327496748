// Kernels that change or read rows of a variable by their numbers.
#pragma once

#include "variable.h"

namespace card {

// Changes some rows of a variable, by their numbers. A number that is no row's changes nothing: the
// numbers are on the card, which has no way to raise an error.
template <class T, class Index, class Rule>
class Scatter : public VariableKernel {
 public:
  using VariableKernel::VariableKernel;

  void change(OpKernelContext* context) override {
    const Tensor& indices = context->input(1);
    const Tensor& updates = context->input(2);
    const Owned variable(context, 0);
    const int64_t rows = variable.tensor().dim_size(0);
    const int64_t length = rows == 0 ? 0 : variable.tensor().NumElements() / rows;
    // One number may stand for all.
    const int64_t step = updates.dims() == 0 ? 0 : 1;
    if (step == 1 && updates.NumElements() != indices.NumElements() * length) {
      throw Failure{TF_INVALID_ARGUMENT, "There must be an update for each number of each row"};
    }
    launch(context, [=, count = indices.NumElements(), numbers = data_of<Index>(indices),
                     from = data_of<T>(updates), to = variable.data<T>()] {
      for (int64_t i = 0; i < count * length; ++i) {
        const int64_t row = numbers[i / length];
        if (row < 0 || row >= rows) continue;
        T& changed = to[row * length + i % length];
        changed = T(Rule::of(Wide<T>(changed), Wide<T>(from[i * step])));
      }
    });
  }
};

#define SCATTER_RULE(NAME, VALUE)      \
  struct NAME {                        \
    template <class T>                 \
    static T of(T before, T update) {  \
      (void)before;                    \
      return VALUE;                    \
    }                                  \
  };

SCATTER_RULE(Replaced, update)
SCATTER_RULE(Increased, before + update)
SCATTER_RULE(Decreased, before - update)

// Rows of a variable, which it need not be copied for: what changes it comes later on the stream.
template <class T, class Index>
class VariableGather : public VariableKernel {
 public:
  explicit VariableGather(OpKernelConstruction* made) : VariableKernel(made) {
    int64_t batch = 0;
    OP_REQUIRES_OK(made, made->GetAttr("batch_dims", &batch));
    OP_REQUIRES(made, batch == 0, absl::UnimplementedError("batch_dims of a variable"));
  }

  void change(OpKernelContext* context) override {
    const Tensor& indices = context->input(1);
    const Locked variable(context, 0);
    const int64_t rows = variable.tensor().dim_size(0);
    tensorflow::TensorShape shape = indices.shape();
    for (int i = 1; i < variable.tensor().dims(); ++i) shape.AddDim(variable.tensor().dim_size(i));
    Tensor* result = nullptr;
    check(context->allocate_output(0, shape, &result));
    const int64_t length = rows == 0 ? 0 : variable.tensor().NumElements() / rows;
    launch(context, [=, count = indices.NumElements(), numbers = data_of<Index>(indices),
                     from = data_of<T>(variable.tensor()), to = data_of<T>(*result)] {
      for (int64_t i = 0; i < count * length; ++i) {
        const int64_t row = numbers[i / length];
        to[i] = row < 0 || row >= rows ? T(0.0f) : from[row * length + i % length];
      }
    });
  }
};

}  // namespace card
