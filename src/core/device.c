/* SPDX-License-Identifier: MIT */
/* The list of devices. */
#include "core/device.h"

#include <string.h>

#include "core/memory.h"

const char *locus_device_name(locus_device device)
{
  (void)device;
  return "cpu";
}

int locus_device_find(const char *name, locus_device *device, locus_context *cx)
{
  if (strcmp(name, "cpu") != 0) {
    return locus_fail(cx, "'device' must be \"cpu\", got \"%.40s\"; locus was built without CUDA",
                      name);
  }
  *device = LOCUS_CPU;
  return 0;
}

const locus_runners *locus_device_runners(locus_device device)
{
  (void)device;
  return locus_cpu_runners;
}

int locus_device_alloc(locus_device device, int64_t bytes, void **block, locus_context *cx)
{
  (void)device;
  *block = locus_memory_alloc(bytes);
  return *block ? 0 : locus_fail_memory(cx, bytes);
}

void locus_device_free(locus_device device, void *block, int64_t bytes)
{
  (void)device;
  locus_memory_free(block, bytes);
}
