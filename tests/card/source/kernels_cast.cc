// Cast: numbers of one type as another.
#include "kernel.h"
#include "kernels.h"

namespace card {
namespace {

template <class From, class To>
struct Cast : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    const Array x = call.input(0);
    const int64_t size = x.size();
    const Array y = call.output(0, x.shape);
    if (size == 0) return;
    call.run([from = x.as<From>(), to = y.as<To>(), size] {
      for (int64_t i = 0; i < size; ++i) to[i] = To(Wide<To>(Wide<From>(from[i])));
    });
  }
};

template <class From, class... All>
void add_casts_from() {
  for_types<All...>([](auto type) {
    using To = decltype(type);
    if constexpr (!std::is_same_v<From, To>) {
      add_kernel<Cast<From, To>>("Cast", {{"SrcT", TYPE<From>}, {"DstT", TYPE<To>}});
    }
  });
}

template <class... All>
void add_casts() {
  (add_casts_from<All, All...>(), ...);
}

}  // namespace

void add_cast_kernels() {
  add_casts<float, double, Half, BFloat16, int32_t, int64_t, uint8_t, bool>();
}

}  // namespace card
