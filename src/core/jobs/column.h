/* SPDX-License-Identifier: MIT */
/* One of the columns that are gathered together, as a gather of its own by one index. */
#ifndef LOCUS_COLUMN_H
#define LOCUS_COLUMN_H

#include "core/inline.h"
#include "core/jobs.h"

LOCUS_INLINE void locus_column_of(const locus_columns_job *job, int64_t k, locus_index_job *one)
{
  const locus_column *column = &job->column[k];

  one->base = job->base;
  one->has_missing = column->has_missing;
  one->forward = job->forward;
  one->afresh = false;
  one->op = LOCUS_BINARIES;
  one->missing = column->missing;
  one->counts = NULL;
  one->grid.numel = job->n;
  one->grid.ndim = 1;
  one->grid.size[0] = job->n;
  one->elements.data = column->out;
  one->elements.dtype = column->dtype;
  one->elements.stride[0] = 1;
  one->array.data = column->data;
  one->array.dtype = column->dtype;
  one->array.stride[0] = 0;
  one->index[0].at.data = job->index.at.data;
  one->index[0].at.dtype = job->index.at.dtype;
  one->index[0].at.stride[0] = job->index.at.stride[0];
  one->index[0].size = job->index.size;
  one->index[0].step = column->step;
}

#endif
