// What TensorFlow asks for: when it loads the library, whom to ask; later which devices there are,
// and who works them. Loading starts no thread and reads no option, so that TensorFlow may be
// imported in one process and used in its forks, each with options of its own.
#include <unistd.h>

#include <string>

#include "callbacks.h"
#include "card.h"
#include "options.h"

namespace card {
namespace {

void count(const SP_Platform*, int* devices, TF_Status* status) {
  *devices = static_cast<int>(number_of_cards());
  TF_SetStatus(status, TF_OK, "");
}

// CUDA cannot be used in a process that was forked from one in which it had begun.
const pid_t loaded_by = getpid();

// The words of CUDA, as learners find them on the net.
std::string refusal() {
  if (options().unusable == "no_device") {
    return "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected";
  }
  if (options().unusable == "old_driver") {
    return "cudaGetDevice() failed. Status: CUDA driver version is insufficient for CUDA runtime "
           "version";
  }
  if (options().unusable == "after_fork" && getpid() != loaded_by) {
    return "cudaGetDevice() failed. Status: initialization error";
  }
  return "";
}

void create(const SP_Platform*, SE_CreateDeviceParams* params, TF_Status* status) {
  static const char* const BUS[] = {"0000:00:01.0", "0000:00:02.0", "0000:00:03.0", "0000:00:04.0"};
  SP_Device* device = params->device;
  device->struct_size = SP_DEVICE_STRUCT_SIZE;
  device->ordinal = params->ordinal;
  device->device_handle = nullptr;
  device->hardware_name = "stand-in card";
  device->device_vendor = "labkit's tests";
  device->pci_bus_id = BUS[params->ordinal % 4];
  const std::string text = refusal();
  if (!text.empty()) {
    TF_SetStatus(status, TF_INTERNAL, text.c_str());
    return;
  }
  device->device_handle = new Card;
  TF_SetStatus(status, TF_OK, "");
}

// The card stays: TensorFlow's own threads may hold streams of it until the process has ended.
void destroy(const SP_Platform*, SP_Device*) {}

int32_t no_numa_node(const SP_Device*) { return -1; }
int64_t no_bandwidth(const SP_Device*) { return -1; }
double no_speed(const SP_Device*) { return -1; }

void create_facts(const SP_Platform*, SE_CreateDeviceFnsParams* params, TF_Status* status) {
  params->device_fns->struct_size = SP_DEVICE_FNS_STRUCT_SIZE;
  params->device_fns->get_numa_node = no_numa_node;
  params->device_fns->get_memory_bandwidth = no_bandwidth;
  params->device_fns->get_gflops = no_speed;
  TF_SetStatus(status, TF_OK, "");
}

void destroy_facts(const SP_Platform*, SP_DeviceFns*) {}

void create_executor(const SP_Platform*, SE_CreateStreamExecutorParams* params, TF_Status* status) {
  SP_StreamExecutor* executor = params->stream_executor;
  executor->struct_size = SP_STREAMEXECUTOR_STRUCT_SIZE;
  fill_memory(executor);
  fill_streams(executor);
  fill_events(executor);
  fill_timers(executor);
  fill_copies(executor);
  TF_SetStatus(status, TF_OK, "");
}

void destroy_executor(const SP_Platform*, SP_StreamExecutor*) {}

void create_timer_functions(const SP_Platform*, SP_TimerFns* functions, TF_Status* status) {
  functions->struct_size = SP_TIMER_FNS_STRUCT_SIZE;
  functions->nanoseconds = nanoseconds;
  TF_SetStatus(status, TF_OK, "");
}

void destroy_timer_functions(const SP_Platform*, SP_TimerFns*) {}

void destroy_platform(SP_Platform*) {}
void destroy_platform_functions(SP_PlatformFns*) {}

}  // namespace
}  // namespace card

extern "C" void SE_InitPlugin(SE_PlatformRegistrationParams* params, TF_Status* status) {
  SP_Platform* platform = params->platform;
  platform->struct_size = SP_PLATFORM_STRUCT_SIZE;
  platform->name = "STAND_IN_CARD";
  platform->type = "GPU";
  platform->supports_unified_memory = 0;
  platform->use_bfc_allocator = 1;
  platform->force_memory_growth = 0;

  SP_PlatformFns* functions = params->platform_fns;
  functions->struct_size = SP_PLATFORM_FNS_STRUCT_SIZE;
  functions->get_device_count = card::count;
  functions->create_device = card::create;
  functions->destroy_device = card::destroy;
  functions->create_device_fns = card::create_facts;
  functions->destroy_device_fns = card::destroy_facts;
  functions->create_stream_executor = card::create_executor;
  functions->destroy_stream_executor = card::destroy_executor;
  functions->create_timer_fns = card::create_timer_functions;
  functions->destroy_timer_fns = card::destroy_timer_functions;

  params->destroy_platform = card::destroy_platform;
  params->destroy_platform_fns = card::destroy_platform_functions;
  TF_SetStatus(status, TF_OK, "");
}
