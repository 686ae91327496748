// What layers and losses of a network need beside plain arithmetic.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "kernel.h"
#include "kernels.h"

namespace card {
namespace {

// Which dimension of a batch has the channels.
size_t channels_of(const Shape& shape, bool channels_first) {
  if (shape.size() < 2) throw Failure{TF_INVALID_ARGUMENT, "Input must have two dimensions"};
  return channels_first ? 1 : shape.size() - 1;
}

bool channels_first(const Attributes& attributes) {
  return attributes.text("data_format").rfind("NC", 0) == 0;
}

template <class T>
class BiasAdd {
 public:
  explicit BiasAdd(const Attributes& attributes) : first_(channels_first(attributes)) {}

  void compute(Call& call) const {
    const Array x = call.input(0);
    const Array bias = call.input(1);
    const size_t channels = channels_of(x.shape, first_);
    if (bias.size() != x.shape[channels]) {
      throw Failure{TF_INVALID_ARGUMENT, "Must provide as many biases as there are channels"};
    }
    const Array y = call.output_in_place({0}, x.shape);
    if (y.size() == 0) return;
    const int64_t step = steps_of(x.shape)[channels];
    call.run([=, length = bias.size(), size = y.size(), from = x.as<T>(), add = bias.as<T>(),
              to = y.as<T>()] {
      for (int64_t i = 0; i < size; ++i) {
        to[i] = T(Wide<T>(from[i]) + Wide<T>(add[i / step % length]));
      }
    });
  }

 private:
  bool first_;
};

template <class T>
class BiasAddGradient {
 public:
  explicit BiasAddGradient(const Attributes& attributes) : first_(channels_first(attributes)) {}

  void compute(Call& call) const {
    const Array x = call.input(0);
    const size_t channels = channels_of(x.shape, first_);
    const int64_t step = steps_of(x.shape)[channels];
    const Array y = call.output(0, {x.shape[channels]});
    if (y.size() == 0) return;
    call.run([=, length = y.size(), size = x.size(), from = x.as<T>(), to = y.as<T>()] {
      std::vector<double> sums(length, 0);
      for (int64_t i = 0; i < size; ++i) sums[i / step % length] += double(from[i]);
      for (int64_t i = 0; i < length; ++i) to[i] = T(Wide<T>(sums[i]));
    });
  }

 private:
  bool first_;
};

// The logarithms of the shares that a row of numbers stands for.
template <class T>
void log_softmax(const T* row, int64_t count, int64_t step, double* logs) {
  double largest = -std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < count; ++i) largest = std::max(largest, double(row[i * step]));
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += std::exp(double(row[i * step]) - largest);
  for (int64_t i = 0; i < count; ++i) logs[i] = double(row[i * step]) - largest - std::log(sum);
}

template <class T, bool LOG>
struct Softmax : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    const Array x = call.input(0);
    if (x.shape.empty()) throw Failure{TF_INVALID_ARGUMENT, "logits must have a dimension"};
    const Array y = call.output_in_place({0}, x.shape);
    if (y.size() == 0) return;
    call.run([size = x.size(), classes = x.shape.back(), from = x.as<T>(), to = y.as<T>()] {
      std::vector<double> logs(classes);
      for (int64_t row = 0; row < size; row += classes) {
        log_softmax(from + row, classes, 1, logs.data());
        for (int64_t i = 0; i < classes; ++i) {
          to[row + i] = T(Wide<T>(LOG ? logs[i] : std::exp(logs[i])));
        }
      }
    });
  }
};

// Cross entropy of shares that logits stand for with labels that are shares as well.
template <class T>
struct CrossEntropy : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    const Array x = call.input(0);
    const Array labels = call.input(1);
    const Shape shape = broadcast(x.shape, labels.shape);
    if (shape.size() != 2) throw Failure{TF_INVALID_ARGUMENT, "logits must be a matrix"};
    const Array loss = call.output(0, {shape[0]});
    const Array gradient = call.output(1, shape);
    if (gradient.size() == 0) return;
    call.run([shape, of_x = stretched(x.shape, shape), of_labels = stretched(labels.shape, shape),
              from = x.as<T>(), to = labels.as<T>(), losses = loss.as<T>(),
              back = gradient.as<T>()] {
      std::vector<double> logs(shape[1]);
      for (int64_t row = 0; row < shape[0]; ++row) {
        log_softmax(from + row * of_x[0], shape[1], of_x[1], logs.data());
        double sum = 0;
        for (int64_t i = 0; i < shape[1]; ++i) {
          const double label = double(to[row * of_labels[0] + i * of_labels[1]]);
          sum -= label == 0 ? 0 : label * logs[i];
          back[row * shape[1] + i] = T(Wide<T>(std::exp(logs[i]) - label));
        }
        losses[row] = T(Wide<T>(sum));
      }
    });
  }
};

// The same with the number of the right class as label; one that is no class gives NaN, as a card
// has no way to raise an error.
template <class T, class Label>
struct SparseCrossEntropy : Plain {
  using Plain::Plain;

  void compute(Call& call) const {
    const Array x = call.input(0);
    const Array labels = call.input(1);
    if (x.shape.size() != 2 || labels.shape != Shape{x.shape[0]}) {
      throw Failure{TF_INVALID_ARGUMENT, "logits must be a matrix with a label for each row"};
    }
    const Array loss = call.output(0, labels.shape);
    const Array gradient = call.output(1, x.shape);
    if (gradient.size() == 0) return;
    call.run([rows = x.shape[0], classes = x.shape[1], from = x.as<T>(), right = labels.as<Label>(),
              losses = loss.as<T>(), back = gradient.as<T>()] {
      const double nan = std::numeric_limits<double>::quiet_NaN();
      std::vector<double> logs(classes);
      for (int64_t row = 0; row < rows; ++row) {
        log_softmax(from + row * classes, classes, 1, logs.data());
        const bool known = right[row] >= 0 && right[row] < classes;
        for (int64_t i = 0; i < classes; ++i) {
          const double value = std::exp(logs[i]) - (i == right[row] ? 1 : 0);
          back[row * classes + i] = T(Wide<T>(known ? value : nan));
        }
        losses[row] = T(Wide<T>(known ? -logs[right[row]] : nan));
      }
    });
  }
};

}  // namespace

void add_network_kernels() {
  for_floats([](auto type) {
    using T = decltype(type);
    const Constraint is_t{"T", TYPE<T>};
    add_kernel<BiasAdd<T>>("BiasAdd", {is_t});
    add_kernel<BiasAddGradient<T>>("BiasAddGrad", {is_t});
    add_kernel<Softmax<T, false>>("Softmax", {is_t});
    add_kernel<Softmax<T, true>>("LogSoftmax", {is_t});
    add_kernel<CrossEntropy<T>>("SoftmaxCrossEntropyWithLogits", {is_t});
    add_kernel<SparseCrossEntropy<T, int32_t>>("SparseSoftmaxCrossEntropyWithLogits",
                                               {is_t, {"Tlabels", TF_INT32}});
    add_kernel<SparseCrossEntropy<T, int64_t>>("SparseSoftmaxCrossEntropyWithLogits",
                                               {is_t, {"Tlabels", TF_INT64}});
  });
}

}  // namespace card
