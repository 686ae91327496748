// Ops that put arrays together, take them apart, and lay them out anew.
#include <cstring>

#include "kernel.h"
#include "kernels.h"
#include "move.h"

namespace card {
namespace {

struct Transpose : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    const Array x = call.input(0);
    const std::vector<int64_t> order = call.host_numbers(1);
    const Shape steps = steps_of(x.shape);
    Shape shape;
    Shape read;
    for (const int64_t axis : order) {
      shape.push_back(x.shape.at(checked_axis(axis, x.shape.size())));
      read.push_back(steps.at(checked_axis(axis, x.shape.size())));
    }
    const Array y = call.output(0, shape);
    if (y.size() == 0) return;
    run_moves(call, {{{shape, {read, steps_of(shape)}}, behind(x, 0), behind(y, 0)}},
              TF_DataTypeSize(x.type));
  }
};

struct Fill : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    const Array value = call.input(1);
    const Array y = call.output(0, call.host_numbers(0));
    if (y.size() == 0) return;
    run_moves(call, {{{{y.size()}, {Shape{0}, Shape{1}}}, behind(value, 0), behind(y, 0)}},
              TF_DataTypeSize(value.type));
  }
};

struct ZerosLike : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    const Array y = call.output(0, call.input(0).shape);
    const size_t bytes = y.size() * TF_DataTypeSize(y.type);
    if (bytes > 0) call.run([=] { std::memset(y.data, 0, bytes); });
  }
};

template <class T>
struct OnesLike : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    const Array y = call.output(0, call.input(0).shape);
    if (y.size() == 0) return;
    call.run([to = y.as<T>(), size = y.size()] {
      for (int64_t i = 0; i < size; ++i) to[i] = T(1.0f);
    });
  }
};

struct BroadcastTo : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    const Array x = call.input(0);
    const Shape shape = call.host_numbers(1);
    if (broadcast(x.shape, shape) != shape) {
      throw Failure{TF_INVALID_ARGUMENT, "Incompatible shapes for BroadcastTo"};
    }
    const Array y = call.output(0, shape);
    if (y.size() == 0) return;
    run_moves(call,
              {{{shape, {stretched(x.shape, shape), steps_of(shape)}}, behind(x, 0), behind(y, 0)}},
              TF_DataTypeSize(x.type));
  }
};

struct Tile : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    const Array x = call.input(0);
    const std::vector<int64_t> times = call.host_numbers(1);
    const Shape steps = steps_of(x.shape);
    Shape shape;
    Shape split;  // each dimension as two: which copy, and where in it
    Shape read;
    for (size_t i = 0; i < x.shape.size(); ++i) {
      shape.push_back(x.shape[i] * times.at(i));
      split.insert(split.end(), {times.at(i), x.shape[i]});
      read.insert(read.end(), {0, steps[i]});
    }
    const Array y = call.output(0, shape);
    if (y.size() == 0) return;
    run_moves(call, {{{split, {read, steps_of(split)}}, behind(x, 0), behind(y, 0)}},
              TF_DataTypeSize(x.type));
  }
};

struct Concat : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    std::vector<Array> parts;
    for (int i = 0; i + 1 < call.inputs(); ++i) parts.push_back(call.input(i));
    Shape shape = parts.at(0).shape;
    const int64_t axis = checked_axis(call.host_numbers(call.inputs() - 1).at(0), shape.size());
    shape[axis] = 0;
    for (const Array& part : parts) {
      Shape expected = part.shape;
      if (expected.size() == shape.size()) expected[axis] = shape[axis];
      if (expected != shape) {
        throw Failure{TF_INVALID_ARGUMENT, "ConcatOp: shapes of all inputs should match"};
      }
      shape[axis] += part.shape[axis];
    }
    const Array y = call.output(0, shape);
    if (y.size() == 0) return;
    const Shape steps = steps_of(shape);
    std::vector<Move> moves;
    int64_t begin = 0;
    for (const Array& part : parts) {
      moves.push_back({{part.shape, {steps_of(part.shape), steps}}, behind(part, 0),
                       behind(y, begin * steps[axis])});
      begin += part.shape[axis];
    }
    run_moves(call, moves, TF_DataTypeSize(y.type));
  }
};

// Arrays of one shape become one array with a dimension more.
class Pack {
 public:
  explicit Pack(const Attributes& attributes) : axis_(attributes.integer("axis")) {}

  void compute(Call& call) const {
    std::vector<Array> parts;
    for (int i = 0; i < call.inputs(); ++i) parts.push_back(call.input(i));
    Shape shape = parts.at(0).shape;
    const int64_t axis = checked_axis(axis_, shape.size() + 1);
    shape.insert(shape.begin() + axis, parts.size());
    const Array y = call.output(0, shape);
    if (y.size() == 0) return;
    Shape steps = steps_of(shape);
    const int64_t step = steps[axis];
    steps.erase(steps.begin() + axis);
    std::vector<Move> moves;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].shape != parts[0].shape) {
        throw Failure{TF_INVALID_ARGUMENT, "Shapes of all inputs must match"};
      }
      moves.push_back({{parts[i].shape, {steps_of(parts[i].shape), steps}}, behind(parts[i], 0),
                       behind(y, i * step)});
    }
    run_moves(call, moves, TF_DataTypeSize(y.type));
  }

 private:
  int64_t axis_;
};

class Unpack {
 public:
  explicit Unpack(const Attributes& attributes) : axis_(attributes.integer("axis")) {}

  void compute(Call& call) const {
    const Array x = call.input(0);
    const int64_t axis = checked_axis(axis_, x.shape.size());
    if (x.shape[axis] != call.outputs()) {
      throw Failure{TF_INVALID_ARGUMENT, "Input shape axis " + std::to_string(axis) +
                                             " must equal " + std::to_string(call.outputs())};
    }
    Shape shape = x.shape;
    Shape steps = steps_of(x.shape);
    const int64_t step = steps[axis];
    shape.erase(shape.begin() + axis);
    steps.erase(steps.begin() + axis);
    std::vector<Move> moves;
    for (int i = 0; i < call.outputs(); ++i) {
      const Array y = call.output(i, shape);
      moves.push_back({{shape, {steps, steps_of(shape)}}, behind(x, i * step), behind(y, 0)});
    }
    if (size_of(shape) > 0) run_moves(call, moves, TF_DataTypeSize(x.type));
  }

 private:
  int64_t axis_;
};

// Into parts along one axis: of one size, or (SplitV) of the sizes that are given.
template <int VALUE, int AXIS, bool SIZES>
struct Split : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    const Array x = call.input(VALUE);
    const int64_t axis = checked_axis(call.host_numbers(AXIS).at(0), x.shape.size());
    const std::vector<int64_t> sizes = part_sizes(call, x.shape[axis]);
    const Shape steps = steps_of(x.shape);
    std::vector<Move> moves;
    int64_t begin = 0;
    for (int i = 0; i < call.outputs(); ++i) {
      Shape shape = x.shape;
      shape[axis] = sizes.at(i);
      const Array y = call.output(i, shape);
      moves.push_back(
          {{shape, {steps, steps_of(shape)}}, behind(x, begin * steps[axis]), behind(y, 0)});
      begin += sizes[i];
    }
    if (begin != x.shape[axis]) {
      throw Failure{TF_INVALID_ARGUMENT, "The parts must add up to the dimension that is split"};
    }
    if (x.size() > 0) run_moves(call, moves, TF_DataTypeSize(x.type));
  }

 private:
  static std::vector<int64_t> part_sizes(const Call& call, int64_t length) {
    if (!SIZES) return std::vector<int64_t>(call.outputs(), length / call.outputs());
    std::vector<int64_t> sizes = call.host_numbers(1);
    int64_t rest = length;
    for (const int64_t size : sizes) rest -= size < 0 ? 0 : size;
    for (int64_t& size : sizes) size = size < 0 ? rest : size;  // one may be -1: what is left
    return sizes;
  }
};

// With a margin of zeros, or (PadV2) of a number that is given.
template <bool VALUE>
struct Pad : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    static const int64_t ZERO = 0;
    const Array x = call.input(0);
    const std::vector<int64_t> margins = call.host_numbers(1);
    Shape shape = x.shape;
    for (size_t i = 0; i < shape.size(); ++i) shape[i] += margins.at(2 * i) + margins.at(2 * i + 1);
    const Shape steps = steps_of(shape);
    int64_t begin = 0;
    for (size_t i = 0; i < shape.size(); ++i) begin += margins[2 * i] * steps[i];
    const Array y = call.output(0, shape);
    if (y.size() == 0) return;
    const auto* value = VALUE ? behind(call.input(2), 0) : reinterpret_cast<const char*>(&ZERO);
    run_moves(call,
              {{{{y.size()}, {Shape{0}, Shape{1}}}, value, behind(y, 0)},
               {{x.shape, {steps_of(x.shape), steps}}, behind(x, 0), behind(y, begin)}},
              TF_DataTypeSize(x.type));
  }
};

}  // namespace

void add_layout_kernels() {
  add_moving_kernel<Transpose>("Transpose", "T", {"perm"});
  add_moving_kernel<BroadcastTo>("BroadcastTo", "T", {"shape"}, {"input", "shape", "output"});
  add_moving_kernel<Tile>("Tile", "T", {"multiples"});
  add_moving_kernel<Pack>("Pack", "T", {}, {"values", "output"});
  add_moving_kernel<Split<1, 0, false>>("Split", "T", {"split_dim"});
  add_moving_kernel<Split<0, 2, true>>("SplitV", "T", {"size_splits", "split_dim"});
  add_moving_kernel<Pad<false>>("Pad", "T", {"paddings"}, {"input", "paddings", "output"});
  add_moving_kernel<Pad<true>>("PadV2", "T", {"paddings"},
                               {"input", "paddings", "constant_values", "output"});
  // TensorFlow itself brings these for whole numbers of 32 bits, in the host's memory.
  for (const TF_DataType type : {TF_FLOAT, TF_DOUBLE, TF_HALF, TF_BFLOAT16, TF_INT64, TF_BOOL,
                                 TF_UINT8}) {
    add_kernel<Fill>("Fill", {{"T", type}}, {"dims"});
    add_kernel<ZerosLike>("ZerosLike", {{"T", type}});
    add_kernel<Concat>("ConcatV2", {{"T", type}}, {"axis"});
    if (type != TF_INT64) add_kernel<Unpack>("Unpack", {{"T", type}});
  }
  for_types<float, double, Half, BFloat16, int64_t, bool, uint8_t>([](auto type) {
    using T = decltype(type);
    add_kernel<OnesLike<T>>("OnesLike", {{"T", TYPE<T>}});
  });
}

}  // namespace card
