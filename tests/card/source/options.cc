// Reads the environment. A value that is no number is a mistake in a test, and must not pass for 0.
#include "options.h"

#include <cstdio>
#include <cstdlib>

namespace card {

int64_t number(const char* variable, int64_t otherwise) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return otherwise;
  char* end = nullptr;
  const long long value = std::strtoll(text, &end, 10);
  if (*end != '\0') {
    std::fprintf(stderr, "%s is %s, and must be a whole number.\n", variable, text);
    std::abort();
  }
  return value;
}

std::string word(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? "" : text;
}

const Options& options() {
  // Never destroyed: the threads of the streams may run until the process has ended.
  static const Options* const read = new Options;
  return *read;
}

}  // namespace card
