// One card: its memory, its streams, and how many kernels it was given.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "queue.h"
#include "tensorflow/c/experimental/stream_executor/stream_executor.h"

namespace card {

class Card {
 public:
  // Memory of the host that counts as the card's; null where the card has no more of it.
  void* allocate(uint64_t bytes);
  // Waits for all streams first, as CUDA does: a kernel that still runs may use what is freed.
  void release(void* memory, uint64_t bytes);
  int64_t free_bytes() const;

  std::shared_ptr<Queue> new_queue();
  // Waits for all that all streams were given until now.
  void wait();

  // Counts a kernel and returns its number, from 1.
  int64_t count_kernel() { return ++kernels_; }
  bool lost() const;
  bool broken() const;  // its events are errors

 private:
  std::atomic<int64_t> used_bytes_{0};
  std::atomic<int64_t> kernels_{0};
  std::mutex mutex_;
  std::vector<std::weak_ptr<Queue>> queues_;
};

inline Card& card_of(const SP_Device* device) { return *static_cast<Card*>(device->device_handle); }

// Makes a status one of success, or, where the card is lost, of an internal error.
void tell(const Card& card, TF_Status* status);

}  // namespace card

// TensorFlow knows a stream and an event by pointers to these.
struct SP_Stream_st {
  card::Card& card;
  const std::shared_ptr<card::Queue> queue;
};
