// What TensorFlow calls once to have all kernels registered. What is missing here and has no kernel
// of TensorFlow's for every device (shapes, variables, control flow) falls to the processor.
#include "kernels.h"

#include <cstdio>
#include <cstdlib>

#include "failure.h"

extern "C" void TF_InitKernel() {
  try {
    card::add_unary_kernels();
    card::add_binary_kernels();
    card::add_cast_kernels();
    card::add_reduction_kernels();
    card::add_matrix_kernels();
    card::add_network_kernels();
    card::add_layout_kernels();
    card::add_slice_kernels();
    card::add_selection_kernels();
    card::add_random_kernels();
    card::add_waiting_kernels();
  } catch (const card::Failure& failure) {
    std::fprintf(stderr, "The card's kernels cannot be registered: %s\n", failure.text.c_str());
    std::abort();
  }
}
