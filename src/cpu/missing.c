/* SPDX-License-Identifier: MIT */
/* Runners still to be written: delete a line when its runner arrives, the file with the last. */
#define MISSING(runner, type) static int runner(const locus_##type##_job *j, locus_context *cx) { (void)j; return locus_fail(cx, #runner " is missing"); }
MISSING(reduce, reduce)
MISSING(cumsum, cumsum)
MISSING(sort, sort)
MISSING(searchsorted, search)
MISSING(unsorted, unsorted)
MISSING(gather, index)
MISSING(scatter, index)
MISSING(bincount, bincount)
