// The clock of the card, which a test may lower while a loop runs: each kernel then takes longer.
#pragma once

namespace card {

// How many times as long a kernel takes as at the usual clock. The file that
// STAND_IN_CARD_CLOCK_FILE names begins with the clock in MHz; without one it is the usual clock.
double slowness();

}  // namespace card
