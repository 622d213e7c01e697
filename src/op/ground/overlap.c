/* SPDX-License-Identifier: MIT */
/* Do two strided views share a byte? A byte of a is a.data + sum(i[d] * stride[d]) + r with 0 <= r
** < itemsize, so the question is whether a bounded linear equation has a solution. The search takes
** the strides from the largest down, and prunes by the reach of the remaining ones and by their
** greatest common divisor. */
#include "op/ground/overlap.h"

#include <stdlib.h>

#include "op/op.h"

typedef struct term {
  int64_t step, most; /* adds k * step for some k in 0..most; step > 0 */
} term;

typedef struct equation {
  int count;
  int budget; /* steps that the search may still take */
  term terms[2 * LOCUS_MAX_DIMS + 2];
  int64_t reach[2 * LOCUS_MAX_DIMS + 3];   /* the sum of most * step of a term and those after it */
  int64_t divisor[2 * LOCUS_MAX_DIMS + 3]; /* the gcd of the steps of a term and those after it */
} equation;

static void add_term(equation *e, int64_t step, int64_t most)
{
  if (step && most) e->terms[e->count++] = (term){llabs(step), most};
}

/* In units of an element, or of a byte if elements differ in size or alignment. */
static void add_tensor(equation *e, const locus_tensor *tensor, int64_t unit)
{
  int64_t item = locus_dtype_size(tensor->dtype);
  for (int d = 0; d < tensor->shape.ndim; d++)
    add_term(e, tensor->stride[d] * item / unit, tensor->shape.size[d] - 1);
  if (unit < item) add_term(e, 1, item - 1);
}

static int by_step(const void *a, const void *b)
{
  int64_t left = ((const term *)a)->step, right = ((const term *)b)->step;
  return (left < right) - (left > right);
}

static int64_t common_divisor(int64_t a, int64_t b)
{
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Terms of the same step are one term: this keeps interleaved views cheap. */
static void merge_equal_steps(equation *e)
{
  int kept = 0;
  for (int i = 1; i < e->count; i++) {
    if (e->terms[i].step == e->terms[kept].step) e->terms[kept].most += e->terms[i].most;
    else e->terms[++kept] = e->terms[i];
  }
  if (e->count) e->count = kept + 1;
}

static void prepare(equation *e, bool merge)
{
  qsort(e->terms, (size_t)e->count, sizeof e->terms[0], by_step);
  if (merge) merge_equal_steps(e);
  e->budget = 100000;
  e->reach[e->count] = e->divisor[e->count] = 0;
  for (int i = e->count - 1; i >= 0; i--) {
    e->reach[i] = e->reach[i + 1] + e->terms[i].step * e->terms[i].most;
    e->divisor[i] = common_divisor(e->divisor[i + 1], e->terms[i].step);
  }
}

/* Can the i-th term and those after it add up to `sum`? If the budget runs out, as it may between
** many-dimensional unfolded views, the answer is yes. */
static bool solvable(equation *e, int i, int64_t sum)
{
  if (sum < 0 || sum > e->reach[i]) return false;
  if (e->budget-- <= 0) return true;
  if (i == e->count) return sum == 0;
  if (sum % e->divisor[i] != 0) return false;
  const term *t = &e->terms[i];
  int64_t low = sum - e->reach[i + 1], k = low > 0 ? (low + t->step - 1) / t->step : 0;
  for (; k <= t->most && k * t->step <= sum; k++)
    if (solvable(e, i + 1, sum - k * t->step)) return true;
  return false;
}

/* With a's indices counted up and b's counted down from its end, every term is positive: can the
** terms add up to the distance from a's lowest byte to b's highest? */
bool locus_overlap(const locus_tensor *a, const locus_tensor *b)
{
  equation e;

  if (a->numel == 0 || b->numel == 0) return false;
  locus_extent first = locus_tensor_extent(a), second = locus_tensor_extent(b);
  if (first.end <= second.begin || second.end <= first.begin) return false;
  int64_t item = locus_dtype_size(a->dtype);
  bool aligned = item == locus_dtype_size(b->dtype) && (second.begin - first.begin) % item == 0;
  int64_t unit = aligned ? item : 1;
  e.count = 0;
  add_tensor(&e, a, unit);
  add_tensor(&e, b, unit);
  prepare(&e, true);
  return solvable(&e, 0, (second.end - unit - first.begin) / unit);
}

/* Two indices whose first difference, in the order of the terms, is k steps of the i-th share an
** address when the later terms can make up for it. The later terms differ by -reach to reach.
** Shifted by reach, that is 0 to twice reach, so every `most` is doubled. */
bool locus_overlap_self(const locus_tensor *tensor)
{
  equation e;

  if (tensor->numel < 2 || locus_tensor_contiguous(tensor)) return false;
  e.count = 0;
  for (int d = 0; d < tensor->shape.ndim; d++) {
    if (tensor->shape.size[d] > 1 && tensor->stride[d] == 0) return true;
    add_term(&e, tensor->stride[d], 2 * (tensor->shape.size[d] - 1));
  }
  prepare(&e, false);
  for (int i = 0; i < e.count; i++) {
    int64_t rest = e.reach[i + 1] / 2;
    for (int64_t k = 1; k <= e.terms[i].most / 2 && k * e.terms[i].step <= rest; k++)
      if (solvable(&e, i + 1, rest - k * e.terms[i].step)) return true;
  }
  return false;
}

void locus_guard_shared(locus_tensor *view)
{
  if (view->direct == LOCUS_DIRECT && locus_overlap_self(view)) view->direct = LOCUS_DIRECT_READ;
}
