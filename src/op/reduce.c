/* SPDX-License-Identifier: MIT */
/* Reductions, whole and by dimension. */
#include "op/fold.h"

typedef enum answer_kind {
  SUM,
  MEAN,
  ELEMENT,
  PRESENT,
  TRUTH,
  COUNT,
  TALLY,
  NORM,
  SPREAD
} answer_kind;

static const answer_kind answer_kinds[LOCUS_REDUCES] = {
#define REDUCE(name, result) [LOCUS_REDUCE_##name] = result,
#include "core/reduce.def"
#undef REDUCE
};

static locus_dtype input_dtype(const locus_value *input, const locus_context *cx)
{
  return input->tensor ? input->tensor->dtype : locus_promote(input, 1, cx);
}

static locus_dtype answer_dtype(const locus_reduction *r, const locus_context *cx)
{
  const locus_dtype dtype = input_dtype(&r->input, cx);
  const bool whole = locus_dtype_kind(dtype) <= LOCUS_INTEGER;

  if (r->dtype != LOCUS_DTYPES) return r->dtype;
  switch (answer_kinds[r->op]) {
  case SUM: return whole ? LOCUS_i64 : dtype;
  case MEAN:
  case NORM:
  case SPREAD: return whole ? cx->default_dtype : dtype;
  case TRUTH: return LOCUS_b8;
  case COUNT:
  case TALLY: return LOCUS_i64;
  case ELEMENT:
  case PRESENT: break;
  }
  return dtype;
}

static int check_dtype(const locus_reduction *r, locus_context *cx)
{
  const locus_dtype from = input_dtype(&r->input, cx);
  const bool is_real = answer_kinds[r->op] == NORM || answer_kinds[r->op] == SPREAD;

  if (is_real && locus_dtype_kind(from) == LOCUS_COMPLEX) {
    return locus_fail(cx, "'%s' must be real, got %s", r->input.name, locus_dtype_name(from));
  }
  if (answer_kinds[r->op] != MEAN || r->dtype == LOCUS_DTYPES) return 0;
  if (locus_dtype_kind(r->dtype) > LOCUS_INTEGER) return 0;
  return locus_fail(cx, "'dtype' must be a float or complex dtype, got %s",
                    locus_dtype_name(r->dtype));
}

/* Whether sums in `dtype` may read elements of dtype `from` directly: all of them fit, and integers
** are added modulo 2^64, floats in float64, before the sum becomes `dtype`. */
static bool added_alike(locus_dtype from, locus_dtype dtype)
{
  const locus_kind kind = locus_dtype_kind(dtype);

  if (from == dtype) return true;
  if (kind == LOCUS_INTEGER) return locus_dtype_kind(from) <= LOCUS_INTEGER;
  return kind == locus_dtype_kind(from) && locus_dtype_size(from) < locus_dtype_size(dtype);
}

int locus_summands(const locus_value *input, locus_dtype dtype, locus_value *summands,
                   locus_tensor *copy, locus_context *cx)
{
  *summands = *input;
  if (dtype == LOCUS_DTYPES) return 0;
  if (input->tensor && added_alike(input->tensor->dtype, dtype))
    return locus_check_fits(input, dtype, cx);
  summands->tensor = copy;
  return locus_move_to(input, dtype, locus_value_device(input, cx), copy, cx);
}

/* The sizes of the input, with 1 in place of those whose dimension is in `dims`. */
static void without(locus_shape *rest, const locus_shape *shape, uint32_t dims)
{
  rest->ndim = shape->ndim;
  for (int d = 0; d < shape->ndim; d++) rest->size[d] = dims >> d & 1 ? 1 : shape->size[d];
}

static bool chooses(const locus_reduction *r)
{
  return answer_kinds[r->op] == ELEMENT || answer_kinds[r->op] == PRESENT;
}

/* Choosing an element takes an order, and at least one to choose from. */
static int check_element(const locus_reduction *r, uint32_t dims, locus_context *cx)
{
  const locus_value *input = &r->input;
  const locus_shape *shape = locus_value_shape(input);
  const locus_dtype dtype = input_dtype(input, cx);
  char text[LOCUS_SHAPE_TEXT];

  if (!chooses(r)) return 0;
  if (locus_dtype_kind(dtype) == LOCUS_COMPLEX) {
    return locus_fail(cx, "'%s' is %s, and complex numbers have no order", input->name,
                      locus_dtype_name(dtype));
  }
  for (int d = 0; d < shape->ndim; d++)
    if (shape->size[d] == 0 && !(dims >> d & 1)) return 0;
  for (int d = 0; d < shape->ndim; d++) {
    if (shape->size[d] > 0) continue;
    if (shape->ndim == 1) return locus_fail(cx, "'%s' has no elements", input->name);
    return locus_fail(cx, "'%s' of size %s has no elements along dimension %d", input->name,
                      locus_shape_text(shape, text), d + 1);
  }
  return 0;
}

static locus_operand *operand_copy(locus_operand *to, const locus_operand *from, int ndim)
{
  to->data = from->data;
  to->dtype = from->dtype;
  for (int d = 0; d < ndim; d++) to->stride[d] = from->stride[d];
  return to;
}

/* The divisor for the squares of `count` elements; 0 if nothing is left to divide by. */
static double divisor_of(const locus_reduction *r, int64_t count)
{
  const double left = (double)count - r->correction;
  return count > 0 && left > 0 ? left : 0;
}

/* Runs the job over `input`, the reduction's own or a cast copy; out and index (either may be NULL)
** have a stride for each of its dimensions, the reduced ones included. */
static int run_reduce(const locus_reduction *r, const locus_value *input, uint32_t dims,
                      const locus_operand *out, const locus_operand *index, locus_context *cx)
{
  const locus_shape *shape = locus_value_shape(input);
  locus_shape kept, reduced;
  LOCUS_JOB(reduce, job, kept);
  locus_operand *over_kept[3] = {&job.in}, along;
  int count = 1;

  without(&kept, shape, dims);
  without(&reduced, shape, ~dims);
  job.op = r->op;
  job.has_out = out;
  job.has_index = index;
  job.base = r->base;
  LOCUS_TRY(locus_operand_value(&job.in, input, input_dtype(input, cx), shape, cx));
  for (int d = 0; d < shape->ndim; d++) along.stride[d] = job.in.stride[d];
  locus_grid_collapse(&job.reduced, &reduced, (locus_operand *[]){&along}, 1);
  job.divisor = divisor_of(r, job.reduced.numel);
  for (int d = 0; d < job.reduced.ndim; d++) job.in_reduced[d] = along.stride[d];
  if (out) over_kept[count++] = operand_copy(&job.out, out, shape->ndim);
  if (index) over_kept[count++] = operand_copy(&job.index, index, shape->ndim);
  locus_grid_collapse(&job.kept, &kept, over_kept, count);
  locus_device device = input->tensor ? locus_tensor_device(input->tensor) : LOCUS_CPU;
  return locus_device_runners(device, cx)->reduce(&job, cx);
}

int locus_reduce_kind(const locus_reduction *r)
{
  const int kind = locus_value_kind(&r->input);

  if (answer_kinds[r->op] == ELEMENT || answer_kinds[r->op] == PRESENT) return kind;
  return r->op == LOCUS_REDUCE_sum || r->op == LOCUS_REDUCE_nansum ? locus_sum_kind(kind)
                                                                   : LOCUS_KIND_none;
}

/* The answer is made on the device and fetched. */
static int reduce_there(const locus_reduction *r, const locus_value *input, locus_operand *out,
                        locus_operand *index, locus_answer *answer, locus_context *cx)
{
  const locus_device device = locus_tensor_device(input->tensor);
  locus_answer made;
  void *block;

  LOCUS_TRY(locus_device_alloc(device, sizeof made, &block, cx));
  out->data = (char *)block + offsetof(locus_answer, element);
  if (index) index->data = (char *)block + offsetof(locus_answer, position);
  int status = run_reduce(r, input, UINT32_MAX, out, index, cx);
  if (status == 0) status = locus_device_fetch(device, &made, block, sizeof made, cx);
  locus_device_free(device, block, sizeof made);
  if (status) return status;
  answer->element = made.element;
  answer->position = made.position;
  return 0;
}

static int reduce_whole(const locus_reduction *r, const locus_value *input, locus_answer *answer,
                        locus_context *cx)
{
  const bool ordered = answer_kinds[r->op] == ELEMENT;
  locus_operand out, index;

  locus_operand_tensor(&out, NULL, locus_value_shape(input));
  answer->dtype = out.dtype = answer_dtype(r, cx);
  locus_operand_tensor(&index, NULL, locus_value_shape(input));
  index.dtype = LOCUS_i64;
  if (input->tensor && locus_tensor_device(input->tensor) != LOCUS_CPU)
    return reduce_there(r, input, &out, ordered ? &index : NULL, answer, cx);
  out.data = (char *)answer->element.bytes;
  index.data = (char *)&answer->position;
  return run_reduce(r, input, UINT32_MAX, &out, ordered ? &index : NULL, cx);
}

int locus_reduce_whole(const locus_reduction *r, locus_answer *answer, locus_context *cx)
{
  const locus_tensor *tensor = r->input.tensor;
  locus_tensor copy = {0};
  locus_value summands;

  if (r->op == LOCUS_REDUCE_count_nonzero && tensor) {
    answer->dtype = LOCUS_i64;
    return locus_count_nonzero(tensor, &answer->element.i64, cx);
  }
  if (chooses(r) && tensor && tensor->numel == 0)
    return locus_fail(cx, "'%s' has no elements", r->input.name);
  LOCUS_TRY(check_element(r, UINT32_MAX, cx));
  LOCUS_TRY(check_dtype(r, cx));
  LOCUS_TRY(locus_summands(&r->input, r->dtype, &summands, &copy, cx));
  int status = reduce_whole(r, &summands, answer, cx);
  locus_tensor_release(&copy);
  return status;
}

/* An answer as an operand over the input's dimensions. */
static void spread(locus_operand *operand, const locus_tensor *made, int ndim,
                   const locus_reduction *r)
{
  operand->data = made->data;
  operand->dtype = made->dtype;
  for (int d = 0, k = 0; d < ndim; d++) {
    bool there = r->keepdim || !(r->dims >> d & 1);
    operand->stride[d] = there ? made->stride[k++] : 0;
  }
}

static void answer_shape(locus_shape *answer, const locus_shape *shape, const locus_reduction *r)
{
  without(answer, shape, r->dims);
  if (r->keepdim) return;
  answer->ndim = 0;
  for (int d = 0; d < shape->ndim; d++)
    if (!(r->dims >> d & 1)) answer->size[answer->ndim++] = shape->size[d];
}

static int reduce_dims(const locus_reduction *r, const locus_value *input, locus_tensor *out,
                       locus_tensor *index, locus_context *cx)
{
  const locus_shape *shape = locus_value_shape(input);
  locus_shape answer;
  locus_result pair[2];
  locus_operand operands[2];

  answer_shape(&answer, shape, r);
  LOCUS_TRY(locus_result_begin_pair(pair, (locus_tensor *[]){out, index},
                                    (locus_dtype[]){answer_dtype(r, cx), LOCUS_i64}, &answer,
                                    &r->input, cx));
  pair[0].kind = locus_reduce_kind(r);
  for (int i = 0; i < 2; i++)
    if (pair[i].made) spread(&operands[i], pair[i].made, shape->ndim, r);
  return locus_result_end_pair(pair, run_reduce(r, input, r->dims, out ? &operands[0] : NULL,
                                                index ? &operands[1] : NULL, cx));
}

/* A device reduces tensors on it: a number is copied there first. */
int locus_reduce_dims(const locus_reduction *r, locus_tensor *out, locus_tensor *index,
                      locus_context *cx)
{
  const locus_value *input = &r->input;
  locus_dtype dtype = r->dtype;
  locus_tensor copy = {0};
  locus_value summands;

  LOCUS_TRY(check_element(r, r->dims, cx));
  LOCUS_TRY(check_dtype(r, cx));
  if (!input->tensor && cx->home != LOCUS_CPU && dtype == LOCUS_DTYPES)
    dtype = input_dtype(input, cx);
  LOCUS_TRY(locus_summands(input, dtype, &summands, &copy, cx));
  int status = reduce_dims(r, &summands, out, index, cx);
  locus_tensor_release(&copy);
  return status;
}
