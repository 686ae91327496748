// Products of matrices, one or many.
#include <vector>

#include "kernel.h"
#include "kernels.h"

namespace card {
namespace {

// A matrix as a kernel finds it: where each row and each column begins.
template <class T>
struct Matrix {
  const T* data;
  int64_t rows, columns, row_step, column_step;
};

template <class T>
Matrix<T> matrix(const T* data, int64_t rows, int64_t columns, bool transposed) {
  if (transposed) return {data, columns, rows, 1, columns};
  return {data, rows, columns, columns, 1};
}

// Its numbers row by row, in what is computed with.
template <class T>
std::vector<Wide<T>> row_by_row(const Matrix<T>& x) {
  std::vector<Wide<T>> numbers(x.rows * x.columns);
  for (int64_t i = 0; i < x.rows; ++i) {
    for (int64_t k = 0; k < x.columns; ++k) {
      numbers[i * x.columns + k] = x.data[i * x.row_step + k * x.column_step];
    }
  }
  return numbers;
}

// z = x y. Four rows of y go into a row of z at a time, which is read and written that much less.
template <class T>
void multiply(const Matrix<T>& x, const Matrix<T>& y, T* z) {
  const std::vector<Wide<T>> left = row_by_row(x);
  const std::vector<Wide<T>> right = row_by_row(y);
  const int64_t inner = x.columns;
  const int64_t columns = y.columns;
  std::vector<Wide<T>> sums(columns);
  for (int64_t i = 0; i < x.rows; ++i) {
    std::fill(sums.begin(), sums.end(), Wide<T>(0));
    Wide<T>* __restrict sum = sums.data();
    const Wide<T>* a = left.data() + i * inner;
    int64_t k = 0;
    for (; k + 4 <= inner; k += 4) {
      const Wide<T>* __restrict b = right.data() + k * columns;
      const Wide<T> a0 = a[k], a1 = a[k + 1], a2 = a[k + 2], a3 = a[k + 3];
      for (int64_t j = 0; j < columns; ++j) {
        sum[j] += (a0 * b[j] + a1 * b[columns + j]) +
                  (a2 * b[2 * columns + j] + a3 * b[3 * columns + j]);
      }
    }
    for (; k < inner; ++k) {
      const Wide<T>* __restrict b = right.data() + k * columns;
      for (int64_t j = 0; j < columns; ++j) sum[j] += a[k] * b[j];
    }
    for (int64_t j = 0; j < columns; ++j) z[i * columns + j] = T(sums[j]);
  }
}

void check_inner(int64_t of_x, int64_t of_y) {
  if (of_x == of_y) return;
  throw Failure{TF_INVALID_ARGUMENT, "Matrix size-incompatible: the first has " +
                                         std::to_string(of_x) + " columns, the second " +
                                         std::to_string(of_y) + " rows"};
}

template <class T>
class MatMul {
 public:
  explicit MatMul(const Attributes& attributes)
      : transposes_x_(attributes.flag("transpose_a")),
        transposes_y_(attributes.flag("transpose_b")) {}

  void compute(Call& call) const {
    const Array x = call.input(0);
    const Array y = call.input(1);
    if (x.shape.size() != 2 || y.shape.size() != 2) {
      throw Failure{TF_INVALID_ARGUMENT, "MatMul takes two matrices"};
    }
    const auto left = matrix(x.as<T>(), x.shape[0], x.shape[1], transposes_x_);
    const auto right = matrix(y.as<T>(), y.shape[0], y.shape[1], transposes_y_);
    check_inner(left.columns, right.rows);
    const Array z = call.output(0, {left.rows, right.columns});
    if (z.size() == 0) return;
    call.run([=, to = z.as<T>()] { multiply(left, right, to); });
  }

 private:
  bool transposes_x_, transposes_y_;
};

// The last two dimensions are matrices, those before are broadcast.
template <class T>
class BatchMatMul {
 public:
  explicit BatchMatMul(const Attributes& attributes)
      : transposes_x_(attributes.flag("adj_x")), transposes_y_(attributes.flag("adj_y")) {}

  void compute(Call& call) const {
    const Array x = call.input(0);
    const Array y = call.input(1);
    if (x.shape.size() < 2 || y.shape.size() < 2) {
      throw Failure{TF_INVALID_ARGUMENT, "BatchMatMul takes arrays of at least two dimensions"};
    }
    const auto left = last_matrix(x, transposes_x_);
    const auto right = last_matrix(y, transposes_y_);
    check_inner(left.columns, right.rows);
    const Shape of_x(x.shape.begin(), x.shape.end() - 2);
    const Shape of_y(y.shape.begin(), y.shape.end() - 2);
    const Shape batch = broadcast(of_x, of_y);
    Shape shape = batch;
    shape.insert(shape.end(), {left.rows, right.columns});
    const Array z = call.output(0, shape);
    if (z.size() == 0) return;
    const Loop<3> loop{batch, {stretched(of_x, batch), stretched(of_y, batch), steps_of(batch)}};
    call.run([=, to = z.as<T>()] {
      loop.run([&](auto offsets, int64_t count, auto steps) {
        for (int64_t i = 0; i < count; ++i) {
          Matrix<T> x = left;
          Matrix<T> y = right;
          x.data += (offsets[0] + i * steps[0]) * x.rows * x.columns;
          y.data += (offsets[1] + i * steps[1]) * y.rows * y.columns;
          multiply(x, y, to + (offsets[2] + i * steps[2]) * x.rows * y.columns);
        }
      });
    });
  }

 private:
  static Matrix<T> last_matrix(const Array& x, bool transposed) {
    const size_t last = x.shape.size() - 1;
    return matrix(x.as<T>(), x.shape[last - 1], x.shape[last], transposed);
  }

  bool transposes_x_, transposes_y_;
};

}  // namespace

void add_matrix_kernels() {
  for_floats([](auto type) {
    using T = decltype(type);
    add_kernel<MatMul<T>>("MatMul", {{"T", TYPE<T>}});
    add_kernel<BatchMatMul<T>>("BatchMatMul", {{"T", TYPE<T>}});
    add_kernel<BatchMatMul<T>>("BatchMatMulV2", {{"T", TYPE<T>}});
  });
}

}  // namespace card
