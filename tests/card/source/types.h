// The C++ type of each type of TensorFlow's, and the two kinds of 16-bit numbers that C++ lacks.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tensorflow/c/tf_datatype.h"

namespace card {

// A float without its lower half, rounded to even.
struct BFloat16 {
  uint16_t bits;

  BFloat16() = default;
  explicit BFloat16(float value) {
    uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    const bool nan = (word & 0x7fffffff) > 0x7f800000;
    bits = nan ? 0x7fc0 : static_cast<uint16_t>((word + 0x7fff + (word >> 16 & 1)) >> 16);
  }
  operator float() const {
    const uint32_t word = static_cast<uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }
};

// IEEE's half: a sign, 5 bits of exponent, 10 of mantissa.
struct Half {
  uint16_t bits;

  Half() = default;
  explicit Half(float value);
  operator float() const;
};

// What a kernel computes with: 16 bits are for memory only.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;

template <class T> inline constexpr TF_DataType TYPE = TF_FLOAT;
template <> inline constexpr TF_DataType TYPE<double> = TF_DOUBLE;
template <> inline constexpr TF_DataType TYPE<Half> = TF_HALF;
template <> inline constexpr TF_DataType TYPE<BFloat16> = TF_BFLOAT16;
template <> inline constexpr TF_DataType TYPE<int32_t> = TF_INT32;
template <> inline constexpr TF_DataType TYPE<int64_t> = TF_INT64;
template <> inline constexpr TF_DataType TYPE<uint8_t> = TF_UINT8;
template <> inline constexpr TF_DataType TYPE<bool> = TF_BOOL;

// Calls add(T{}) for each of some types, in order.
template <class... Types, class Add>
void for_types(Add add) {
  (add(Types{}), ...);
}

template <class Add>
void for_floats(Add add) {
  for_types<float, double, Half, BFloat16>(add);
}

}  // namespace card
