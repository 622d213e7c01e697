/* SPDX-License-Identifier: MIT */
/* The emulated devices and their errors. */
#include "cuda/emu/devices.h"

#include <pthread.h>

#include <atomic>
#include <cstdlib>

using namespace simt;

device_state *const simt::devices = new device_state[DEVICES]();
std::recursive_mutex simt::lock;
thread_local int simt::current;

static thread_local cudaError_t last;
static std::atomic<unsigned> contexts; /* a bit for each device that has one */
static bool forked;

/* -- Devices ----------------------------------------------------------------------------------- */

static void mark_child()
{
  forked = true;
}

cudaError_t cudaGetDeviceCount(int *count)
{
  static const int prepared = pthread_atfork(nullptr, nullptr, mark_child);

  if (prepared != 0) return say(cudaErrorMemoryAllocation);
  *count = DEVICES;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
  *properties = {"emulator", 0, 0, 2};
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr what, int)
{
  switch (what) {
  case cudaDevAttrMultiProcessorCount: *value = 2; break;
  case cudaDevAttrMemoryPoolsSupported: *value = pools(); break;
  }
  return cudaSuccess;
}

bool simt::pools()
{
  static const char *const asked = getenv("LOCUS_EMU_POOLS");
  return !asked || atoi(asked) != 0;
}

cudaError_t cudaGetDevice(int *device)
{
  *device = current;
  return cudaSuccess;
}

/* Makes a context, as it does since CUDA 12. */
cudaError_t cudaSetDevice(int device)
{
  if (device < 0 || device >= DEVICES) return say(cudaErrorInvalidDevice);
  current = device;
  return touch();
}

cudaError_t simt::touch()
{
  if (forked) return say(cudaErrorInitializationError);
  contexts |= 1u << current;
  return cudaSuccess;
}

/* The driver's cuDevicePrimaryCtxGetState, with its CUDA_ERROR_INVALID_DEVICE. */
static int primary_state(int device, unsigned *flags, int *active)
{
  if (device >= DEVICES) return 101;
  *flags = 0;
  *active = contexts >> device & 1;
  return 0;
}

void *simt::driver(const char *)
{
  return reinterpret_cast<void *>(primary_state);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *bytes)
{
  const guard held(lock);
  const cudaError_t status = touch();

  *bytes = (size_t)MOST_BYTES;
  *free_bytes = (size_t)(MOST_BYTES - devices[current].taken);
  return status == cudaSuccess ? say(devices[current].failed) : status;
}

/* -- Errors ------------------------------------------------------------------------------------ */

cudaError_t simt::say(cudaError_t status)
{
  if (status != cudaSuccess) last = status;
  return status;
}

cudaError_t cudaGetLastError()
{
  const cudaError_t status = last;
  last = cudaSuccess;
  return status;
}

cudaError_t cudaPeekAtLastError()
{
  return last;
}

const char *cudaGetErrorName(cudaError_t error)
{
  switch (error) {
#define ERROR(name, number, text) \
  case name: return #name;
    EMULATED_ERRORS(ERROR)
#undef ERROR
  }
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
  switch (error) {
#define ERROR(name, number, text) \
  case name: return text;
    EMULATED_ERRORS(ERROR)
#undef ERROR
  }
  return "unrecognized error code";
}

/* For the specs: which devices have contexts, as bits; which one is current, and the last error, of
** this thread; the error is replaced. And a service that no GPU has: all devices as if nothing had
** failed. */
extern "C" __attribute__((visibility("default"))) unsigned locus_emulator_contexts(void)
{
  return contexts;
}

extern "C" __attribute__((visibility("default"))) int locus_emulator_device(void)
{
  return current;
}

extern "C" __attribute__((visibility("default"))) int locus_emulator_last_error(int error)
{
  const int before = last;
  last = static_cast<cudaError_t>(error);
  return before;
}

extern "C" __attribute__((visibility("default"))) void locus_emulator_mend(void)
{
  const guard held(lock);
  for (int d = 0; d < DEVICES; d++) devices[d].failed = cudaSuccess;
}
