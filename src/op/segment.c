/* SPDX-License-Identifier: MIT */
/* One answer for each group of rows, or for each segment of neighbours. */
#include <inttypes.h>

#include "core/memory.h"
#include "op/fold.h"

typedef enum answer_kind { SUM, MEAN, ELEMENT, TRUTH, COUNT } answer_kind;

static const answer_kind answer_kinds[LOCUS_SEGMENTS] = {
#define SEGMENT(name, result) [LOCUS_SEGMENT_##name] = result,
#include "core/segment.def"
#undef SEGMENT
};

static const char *const names[LOCUS_SEGMENTS] = {
#define SEGMENT(name, result) [LOCUS_SEGMENT_##name] = #name,
#include "core/segment.def"
#undef SEGMENT
};

/* Whether rows may not count: only floats can be NaN. */
static bool skips_nan(const locus_segment_ask *ask)
{
  return ask->skips_nan && locus_dtype_kind(ask->input.tensor->dtype) == LOCUS_FLOAT;
}

static locus_dtype answer_dtype(const locus_segment_ask *ask, const locus_context *cx)
{
  const locus_dtype dtype = ask->input.tensor->dtype;
  const bool whole = locus_dtype_kind(dtype) <= LOCUS_INTEGER;

  switch (answer_kinds[ask->how]) {
  case SUM: return whole ? LOCUS_i64 : dtype;
  case MEAN: return whole ? cx->default_dtype : dtype;
  case TRUTH: return LOCUS_b8;
  case COUNT: return LOCUS_i64;
  case ELEMENT: break;
  }
  return dtype;
}

/* The kind of answers: elements have their own, a sum of durations is one. */
static int answer_kind_of(locus_segment how, int kind)
{
  if (answer_kinds[how] == ELEMENT) return kind;
  return how == LOCUS_SEGMENT_sum ? locus_sum_kind(kind) : LOCUS_KIND_none;
}

static int check_rows(const locus_segmentation *s, const locus_value *in, locus_context *cx)
{
  const locus_tensor *input = in->tensor, *ids = s->ids.tensor;
  char want[LOCUS_SHAPE_TEXT], got[LOCUS_SHAPE_TEXT];

  if (locus_dtype_kind(input->dtype) == LOCUS_COMPLEX) {
    return locus_fail(cx, "'%s' must be real, got %s", in->name, locus_dtype_name(input->dtype));
  }
  if (input->shape.ndim != 1) {
    return locus_fail(cx, "'%s' must be 1-D, got size %s", in->name,
                      locus_shape_text(&input->shape, got));
  }
  if (locus_dtype_kind(ids->dtype) != LOCUS_INTEGER) {
    return locus_fail(cx, "'%s' must be of an integer dtype, got %s", s->ids.name,
                      locus_dtype_name(ids->dtype));
  }
  LOCUS_TRY(locus_check_device(&s->ids, in, cx));
  if (locus_shape_equal(&ids->shape, &input->shape)) return 0;
  return locus_fail(cx, "'%s' must be of size %s, like '%s', got %s", s->ids.name,
                    locus_shape_text(&input->shape, want), in->name,
                    locus_shape_text(&ids->shape, got));
}

/* The number of groups: the one asked for, or the greatest id. */
static int count_groups(const locus_segmentation *s, int64_t *groups, locus_context *cx)
{
  const locus_reduction max = {LOCUS_REDUCE_max, .input = s->ids, .dtype = LOCUS_DTYPES};
  locus_answer greatest;
  locus_value value;

  *groups = s->groups;
  if (s->groups < 0)
    return locus_fail(cx, "'groups' must not be negative, got %" PRId64, s->groups);
  if (s->has_groups || s->ids.tensor->numel == 0) return 0;
  LOCUS_TRY(locus_reduce_whole(&max, &greatest, cx));
  locus_value_load(&value, greatest.dtype, &greatest.element);
  if (value.element.i64 < s->base) return 0;
  if (value.element.i64 > (int64_t)UINT32_MAX)
    return locus_fail(cx,
                      "'%s' must hold numbers of groups, up to %u, got %" PRId64
                      "; unique with return_inverse = true numbers other keys",
                      s->ids.name, UINT32_MAX, value.element.i64);
  if (__builtin_add_overflow(value.element.i64, 1 - s->base, groups)) *groups = INT64_MAX;
  return 0;
}

/* Checks that every id names a group. */
static int check_ids(const locus_segmentation *s, int64_t groups, locus_context *cx)
{
  int64_t position;
  const locus_tensor *ids = s->ids.tensor;
  locus_find_job job = {.what = LOCUS_FIND_OUTSIDE, .low = s->base, .position = &position};
  char number[LOCUS_VALUE_TEXT], where[LOCUS_POSITION_TEXT];
  locus_value bad;

  if (!s->has_groups || __builtin_add_overflow(s->base - 1, groups, &job.high))
    job.high = INT64_MAX;
  locus_operand_tensor(&job.in, ids, &ids->shape);
  locus_grid_collapse(&job.grid, &ids->shape, (locus_operand *[]){&job.in}, 1);
  LOCUS_TRY(locus_device_runners(locus_tensor_device(ids), cx)->find(&job, cx));
  if (position < 0) return 0;
  LOCUS_TRY(locus_read_found(ids, position, s->ids.name, &job, &bad, cx));
  locus_value_text(&bad, number);
  locus_position_text(&ids->shape, position, 1, where);
  if (bad.element.i64 < s->base) {
    return locus_fail(cx, "'%s' must hold numbers of at least %" PRId64 "%s, got %s%s", s->ids.name,
                      s->base, s->base ? " (0 with base = 0)" : "", number, where);
  }
  return locus_fail(
      cx, "'%s' must hold numbers up to %" PRId64 ", the last of %" PRId64 " groups, got %s%s",
      s->ids.name, job.high, groups, number, where);
}

/* The job, whose answers are written to tensors that have been made. */
static int run_job(const locus_segmentation *s, locus_segment_answer *answers,
                   const locus_result *results, locus_context *cx)
{
  const locus_shape *rows = &s->ids.tensor->shape, *groups = &results[0].made->shape;
  int64_t empty = -1, element = -1;
  locus_segment_job job = {.base = s->base, .count = s->count, .answers = answers};

  locus_operand_tensor(&job.ids, s->ids.tensor, rows);
  for (int64_t i = 0; i < s->count; i++) {
    locus_segment_answer *a = &answers[i];
    a->how = s->asks[i].how;
    a->skips_nan = skips_nan(&s->asks[i]);
    locus_operand_tensor(&a->in, s->asks[i].input.tensor, rows);
    locus_operand_tensor(&a->out, results[i].made, groups);
    locus_grid_collapse(&job.rows, rows, (locus_operand *[]){&a->in}, 1);
    locus_grid_collapse(&job.groups, groups, (locus_operand *[]){&a->out}, 1);
    if (element < 0 && answer_kinds[a->how] == ELEMENT && !a->skips_nan) element = i;
  }
  locus_grid_collapse(&job.rows, rows, (locus_operand *[]){&job.ids}, 1);
  if (element >= 0) job.empty = &empty;
  LOCUS_TRY(locus_device_runners(locus_tensor_device(s->ids.tensor), cx)->segment(&job, cx));
  if (empty < 0) return 0;
  return locus_fail(cx, "\"%s\" takes a row of each group, and group %" PRId64 " has none",
                    names[answers[element].how], empty + s->base);
}

/* On the CPU the runner meets an id that is no group before anything is written, so that those of
** given groups are read once; then the error says which id it is. */
static int run_segments(const locus_segmentation *s, bool checked, locus_segment_answer *answers,
                        const locus_result *results, locus_context *cx)
{
  if (run_job(s, answers, results, cx) == 0) return 0;
  const locus_error error = cx->error;
  if (!checked && error.code == LOCUS_BAD_CALL) LOCUS_TRY(check_ids(s, s->groups, cx));
  cx->error = error;
  return -1;
}

/* Begins the results; *begun is the number of those that were. */
static int begin_results(const locus_segmentation *s, locus_tensor *const *outs,
                         const locus_shape *shape, locus_result *results, int64_t *begun,
                         locus_context *cx)
{
  const locus_device device = locus_tensor_device(s->ids.tensor);

  for (*begun = 0; *begun < s->count; ++*begun) {
    const locus_segment_ask *ask = &s->asks[*begun];
    locus_tensor *out = outs[*begun];
    LOCUS_TRY(locus_result_apart(out, "out", &ask->input, false, cx));
    LOCUS_TRY(locus_result_apart(out, "out", &s->ids, false, cx));
    results[*begun] = (locus_result){0};
    LOCUS_TRY(
        locus_result_begin(&results[*begun], out, "out", answer_dtype(ask, cx), shape, device, cx));
    results[*begun].kind = answer_kind_of(ask->how, ask->input.tensor->kind);
  }
  return 0;
}

int locus_segments(const locus_segmentation *s, locus_tensor *const *outs, locus_context *cx)
{
  const int64_t each = (int64_t)(sizeof(locus_segment_answer) + sizeof(locus_result));
  const int64_t bytes = s->count * each;
  locus_shape shape = {.ndim = 1};
  int64_t begun;

  for (int64_t i = 0; i < s->count; i++) LOCUS_TRY(check_rows(s, &s->asks[i].input, cx));
  LOCUS_TRY(count_groups(s, &shape.size[0], cx));
  const bool checked =
      !s->has_groups || s->groups == 0 || locus_tensor_device(s->ids.tensor) != LOCUS_CPU;
  if (checked) LOCUS_TRY(check_ids(s, shape.size[0], cx));
  if (s->count == 0) return 0;
  locus_segment_answer *answers = locus_memory_alloc(bytes);
  if (!answers) return locus_fail_memory(cx, bytes);
  locus_result *results = (locus_result *)(answers + s->count);
  int status = begin_results(s, outs, &shape, results, &begun, cx);
  if (status == 0) status = run_segments(s, checked, answers, results, cx);
  for (int64_t i = 0; i < begun; i++) status = locus_result_end(&results[i], status);
  locus_memory_free(answers, bytes);
  return status;
}

/* -- Segments that follow each other ----------------------------------------------------------- */

static locus_dtype runs_dtype(locus_segment how, locus_dtype dtype)
{
  if (answer_kinds[how] == ELEMENT) return dtype;
  return answer_kinds[how] == SUM && locus_dtype_kind(dtype) <= LOCUS_INTEGER ? LOCUS_i64
                                                                              : LOCUS_f64;
}

int locus_segment_runs(const locus_value *input, locus_segment how, const locus_value *starts,
                       int64_t inner, locus_tensor *out, locus_context *cx)
{
  const locus_tensor *in = input->tensor, *marks = starts->tensor;
  const locus_device device = locus_tensor_device(in);
  locus_segment_runs_job job = {.how = how, .inner = inner, .dtype = in->dtype, .in = in->data};
  locus_shape shape = {.ndim = 1};
  locus_result result = {0};

  if (marks->dtype != LOCUS_i64 || marks->numel == 0 || !locus_tensor_contiguous(marks))
    return locus_fail(cx, "'%s' must be int64 and contiguous", starts->name);
  if (!locus_tensor_contiguous(in)) return locus_fail(cx, "'%s' must be contiguous", input->name);
  job.segments = marks->numel - 1;
  job.starts = (const int64_t *)marks->data;
  shape.size[0] = job.segments * inner;
  LOCUS_TRY(
      locus_result_begin(&result, out, "out", runs_dtype(how, in->dtype), &shape, device, cx));
  result.kind = answer_kind_of(how, in->kind);
  job.out = result.made->data;
  return locus_result_end(&result, locus_device_runners(device, cx)->segment_runs(&job, cx));
}
