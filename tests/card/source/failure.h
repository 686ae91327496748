// Why a kernel cannot be made or run; TensorFlow raises it in Python as the error of this code.
#pragma once

#include <string>

#include "tensorflow/c/tf_status.h"

namespace card {

struct Failure {
  TF_Code code;
  std::string text;
};

}  // namespace card
