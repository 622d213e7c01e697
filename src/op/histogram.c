/* SPDX-License-Identifier: MIT */
/* Counting elements in bins between edges. */
#include <inttypes.h>

#include "op/fold.h"

enum { MOST_BINS = 1 << 30 }; /* runners number them in 32 bits */

static int check(const locus_value *input, const locus_value *edges, const locus_value *weights,
                 locus_context *cx)
{
  const locus_tensor *in = input->tensor, *e = edges->tensor, *w = weights->tensor;

  if (in->shape.ndim != 1 || e->shape.ndim != 1 || e->dtype != LOCUS_f64 ||
      !locus_tensor_contiguous(e))
    return locus_fail(cx, "'%s' must be 1-D, as contiguous float64 edges are", input->name);
  if (e->numel < 2 || e->numel - 1 > MOST_BINS)
    return locus_fail(cx, "there must be 1 to %d bins, got %" PRId64, MOST_BINS, e->numel - 1);
  LOCUS_TRY(locus_check_device(edges, input, cx));
  if (!w) return 0;
  LOCUS_TRY(locus_check_device(weights, input, cx));
  if (locus_shape_equal(&w->shape, &in->shape)) return 0;
  return locus_fail(cx, "'%s' must have as many elements as 'input'", weights->name);
}

int locus_histogram(const locus_value *input, const locus_value *edges, const locus_value *weights,
                    locus_tensor *out, locus_context *cx)
{
  const locus_value zero = {.name = "input", .scalar = LOCUS_SCALAR_INT64};
  locus_histogram_job job = {.has_weights = weights->tensor != NULL};
  locus_shape shape = {.ndim = 1};
  locus_result result = {0};

  LOCUS_TRY(check(input, edges, weights, cx));
  const locus_device device = locus_tensor_device(input->tensor);
  shape.size[0] = job.bins = edges->tensor->numel - 1;
  LOCUS_TRY(locus_result_begin(&result, out, "out", job.has_weights ? LOCUS_f64 : LOCUS_i64, &shape,
                               device, cx));
  int status = locus_copy(result.made, &zero, cx);
  job.edges = (const double *)edges->tensor->data;
  job.out = result.made->data;
  locus_operand_tensor(&job.in, input->tensor, &input->tensor->shape);
  if (job.has_weights) locus_operand_tensor(&job.weights, weights->tensor, &input->tensor->shape);
  locus_grid_collapse(&job.grid, &input->tensor->shape, (locus_operand *[]){&job.in, &job.weights},
                      job.has_weights ? 2 : 1);
  if (status == 0) status = locus_device_runners(device, cx)->histogram(&job, cx);
  return locus_result_end(&result, status);
}
