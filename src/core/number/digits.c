/* SPDX-License-Identifier: MIT */
#include "core/number/digits.h"

#define TEN(tens) \
  tens "0" tens "1" tens "2" tens "3" tens "4" tens "5" tens "6" tens "7" tens "8" tens "9"
const char locus_digit_pairs[] =
    TEN("0") TEN("1") TEN("2") TEN("3") TEN("4") TEN("5") TEN("6") TEN("7") TEN("8") TEN("9");

const uint64_t locus_tens[] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
    10000000000000000000u,
};
