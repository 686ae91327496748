// See types.h. Both ways go by steps of powers of two, which floats hold exactly.
#include "types.h"

#include <cmath>

namespace card {

Half::Half(float value) {
  constexpr uint16_t INFINITE = 0x7c00;
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const float size = std::fabs(value);
  if (size == 0) {
    bits = sign;
  } else if (std::isnan(value)) {
    bits = sign | 0x7e00;
  } else if (size >= 65520.0f) {  // halfway from the largest number to the next power of two
    bits = sign | INFINITE;
  } else {
    int exponent = 0;
    std::frexp(size, &exponent);
    // Numbers below 2^-14 share the smallest exponent and lose digits instead.
    const int step = (exponent < -13 ? -13 : exponent) - 11;
    const auto steps = static_cast<uint16_t>(std::nearbyint(std::ldexp(size, -step)));
    // 1,024 to 2,048 steps: the first thousand of them counts in the exponent, which may carry.
    bits = sign | static_cast<uint16_t>(steps + ((step + 24) << 10));
  }
}

Half::operator float() const {
  const int exponent = bits >> 10 & 0x1f;
  const int mantissa = bits & 0x3ff;
  float size;
  if (exponent == 0x1f) {
    size = mantissa == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    size = std::ldexp(static_cast<float>(mantissa), -24);
  } else {
    size = std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
  }
  return bits & 0x8000 ? -size : size;
}

}  // namespace card
