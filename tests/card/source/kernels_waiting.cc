// SyncDevice, by which a program waits for all that it has given to a device. TensorFlow has one
// for every device, which on a card of a plug-in waits for nothing.
#include "kernel.h"
#include "kernels.h"

namespace card {
namespace {

struct SyncDevice : Plain {
  using Plain::Plain;

  void compute(Call& call) const { wait_for_card(call.context()); }
};

}  // namespace

void add_waiting_kernels() { add_kernel<SyncDevice>("SyncDevice", {}); }

}  // namespace card
