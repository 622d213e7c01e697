/* SPDX-License-Identifier: MIT */
/* The list of devices: the CPU, and those of CUDA, whose backend is loaded at the first use of
** one. */
#include "core/device.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/beside.h"
#include "core/memory.h"

static struct {
  pthread_mutex_t lock;
  bool tried;
  const locus_backend *backend;
  int devices;
  locus_error missing; /* why there is no backend */
} cuda = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local int current;

/* By device; the entry of the CPU sums all others and page-locked memory. */
static _Atomic int64_t live[LOCUS_MOST_DEVICES + 1], allocated[LOCUS_MOST_DEVICES + 1];

/* -- Loading ----------------------------------------------------------------------------------- */

/* The path of the backend: the file that LOCUS_CUDA names, else one beside this module. */
static const char *backend_path(char path[LOCUS_LONGEST_PATH])
{
  const char *named = getenv("LOCUS_CUDA");
  const bool emulated = named && strcmp(named, "emu") == 0;

  if (named && *named && !emulated) return named;
  return locus_path_beside(emulated ? "cuda_emu.so" : "cuda.so", path);
}

/* Never unloaded: its threads and its driver may outlive every tensor. */
static int open_backend(const locus_backend **backend, locus_context *cx)
{
  char room[LOCUS_LONGEST_PATH];
  const char *path = backend_path(room);
  locus_backend_opener *opener;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

  if (!library) {
    return locus_fail(cx, "there is no CUDA here: %.300s; build locus where nvcc is found",
                      dlerror());
  }
  *(void **)&opener = dlsym(library, "locus_backend_open");
  const locus_backend *found = opener ? opener(locus_memory_must_fail) : NULL;
  if (!found || found->version != LOCUS_BACKEND_VERSION || found->bytes != LOCUS_BACKEND_BYTES) {
    return locus_fail(cx, "%.300s is of another version of locus; build and install both together",
                      path);
  }
  *backend = found;
  return 0;
}

static int load_backend(locus_context *cx)
{
  const locus_backend *backend = NULL;
  int devices;

  LOCUS_TRY(open_backend(&backend, cx));
  LOCUS_TRY(backend->count(&devices, cx));
  cuda.devices = devices < LOCUS_MOST_DEVICES ? devices : LOCUS_MOST_DEVICES;
  cuda.backend = backend;
  return 0;
}

const locus_backend *locus_cuda(locus_context *cx)
{
  pthread_mutex_lock(&cuda.lock);
  if (!cuda.tried && load_backend(cx)) cuda.missing = cx->error;
  cuda.tried = true;
  pthread_mutex_unlock(&cuda.lock);
  if (!cuda.backend) cx->error = cuda.missing;
  return cuda.backend;
}

int locus_cuda_count(void)
{
  return cuda.devices;
}

int locus_cuda_current(void)
{
  return current;
}

void locus_cuda_set_current(int device)
{
  current = device;
}

/* -- Devices ----------------------------------------------------------------------------------- */

const char *locus_device_name(locus_device device)
{
  static const char *const names[] = {
#define ONE(i) "cuda:" #i
#define TEN(t)                                                                            \
  ONE(t##0), ONE(t##1), ONE(t##2), ONE(t##3), ONE(t##4), ONE(t##5), ONE(t##6), ONE(t##7), \
      ONE(t##8), ONE(t##9)
      "cpu", TEN(), TEN(1), TEN(2), TEN(3), TEN(4), TEN(5), ONE(60), ONE(61), ONE(62), ONE(63),
#undef TEN
#undef ONE
  };
  return names[device];
}

int locus_device_find(const char *name, locus_device *device, locus_context *cx)
{
  char *end;

  *device = LOCUS_CPU;
  if (strcmp(name, "cpu") == 0) return 0;
  if (strncmp(name, "cuda", 4) != 0 || (name[4] && name[4] != ':'))
    return locus_fail(cx, "'device' must be \"cpu\", \"cuda\" or \"cuda:<number>\", got \"%.40s\"",
                      name);
  if (!locus_cuda(cx)) return -1;
  long number = name[4] ? strtol(name + 5, &end, 10) : locus_cuda_current();
  if (name[4] && (end == name + 5 || *end || number < 0 || number >= cuda.devices)) {
    return locus_fail(
        cx, "'device' is \"%.40s\", but there %s %d CUDA device%s, counted from cuda:0", name,
        cuda.devices == 1 ? "is" : "are", cuda.devices, cuda.devices == 1 ? "" : "s");
  }
  *device = (locus_device)number + 1;
  return 0;
}

const locus_runners *locus_device_runners(locus_device device, locus_context *cx)
{
  cx->device = device;
  return device == LOCUS_CPU ? locus_cpu_runners : cuda.backend->runners;
}

static void count(_Atomic int64_t counts[], locus_device device, int64_t bytes)
{
  atomic_fetch_add_explicit(&counts[LOCUS_CPU], bytes, memory_order_relaxed);
  if (device != LOCUS_CPU) atomic_fetch_add_explicit(&counts[device], bytes, memory_order_relaxed);
}

int locus_device_alloc(locus_device device, int64_t bytes, void **block, locus_context *cx)
{
  if (device == LOCUS_CPU) {
    *block = locus_memory_alloc(bytes);
    return *block ? 0 : locus_fail_memory(cx, bytes);
  }
  LOCUS_TRY(cuda.backend->alloc(device - 1, bytes, block, cx));
  count(live, device, bytes);
  count(allocated, device, bytes);
  return 0;
}

void locus_device_free(locus_device device, void *block, int64_t bytes)
{
  if (device == LOCUS_CPU) {
    locus_memory_free(block, bytes);
    return;
  }
  cuda.backend->release(device - 1, block);
  count(live, device, -bytes);
}

int locus_device_alloc_pinned(int64_t bytes, void **block, locus_context *cx)
{
  const locus_backend *backend = locus_cuda(cx);
  if (!backend || backend->host_alloc(current, bytes, block, cx)) return -1;
  count(live, LOCUS_CPU, bytes);
  count(allocated, LOCUS_CPU, bytes);
  return 0;
}

void locus_device_free_pinned(void *block, int64_t bytes)
{
  cuda.backend->host_release(block, bytes);
  count(live, LOCUS_CPU, -bytes);
}

void locus_device_trim(void)
{
  if (cuda.backend) cuda.backend->trim();
}

int locus_device_transfer(locus_device to_device, void *to, locus_device from_device,
                          const void *from, int64_t bytes, bool wait, locus_context *cx)
{
  if (bytes == 0) return 0;
  if (to_device == LOCUS_CPU && from_device == LOCUS_CPU) {
    memcpy(to, from, (size_t)bytes);
    return 0;
  }
  return cuda.backend->transfer(to, to_device - 1, from, from_device - 1, bytes, wait, cx);
}

int locus_device_fetch(locus_device device, void *to, const void *from, int64_t bytes,
                       locus_context *cx)
{
  return locus_device_transfer(LOCUS_CPU, to, device, from, bytes, true, cx);
}

int64_t locus_device_live(locus_device device)
{
  return atomic_load_explicit(&live[device], memory_order_relaxed);
}

int64_t locus_device_allocated(locus_device device)
{
  return atomic_load_explicit(&allocated[device], memory_order_relaxed);
}
