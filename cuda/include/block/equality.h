/* SPDX-License-Identifier: MIT */
/* Numbers by width that can be compared as bits. */
#ifndef LOCUS_CUDA_EQUALITY_H
#define LOCUS_CUDA_EQUALITY_H

#include "cuda/include/block/element.h"

extern "C" {
#include "core/number/equality.h"
}

namespace locus
{

/* Equal numbers get the same bits. */
template <class U> SIMT_DEVICE U canonical(U number, const locus_equality &equality)
{
  const U magnitude = number & (U)equality.kept;

  if (magnitude == 0) return 0;
  return magnitude > (U)equality.infinity ? (U) ~(U)0 : number;
}

} // namespace locus

#endif
