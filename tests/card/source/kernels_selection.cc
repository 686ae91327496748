// Ops that choose: by a condition, by an index, or one place of many.
#include <cstring>

#include "kernel.h"
#include "kernels.h"
#include "move.h"

namespace card {
namespace {

template <class T>
struct Select : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    const Array condition = call.input(0);
    const Array x = call.input(1);
    const Array y = call.input(2);
    const Shape shape = broadcast(broadcast(condition.shape, x.shape), y.shape);
    const Array z = call.output(0, shape);
    if (z.size() == 0) return;
    Loop<4> loop{shape,
                 {stretched(condition.shape, shape), stretched(x.shape, shape),
                  stretched(y.shape, shape), steps_of(shape)}};
    loop.merge();
    call.run([loop, chosen = condition.as<bool>(), xs = x.as<T>(), ys = y.as<T>(),
              zs = z.as<T>()] {
      loop.run([&](auto at, int64_t count, auto step) {
        for (int64_t i = 0; i < count; ++i) {
          zs[at[3] + i * step[3]] = chosen[at[0] + i * step[0]] ? xs[at[1] + i * step[1]]
                                                                : ys[at[2] + i * step[2]];
        }
      });
    });
  }
};

// Rows of an array by their numbers. A number that is no row's gives zeros: the numbers are on the
// card, which has no way to raise an error.
template <class Index>
class Gather {
 public:
  explicit Gather(const Attributes& attributes) : batch_(attributes.integer("batch_dims")) {}

  void compute(Call& call) const {
    const Array x = call.input(0);
    const Array indices = call.input(1);
    const int64_t axis = checked_axis(call.host_numbers(2).at(0), x.shape.size());
    const int64_t dimensions = static_cast<int64_t>(indices.shape.size());
    const int64_t shared = batch_ < 0 ? batch_ + dimensions : batch_;
    const auto x_at = [&](int64_t i) { return x.shape.begin() + i; };
    const Shape chosen(indices.shape.begin() + shared, indices.shape.end());
    Shape shape(x_at(0), x_at(axis));
    shape.insert(shape.end(), chosen.begin(), chosen.end());
    shape.insert(shape.end(), x_at(axis + 1), x.shape.end());
    const Array y = call.output(0, shape);
    if (y.size() == 0) return;
    const int64_t batches = size_of(Shape(x_at(0), x_at(shared)));
    const int64_t outer = size_of(Shape(x_at(shared), x_at(axis)));
    const int64_t rows = x.shape[axis];
    const int64_t count = size_of(chosen);
    const size_t bytes =
        size_of(Shape(x_at(axis + 1), x.shape.end())) * TF_DataTypeSize(x.type);
    call.run([=, from = behind(x, 0), numbers = indices.as<Index>(), to = behind(y, 0)] {
      char* target = to;
      for (int64_t b = 0; b < batches; ++b) {
        for (int64_t o = 0; o < outer; ++o) {
          for (int64_t i = 0; i < count; ++i, target += bytes) {
            const int64_t row = numbers[b * count + i];
            if (row < 0 || row >= rows) {
              std::memset(target, 0, bytes);
            } else {
              std::memcpy(target, from + ((b * outer + o) * rows + row) * bytes, bytes);
            }
          }
        }
      }
    });
  }

 private:
  int64_t batch_;
};

template <class T, class Index>
class OneHot {
 public:
  explicit OneHot(const Attributes& attributes) : axis_(attributes.integer("axis")) {}

  void compute(Call& call) const {
    const Array indices = call.input(0);
    const int64_t depth = call.host_numbers(1).at(0);
    const Array on = call.input(2);
    const Array off = call.input(3);
    Shape shape = indices.shape;
    const int64_t axis = checked_axis(axis_, shape.size() + 1);
    shape.insert(shape.begin() + axis, depth);
    const Array y = call.output(0, shape);
    const int64_t size = y.size();
    if (size == 0) return;
    const int64_t behind_axis = steps_of(shape)[axis];
    call.run([=, numbers = indices.as<Index>(), one = on.as<T>(), other = off.as<T>(),
              to = y.as<T>()] {
      for (int64_t i = 0; i < size; ++i) {
        const int64_t place = i / behind_axis % depth;
        const int64_t index = i / behind_axis / depth * behind_axis + i % behind_axis;
        to[i] = numbers[index] == static_cast<Index>(place) ? *one : *other;
      }
    });
  }

 private:
  int64_t axis_;
};

template <class Index>
void add_gather() {
  for (const TF_DataType type : {TF_FLOAT, TF_DOUBLE, TF_HALF, TF_BFLOAT16, TF_INT64, TF_INT32,
                                 TF_BOOL}) {
    add_kernel<Gather<Index>>("GatherV2", {{"Tparams", type}, {"Tindices", TYPE<Index>}}, {"axis"});
  }
}

}  // namespace

void add_selection_kernels() {
  for_types<float, double, Half, BFloat16, int64_t, int32_t, bool>([](auto type) {
    using T = decltype(type);
    add_kernel<Select<T>>("SelectV2", {{"T", TYPE<T>}});
  });
  add_gather<int32_t>();
  add_gather<int64_t>();
  for_types<float, double, Half, BFloat16, int64_t>([](auto type) {
    using T = decltype(type);
    for_types<int32_t, int64_t, uint8_t>([](auto index) {
      using Index = decltype(index);
      add_kernel<OneHot<T, Index>>("OneHot", {{"T", TYPE<T>}, {"TI", TYPE<Index>}}, {"depth"});
    });
  });
}

}  // namespace card
