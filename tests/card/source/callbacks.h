// What TensorFlow calls on a card (SP_StreamExecutor), by what it is about.
#pragma once

#include "tensorflow/c/experimental/stream_executor/stream_executor.h"

namespace card {

void fill_memory(SP_StreamExecutor* executor);
void fill_streams(SP_StreamExecutor* executor);
void fill_events(SP_StreamExecutor* executor);
void fill_timers(SP_StreamExecutor* executor);
void fill_copies(SP_StreamExecutor* executor);

uint64_t nanoseconds(SP_Timer timer);

}  // namespace card
