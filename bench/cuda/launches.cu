// SPDX-License-Identifier: MIT
// Stands between launches and the CUDA runtime, linked with --wrap: at exit it tells on stderr, a
// line for each kernel that ran, its name, its most threads a block and its most dynamic shared
// memory, which bench/cuda/counts needs for the occupancy.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include <cuda_runtime.h>

struct shape {
  unsigned threads;
  size_t shared;
};

// Kernels register before other objects of this file would be made.
static std::map<const void *, std::string> &names()
{
  static std::map<const void *, std::string> by_stub;
  return by_stub;
}

static std::map<std::string, shape> &shapes()
{
  static std::map<std::string, shape> by_name;
  return by_name;
}

static void tell()
{
  for (const auto &entry : shapes())
    fprintf(stderr, "launch\t%s\t%u\t%zu\n", entry.first.c_str(), entry.second.threads,
            entry.second.shared);
}

static void note(const void *stub, dim3 threads, size_t shared)
{
  if (shapes().empty()) atexit(tell);
  shape &s = shapes()[names()[stub]];
  s.threads = std::max(s.threads, threads.x);
  s.shared = std::max(s.shared, shared);
}

extern "C" {

void __real___cudaRegisterFunction(void **, const char *, char *, const char *, int, uint3 *,
                                   uint3 *, dim3 *, dim3 *, int *);
cudaError_t __real_cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t __real___cudaLaunchKernel(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t);

void __wrap___cudaRegisterFunction(void **module, const char *stub, char *function,
                                   const char *name, int limit, uint3 *thread, uint3 *block,
                                   dim3 *threads, dim3 *blocks, int *warps)
{
  names()[stub] = name;
  __real___cudaRegisterFunction(module, stub, function, name, limit, thread, block, threads, blocks,
                                warps);
}

cudaError_t __wrap_cudaLaunchKernel(const void *stub, dim3 blocks, dim3 threads, void **arguments,
                                    size_t shared, cudaStream_t stream)
{
  note(stub, threads, shared);
  return __real_cudaLaunchKernel(stub, blocks, threads, arguments, shared, stream);
}

// The way of <<<>>>: there a kernel is its stub.
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 blocks, dim3 threads,
                                      void **arguments, size_t shared, cudaStream_t stream)
{
  note(kernel, threads, shared);
  return __real___cudaLaunchKernel(kernel, blocks, threads, arguments, shared, stream);
}

} // extern "C"
