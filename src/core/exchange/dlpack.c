/* SPDX-License-Identifier: MIT */
/* The structs of dlpack.h, and the tensors behind them. */
#include "core/exchange/dlpack.h"

#include <string.h>

#include "core/device.h"
#include "core/memory.h"

enum { DL_CPU = 1, DL_CUDA, DL_CUDA_HOST };
enum { DL_INT, DL_UINT, DL_FLOAT, DL_BFLOAT = 4, DL_COMPLEX, DL_BOOL };
enum { DL_MAJOR = 1, DL_READ_ONLY = 1 };

typedef struct dl_type {
  uint8_t code, bits;
  uint16_t lanes;
} dl_type;

typedef struct dl_tensor {
  void *data;
  int32_t device_type, device_id, ndim;
  dl_type dtype;
  int64_t *shape, *strides; /* in elements; strides NULL: C order */
  uint64_t byte_offset;
} dl_tensor;

typedef struct dl_managed {
  dl_tensor tensor;
  void *context;
  void (*deleter)(struct dl_managed *managed);
} dl_managed;

typedef struct dl_versioned {
  uint32_t major, minor;
  void *context;
  void (*deleter)(struct dl_versioned *managed);
  uint64_t flags;
  dl_tensor tensor;
} dl_versioned;

#define CODE_BOOL(id, element) DL_BOOL
#define CODE_INTEGER(id, element) ((element)-1 < (element)1 ? DL_INT : DL_UINT)
#define CODE_FLOAT(id, element) (LOCUS_##id == LOCUS_bf16 ? DL_BFLOAT : DL_FLOAT)
#define CODE_COMPLEX(id, element) DL_COMPLEX

static const dl_type type_of[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) \
  [LOCUS_##id] = {CODE_##kind(id, element), 8 * sizeof(element), 1},
#include "core/dtype.def"
};

/* -- For others -------------------------------------------------------------------------------- */

/* The block behind a pointer that was given away. */
typedef struct exported {
  union {
    dl_managed plain;
    dl_versioned versioned;
  } managed; /* first: that address is known elsewhere */
  locus_storage *storage;
  int64_t shape[LOCUS_MAX_DIMS], strides[LOCUS_MAX_DIMS];
} exported;

static void drop(exported *e)
{
  locus_storage_release(e->storage);
  locus_memory_free(e, sizeof *e);
}

static void drop_plain(dl_managed *managed)
{
  drop((exported *)managed);
}

static void drop_versioned(dl_versioned *managed)
{
  drop((exported *)managed);
}

static int check_export(const locus_tensor *tensor, bool versioned, locus_context *cx)
{
  const locus_storage *storage = tensor->storage;

  if (storage->foreign && !storage->lender)
    return locus_fail(cx, "'input' lies in memory of another owner; write x:clone() first");
  if (storage->readonly && !versioned)
    return locus_fail(cx, "'input' is read-only, which only versioned = true can say");
  return 0;
}

int locus_dlpack_export(const locus_tensor *tensor, bool versioned, void **made, locus_context *cx)
{
  const int device = tensor->storage->device - 1; /* below 0: the CPU */

  LOCUS_TRY(check_export(tensor, versioned, cx));
  if (device >= 0) LOCUS_TRY(locus_cuda(cx)->synchronize(device, cx));
  exported *e = locus_memory_alloc(sizeof *e);
  if (!e) return locus_fail_memory(cx, sizeof *e);
  for (int d = 0; d < tensor->shape.ndim; d++) {
    e->shape[d] = tensor->shape.size[d];
    e->strides[d] = tensor->stride[d];
  }
  const dl_tensor t = {.data = tensor->data,
                       .device_type = device < 0 ? DL_CPU : DL_CUDA,
                       .device_id = device < 0 ? 0 : device,
                       .ndim = tensor->shape.ndim,
                       .dtype = type_of[tensor->dtype],
                       .shape = e->shape,
                       .strides = e->strides};
  if (versioned) {
    e->managed.versioned = (dl_versioned){.major = DL_MAJOR,
                                          .deleter = drop_versioned,
                                          .flags = tensor->storage->readonly ? DL_READ_ONLY : 0,
                                          .tensor = t};
  } else {
    e->managed.plain = (dl_managed){.tensor = t, .deleter = drop_plain};
  }
  e->storage = tensor->storage;
  locus_storage_retain(e->storage);
  *made = e;
  return 0;
}

/* -- From others ------------------------------------------------------------------------------- */

typedef struct imported {
  locus_lender lender; /* first: that address is known elsewhere */
  void *managed;
  bool versioned;
  locus_device device;
} imported;

/* Work that has been queued on a device may still read the memory that the deleter frees. */
static void end(locus_lender *lender)
{
  imported *i = (imported *)lender;
  dl_managed *plain = i->managed;
  dl_versioned *versioned = i->managed;
  locus_context cx = {0};

  if (i->device != LOCUS_CPU) locus_cuda(&cx)->synchronize(i->device - 1, &cx);
  if (i->managed && i->versioned && versioned->deleter) versioned->deleter(versioned);
  if (i->managed && !i->versioned && plain->deleter) plain->deleter(plain);
  locus_memory_free(i, sizeof *i);
}

/* The bits of wide unsigned integers come as signed ones of the same width. */
static int find_dtype(dl_type type, locus_dtype *dtype, bool *is_unsigned, locus_context *cx)
{
  *is_unsigned = type.code == DL_UINT && type.bits > 8;
  if (*is_unsigned) type.code = DL_INT;
  for (int i = 0; i < LOCUS_DTYPES; i++) {
    const dl_type own = type_of[i];
    *dtype = (locus_dtype)i;
    if (type.code == own.code && type.bits == own.bits && type.lanes == 1) return 0;
  }
  if (*is_unsigned) type.code = DL_UINT;
  return locus_fail(cx,
                    "'pointer' holds elements of type code %d with %d bits and %d lanes, for "
                    "which there is no dtype",
                    type.code, type.bits, type.lanes);
}

static int read_shape(const dl_tensor *t, locus_shape *shape, locus_context *cx)
{
  if (t->ndim < 0 || t->ndim > LOCUS_MAX_DIMS)
    return locus_fail(cx, "'pointer' has %d dimensions, a tensor at most %d", (int)t->ndim,
                      LOCUS_MAX_DIMS);
  shape->ndim = t->ndim;
  for (int d = 0; d < t->ndim; d++) {
    shape->size[d] = t->shape[d];
    if (t->shape[d] < 0) return locus_fail(cx, "'pointer' has a negative size");
    if (t->strides && t->strides[d] < 0 && t->shape[d] > 1)
      return locus_fail(cx, "'pointer' has negative strides; export a copy");
  }
  return 0;
}

static int find_device(const dl_tensor *t, const char *data, locus_device *device,
                       locus_context *cx)
{
  bool reaches;

  *device = LOCUS_CPU;
  if (t->device_type == DL_CPU || t->device_type == DL_CUDA_HOST) return 0;
  if (t->device_type != DL_CUDA) {
    return locus_fail(cx,
                      "'pointer' is on a device of type %d, neither on the CPU nor on one of "
                      "CUDA",
                      (int)t->device_type);
  }
  const locus_backend *cuda = locus_cuda(cx);
  if (!cuda) return -1;
  if (t->device_id < 0 || t->device_id >= locus_cuda_count())
    return locus_fail(cx, "'pointer' is on cuda:%d, and there are %d devices", (int)t->device_id,
                      locus_cuda_count());
  *device = t->device_id + 1;
  if (!data) return 0;
  LOCUS_TRY(cuda->reaches(t->device_id, data, &reaches, cx));
  if (reaches) return 0;
  return locus_fail(cx, "'pointer' has its elements at %p, where there is no memory of %s",
                    (const void *)data, locus_device_name(*device));
}

/* The kernels move elements in words of up to 8 bytes. */
static int check_place(const dl_tensor *t, const char *data, locus_dtype dtype, int64_t numel,
                       locus_context *cx)
{
  const int64_t item = locus_dtype_size(dtype), aligned = item < 8 ? item : 8;

  if (numel > 0 && !t->data)
    return locus_fail(cx, "'pointer' has no data, but %lld elements", (long long)numel);
  if (numel > 0 && (uintptr_t)data % (uintptr_t)aligned != 0)
    return locus_fail(cx, "'pointer' has its elements at %p, which is not a multiple of %d bytes",
                      (const void *)data, (int)aligned);
  return 0;
}

static int import(locus_tensor *tensor, const dl_tensor *t, bool readonly, imported *i,
                  bool *is_unsigned, locus_context *cx)
{
  locus_dtype dtype;
  locus_shape shape;
  int64_t numel;
  char *data = t->data ? (char *)t->data + t->byte_offset : NULL;

  LOCUS_TRY(find_dtype(t->dtype, &dtype, is_unsigned, cx));
  LOCUS_TRY(read_shape(t, &shape, cx));
  LOCUS_TRY(locus_shape_numel(&shape, dtype, &numel, cx));
  LOCUS_TRY(check_place(t, data, dtype, numel, cx));
  LOCUS_TRY(find_device(t, data, &i->device, cx));
  const locus_loan loan = {
      .device = i->device, .data = data, .readonly = readonly, .lender = &i->lender};
  LOCUS_TRY(locus_tensor_wrap(tensor, dtype, &shape, &loan, cx));
  if (t->strides) memcpy(tensor->stride, t->strides, (size_t)t->ndim * sizeof *t->strides);
  return 0;
}

int locus_dlpack_import(locus_tensor *tensor, void *managed, bool versioned, bool *is_unsigned,
                        locus_context *cx)
{
  const dl_versioned *v = managed;
  const dl_managed *plain = managed;

  if (versioned && v->major != DL_MAJOR)
    return locus_fail(cx, "'pointer' is of version %u of DLPack, which is not supported",
                      (unsigned)v->major);
  imported *i = locus_memory_alloc(sizeof *i);
  if (!i) return locus_fail_memory(cx, sizeof *i);
  *i = (imported){{end}, managed, versioned, LOCUS_CPU};
  const int status = versioned
                         ? import(tensor, &v->tensor, v->flags & DL_READ_ONLY, i, is_unsigned, cx)
                         : import(tensor, &plain->tensor, false, i, is_unsigned, cx);
  if (status) locus_memory_free(i, sizeof *i);
  return status;
}

void locus_dlpack_give_back(const locus_tensor *tensor)
{
  ((imported *)tensor->storage->lender)->managed = NULL;
}
