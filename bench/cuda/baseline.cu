// SPDX-License-Identifier: MIT
// CUB and Thrust as they come with the toolkit, on the same inputs: what a kernel of ours has to
// beat. bench/cuda/contenders.py calls these through ctypes. Those of CUB want temporary memory:
// called with temp NULL they say in *bytes how much. Each gives a cudaError_t.
#include <cub/cub.cuh>

#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>

struct nonzero_op {
  template <typename T> __device__ bool operator()(T x) const
  {
    return x != T(0);
  }
};

struct where_op {
  template <typename T> __device__ T operator()(bool c, T x, T y) const
  {
    return c ? x : y;
  }
};

struct add_op {
  template <typename T> __device__ T operator()(T x, T y) const
  {
    return x + y;
  }
};

// The number of results, fetched as any caller must who wants to know it; nothing while asking for
// the size of temp.
static cudaError_t fetch(cudaError_t status, const void *temp, const int64_t *count)
{
  int64_t host;

  if (status != cudaSuccess || !temp) return status;
  return cudaMemcpy(&host, count, sizeof host, cudaMemcpyDeviceToHost);
}

template <typename T>
static cudaError_t nonzero(void *temp, size_t *bytes, const void *x, int64_t *out, int64_t *count,
                           int64_t n)
{
  auto flags = thrust::make_transform_iterator(static_cast<const T *>(x), nonzero_op());
  auto positions = thrust::make_counting_iterator<int64_t>(0);
  return fetch(cub::DeviceSelect::Flagged(temp, *bytes, positions, flags, out, count, n), temp,
               count);
}

template <typename T, typename P>
static cudaError_t search(const void *keys, int64_t n, const void *values, int64_t m, void *out)
{
  auto first = static_cast<const T *>(keys);
  auto value = static_cast<const T *>(values);
  thrust::lower_bound(thrust::cuda::par_nosync, first, first + n, value, value + m,
                      static_cast<P *>(out));
  return cudaGetLastError();
}

extern "C" {

cudaError_t baseline_copy(void *to, const void *from, int64_t bytes)
{
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t baseline_nonzero_bool(void *temp, size_t *bytes, const void *x, int64_t *out,
                                  int64_t *count, int64_t n)
{
  return nonzero<bool>(temp, bytes, x, out, count, n);
}

cudaError_t baseline_nonzero_float32(void *temp, size_t *bytes, const void *x, int64_t *out,
                                     int64_t *count, int64_t n)
{
  return nonzero<float>(temp, bytes, x, out, count, n);
}

cudaError_t baseline_masked_select(void *temp, size_t *bytes, const float *x, const bool *mask,
                                   float *out, int64_t *count, int64_t n)
{
  return fetch(cub::DeviceSelect::Flagged(temp, *bytes, x, mask, out, count, n), temp, count);
}

cudaError_t baseline_search_float32(const void *keys, int64_t n, const void *values, int64_t m,
                                    void *out)
{
  return search<float, int64_t>(keys, n, values, m, out);
}

cudaError_t baseline_search_float32_int32(const void *keys, int64_t n, const void *values,
                                          int64_t m, void *out)
{
  return search<float, int32_t>(keys, n, values, m, out);
}

cudaError_t baseline_search_int64(const void *keys, int64_t n, const void *values, int64_t m,
                                  void *out)
{
  return search<int64_t, int64_t>(keys, n, values, m, out);
}

cudaError_t baseline_where(const bool *cond, const float *x, const float *y, float *out, int64_t n)
{
  return cub::DeviceTransform::Transform(cuda::std::make_tuple(cond, x, y), out, n, where_op());
}

cudaError_t baseline_add(const float *x, const float *y, float *out, int64_t n)
{
  return cub::DeviceTransform::Transform(cuda::std::make_tuple(x, y), out, n, add_op());
}

// Sorted values and the positions they came from, which are given as 0, 1, 2, ...
cudaError_t baseline_sort(void *temp, size_t *bytes, const float *x, const int64_t *ramp,
                          float *sorted, int64_t *positions, int64_t n)
{
  return cub::DeviceRadixSort::SortPairs(temp, *bytes, x, sorted, ramp, positions, n);
}

cudaError_t baseline_cumsum(void *temp, size_t *bytes, const int64_t *x, int64_t *out, int64_t n)
{
  return cub::DeviceScan::InclusiveSum(temp, *bytes, x, out, n);
}

cudaError_t baseline_sum(void *temp, size_t *bytes, const float *x, float *out, int64_t n)
{
  float host;
  cudaError_t status = cub::DeviceReduce::Sum(temp, *bytes, x, out, n);
  if (status != cudaSuccess || !temp) return status;
  return cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
}

} // extern "C"
