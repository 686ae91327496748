// Events: by them TensorFlow learns how far a stream has come. One of its threads asks for their
// status again and again while another may record them anew, hence the lock.
#include <utility>

#include "callbacks.h"
#include "card.h"

struct SP_Event_st {
  std::mutex mutex;
  std::shared_ptr<card::Mark> mark;  // null as long as it was never recorded

  std::shared_ptr<card::Mark> latest() {
    std::lock_guard<std::mutex> lock(mutex);
    return mark;
  }
};

namespace card {
namespace {

void create(const SP_Device*, SP_Event* event, TF_Status* status) {
  *event = new SP_Event_st;
  TF_SetStatus(status, TF_OK, "");
}

// A stream that has yet to reach the event holds its mark, so it may go at any time.
void destroy(const SP_Device*, SP_Event event) { delete event; }

// An event that was never recorded is complete, as one of CUDA's is.
SE_EventStatus get_status(const SP_Device* device, SP_Event event) {
  if (card_of(device).broken()) return SE_EVENT_ERROR;
  const auto mark = event->latest();
  return mark == nullptr || mark->reached() ? SE_EVENT_COMPLETE : SE_EVENT_PENDING;
}

void record(const SP_Device*, SP_Stream stream, SP_Event event, TF_Status* status) {
  auto mark = std::make_shared<Mark>();
  {
    std::lock_guard<std::mutex> lock(event->mutex);
    event->mark = mark;
  }
  stream->queue->add([mark] { mark->reach(); });
  TF_SetStatus(status, TF_OK, "");
}

void wait(const SP_Device*, SP_Stream stream, SP_Event event, TF_Status* status) {
  if (auto mark = event->latest()) stream->queue->add([mark] { mark->wait(); });
  TF_SetStatus(status, TF_OK, "");
}

void block_host(const SP_Device* device, SP_Event event, TF_Status* status) {
  if (auto mark = event->latest()) mark->wait();
  tell(card_of(device), status);
}

}  // namespace

void fill_events(SP_StreamExecutor* executor) {
  executor->create_event = create;
  executor->destroy_event = destroy;
  executor->get_event_status = get_status;
  executor->record_event = record;
  executor->wait_for_event = wait;
  executor->block_host_for_event = block_host;
}

}  // namespace card
