/* SPDX-License-Identifier: MIT */
/* The emulator's part of the CUDA runtime, under the runtime's own names and with its rules, so
** that cuda/device.cu is the same on a GPU and here. The work of a stream is done when somebody
** waits for it, as late as a GPU might: code that forgets to wait, or to order two streams, reads
** memory that is not written yet.
**
** LOCUS_EMU_POOLS 0: devices have no memory pools, as some virtual GPUs. */
#ifndef LOCUS_EMU_CUDART_H
#define LOCUS_EMU_CUDART_H

#include <functional>

#include <stddef.h>
#include <stdint.h>

#define CUDART_VERSION 13000

/* The errors that device.cu knows by name, or that the emulator has. */
#define EMULATED_ERRORS(ERROR)                                                  \
  ERROR(cudaSuccess, 0, "no error")                                             \
  ERROR(cudaErrorInvalidValue, 1, "invalid argument")                           \
  ERROR(cudaErrorMemoryAllocation, 2, "out of memory")                          \
  ERROR(cudaErrorInitializationError, 3, "initialization error")                \
  ERROR(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")     \
  ERROR(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient") \
  ERROR(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")           \
  ERROR(cudaErrorInvalidDevice, 101, "invalid device ordinal")                  \
  ERROR(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")  \
  ERROR(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")         \
  ERROR(cudaErrorHardwareStackError, 714, "hardware stack error")               \
  ERROR(cudaErrorIllegalInstruction, 715, "an illegal instruction")             \
  ERROR(cudaErrorIllegalAddress, 700, "an illegal memory access")               \
  ERROR(cudaErrorLaunchTimeout, 702, "the launch timed out")                    \
  ERROR(cudaErrorAssert, 710, "device-side assert triggered")                   \
  ERROR(cudaErrorMisalignedAddress, 716, "misaligned address")                  \
  ERROR(cudaErrorInvalidAddressSpace, 717, "operation not supported there")     \
  ERROR(cudaErrorInvalidPc, 718, "invalid program counter")                     \
  ERROR(cudaErrorLaunchFailure, 719, "unspecified launch failure")              \
  ERROR(cudaErrorNotReady, 600, "device not ready")                             \
  ERROR(cudaErrorNotSupported, 801, "operation not supported")                  \
  ERROR(cudaErrorMpsClientTerminated, 810, "MPS client has been terminated")

enum cudaError_t {
#define ERROR(name, number, text) name = number,
  EMULATED_ERRORS(ERROR)
#undef ERROR
};

namespace simt
{

struct stream;
struct event;

/* Answers the status; an error is also the thread's last one then. */
cudaError_t say(cudaError_t status);

/* Whether a GPU would run the kernel so. */
cudaError_t may_launch(const void *kernel, unsigned blocks, unsigned threads, size_t shared);

/* Queues a launch for the device that is current, whose stream it must be; a null stream is its
** default one. Answers whether something failed there before. */
cudaError_t give(stream *where, std::function<void()> what);

} // namespace simt

typedef simt::stream *cudaStream_t;
typedef simt::event *cudaEvent_t;
typedef struct cudaMemPool *cudaMemPool_t;

struct cudaDeviceProp {
  char name[256];
  int major, minor, multiProcessorCount;
};

enum cudaMemoryType {
  cudaMemoryTypeUnregistered,
  cudaMemoryTypeHost,
  cudaMemoryTypeDevice,
};

struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};

enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount = 16, cudaDevAttrMemoryPoolsSupported = 115 };
enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold = 4 };
enum cudaMemcpyKind { cudaMemcpyDefault = 4 };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
enum : unsigned {
  cudaHostAllocPortable = 1,
  cudaStreamNonBlocking = 1,
  cudaEventDefault = 0,
  cudaEventDisableTiming = 2,
};

/* Devices */
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr what, int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *bytes);
namespace simt
{
void *driver(const char *name); /* cuDevicePrimaryCtxGetState, the only one that is asked for */
}

/* Memory */
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr what, void *value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
cudaError_t cudaMallocAsync(void **block, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *block, cudaStream_t stream);
cudaError_t cudaMalloc(void **block, size_t bytes);
cudaError_t cudaFree(void *block);
cudaError_t cudaHostAlloc(void **block, size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void *block);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *address);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream);

/* Kernels */
cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute what, int value);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                          int threads, size_t shared);

/* Streams and events */
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end);

/* Errors */
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

#endif
