// Random numbers, the same as the processor's for the same seeds: TensorFlow counts through Philox,
// a cipher that makes four words of 32 bits of each count, so that every number stands by itself.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <random>

#include "kernel.h"
#include "kernels.h"

namespace card {
namespace {

using Words = std::array<uint32_t, 4>;

// Philox 4x32-10 (Salmon and others, Parallel Random Numbers: As Easy as 1, 2, 3).
Words philox(Words count, uint32_t key0, uint32_t key1) {
  constexpr uint64_t FACTOR0 = 0xD2511F53, FACTOR1 = 0xCD9E8D57;
  for (int round = 0; round < 10; ++round) {
    const uint64_t first = FACTOR0 * count[0];
    const uint64_t second = FACTOR1 * count[2];
    count = {static_cast<uint32_t>(second >> 32) ^ count[1] ^ key0, static_cast<uint32_t>(second),
             static_cast<uint32_t>(first >> 32) ^ count[3] ^ key1, static_cast<uint32_t>(first)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return count;
}

// Where a stream of random numbers begins.
struct Beginning {
  uint64_t key;
  uint64_t low, high;  // the count

  Words words(uint64_t group) const {
    const uint64_t counted = low + group;
    const uint64_t above = high + (counted < low ? 1 : 0);
    return philox({static_cast<uint32_t>(counted), static_cast<uint32_t>(counted >> 32),
                   static_cast<uint32_t>(above), static_cast<uint32_t>(above >> 32)},
                  static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32));
  }
};

// From 0 to below 1: 23 random bits behind the point of a number from 1 to 2.
float uniform(uint32_t word) {
  const uint32_t bits = (word & 0x7fffff) | 0x3f800000;
  float number;
  std::memcpy(&number, &bits, sizeof number);
  return number - 1.0f;
}

void fill_uniform(const Beginning& beginning, float* to, int64_t size) {
  for (int64_t i = 0; i < size; i += 4) {
    const Words words = beginning.words(i / 4);
    for (int64_t k = 0; k < 4 && i + k < size; ++k) to[i + k] = uniform(words[k]);
  }
}

// Two at a time, by Box and Muller.
void fill_normal(const Beginning& beginning, float* to, int64_t size) {
  for (int64_t i = 0; i < size; i += 4) {
    const Words words = beginning.words(i / 4);
    float numbers[4];
    for (int pair = 0; pair < 4; pair += 2) {
      const float share = std::max(uniform(words[pair]), 1.0e-7f);  // log of 0 is no number
      const float angle = 2.0f * static_cast<float>(M_PI) * uniform(words[pair + 1]);
      const float radius = std::sqrt(-2.0f * std::log(share));
      numbers[pair] = std::sin(angle) * radius;
      numbers[pair + 1] = std::cos(angle) * radius;
    }
    for (int64_t k = 0; k < 4 && i + k < size; ++k) to[i + k] = numbers[k];
  }
}

using FillIn = void (*)(const Beginning&, float*, int64_t);

// Of a key and a count, which are on the card.
class Stateless {
 public:
  Stateless(const Attributes&, FillIn fill) : fill_(fill) {}

  void compute(Call& call) const {
    const Array y = call.output(0, call.host_numbers(0));
    if (y.size() == 0) return;
    call.run([fill = fill_, key = call.input(1).as<uint64_t>(),
              count = call.input(2).as<uint64_t>(), to = y.as<float>(), size = y.size()] {
      fill({*key, count[0], count[1]}, to, size);
    });
  }

 private:
  FillIn fill_;
};

// Of the op's seeds, or of any if there are none, and of how often it was called.
class Stateful {
 public:
  Stateful(const Attributes& attributes, FillIn fill)
      : fill_(fill),
        seed_(attributes.integer("seed")),
        seed2_(attributes.integer("seed2")) {
    if (seed_ != 0 || seed2_ != 0) return;
    std::random_device any;
    seed_ = any();
    seed2_ = any();
  }

  void compute(Call& call) const {
    const Array y = call.output(0, call.host_numbers(0));
    const uint64_t size = y.size();
    if (size == 0) return;
    // TensorFlow's own op leaves out 256 counts for each number, as some need many.
    const Beginning beginning{seed_, used_.fetch_add(size * 256), seed2_};
    call.run([fill = fill_, beginning, to = y.as<float>(), size] { fill(beginning, to, size); });
  }

 private:
  FillIn fill_;
  uint64_t seed_, seed2_;
  mutable std::atomic<uint64_t> used_{0};
};

}  // namespace

void add_random_kernels() {
  const Constraint is_float{"dtype", TF_FLOAT};
  add_kernel<Stateless, fill_uniform>("StatelessRandomUniformV2", {is_float}, {"shape", "alg"});
  add_kernel<Stateless, fill_normal>("StatelessRandomNormalV2", {is_float}, {"shape", "alg"});
  add_kernel<Stateful, fill_uniform>("RandomUniform", {is_float}, {"shape"});
  add_kernel<Stateful, fill_normal>("RandomStandardNormal", {is_float}, {"shape"});
}

}  // namespace card
