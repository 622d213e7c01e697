/* SPDX-License-Identifier: MIT */
/* Elements of given ranks, without sorting. */
#include <inttypes.h>

#include "op/op.h"

static int check_tensors(const locus_kth_request *r, locus_context *cx)
{
  const locus_value *values[] = {&r->input, &r->ranks, &r->offsets};

  if (locus_dtype_kind(r->input.tensor->dtype) == LOCUS_COMPLEX) {
    return locus_fail(cx, "'%s' is %s, and complex numbers have no order", r->input.name,
                      locus_dtype_name(r->input.tensor->dtype));
  }
  for (int i = 0; i < 3; i++) {
    if (!values[i]->tensor) continue;
    LOCUS_TRY(locus_check_device(values[i], &r->input, cx));
    if (!locus_tensor_contiguous(values[i]->tensor))
      return locus_fail(cx, "'%s' must be contiguous", values[i]->name);
    if (i > 0 && values[i]->tensor->dtype != LOCUS_i64)
      return locus_fail(cx, "'%s' must be int64", values[i]->name);
  }
  return 0;
}

static int check_sizes(const locus_kth_request *r, locus_context *cx)
{
  const locus_shape *in = &r->input.tensor->shape, *ranks = &r->ranks.tensor->shape;
  const int64_t segments = r->offsets.tensor ? r->offsets.tensor->numel - 1 : in->size[0];

  if (in->ndim != (r->offsets.tensor ? 1 : 2) || segments < 0)
    return locus_fail(cx, "'%s' must be a row with its offsets, or 2-D", r->input.name);
  if (ranks->ndim == 1 || (ranks->ndim == 2 && ranks->size[0] == segments)) return 0;
  return locus_fail(cx, "'%s' must be 1-D, or have a row for each segment", r->ranks.name);
}

/* Ids say where elements belong that are not yet segment behind segment. */
static int check_ids(const locus_kth_request *r, const locus_tensor *index, locus_context *cx)
{
  const locus_tensor *ids = r->ids.tensor;

  if (!ids) return 0;
  if (r->offsets.tensor && !index && ids->dtype == LOCUS_i32 && locus_tensor_contiguous(ids) &&
      ids->numel == r->input.tensor->numel && locus_tensor_device(ids) == LOCUS_CPU)
    return locus_check_device(&r->ids, &r->input, cx);
  return locus_fail(cx, "'%s' must be int32 of the CPU, contiguous, beside offsets", r->ids.name);
}

/* The error for the number that the runner names. */
static int fail_misfit(const locus_kth_job *job, locus_device device, int64_t misfit,
                       locus_context *cx)
{
  int64_t rank, bounds[2] = {0, job->n};

  if (job->offsets && misfit <= job->segments)
    return locus_fail(cx, "'offsets' must lead from 0 to %" PRId64 " and never fall", job->n);
  if (job->offsets) misfit -= job->segments + 1;
  const int64_t s = misfit / job->wanted;
  const int64_t *at = job->ranks + s * job->rank_step + misfit % job->wanted;
  if (job->offsets)
    LOCUS_TRY(locus_device_fetch(device, bounds, job->offsets + s, sizeof bounds, cx));
  LOCUS_TRY(locus_device_fetch(device, &rank, at, sizeof rank, cx));
  return locus_fail(cx, "segment %" PRId64 " of %" PRId64 " elements has no rank %" PRId64 " here",
                    s + 1, bounds[1] - bounds[0], rank);
}

int locus_kth(const locus_kth_request *r, locus_tensor *values, locus_tensor *index,
              locus_context *cx)
{
  const locus_tensor *in = r->input.tensor, *ranks = r->ranks.tensor, *offsets = r->offsets.tensor;
  int64_t misfit = -1;
  locus_kth_job job = {.descending = r->descending, .base = r->base, .misfit = &misfit};
  locus_result pair[2];

  LOCUS_TRY(check_tensors(r, cx));
  LOCUS_TRY(check_sizes(r, cx));
  LOCUS_TRY(check_ids(r, index, cx));
  const locus_device device = locus_tensor_device(in);
  job.in = in->data;
  job.dtype = in->dtype;
  job.segments = offsets ? offsets->numel - 1 : in->shape.size[0];
  job.n = offsets ? in->numel : in->shape.size[1];
  job.offsets = offsets ? (const int64_t *)offsets->data : NULL;
  job.ids = r->ids.tensor ? (const int32_t *)r->ids.tensor->data : NULL;
  job.wanted = ranks->shape.size[ranks->shape.ndim - 1];
  job.ranks = (const int64_t *)ranks->data;
  job.rank_step = ranks->shape.ndim == 2 ? job.wanted : 0;
  const locus_shape shape = {.ndim = 2, .size = {job.segments, job.wanted}};
  LOCUS_TRY(locus_result_begin_pair(pair, (locus_tensor *[]){values, index},
                                    (locus_dtype[]){in->dtype, LOCUS_i64}, &shape, &r->input, cx));
  pair[0].kind = in->kind;
  job.values = values ? pair[0].made->data : NULL;
  job.index = index ? (int64_t *)pair[1].made->data : NULL;
  int status = locus_device_runners(device, cx)->kth(&job, cx);
  if (status == 0 && misfit >= 0) status = fail_misfit(&job, device, misfit, cx);
  return locus_result_end_pair(pair, status);
}
