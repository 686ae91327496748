// Timers: how long a stream took from one point of its work to another.
#include <atomic>
#include <chrono>

#include "callbacks.h"
#include "card.h"

struct SP_Timer_st {
  std::atomic<int64_t> started{0};
  std::atomic<int64_t> stopped{0};
};

namespace card {
namespace {

int64_t now() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

void create(const SP_Device*, SP_Timer* timer, TF_Status* status) {
  *timer = new SP_Timer_st;
  TF_SetStatus(status, TF_OK, "");
}

void destroy(const SP_Device*, SP_Timer timer) { delete timer; }

void start(const SP_Device*, SP_Stream stream, SP_Timer timer, TF_Status* status) {
  stream->queue->add([timer] { timer->started = now(); });
  TF_SetStatus(status, TF_OK, "");
}

void stop(const SP_Device*, SP_Stream stream, SP_Timer timer, TF_Status* status) {
  stream->queue->add([timer] { timer->stopped = now(); });
  TF_SetStatus(status, TF_OK, "");
}

}  // namespace

void fill_timers(SP_StreamExecutor* executor) {
  executor->create_timer = create;
  executor->destroy_timer = destroy;
  executor->start_timer = start;
  executor->stop_timer = stop;
}

uint64_t nanoseconds(SP_Timer timer) { return timer->stopped - timer->started; }

}  // namespace card
