/* SPDX-License-Identifier: MIT */
/* The emulated devices and their errors. */
#include "cuda/emu/devices.h"

#include <cstdio>

using namespace simt;

device_state *const simt::devices = new device_state[DEVICES]();
std::recursive_mutex simt::lock;
thread_local int simt::current;

static thread_local cudaError_t last;

/* -- Devices ----------------------------------------------------------------------------------- */

cudaError_t cudaGetDeviceCount(int *count)
{
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
  }
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
  *device = current;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
  current = device;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *bytes)
{
  const guard held(lock);

  *bytes = (size_t)MOST_BYTES;
  *free_bytes = (size_t)(MOST_BYTES - devices[current].taken);
  return say(devices[current].failed);
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

/* For the specs: the last error of this thread, which another one replaces; and makes all devices as
** if nothing had failed, which no GPU can. */
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
