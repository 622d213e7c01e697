/* SPDX-License-Identifier: MIT */
/* A device of the CUDA runtime: memory from its stream-ordered pool, which keeps what is freed. */
#include "cuda/device.h"

#include <atomic>
#include <climits>
#include <cstdio>

namespace locus {

simt_status device_count(int *devices)
{
  return cudaGetDeviceCount(devices);
}

simt_status device_describe(int device, locus_device_info *info)
{
  cudaDeviceProp properties;
  size_t free_bytes, bytes;
  int before = 0;

  simt_status status = cudaGetDeviceProperties(&properties, device);
  if (status == cudaSuccess) status = device_enter(device, &before);
  if (status != cudaSuccess) return status;
  status = cudaMemGetInfo(&free_bytes, &bytes);
  device_leave(before);
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
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  return processors;
}

simt_status device_enter(int device, int *before)
{
  simt_status status = cudaGetDevice(before);
  return status == cudaSuccess && *before != device ? cudaSetDevice(device) : status;
}

void device_leave(int before)
{
  cudaSetDevice(before);
}

/* By default a pool gives its memory back at every wait; ours keeps it. Once for each device. */
static simt_status keep_freed()
{
  static std::atomic<bool> kept[LOCUS_MOST_DEVICES];
  cudaMemPool_t pool;
  uint64_t threshold = ULLONG_MAX;
  int device;

  simt_status status = cudaGetDevice(&device);
  if (status != cudaSuccess || kept[device]) return status;
  status = cudaDeviceGetDefaultMemPool(&pool, device);
  if (status == cudaSuccess)
    status = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  kept[device] = status == cudaSuccess;
  return status;
}

simt_status device_take(void **block, int64_t bytes, simt_stream stream)
{
  simt_status status = keep_freed();
  if (status != cudaSuccess) return status;
  return cudaMallocAsync(block, (size_t)(bytes > 0 ? bytes : 1), stream);
}

void device_release(void *block, simt_stream stream)
{
  cudaFreeAsync(block, stream);
}

simt_status device_copy(void *to, const void *from, int64_t bytes, simt_stream stream)
{
  return cudaMemcpyAsync(to, from, (size_t)bytes, cudaMemcpyDefault, stream);
}

simt_status device_copy_peer(void *to, int to_device, const void *from, int from_device,
                             int64_t bytes)
{
  return cudaMemcpyPeer(to, to_device, from, from_device, (size_t)bytes);
}

simt_status device_wait(simt_stream stream)
{
  return cudaStreamSynchronize(stream);
}

void device_trim(int device)
{
  cudaMemPool_t pool;
  if (cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess) cudaMemPoolTrimTo(pool, 0);
}

int device_fail(simt_status status, locus_context *cx)
{
  cudaGetLastError(); /* a status that can be survived is gone then */
  switch (status) {
  case cudaErrorInsufficientDriver:
    return locus_fail(cx, "there is no CUDA here: no driver, or one too old for CUDA %d.%d",
                      CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  case cudaErrorNoDevice:
    return locus_fail(cx, "there is no CUDA here: the driver sees no device");
  case cudaErrorMemoryAllocation:
    locus_fail(cx, "out of memory on the CUDA device");
    cx->error.code = LOCUS_OUT_OF_MEMORY;
    return -1;
  default:
    return locus_fail(cx, "CUDA says: %s (%s)", cudaGetErrorString(status),
                      cudaGetErrorName(status));
  }
}

} // namespace locus
