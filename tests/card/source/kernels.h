// Registers the kernels, by what they are about; each in the file of its name.
#pragma once

namespace card {

void add_unary_kernels();
void add_binary_kernels();
void add_cast_kernels();
void add_reduction_kernels();
void add_matrix_kernels();
void add_network_kernels();
void add_layout_kernels();
void add_slice_kernels();
void add_selection_kernels();
void add_random_kernels();
void add_waiting_kernels();

}  // namespace card
