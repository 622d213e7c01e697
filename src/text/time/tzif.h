/* SPDX-License-Identifier: MIT */
/* The files of time zones (RFC 9636). */
#ifndef LOCUS_TEXT_TZIF_H
#define LOCUS_TEXT_TZIF_H

#include "text/time/zone.h"

/* The zone that the bytes of a file of version 1 to 4 describe; errors call the file by that
** name. */
int locus_tzif_parse(const unsigned char *bytes, int64_t size, const char *name, time_zone **zone,
                     locus_context *cx);

#endif
