// Slices: Slice, and x[1:, ::-2, None, ..., 3] with its gradient.
#include <cstring>

#include "kernel.h"
#include "kernels.h"
#include "move.h"

namespace card {
namespace {

struct Slice : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    const Array x = call.input(0);
    const std::vector<int64_t> begins = call.host_numbers(1);
    Shape shape = call.host_numbers(2);
    const Shape steps = steps_of(x.shape);
    int64_t begin = 0;
    for (size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] == -1) shape[i] = x.shape.at(i) - begins.at(i);
      if (begins.at(i) < 0 || shape[i] < 0 || begins[i] + shape[i] > x.shape.at(i)) {
        throw Failure{TF_INVALID_ARGUMENT, "Expected a slice within dimension " +
                                               std::to_string(i)};
      }
      begin += begins[i] * steps[i];
    }
    const Array y = call.output(0, shape);
    if (y.size() == 0) return;
    run_moves(call, {{{shape, {steps, steps_of(shape)}}, behind(x, begin), behind(y, 0)}},
              TF_DataTypeSize(x.type));
  }
};

// The part of an array that such a slice names.
struct Part {
  int64_t begin = 0;
  Shape lengths;  // of each dimension that is read, and its step
  Shape steps;
  Shape shape;  // the same without dimensions that an index took, and with new ones
};

// What an index expression says, as TensorFlow hands it to the op: one bit an entry in each mask.
class Indexing {
 public:
  explicit Indexing(const Attributes& attributes)
      : begin_mask_(attributes.integer("begin_mask")),
        end_mask_(attributes.integer("end_mask")),
        ellipsis_mask_(attributes.integer("ellipsis_mask")),
        new_mask_(attributes.integer("new_axis_mask")),
        shrink_mask_(attributes.integer("shrink_axis_mask")) {}

  Part part(const Shape& whole, const std::vector<int64_t>& begins,
            const std::vector<int64_t>& ends, const std::vector<int64_t>& strides) const {
    Part part;
    const Shape steps = steps_of(whole);
    const int entries = static_cast<int>(begins.size());
    size_t axis = 0;
    for (int i = 0; i < entries; ++i) {
      if (has(ellipsis_mask_, i)) {
        for (size_t skipped = whole.size() - named_axes(entries); skipped > 0; --skipped) {
          keep(part, whole.at(axis), steps[axis]);
          ++axis;
        }
      } else if (has(new_mask_, i)) {
        part.shape.push_back(1);
      } else if (axis >= whole.size()) {
        throw Failure{TF_INVALID_ARGUMENT, "Index out of range: there are only " +
                                               std::to_string(whole.size()) + " dimensions"};
      } else {
        take(part, i, whole[axis], steps[axis], begins[i], ends[i], strides[i]);
        ++axis;
      }
    }
    for (; axis < whole.size(); ++axis) keep(part, whole[axis], steps[axis]);
    return part;
  }

 private:
  static bool has(int64_t mask, int entry) { return mask >> entry & 1; }

  size_t named_axes(int entries) const {
    size_t named = 0;
    for (int i = 0; i < entries; ++i) named += !has(ellipsis_mask_, i) && !has(new_mask_, i);
    return named;
  }

  static void keep(Part& part, int64_t length, int64_t step) {
    part.lengths.push_back(length);
    part.steps.push_back(step);
    part.shape.push_back(length);
  }

  void take(Part& part, int entry, int64_t length, int64_t step, int64_t begin, int64_t end,
            int64_t stride) const {
    if (has(shrink_mask_, entry)) {
      const int64_t index = begin < 0 ? begin + length : begin;
      if (index < 0 || index >= length) {
        throw Failure{TF_INVALID_ARGUMENT, "slice index " + std::to_string(begin) +
                                               " of dimension " + std::to_string(entry) +
                                               " out of bounds."};
      }
      part.begin += index * step;
      return;
    }
    if (stride == 0) throw Failure{TF_INVALID_ARGUMENT, "strides must be non-zero"};
    // The last place before the first, and the first behind the last, as the stride goes.
    const int64_t lowest = stride > 0 ? 0 : -1;
    const int64_t highest = stride > 0 ? length : length - 1;
    const auto within = [&](int64_t place) {
      const int64_t counted = place < 0 ? place + length : place;
      return counted < lowest ? lowest : counted > highest ? highest : counted;
    };
    const int64_t first = has(begin_mask_, entry) ? (stride > 0 ? lowest : highest) : within(begin);
    const int64_t last = has(end_mask_, entry) ? (stride > 0 ? highest : lowest) : within(end);
    const int64_t distance = (last - first + stride - (stride > 0 ? 1 : -1)) / stride;
    const int64_t count = distance < 0 ? 0 : distance;
    part.begin += count == 0 ? 0 : first * step;
    keep(part, count, step * stride);
  }

  int64_t begin_mask_, end_mask_, ellipsis_mask_, new_mask_, shrink_mask_;
};

class StridedSlice {
 public:
  explicit StridedSlice(const Attributes& attributes) : indexing_(attributes) {}

  void compute(Call& call) const {
    const Array x = call.input(0);
    const Part part = indexing_.part(x.shape, call.host_numbers(1), call.host_numbers(2),
                                     call.host_numbers(3));
    const Array y = call.output(0, part.shape);
    if (y.size() == 0) return;
    run_moves(call,
              {{{part.lengths, {part.steps, steps_of(part.lengths)}}, behind(x, part.begin),
                behind(y, 0)}},
              TF_DataTypeSize(x.type));
  }

 private:
  Indexing indexing_;
};

// Zeros, but for the part that was read: there the gradient so far.
class StridedSliceGradient {
 public:
  explicit StridedSliceGradient(const Attributes& attributes) : indexing_(attributes) {}

  void compute(Call& call) const {
    static const int64_t ZERO = 0;
    const Shape whole = call.host_numbers(0);
    const Part part = indexing_.part(whole, call.host_numbers(1), call.host_numbers(2),
                                     call.host_numbers(3));
    const Array gradient = call.input(4);
    const Array y = call.output(0, whole);
    if (y.size() == 0) return;
    run_moves(call,
              {{{{y.size()}, {Shape{0}, Shape{1}}}, reinterpret_cast<const char*>(&ZERO),
                behind(y, 0)},
               {{part.lengths, {steps_of(part.lengths), part.steps}}, behind(gradient, 0),
                behind(y, part.begin)}},
              TF_DataTypeSize(y.type));
  }

 private:
  Indexing indexing_;
};

}  // namespace

void add_slice_kernels() {
  for (const TF_DataType type : {TF_FLOAT, TF_DOUBLE, TF_HALF, TF_BFLOAT16, TF_INT64, TF_BOOL,
                                 TF_UINT8}) {
    add_kernel<Slice>("Slice", {{"T", type}}, {"begin", "size"});
  }
  add_moving_kernel<StridedSlice>("StridedSlice", "T", {"begin", "end", "strides"},
                                  {"input", "begin", "end", "strides", "output"});
  add_moving_kernel<StridedSliceGradient>("StridedSliceGrad", "T",
                                          {"shape", "begin", "end", "strides"},
                                          {"shape", "begin", "end", "strides", "dy", "output"});
}

}  // namespace card
