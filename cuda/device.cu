/* SPDX-License-Identifier: MIT */
/* Devices of the CUDA runtime: memory from the stream-ordered pools, which keep freed memory. A
** status is told to the caller, who may drop it. It never stays behind as the thread's last error,
** which the next one to ask would take for its own. */
#include "cuda/include/host/device.h"

#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdio>

namespace locus
{

static simt_status told(simt_status status)
{
  if (status != cudaSuccess) cudaGetLastError();
  return status;
}

simt_status device_count(int *devices)
{
  return told(cudaGetDeviceCount(devices));
}

simt_status device_describe(int device, locus_device_info *info)
{
  cudaDeviceProp properties;
  size_t free_bytes = 0, bytes = 0;

  simt_status status = told(cudaGetDeviceProperties(&properties, device));
  if (status != cudaSuccess) return status;
  status = on(device, [&] { return told(cudaMemGetInfo(&free_bytes, &bytes)); });
  snprintf(info->name, sizeof info->name, "%.127s", properties.name);
  info->major = properties.major;
  info->minor = properties.minor;
  info->processors = properties.multiProcessorCount;
  info->bytes = (int64_t)bytes;
  info->free_bytes = (int64_t)free_bytes;
  return status;
}

int device_processors(int device)
{
  int processors = 1;
  told(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  return processors;
}

static std::atomic<bool> used[LOCUS_MOST_DEVICES]; /* devices that were entered */

simt_status device_enter(int device, int *before)
{
  simt_status status = told(cudaGetDevice(before));
  if (status == cudaSuccess && *before != device) status = told(cudaSetDevice(device));
  if (status == cudaSuccess) used[device] = true;
  return status;
}

void device_leave(int before)
{
  int now;

  if (told(cudaGetDevice(&now)) != cudaSuccess || now == before) return;
  if (device_has_context(before)) told(cudaSetDevice(before));
}

/* Asks the driver; if there is none to ask, the devices used here have a context. */
bool device_has_context(int device)
{
  typedef int primary_state(int device, unsigned *flags, int *active);
  static primary_state *const ask =
      reinterpret_cast<primary_state *>(SIMT_DRIVER("cuDevicePrimaryCtxGetState"));
  unsigned flags;
  int active = 0;

  if (!ask) return used[device];
  return ask(device, &flags, &active) == 0 && active;
}

/* The pool of the current device; null: it has none. By default a pool gives its memory back at
** every wait; ours keeps it. */
static simt_status find_pool(cudaMemPool_t *pool)
{
  static std::atomic<cudaMemPool_t> found[LOCUS_MOST_DEVICES];
  static std::atomic<bool> known[LOCUS_MOST_DEVICES];
  uint64_t threshold = ULLONG_MAX;
  int device, supported = 0;

  *pool = nullptr;
  simt_status status = told(cudaGetDevice(&device));
  if (status == cudaSuccess && !known[device]) {
    status = told(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device));
    if (status == cudaSuccess && supported)
      status = told(cudaDeviceGetDefaultMemPool(pool, device));
    if (status == cudaSuccess && supported)
      status = told(cudaMemPoolSetAttribute(*pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    found[device] = *pool;
    known[device] = status == cudaSuccess;
  }
  if (status == cudaSuccess) *pool = found[device];
  return status;
}

simt_status device_take(void **block, int64_t bytes, simt_stream stream)
{
  const size_t size = (size_t)(bytes > 0 ? bytes : 1);
  cudaMemPool_t pool;
  const simt_status status = find_pool(&pool);

  if (status != cudaSuccess) return status;
  return told(pool ? cudaMallocAsync(block, size, stream) : cudaMalloc(block, size));
}

/* Without a pool, no stream's order holds for memory: the stream is waited for. */
void device_release(void *block, simt_stream stream)
{
  cudaMemPool_t pool;

  find_pool(&pool);
  if (!pool) told(cudaStreamSynchronize(stream));
  told(pool ? cudaFreeAsync(block, stream) : cudaFree(block));
}

simt_status device_copy(void *to, const void *from, int64_t bytes, simt_stream stream)
{
  return told(cudaMemcpyAsync(to, from, (size_t)bytes, cudaMemcpyDefault, stream));
}

simt_status device_copy_peer(void *to, int to_device, const void *from, int from_device,
                             int64_t bytes, simt_stream stream)
{
  return told(cudaMemcpyPeerAsync(to, to_device, from, from_device, (size_t)bytes, stream));
}

/* Memory of the device itself, or memory that the driver maps into it: managed, or page-locked. */
simt_status device_reaches(int device, const void *address, bool *does)
{
  cudaPointerAttributes attributes;

  *does = false;
  const simt_status status = told(cudaPointerGetAttributes(&attributes, address));
  if (status != cudaSuccess) return status;
  if (attributes.type == cudaMemoryTypeDevice) *does = attributes.device == device;
  else *does = attributes.type != cudaMemoryTypeUnregistered && attributes.devicePointer == address;
  return status;
}

simt_status device_wait()
{
  return told(cudaDeviceSynchronize());
}

void device_trim()
{
  cudaMemPool_t pool;

  find_pool(&pool);
  if (pool) told(cudaMemPoolTrimTo(pool, 0));
}

simt_status host_take(void **block, int64_t bytes)
{
  return told(cudaHostAlloc(block, (size_t)bytes, cudaHostAllocPortable));
}

void host_release(void *block)
{
  told(cudaFreeHost(block));
}

/* -- Streams and events ------------------------------------------------------------------------ */

static simt_status whether_done(simt_status query, bool *done)
{
  const simt_status status = told(query);

  *done = status == cudaSuccess;
  return status == cudaErrorNotReady ? cudaSuccess : status;
}

simt_status stream_make(simt_stream *stream)
{
  return told(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
}

void stream_drop(simt_stream stream)
{
  told(cudaStreamDestroy(stream));
}

simt_status stream_done(simt_stream stream, bool *done)
{
  return whether_done(cudaStreamQuery(stream), done);
}

simt_status stream_wait(simt_stream stream)
{
  return told(cudaStreamSynchronize(stream));
}

simt_status stream_follow(simt_stream stream, simt_event event)
{
  return told(cudaStreamWaitEvent(stream, event, 0));
}

simt_status event_make(simt_event *event, bool timed)
{
  return told(cudaEventCreateWithFlags(event, timed ? cudaEventDefault : cudaEventDisableTiming));
}

void event_drop(simt_event event)
{
  told(cudaEventDestroy(event));
}

simt_status event_record(simt_event event, simt_stream stream)
{
  return told(cudaEventRecord(event, stream));
}

simt_status event_done(simt_event event, bool *done)
{
  return whether_done(cudaEventQuery(event), done);
}

simt_status event_wait(simt_event event)
{
  return told(cudaEventSynchronize(event));
}

simt_status event_elapsed(simt_event begin, simt_event end, float *milliseconds)
{
  return told(cudaEventElapsedTime(milliseconds, begin, end));
}

/* -- Errors ------------------------------------------------------------------------------------ */

/* Later toolkits than the least one that serves have names for these. */
enum { CONTAINED = 226, TENSOR_MEMORY_LEAK = 721, EXTERNAL_DEVICE = 911 };

/* After these no call succeeds in this process.
** Source: https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html, cudaError */
static bool is_final(int status)
{
  switch (status) {
  case cudaErrorECCUncorrectable:
  case CONTAINED:
  case cudaErrorIllegalAddress:
  case cudaErrorLaunchTimeout:
  case cudaErrorAssert:
  case cudaErrorHardwareStackError:
  case cudaErrorIllegalInstruction:
  case cudaErrorMisalignedAddress:
  case cudaErrorInvalidAddressSpace:
  case cudaErrorInvalidPc:
  case cudaErrorLaunchFailure:
  case TENSOR_MEMORY_LEAK:
  case cudaErrorMpsClientTerminated:
  case EXTERNAL_DEVICE: return true;
  default: return false;
  }
}

void device_forget()
{
  cudaGetLastError();
}

/* The process that has loaded this module, at its first use of CUDA. */
static const pid_t first_user = getpid();

int device_fail(simt_status status, locus_context *cx)
{
  told(status); /* a launch's */
  if (getpid() != first_user) {
    return locus_fail(cx, "CUDA does not work after fork, since the parent process has used it: "
                          "fork before that, or start a new process");
  }
  switch (status) {
  case cudaErrorInsufficientDriver:
    return locus_fail(cx, "there is no CUDA here: no driver, or one too old for CUDA %d.%d",
                      CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  case cudaErrorNoDevice: return locus_fail(cx, "there is no CUDA here: the driver sees no device");
  default:
    return locus_fail(cx, "CUDA says: %s (%s)%s", cudaGetErrorString(status),
                      cudaGetErrorName(status),
                      is_final(status) ? "; this call or an earlier one did it (LOCUS_CUDA_SYNC=1 "
                                         "tells which), and only a new process can use CUDA again"
                                       : "");
  }
}

} // namespace locus
