// A few hundred numbers of an array, for a function that knows no 16-bit numbers. Those of other
// types are read and written where they lie.
#pragma once

#include <cstdint>
#include <type_traits>

#include "types.h"

namespace card {

constexpr int64_t CHUNK = 512;

// `T` is const for numbers that are read; others are written, and must lie side by side.
template <class T>
class Chunk {
  using Plain = std::remove_const_t<T>;
  using Number = std::conditional_t<std::is_const_v<T>, const Wide<Plain>, Wide<Plain>>;
  static constexpr bool IN_PLACE = std::is_same_v<Plain, Wide<Plain>>;

 public:
  Chunk(T* data, int64_t step, int64_t count) : data_(data), step_(step), count_(count) {
    if constexpr (!IN_PLACE && std::is_const_v<T>) {
      for (int64_t i = 0; i < count; ++i) wide_[i] = data[i * step];
    }
  }

  Number* numbers() {
    if constexpr (IN_PLACE) {
      return data_;
    } else {
      return wide_;
    }
  }

  int64_t step() const { return IN_PLACE ? step_ : 1; }

  void store() {
    if constexpr (!IN_PLACE) {
      for (int64_t i = 0; i < count_; ++i) data_[i] = Plain(wide_[i]);
    }
  }

 private:
  T* data_;
  int64_t step_;
  int64_t count_;
  Wide<Plain> wide_[IN_PLACE ? 1 : CHUNK];
};

}  // namespace card
