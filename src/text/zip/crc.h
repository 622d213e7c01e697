/* SPDX-License-Identifier: MIT */
/* CRC-32, the checksum of ZIP and gzip (ISO 3309, ITU-T V.42). */
#ifndef LOCUS_TEXT_CRC_H
#define LOCUS_TEXT_CRC_H

#include <stdint.h>

#include "core/error.h"
#include "core/ieee.h"

/* The checksum of bytes behind others whose checksum is `crc`; that of none is 0. */
uint32_t locus_crc32(uint32_t crc, const char *bytes, int64_t count);

/* The same of long ones, by all threads. */
int locus_crc32_shared(uint32_t *crc, const char *bytes, int64_t count, locus_context *cx);

#endif
