/* SPDX-License-Identifier: MIT */
/* byte_positions[b]: the positions of the bits of b, a byte each, then those of its zeros, for
** instruction sets without a faster way. */
#ifndef LOCUS_BYTE_POSITIONS_H
#define LOCUS_BYTE_POSITIONS_H

#include <stdint.h>

#define BIT(b, i) ((uint64_t)(b) >> (i)&1)
#define FROM(b, i, rest) ((rest) << 8 * BIT(b, i) | (i)*BIT(b, i))
#define LOW(b, rest) FROM(b, 0, FROM(b, 1, FROM(b, 2, FROM(b, 3, rest))))
#define BITS(b, rest) LOW(b, FROM(b, 4, FROM(b, 5, FROM(b, 6, FROM(b, 7, rest)))))
#define IN_BYTE(b) BITS(b, BITS(~(b), (uint64_t)0))
#define FOUR(b) IN_BYTE(b), IN_BYTE((b) + 1), IN_BYTE((b) + 2), IN_BYTE((b) + 3)
#define SIXTEEN(b) FOUR(b), FOUR((b) + 4), FOUR((b) + 8), FOUR((b) + 12)
#define SIXTY_FOUR(b) SIXTEEN(b), SIXTEEN((b) + 16), SIXTEEN((b) + 32), SIXTEEN((b) + 48)
static const uint64_t byte_positions[256] = {SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128),
                                             SIXTY_FOUR(192)};
#undef SIXTY_FOUR
#undef SIXTEEN
#undef FOUR
#undef IN_BYTE
#undef BITS
#undef LOW
#undef FROM
#undef BIT

#endif
