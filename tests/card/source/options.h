// What a test may ask of the card: one environment variable each. How many cards there are is read
// when TensorFlow is imported, all else once, when it first makes a card: so a process that is
// forked before that has options of its own. A number that is not set is the one given here; what
// counts kernels is off at NEVER.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace card {

constexpr int64_t NEVER = -1;

int64_t number(const char* variable, int64_t otherwise);
std::string word(const char* variable);

// How many cards there are.
inline int64_t number_of_cards() { return number("STAND_IN_CARD_COUNT", 1); }

struct Options {
  // The memory of each card. It is memory of the host, which comes as it is first written to.
  // A toggle of a lab may ask for less: TensorFlow lets nobody say that of a plug-in card.
  const int64_t memory_bytes = std::min(number("STAND_IN_CARD_MEMORY_MB", 2048),
                                        number("TF_PER_DEVICE_MEMORY_LIMIT_MB", 2048)) << 20;

  // How long each kernel takes, beside its arithmetic: it passes on the stream's thread.
  const int64_t kernel_microseconds = number("STAND_IN_CARD_KERNEL_US", 0);

  // Memory beyond so many bytes is refused, though the card says that it has more: as where another
  // program has the rest.
  const int64_t refused_beyond_bytes = number("STAND_IN_CARD_REFUSED_BEYOND_BYTES", NEVER);

  // After so many kernels the card is lost: each kernel and each wait fails, as when it fell off
  // the bus. Copies still work, as TensorFlow ends the process when one fails (see aborts_after).
  const int64_t lost_after = number("STAND_IN_CARD_LOST_AFTER", NEVER);

  // After so many kernels every event is an error. TensorFlow ends the process by SIGABRT when it
  // looks at one, as it does behind each copy: so a training on a card that breaks ends most often.
  // A loop that copies nothing does not notice.
  const int64_t aborts_after = number("STAND_IN_CARD_ABORTS_AFTER", NEVER);

  // After so many kernels a stream stands still for ever, and so does all that waits for it.
  const int64_t hangs_after = number("STAND_IN_CARD_HANGS_AFTER", NEVER);

  // 1: the first kernel never comes back to the host that started it, as where a driver compiles
  // all code anew for a card that is newer than it.
  const bool first_op_hangs = number("STAND_IN_CARD_FIRST_OP_HANGS", 0) != 0;

  // The card is listed and cannot be used, with CUDA's words for it: "no_device", "old_driver", or
  // "after_fork", in a process that was forked from the one that loaded TensorFlow.
  const std::string unusable = word("STAND_IN_CARD_UNUSABLE");
};

const Options& options();

}  // namespace card
