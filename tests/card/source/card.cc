// See card.h.
#include "card.h"

#include <sys/mman.h>

#include <algorithm>

#include "options.h"

namespace card {

void* Card::allocate(uint64_t bytes) {
  const int64_t wanted = static_cast<int64_t>(bytes);
  const int64_t refused_beyond = options().refused_beyond_bytes;
  const int64_t most = refused_beyond == NEVER
                           ? options().memory_bytes
                           : std::min(options().memory_bytes, refused_beyond);
  if (used_bytes_.fetch_add(wanted) + wanted > most) {
    used_bytes_ -= wanted;
    return nullptr;
  }
  // TensorFlow takes nearly all memory of a card at once; a page that is never used costs nothing.
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) return memory;
  used_bytes_ -= wanted;
  return nullptr;
}

void Card::release(void* memory, uint64_t bytes) {
  if (memory == nullptr) return;
  wait();
  munmap(memory, bytes);
  used_bytes_ -= static_cast<int64_t>(bytes);
}

int64_t Card::free_bytes() const { return options().memory_bytes - used_bytes_; }

std::shared_ptr<Queue> Card::new_queue() {
  auto made = std::make_shared<Queue>();
  std::lock_guard<std::mutex> lock(mutex_);
  queues_.erase(std::remove_if(queues_.begin(), queues_.end(),
                               [](const auto& queue) { return queue.expired(); }),
                queues_.end());
  queues_.push_back(made);
  return made;
}

void Card::wait() {
  std::vector<std::shared_ptr<Queue>> queues;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& queue : queues_) {
      if (auto held = queue.lock()) queues.push_back(std::move(held));
    }
  }
  // Without the lock: a stream that hangs must not keep others from being made.
  for (const auto& queue : queues) queue->wait();
}

bool Card::lost() const {
  const int64_t last = options().lost_after;
  return last != NEVER && kernels_ > last;
}

bool Card::broken() const {
  const int64_t last = options().aborts_after;
  return last != NEVER && kernels_ > last;
}

void tell(const Card& card, TF_Status* status) {
  if (card.lost()) {
    TF_SetStatus(status, TF_INTERNAL, "CUDA_ERROR_DEVICE_UNAVAILABLE: the card is lost");
  } else {
    TF_SetStatus(status, TF_OK, "");
  }
}

}  // namespace card
