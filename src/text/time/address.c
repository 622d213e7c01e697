/* SPDX-License-Identifier: MIT */
/* IPv4 addresses from text and back. */
#include "text/time/address.h"

#include <stddef.h>

#include "text/number/parse.h"

const char *locus_parse_ipv4(const char *text, const char *end, int64_t *value)
{
  static const char none[] = "is not an IPv4 address";
  uint32_t address = 0;

  for (int part = 0; part < 4; part++) {
    if (part > 0 && (text == end || *text++ != '.')) return none;
    const char *const first = text;
    unsigned number = 0;
    for (; text < end && text - first < 3; text++) {
      const unsigned digit = (unsigned)(*text - '0');
      if (digit > 9) break;
      number = number * 10 + digit;
    }
    if (text == first || number > 255 || (*first == '0' && text - first > 1)) return none;
    address = address << 8 | number;
  }
  *value = address;
  return text == end ? NULL : none;
}

int locus_format_ipv4(char *out, int64_t value)
{
  char *at = out;

  if (value < 0 || value > UINT32_MAX) return locus_format_i64(out, value);
  for (int shift = 24; shift >= 0; shift -= 8) {
    if (shift < 24) *at++ = '.';
    at += locus_format_i64(at, value >> shift & 255);
  }
  return (int)(at - out);
}
