/* SPDX-License-Identifier: MIT */
/* One kernel source, two executions: thin names over CUDA under nvcc, and under a plain C++
** compiler the interpreter of cuda/emu/simt.h, on which kernels run and are tested without a GPU.
** A kernel is `template <...> SIMT_KERNEL void SIMT_BOUNDS(threads) name(...)`, in a header static:
** the emulator could not link two files that have the same one. */
#ifndef LOCUS_SIMT_H
#define LOCUS_SIMT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#include <dlfcn.h>

#define SIMT_KERNEL __global__
#define SIMT_DEVICE __device__ __forceinline__
#define SIMT_NOINLINE __device__ __noinline__
#define SIMT_HOST_DEVICE __host__ __device__ __forceinline__
#define SIMT_BOUNDS(...) __launch_bounds__(__VA_ARGS__)
#define SIMT_UNROLL _Pragma("unroll")

/* The dynamic shared memory of the block, as an array of that type. */
#define SIMT_SHARED(type, name)                                      \
  extern __shared__ __align__(16) unsigned char simt_shared_bytes[]; \
  type *const name = reinterpret_cast<type *>(simt_shared_bytes)

/* A size on a GPU, and one for the interpreter, so small that tests reach the cases beyond it. */
#define SIMT_SIZE(gpu, emulated) (gpu)

/* A function of the driver, which the runtime loads at its first use; null where there is none. */
#define SIMT_DRIVER(name) dlsym(dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD), name)

/* Gives a launch to its stream. */
template <class... P>
cudaError_t simt_give(void (*kernel)(P...), unsigned blocks, unsigned threads, size_t shared,
                      cudaStream_t stream, P... arguments)
{
  void *places[] = {&arguments..., nullptr};
  return cudaLaunchKernel(reinterpret_cast<const void *>(kernel), dim3(blocks), dim3(threads),
                          places, shared, stream);
}

#else
#include "cuda/emu/simt.h"
#endif

typedef cudaStream_t simt_stream;
typedef cudaEvent_t simt_event;
typedef cudaError_t simt_status;

/* More dynamic shared memory than every kernel has must be asked for. */
template <class... P> simt_status simt_allow(void (*kernel)(P...), size_t shared)
{
  if (shared <= 48 * 1024) return cudaSuccess;
  return cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                              cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
}

/* How many blocks of a kernel one processor runs at a time. */
template <class... P>
simt_status simt_resident(int *blocks, void (*kernel)(P...), unsigned threads, size_t shared)
{
  const simt_status status = simt_allow(kernel, shared);
  if (status != cudaSuccess) return status;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void *>(kernel), (int)threads, shared);
}

/* Runs a kernel, given as a plain function pointer. The status is this launch's own, whatever the
** thread's last error is. */
template <class... P, class... A>
simt_status simt_launch(void (*kernel)(P...), unsigned blocks, unsigned threads, size_t shared,
                        simt_stream stream, A... arguments)
{
  const simt_status status = simt_allow(kernel, shared);
  if (status != cudaSuccess) return status;
  return simt_give(kernel, blocks, threads, shared, stream, static_cast<P>(arguments)...);
}

#endif
