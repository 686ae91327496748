// Elements that change their place and nothing else; a kernel of these needs their size only.
#pragma once

#include <vector>

#include "kernel.h"
#include "shape.h"

namespace card {

struct Move {
  Loop<2> loop;  // first the array that is read, then the one that is written
  const char* from;
  char* to;
};

// Does them in order, on the stream of the call.
void run_moves(const Call& call, std::vector<Move> moves, size_t element_bytes);

// What lies so many elements behind the beginning of an array.
char* behind(const Array& array, int64_t elements);

// An axis that may count from the end; throws Failure where there is no such dimension.
int64_t checked_axis(int64_t axis, int64_t dimensions);

// Registers a kernel for each type whose arrays a card holds, and for whole numbers of 32 bits,
// which TensorFlow keeps with the host if `integers_on_host` names its arguments.
template <class Kernel>
void add_moving_kernel(const char* op, const char* attribute, OnHost on_host,
                       OnHost integers_on_host = {}) {
  for (const TF_DataType type : {TF_FLOAT, TF_DOUBLE, TF_HALF, TF_BFLOAT16, TF_INT64, TF_BOOL,
                                 TF_UINT8}) {
    add_kernel<Kernel>(op, {{attribute, type}}, on_host);
  }
  add_kernel<Kernel>(op, {{attribute, TF_INT32}},
                     integers_on_host.size() == 0 ? on_host : integers_on_host);
}

}  // namespace card
