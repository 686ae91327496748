// Copies between the host's memory and the card's. Those of a stream are queued like its kernels:
// TensorFlow holds both ends until an event that it records behind the copy has come.
#include <cstring>

#include "callbacks.h"
#include "card.h"

namespace card {
namespace {

void queue_copy(SP_Stream stream, void* to, const void* from, uint64_t bytes, TF_Status* status) {
  stream->queue->add([=] { std::memcpy(to, from, bytes); });
  TF_SetStatus(status, TF_OK, "");
}

void to_host(const SP_Device*, SP_Stream stream, void* to, const SP_DeviceMemoryBase* from,
             uint64_t bytes, TF_Status* status) {
  queue_copy(stream, to, from->opaque, bytes, status);
}

void from_host(const SP_Device*, SP_Stream stream, SP_DeviceMemoryBase* to, const void* from,
               uint64_t bytes, TF_Status* status) {
  queue_copy(stream, to->opaque, from, bytes, status);
}

void within(const SP_Device*, SP_Stream stream, SP_DeviceMemoryBase* to,
            const SP_DeviceMemoryBase* from, uint64_t bytes, TF_Status* status) {
  queue_copy(stream, to->opaque, from->opaque, bytes, status);
}

// These belong to no stream and wait for none, as those of CUDA wait for none of TensorFlow's.
void to_host_now(const SP_Device*, void* to, const SP_DeviceMemoryBase* from, uint64_t bytes,
                 TF_Status* status) {
  std::memcpy(to, from->opaque, bytes);
  TF_SetStatus(status, TF_OK, "");
}

void from_host_now(const SP_Device*, SP_DeviceMemoryBase* to, const void* from, uint64_t bytes,
                   TF_Status* status) {
  std::memcpy(to->opaque, from, bytes);
  TF_SetStatus(status, TF_OK, "");
}

void within_now(const SP_Device*, SP_DeviceMemoryBase* to, const SP_DeviceMemoryBase* from,
                uint64_t bytes, TF_Status* status) {
  std::memcpy(to->opaque, from->opaque, bytes);
  TF_SetStatus(status, TF_OK, "");
}

void set_bytes(const SP_Device*, SP_Stream stream, SP_DeviceMemoryBase* to, uint8_t value,
               uint64_t bytes, TF_Status* status) {
  void* memory = to->opaque;
  stream->queue->add([=] { std::memset(memory, value, bytes); });
  TF_SetStatus(status, TF_OK, "");
}

void set_zero(const SP_Device* device, SP_Stream stream, SP_DeviceMemoryBase* to, uint64_t bytes,
              TF_Status* status) {
  set_bytes(device, stream, to, 0, bytes, status);
}

void set_words(const SP_Device*, SP_Stream stream, SP_DeviceMemoryBase* to, uint32_t value,
               uint64_t bytes, TF_Status* status) {
  auto* words = static_cast<uint32_t*>(to->opaque);
  stream->queue->add([=] {
    for (uint64_t i = 0; i < bytes / sizeof(uint32_t); ++i) words[i] = value;
  });
  TF_SetStatus(status, TF_OK, "");
}

}  // namespace

void fill_copies(SP_StreamExecutor* executor) {
  executor->memcpy_dtoh = to_host;
  executor->memcpy_htod = from_host;
  executor->memcpy_dtod = within;
  executor->sync_memcpy_dtoh = to_host_now;
  executor->sync_memcpy_htod = from_host_now;
  executor->sync_memcpy_dtod = within_now;
  executor->mem_zero = set_zero;
  executor->memset = set_bytes;
  executor->memset32 = set_words;
}

}  // namespace card
