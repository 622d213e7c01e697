/* SPDX-License-Identifier: MIT */
/* IPv4 addresses from text and back: four bytes as one number. */
#ifndef LOCUS_TEXT_ADDRESS_H
#define LOCUS_TEXT_ADDRESS_H

#include <stdint.h>

/* 192.168.0.1: four numbers up to 255 without leading zeros. All bytes from `text` up to `end`
** belong to it; returns NULL, or "is not an IPv4 address". */
const char *locus_parse_ipv4(const char *text, const char *end, int64_t *value);
/* Writes to `out`, which has room for TIME_BYTES, and returns the number of bytes. A value that is
** no address becomes a decimal number. */
int locus_format_ipv4(char *out, int64_t value);

#endif
