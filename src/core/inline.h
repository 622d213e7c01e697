/* SPDX-License-Identifier: MIT */
/* The declaration of inline functions that C, C++ and CUDA share. */
#ifndef LOCUS_INLINE_H
#define LOCUS_INLINE_H

#ifdef __CUDACC__
#define LOCUS_INLINE static inline __host__ __device__
#else
#define LOCUS_INLINE static inline
#endif

#endif
