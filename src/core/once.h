/* SPDX-License-Identifier: MIT */
/* Memory that others may write to while it is read: mapped files, pointers of other libraries. The
** value that is checked must be the value that is used, so it is read once, before the check. */
#ifndef LOCUS_ONCE_H
#define LOCUS_ONCE_H

/* The value of a place, in one read that the compiler neither repeats nor splits. */
#define LOCUS_ONCE(place) (*(const volatile __typeof__(place) *)&(place))

/* A barrier after a block is filled from such memory: the compiler must not read that memory again
** in place of the block. */
#define LOCUS_SETTLED(block) __asm__ volatile("" : : "r"(block) : "memory")

#endif
