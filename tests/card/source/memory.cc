// The card's memory, and the host's that copies go through. TensorFlow puts its own allocator (BFC)
// over the card's: it asks for a few large blocks and hands out pieces of them.
#include <cstdlib>

#include "callbacks.h"
#include "card.h"
#include "options.h"

namespace card {
namespace {

constexpr uint64_t HOST_ALIGNMENT = 64;

void allocate(const SP_Device* device, uint64_t bytes, int64_t, SP_DeviceMemoryBase* memory) {
  memory->struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE;
  memory->opaque = card_of(device).allocate(bytes);
  memory->size = memory->opaque == nullptr ? 0 : bytes;
}

void deallocate(const SP_Device* device, SP_DeviceMemoryBase* memory) {
  card_of(device).release(memory->opaque, memory->size);
  memory->opaque = nullptr;
  memory->size = 0;
}

void* allocate_on_host(const SP_Device*, uint64_t bytes) {
  const uint64_t whole = (bytes + HOST_ALIGNMENT - 1) / HOST_ALIGNMENT * HOST_ALIGNMENT;
  return std::aligned_alloc(HOST_ALIGNMENT, whole);
}

void deallocate_on_host(const SP_Device*, void* memory) { std::free(memory); }

// TensorFlow's own allocator keeps the statistics.
TF_Bool no_statistics(const SP_Device*, SP_AllocatorStats*) { return 0; }

TF_Bool usage(const SP_Device* device, int64_t* free, int64_t* total) {
  *free = card_of(device).free_bytes();
  *total = options().memory_bytes;
  return 1;
}

}  // namespace

void fill_memory(SP_StreamExecutor* executor) {
  executor->allocate = allocate;
  executor->deallocate = deallocate;
  executor->host_memory_allocate = allocate_on_host;
  executor->host_memory_deallocate = deallocate_on_host;
  executor->get_allocator_stats = no_statistics;
  executor->device_memory_usage = usage;
}

}  // namespace card
