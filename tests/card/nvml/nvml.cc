// A stand-in for NVIDIA's libraries: of NVML what labkit asks, of CUDA where its first card is.
//
// What it answers is read anew at each call, so that a card may heat up while a loop runs:
//
// STAND_IN_CARD_CLOCK_FILE  a file of five whole numbers: the clock in MHz, the temperature in
//                           degrees Celsius, the power and its limit in mW, and the reasons for the
//                           clock as NVML's bits. Without it all of them are refused.
// STAND_IN_NVML_CARDS       the names of the cards, with commas between ("STAND_IN_CARD")
// STAND_IN_NVML_OTHERS      how many other processes compute on each card (0)
// STAND_IN_NVML_REFUSES     names of functions that are refused, with commas between
// STAND_IN_CUDA_FIRST       the card that CUDA puts first (0)
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int SUCCESS = 0, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6;
constexpr int INSUFFICIENT_SIZE = 7;
// NVML's cards are pointers to it; ours count from one, as a null pointer is none.
using Handle = uintptr_t;

std::vector<std::string> words(const char* variable, const char* otherwise) {
  const char* text = std::getenv(variable);
  std::istringstream stream(text == nullptr ? otherwise : text);
  std::vector<std::string> found;
  for (std::string word; std::getline(stream, word, ',');) found.push_back(word);
  return found;
}

std::vector<std::string> cards() { return words("STAND_IN_NVML_CARDS", "STAND_IN_CARD"); }

bool refuses(const char* function) {
  for (const std::string& word : words("STAND_IN_NVML_REFUSES", "")) {
    if (word == function) return true;
  }
  return false;
}

// One of the numbers of the file.
template <typename Number>
int told(const char* function, size_t place, Number* answer) {
  if (refuses(function)) return NOT_SUPPORTED;
  const char* path = std::getenv("STAND_IN_CARD_CLOCK_FILE");
  std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "r");
  if (file == nullptr) return NOT_SUPPORTED;
  long long number = 0;
  size_t count = 0;
  while (count <= place && std::fscanf(file, "%lld", &number) == 1) ++count;
  std::fclose(file);
  if (count <= place) return NOT_SUPPORTED;
  *answer = static_cast<Number>(number);
  return SUCCESS;
}

int written(const std::string& text, char* buffer, unsigned length) {
  std::snprintf(buffer, length, "%s", text.c_str());
  return SUCCESS;
}

}  // namespace

extern "C" {

struct Process {
  unsigned id;
  unsigned long long memory_bytes;
  unsigned gpu_instance, compute_instance;
};

int nvmlInitWithFlags(unsigned) {
  constexpr int DRIVER_NOT_LOADED = 9;
  return refuses("nvmlInitWithFlags") ? DRIVER_NOT_LOADED : SUCCESS;
}

int nvmlShutdown() { return SUCCESS; }

const char* nvmlErrorString(int) { return "refused"; }

int nvmlSystemGetDriverVersion(char* version, unsigned length) {
  if (refuses("nvmlSystemGetDriverVersion")) return NOT_SUPPORTED;
  return written("550.54.15", version, length);
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = cards().size();
  return SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, Handle* card) {
  if (index >= cards().size()) return INVALID_ARGUMENT;
  *card = index + 1;
  return SUCCESS;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, Handle* card) {
  unsigned domain = 0, bus = 0;
  if (std::sscanf(bus_id, "%x:%x", &domain, &bus) != 2) return INVALID_ARGUMENT;
  if (bus < 1 || bus > cards().size()) return NOT_FOUND;
  *card = bus;
  return SUCCESS;
}

int nvmlDeviceGetName(Handle card, char* name, unsigned length) {
  if (refuses("nvmlDeviceGetName")) return NOT_SUPPORTED;
  return written(cards().at(card - 1), name, length);
}

int nvmlDeviceGetClockInfo(Handle, unsigned, unsigned* mhz) {
  return told("nvmlDeviceGetClockInfo", 0, mhz);
}

int nvmlDeviceGetTemperature(Handle, unsigned, unsigned* celsius) {
  return told("nvmlDeviceGetTemperature", 1, celsius);
}

int nvmlDeviceGetPowerUsage(Handle, unsigned* milliwatts) {
  return told("nvmlDeviceGetPowerUsage", 2, milliwatts);
}

int nvmlDeviceGetEnforcedPowerLimit(Handle, unsigned* milliwatts) {
  return told("nvmlDeviceGetEnforcedPowerLimit", 3, milliwatts);
}

int nvmlDeviceGetCurrentClocksEventReasons(Handle, unsigned long long* bits) {
  return told("nvmlDeviceGetCurrentClocksEventReasons", 4, bits);
}

int nvmlDeviceGetCurrentClocksThrottleReasons(Handle, unsigned long long* bits) {
  return told("nvmlDeviceGetCurrentClocksThrottleReasons", 4, bits);
}

int nvmlDeviceGetComputeRunningProcesses_v3(Handle, unsigned* count, Process* processes) {
  if (refuses("nvmlDeviceGetComputeRunningProcesses_v3")) return NOT_SUPPORTED;
  const unsigned others = std::stoul(words("STAND_IN_NVML_OTHERS", "0").at(0));
  const unsigned room = *count;
  *count = others + 1;
  if (room < *count) return INSUFFICIENT_SIZE;
  for (unsigned place = 0; place < *count; ++place) {
    processes[place] = {place == 0 ? static_cast<unsigned>(getpid()) : place, 0, ~0u, ~0u};
  }
  return SUCCESS;
}

int cuInit(unsigned) { return SUCCESS; }

int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return SUCCESS;
}

int cuDeviceGetPCIBusId(char* bus_id, int length, int) {
  const unsigned first = std::stoul(words("STAND_IN_CUDA_FIRST", "0").at(0));
  std::snprintf(bus_id, length, "0000:%02X:00.0", first + 1);
  return SUCCESS;
}

}  // extern "C"
