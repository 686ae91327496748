// The work of one stream: tasks that one thread does, one after the other, in the order they came.
// It knows nothing of TensorFlow.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace card {

using Task = std::function<void()>;

class Queue {
 public:
  Queue();
  // Does all that was added first, as a stream of CUDA does when it is destroyed.
  ~Queue();
  Queue(const Queue&) = delete;

  void add(Task task);

  // Waits for all that was added until now, and not for what others add meanwhile.
  void wait();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable added_or_done_;
  std::deque<Task> tasks_;
  uint64_t added_ = 0;
  uint64_t done_ = 0;
  bool closing_ = false;
  std::thread thread_;  // last: it uses all of the above at once
};

// A point in a queue's work, which others can wait for.
class Mark {
 public:
  void reach();
  void wait();
  bool reached();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool reached_ = false;
};

}  // namespace card
