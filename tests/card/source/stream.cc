// Streams: work that the host queues and does not wait for.
#include "callbacks.h"
#include "card.h"

namespace card {
namespace {

void create(const SP_Device* device, SP_Stream* stream, TF_Status* status) {
  *stream = new SP_Stream_st{card_of(device), card_of(device).new_queue()};
  TF_SetStatus(status, TF_OK, "");
}

void destroy(const SP_Device*, SP_Stream stream) { delete stream; }

// `later` waits for what `earlier` was given until now.
void depend(const SP_Device*, SP_Stream later, SP_Stream earlier, TF_Status* status) {
  auto mark = std::make_shared<Mark>();
  earlier->queue->add([mark] { mark->reach(); });
  later->queue->add([mark] { mark->wait(); });
  TF_SetStatus(status, TF_OK, "");
}

void get_status(const SP_Device*, SP_Stream stream, TF_Status* status) {
  tell(stream->card, status);
}

void block_host_until_done(const SP_Device*, SP_Stream stream, TF_Status* status) {
  stream->queue->wait();
  tell(stream->card, status);
}

void synchronize_all(const SP_Device* device, TF_Status* status) {
  card_of(device).wait();
  tell(card_of(device), status);
}

TF_Bool call_on_host(const SP_Device*, SP_Stream stream, SE_StatusCallbackFn function,
                     void* argument) {
  stream->queue->add([function, argument] {
    TF_Status* status = TF_NewStatus();
    function(argument, status);  // TensorFlow notes itself what went wrong in its callback
    TF_DeleteStatus(status);
  });
  return 1;
}

}  // namespace

void fill_streams(SP_StreamExecutor* executor) {
  executor->create_stream = create;
  executor->destroy_stream = destroy;
  executor->create_stream_dependency = depend;
  executor->get_stream_status = get_status;
  executor->block_host_until_done = block_host_until_done;
  executor->synchronize_all_activity = synchronize_all;
  executor->host_callback = call_on_host;
}

}  // namespace card
