// See kernel.h.
#include "kernel.h"

#include <unistd.h>

#include <chrono>
#include <memory>

#include "card.h"
#include "clock.h"
#include "options.h"

namespace card {
namespace {

// A status that becomes a Failure where TensorFlow puts an error into it.
class Status {
 public:
  Status() : status_(TF_NewStatus(), TF_DeleteStatus) {}
  operator TF_Status*() const { return status_.get(); }
  void check() const {
    if (TF_GetCode(*this) != TF_OK) throw Failure{TF_GetCode(*this), TF_Message(*this)};
  }

 private:
  std::unique_ptr<TF_Status, void (*)(TF_Status*)> status_;
};

[[noreturn]] void stand_still() {
  while (true) pause();
}

}  // namespace

Array view_and_delete(TF_Tensor* tensor) {
  Array view{TF_TensorData(tensor), Shape(TF_NumDims(tensor)), TF_TensorType(tensor)};
  for (size_t i = 0; i < view.shape.size(); ++i) {
    view.shape[i] = TF_Dim(tensor, static_cast<int>(i));
  }
  TF_DeleteTensor(tensor);
  return view;
}

bool Attributes::flag(const char* name) const {
  Status status;
  TF_Bool value = 0;
  TF_OpKernelConstruction_GetAttrBool(made_, name, &value, status);
  status.check();
  return value != 0;
}

int64_t Attributes::integer(const char* name) const {
  Status status;
  int64_t value = 0;
  TF_OpKernelConstruction_GetAttrInt64(made_, name, &value, status);
  status.check();
  return value;
}

std::string Attributes::text(const char* name) const {
  Status status;
  int32_t length = 0;
  int32_t bytes = 0;
  TF_OpKernelConstruction_GetAttrSize(made_, name, &length, &bytes, status);
  status.check();
  std::string value(bytes, '\0');
  TF_OpKernelConstruction_GetAttrString(made_, name, value.data(), value.size(), status);
  status.check();
  return value;
}

Array Call::input(int index) const {
  Status status;
  TF_Tensor* tensor = nullptr;
  TF_GetInput(context_, index, &tensor, status);
  status.check();
  return view_and_delete(tensor);
}

std::vector<int64_t> Call::host_numbers(int index) const {
  const Array array = input(index);
  std::vector<int64_t> numbers(array.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = array.type == TF_INT32 ? array.as<int32_t>()[i] : array.as<int64_t>()[i];
  }
  return numbers;
}

Array Call::output(int index, const Shape& shape) const {
  Status status;
  const TF_DataType type = TF_ExpectedOutputDataType(context_, index);
  const size_t bytes = size_of(shape) * TF_DataTypeSize(type);
  TF_Tensor* tensor = TF_AllocateOutput(context_, index, type, shape.data(),
                                        static_cast<int>(shape.size()), bytes, status);
  status.check();
  return view_and_delete(tensor);
}

Array Call::output_in_place(std::initializer_list<int> inputs, const Shape& shape) const {
  Status status;
  TF_Tensor* tensor = TF_ForwardInputOrAllocateOutput(
      context_, inputs.begin(), static_cast<int>(inputs.size()), 0, shape.data(),
      static_cast<int>(shape.size()), nullptr, status);
  status.check();
  return view_and_delete(tensor);
}

void Call::pass_on(int input, const Shape& shape) const {
  Status status;
  TF_Tensor* tensor = nullptr;
  TF_GetInput(context_, input, &tensor, status);
  status.check();
  TF_SetShape(tensor, shape.data(), static_cast<int>(shape.size()));
  TF_SetOutput(context_, 0, tensor, status);
  TF_DeleteTensor(tensor);
  status.check();
}

void Call::run(Task work) const {
  Status status;
  const bool on_host = TF_IsHostMemoryOutput(context_, 0, status);
  status.check();
  if (on_host) {
    work();
  } else {
    launch(context_, std::move(work));
  }
}

void launch(TF_OpKernelContext* context, Task work) {
  Status status;
  const SP_Stream stream = TF_GetStream(context, status);
  status.check();

  if (options().first_op_hangs) stand_still();
  const int64_t kernel = stream->card.count_kernel();
  tell(stream->card, status);
  status.check();

  const int64_t last = options().hangs_after;
  const bool hangs = last != NEVER && kernel > last;
  stream->queue->add([work = std::move(work), hangs] {
    if (hangs) stand_still();
    const int64_t delay = options().kernel_microseconds;
    if (delay > 0) {
      std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(delay * slowness()));
    }
    work();
  });
}

void wait_for_card(TF_OpKernelContext* context) {
  Status status;
  const SP_Stream stream = TF_GetStream(context, status);
  status.check();
  stream->card.wait();
  tell(stream->card, status);
  status.check();
}

void add_kernel(const char* op, std::initializer_list<Constraint> constraints, OnHost on_host,
                void* (*create)(TF_OpKernelConstruction*),
                void (*compute)(void*, TF_OpKernelContext*), void (*destroy)(void*)) {
  Status status;
  TF_KernelBuilder* builder = TF_NewKernelBuilder(op, "GPU", create, compute, destroy);
  for (const auto& [attribute, type] : constraints) {
    TF_KernelBuilder_TypeConstraint(builder, attribute, type, status);
    status.check();
  }
  for (const char* argument : on_host) TF_KernelBuilder_HostMemory(builder, argument);
  TF_RegisterKernelBuilder(op, builder, status);
  status.check();
}

void fail(TF_OpKernelConstruction* made, const Failure& failure) {
  Status status;
  TF_SetStatus(status, failure.code, failure.text.c_str());
  TF_OpKernelConstruction_Failure(made, status);
}

void fail(TF_OpKernelContext* context, const Failure& failure) {
  Status status;
  TF_SetStatus(status, failure.code, failure.text.c_str());
  TF_OpKernelContext_Failure(context, status);
}

}  // namespace card
