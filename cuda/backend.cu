/* SPDX-License-Identifier: MIT */
/* The table that the core loads. */
#include "cuda/device.h"
#include "cuda/runners.h"

using namespace locus;

static int finish(simt_status status, locus_context *cx)
{
  return status == simt_success ? 0 : device_fail(status, cx);
}

static int count(int *devices, locus_context *cx)
{
  LOCUS_TRY(finish(device_count(devices), cx));
  return *devices > 0 ? 0 : locus_fail(cx, "there is no CUDA here: the driver sees no device");
}

static int describe(int device, locus_device_info *info, locus_context *cx)
{
  return finish(device_describe(device, info), cx);
}

/* Does what it is told on a device, which is current meanwhile. */
template <class F> static simt_status on(int device, F what)
{
  int before;
  simt_status status = device_enter(device, &before);
  if (status == simt_success) status = what();
  device_leave(before);
  return status;
}

static int alloc(int device, int64_t bytes, void **block, locus_context *cx)
{
  return finish(on(device, [=] { return device_take(block, bytes, simt_stream()); }), cx);
}

static void release(int device, void *block)
{
  on(device, [=] {
    device_release(block, simt_stream());
    return simt_success;
  });
}

static void trim(int device)
{
  device_trim(device);
}

static int transfer(void *to, int to_device, const void *from, int from_device, int64_t bytes,
                    locus_context *cx)
{
  const int device = to_device == LOCUS_HOST ? from_device : to_device;

  if (to_device != from_device && to_device != LOCUS_HOST && from_device != LOCUS_HOST)
    return finish(device_copy_peer(to, to_device, from, from_device, bytes), cx);
  return finish(on(device, [=] {
    simt_status status = device_copy(to, from, bytes, simt_stream());
    return status == simt_success ? device_wait(simt_stream()) : status;
  }), cx);
}

static int synchronize(int device, locus_context *cx)
{
  return finish(on(device, [] { return device_wait(simt_stream()); }), cx);
}

static const locus_runners runners = {
    "cuda",
#define JOB(runner, type) locus_cuda_##runner,
    LOCUS_JOBS(JOB)
#undef JOB
};

static const locus_backend backend = {
    LOCUS_BACKEND_VERSION, sizeof(locus_backend), &runners, count,    describe,
    alloc,                 release,               trim,     transfer, synchronize,
};

extern "C" __attribute__((visibility("default"))) const locus_backend *locus_backend_open()
{
  return &backend;
}
