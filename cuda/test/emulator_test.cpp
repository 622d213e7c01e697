/* SPDX-License-Identifier: MIT */
/* The emulator itself: the orders of blocks, the launches that a GPU refuses, and the runtime's
** rules about errors, streams of other devices and contexts; the memory that a device gives
** back. */
#include "cuda/test/check.h"

#include <algorithm>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace test;

extern "C" unsigned locus_emulator_contexts(void);

enum { BLOCKS = 9, THREADS = 64 };

/* In memory of the device, fetched afterwards. */
struct report {
  int begun[BLOCKS], count, running, most, wrong;
};

/* Who begins when, how many at a time, and whether shared memory is the block's own. */
static SIMT_KERNEL void SIMT_BOUNDS(THREADS) meet(report *r)
{
  SIMT_SHARED(unsigned, number);

  if (threadIdx.x == 0) {
    r->begun[r->count++] = (int)blockIdx.x;
    r->most = std::max(r->most, ++r->running);
    *number = blockIdx.x;
  }
  __syncthreads();
  if (*number != blockIdx.x) r->wrong++;
  __syncthreads();
  if (threadIdx.x == 0) r->running--;
}

template <class T> static SIMT_KERNEL void SIMT_BOUNDS(THREADS, 2) bounded(T *)
{
}

static SIMT_KERNEL void SIMT_BOUNDS(1024) largest()
{
}

static SIMT_KERNEL void unbounded()
{
}

static void expect_status(cudaError_t found, cudaError_t wanted, const char *what)
{
  expect(found == wanted,
         std::string(what) + ": " + cudaGetErrorName(found) + ", not " + cudaGetErrorName(wanted));
  expect(cudaGetLastError() == wanted, std::string(what) + ": it is not the last error");
}

static void test_orders()
{
  const int order = simt::order();
  report seen = {}, *there = nullptr;
  std::vector<int> forward;

  for (int i = 0; i < BLOCKS; i++) forward.push_back(i);
  cudaMalloc((void **)&there, sizeof seen);
  cudaMemcpyAsync(there, &seen, sizeof seen, cudaMemcpyDefault, nullptr);
  expect_status(simt_launch(meet, BLOCKS, THREADS, sizeof(unsigned), nullptr, there), cudaSuccess,
                "a launch");
  cudaMemcpyAsync(&seen, there, sizeof seen, cudaMemcpyDefault, nullptr);
  std::vector<int> begun(seen.begun, seen.begun + BLOCKS);
  if (order == 1) std::reverse(begun.begin(), begun.end());
  expect((begun == forward) == (order < 2), "the order of blocks");
  std::sort(begun.begin(), begun.end());
  expect(begun == forward && seen.running == 0, "every block runs once");
  expect(seen.most == (order < 2 ? 1 : simt::BESIDE), text(seen.most) + " blocks at a time");
  expect(seen.wrong == 0, "a block has another's shared memory");
  cudaFree(there);
}

/* A lane waits for others that have left. */
static void test_deadlock()
{
  int status = 0;
  const pid_t child = fork();

  if (child == 0) {
    if (!freopen("/dev/null", "w", stderr)) _exit(1);
    simt::run(1, 32, 0, [] {
      if (threadIdx.x == 5) __syncwarp();
    });
    _exit(0);
  }
  waitpid(child, &status, 0);
  expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "a deadlock ends the process");
}

static void test_limits()
{
  const cudaError_t shape = cudaErrorInvalidConfiguration, value = cudaErrorInvalidValue;
  const size_t unasked = 48 << 10, most = 227 << 10;
  const auto asking = [](auto kernel, size_t bytes) {
    return cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                                cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  };

  expect_status(simt_launch(bounded<int>, 1, THREADS, 0, nullptr, nullptr), cudaSuccess, "bound");
  expect_status(simt_launch(bounded<int>, 1, THREADS + 1, 0, nullptr, nullptr), value, "past it");
  expect_status(simt_launch(bounded<char>, 1, 2 * THREADS, 0, nullptr, nullptr), value, "past it");
  expect_status(simt_launch(largest, 1, 1024, 0, nullptr), cudaSuccess, "1024 threads");
  expect_status(simt_launch(largest, 1, 1025, 0, nullptr), shape, "1025 threads");
  expect_status(simt_launch(unbounded, 1, 1024, 0, nullptr), cudaSuccess, "1024 threads");
  expect_status(simt_launch(unbounded, 1, 1025, 0, nullptr), shape, "1025 threads");
  expect_status(simt_launch(unbounded, 1, 0, 0, nullptr), shape, "no threads");
  expect_status(simt_launch(unbounded, 0, 1, 0, nullptr), shape, "no blocks");
  expect_status(simt_give(unbounded, 1, 1, unasked, nullptr), cudaSuccess, "48 KB");
  expect_status(simt_give(unbounded, 1, 1, unasked + 1, nullptr), value, "more, unasked");
  expect_status(asking(unbounded, most + 1), value, "more than there is");
  expect_status(asking(unbounded, most), cudaSuccess, "all there is");
  expect_status(simt_give(unbounded, 1, 1, most, nullptr), cudaSuccess, "all there is");
  expect_status(simt_give(unbounded, 1, 1, most + 1, nullptr), value, "more than asked for");
  expect_status(simt_give(largest, 1, 1, unasked + 1, nullptr), value, "another's permission");
  expect_status(cudaDeviceSynchronize(), cudaSuccess, "the device");
}

/* Begins with no context: these questions may make none. */
static void test_contexts()
{
  int count = 0, device = -1, value = 0;

  cudaGetDeviceCount(&count);
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&value, cudaDevAttrMemoryPoolsSupported, 1);
  expect(count == 2 && device == 0 && value == 1 && locus_emulator_contexts() == 0, "no context");
  expect_status(cudaSetDevice(2), cudaErrorInvalidDevice, "a third device");
  cudaSetDevice(1);
  expect(locus_emulator_contexts() == 2, "the context of cuda:1");
  cudaSetDevice(0);
  expect(locus_emulator_contexts() == 3, "both contexts");
}

static void test_streams()
{
  const cudaError_t handle = cudaErrorInvalidResourceHandle;
  cudaStream_t here, there;
  cudaEvent_t before, after, other;
  float time;

  cudaStreamCreateWithFlags(&here, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&before, cudaEventDefault);
  cudaEventCreateWithFlags(&after, cudaEventDefault);
  cudaSetDevice(1);
  cudaStreamCreateWithFlags(&there, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&other, cudaEventDefault);
  cudaSetDevice(0);
  expect_status(simt_launch(unbounded, 1, 1, 0, there), handle, "another device's stream");
  expect_status(cudaEventRecord(other, here), handle, "another device's event");
  expect_status(cudaEventRecord(other, there), cudaSuccess, "both of another device");
  expect_status(cudaEventElapsedTime(&time, before, after), handle, "nothing was recorded");
  cudaEventRecord(before, here);
  cudaEventRecord(after, here);
  expect_status(cudaEventElapsedTime(&time, before, other), handle, "events of two devices");
  expect_status(cudaEventElapsedTime(&time, before, after), cudaErrorNotReady, "too early");
  expect_status(cudaStreamQuery(here), cudaErrorNotReady, "a stream at work");
  expect_status(cudaEventQuery(after), cudaErrorNotReady, "an event to come");
  expect_status(cudaEventQuery(after), cudaSuccess, "an event that has passed");
  expect_status(cudaStreamQuery(here), cudaSuccess, "a stream without work");
  expect_status(cudaEventElapsedTime(&time, before, after), cudaSuccess, "the time between");
  for (cudaEvent_t event : {before, after, other}) cudaEventDestroy(event);
  for (cudaStream_t stream : {here, there}) cudaStreamDestroy(stream);
}

/* Trimmed are pages of free blocks, behind others and between them, and none that is in use. */
static void test_trimming()
{
  const size_t bytes = 4 << 20, pages = bytes / 4096;
  const std::vector<char> written(bytes, 7);
  std::vector<char> read(bytes);
  std::vector<unsigned char> resident(pages);
  cudaMemPool_t pool;
  void *blocks[4];

  for (void *&block : blocks) cudaMalloc(&block, bytes);
  for (void *block : blocks) cudaMemcpyAsync(block, written.data(), bytes, cudaMemcpyDefault, 0);
  cudaStreamSynchronize(0);
  cudaFree(blocks[1]);
  cudaFree(blocks[3]);
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaMemPoolTrimTo(pool, 0);
  for (int i : {0, 2}) {
    cudaMemcpyAsync(read.data(), blocks[i], bytes, cudaMemcpyDefault, 0);
    cudaStreamSynchronize(0);
    expect(read == written, "a block in use is kept");
  }
  for (int i : {1, 3}) {
    mincore(blocks[i], bytes, resident.data());
    expect(std::count(resident.begin(), resident.end(), 0) >= (long)pages / 2,
           "a free block's huge page");
  }
  cudaMalloc(&blocks[1], bytes);
  cudaMemcpyAsync(blocks[1], written.data(), bytes, cudaMemcpyDefault, 0);
  cudaMemcpyAsync(read.data(), blocks[1], bytes, cudaMemcpyDefault, 0);
  cudaStreamSynchronize(0);
  expect(read == written, "a block that is taken again");
  for (int i : {0, 1, 2}) cudaFree(blocks[i]);
}

int main()
{
  test_contexts();
  test_orders();
  test_deadlock();
  test_limits();
  test_streams();
  test_trimming();
  return finish("emulator");
}
