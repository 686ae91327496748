// See queue.h.
#include "queue.h"

#include <utility>

namespace card {

Queue::Queue() : thread_([this] { work(); }) {}

Queue::~Queue() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    closing_ = true;
  }
  added_or_done_.notify_all();
  // A callback of TensorFlow's may let go of its own stream; a thread cannot wait for itself.
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

void Queue::add(Task task) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    tasks_.push_back(std::move(task));
    ++added_;
  }
  added_or_done_.notify_all();
}

void Queue::wait() {
  if (thread_.get_id() == std::this_thread::get_id()) return;
  std::unique_lock<std::mutex> lock(mutex_);
  const uint64_t last = added_;
  added_or_done_.wait(lock, [&] { return done_ >= last; });
}

void Queue::work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    added_or_done_.wait(lock, [&] { return closing_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;  // what it holds goes before anybody is told that it is done
    lock.lock();
    ++done_;
    added_or_done_.notify_all();
  }
}

void Mark::reach() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    reached_ = true;
  }
  changed_.notify_all();
}

void Mark::wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return reached_; });
}

bool Mark::reached() {
  std::lock_guard<std::mutex> lock(mutex_);
  return reached_;
}

}  // namespace card
