// What a kernel sees of TensorFlow: its attributes when it is made, its arrays when it is called.
//
// A kernel is a class with a constructor from Attributes and `void compute(Call&) const`. There it
// looks at shapes, asks for memory, and hands the arithmetic to `call.run`, which queues it on the
// stream of the card and returns.
//
// Why nothing is kept alive for queued work: memory that TensorFlow frees stays in its allocator,
// and who gets it next uses it on the same stream, so behind this work, or on a stream for copies,
// which TensorFlow lets wait for this one first. Memory that the allocator itself gives back waits
// for all streams (Card::release). To hold tensors instead would be wrong: TensorFlow changes a
// variable in place only while nobody else holds its tensor, and would copy it at each step.
// What lies in the host's memory has no such order, so a kernel reads that before it returns.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "failure.h"
#include "queue.h"
#include "shape.h"
#include "tensorflow/c/kernels.h"
#include "types.h"

namespace card {

struct Array {
  void* data;
  Shape shape;
  TF_DataType type;

  int64_t size() const { return size_of(shape); }
  template <class T>
  T* as() const {
    return static_cast<T*>(data);
  }
};

// A view of a tensor, which this gives back; see above for how long the view holds.
Array view_and_delete(TF_Tensor* tensor);

class Attributes {
 public:
  explicit Attributes(TF_OpKernelConstruction* made) : made_(made) {}
  bool flag(const char* name) const;
  int64_t integer(const char* name) const;
  std::string text(const char* name) const;

 private:
  TF_OpKernelConstruction* made_;
};

class Call {
 public:
  explicit Call(TF_OpKernelContext* context) : context_(context) {}

  TF_OpKernelContext* context() const { return context_; }
  int inputs() const { return TF_NumInputs(context_); }
  int outputs() const { return TF_NumOutputs(context_); }

  Array input(int index) const;
  // The numbers of an input that lies in the host's memory, of 32 or 64 bits.
  std::vector<int64_t> host_numbers(int index) const;

  Array output(int index, const Shape& shape) const;
  // Takes the memory of one of these inputs if nobody else needs it.
  Array output_in_place(std::initializer_list<int> inputs, const Shape& shape) const;
  // Hands on an input as it is, under another shape.
  void pass_on(int input, const Shape& shape) const;

  // Does this on the card's stream, later; or at once where the first output lies in the host's
  // memory, as TensorFlow wants it for shapes and sizes.
  void run(Task work) const;

 private:
  TF_OpKernelContext* context_;
};

// Queues a kernel's work on the stream of the call, with the delay and the faults that were asked.
void launch(TF_OpKernelContext* context, Task work);

// Waits for all that the card was given until now; throws Failure where it is lost.
void wait_for_card(TF_OpKernelContext* context);

// A kernel without attributes.
struct Plain {
  explicit Plain(const Attributes&) {}
};

struct Constraint {
  const char* attribute;
  TF_DataType type;
};

// The arguments of an op that are in the host's memory.
using OnHost = std::initializer_list<const char*>;

void add_kernel(const char* op, std::initializer_list<Constraint> constraints, OnHost on_host,
                void* (*create)(TF_OpKernelConstruction*),
                void (*compute)(void*, TF_OpKernelContext*), void (*destroy)(void*));

void fail(TF_OpKernelConstruction* made, const Failure& failure);
void fail(TF_OpKernelContext* context, const Failure& failure);

template <class Kernel>
void compute_kernel(void* kernel, TF_OpKernelContext* context) {
  try {
    Call call(context);
    static_cast<Kernel*>(kernel)->compute(call);
  } catch (const Failure& failure) {
    fail(context, failure);
  }
}

template <class Kernel>
void destroy_kernel(void* kernel) {
  delete static_cast<Kernel*>(kernel);
}

// Registers a kernel whose constructor takes the attributes and these values.
template <class Kernel, auto... VALUES>
void add_kernel(const char* op, std::initializer_list<Constraint> constraints,
                OnHost on_host = {}) {
  const auto create = [](TF_OpKernelConstruction* made) -> void* {
    try {
      return new Kernel(Attributes(made), VALUES...);
    } catch (const Failure& failure) {
      fail(made, failure);
      return nullptr;
    }
  };
  add_kernel(op, constraints, on_host, create, compute_kernel<Kernel>, destroy_kernel<Kernel>);
}

}  // namespace card
