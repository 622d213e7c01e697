/* SPDX-License-Identifier: MIT */
/* THE contract of an instruction set: the operations that a compiler does not make from plain C.
** LOCUS_ISA_HEADER names the file that keeps it for the set being built (scalar.h, avx2.h,
** avx512.h, neon.h). Each name is declared here once, with its law; a set that lacks one, or
** defines it with another type, does not compile. `width` is that of elements, in bytes. */
#ifndef LOCUS_ISA_H
#define LOCUS_ISA_H

#include "cpu/block/kernel.h"
#include LOCUS_ISA_HEADER

/* -- conversions: halves ----------------------------------------------------------------------- */

/* Runs of n float16 to float32, and back, to the same bits as one by one. */
static inline void widen_f16(void *to, const void *from, int64_t n);
static inline void narrow_f16(void *to, const void *from, int64_t n);

/* -- moves: squares of 16 by 16 bytes ---------------------------------------------------------- */

/* transpose_<width>: to[r * to_step + c] = from[c * from_step + r], where r and c are below
** 16 / width. */
#define CONTRACT(width)                                                   \
  static inline void transpose_##width(bits_##width *to, int64_t to_step, \
                                       const bits_##width *from, int64_t from_step);
CONTRACT(1)
CONTRACT(2)
CONTRACT(4)
CONTRACT(8)
CONTRACT(16)
#undef CONTRACT

/* -- searchsorted: registers of keys ----------------------------------------------------------- */

/* Widths are 4 and 8. vector_<width> has LANES_<width> lanes: keys, values, or signed indices as
** wide as these; GROUPS_<width> vectors of values, at most 4, are searched for in lock step.
** mask_<width> says which lanes are meant.
** load        LANES keys from memory, aligned or not
** load_some   the first n of them from memory, none where n < 1; the other lanes from `rest`
** spread      the index in every lane
** add_where   index + n in the lanes of the mask, index in the others
** at_most     index, or n where that is less
** differ      whether two indices differ in any lane
** put         to[i] = lane i of index, plus n; non-temporal where asked for and the set can, `to`
**             then being aligned to a line of 64 bytes */
#define CONTRACT(width)                                                                     \
  _Static_assert(LANES_##width * width <= 64 && 64 % (LANES_##width * width) == 0,          \
                 "registers fill a node of 64 bytes");                                      \
  _Static_assert(GROUPS_##width >= 1 && GROUPS_##width <= 4, "as search/steps.inc counts"); \
  static inline vector_##width load_##width(const void *from);                              \
  static inline vector_##width load_some_##width(const void *from, int64_t n,               \
                                                 vector_##width rest);                      \
  static inline vector_##width spread_##width(int64_t index);                               \
  static inline vector_##width add_where_##width(vector_##width index, mask_##width mask,   \
                                                 int64_t n);                                \
  static inline vector_##width at_most_##width(vector_##width index, int64_t n);            \
  static inline bool differ_##width(vector_##width a, vector_##width b);                    \
  static inline void put_##width(int64_t *to, vector_##width index, int64_t n, bool nontemporal);
CONTRACT(4)
CONTRACT(8)
#undef CONTRACT
/* before_<dtype>     the lanes in which the key counts for the value, that is key < value, or
**                    right: key <= value; where either is NaN it does not
** advance_<dtype>    adds n to the indices `at` whose key, keys[at], counts for their value
** node_rank_<dtype>  how many of 64 bytes of sorted keys count for one value */
#define CONTRACT(id, width)                                                                       \
  static inline mask_##width before_##id(vector_##width keys, vector_##width values, bool right); \
  static inline void advance_##id(const locus_##id *keys, vector_##width *at,                     \
                                  const vector_##width *values, int64_t n, bool right);           \
  static inline int64_t node_rank_##id(const locus_##id *keys, locus_##id value, bool right);
CONTRACT(f32, 4)
CONTRACT(f64, 8)
CONTRACT(i32, 4)
CONTRACT(i64, 8)
#undef CONTRACT

/* A set whose registers can be looked up by index keeps keys in as many of them as REGISTERS, 4 or
** 8, for search/eytzinger.inc. REGISTERS 0: it has none such, and lacks these.
** numbers     in each lane its number
** root_first  sorted keys as a search tree: the root in lane 1, the children of lane i in 2i and
**             2i + 1; the last key is left over for lane 0
** halve       every second lane of the pair a, b, from the first or from the second lane on
** pick1 ..    in each lane the key at its index among those of 1, 2 or 4 registers, modulo their
**             number
** gather      in each lane keys[its index]
** descend     the child of each lane's node: 2 node, or 2 node + 1 in the lanes of the mask
** plus, times  with n in every lane */
#if REGISTERS
#define CONTRACT(width)                                                                         \
  static inline vector_##width numbers_##width(void);                                           \
  static inline vector_##width root_first_##width(vector_##width sorted);                       \
  static inline vector_##width halve_##width(vector_##width a, vector_##width b, bool second);  \
  static inline vector_##width pick1_##width(const vector_##width *keys, vector_##width index); \
  static inline vector_##width pick2_##width(const vector_##width *keys, vector_##width index); \
  static inline vector_##width pick4_##width(const vector_##width *keys, vector_##width index); \
  static inline vector_##width gather_##width(const void *keys, vector_##width index);          \
  static inline vector_##width descend_##width(vector_##width node, mask_##width mask);         \
  static inline vector_##width plus_##width(vector_##width index, int64_t n);                   \
  static inline vector_##width times_##width(vector_##width index, int64_t n);
CONTRACT(4)
CONTRACT(8)
#undef CONTRACT
#endif
_Static_assert(REGISTERS == 0 || REGISTERS == 4 || REGISTERS == 8,
               "what search/eytzinger.inc is written for");

/* -- sort: keys in order ----------------------------------------------------------------------- */

/* A set with PARTITIONS 1 sorts signed integers by vectors, in order/quicksort.inc; a set with 0
** lacks these, and sorts digit by digit.
** turn        in lane i what lane i ^ by has
** order       the lesser of two lanes to *a, the greater to *b; the other way about in the lanes
**             whose number has the bit `against`, a power of two or 0
** split       the lanes that the mask means to memory from `front` on, the others to memory up to
**             `back`, both in their order; answers the place behind the former. `front` and `back`
**             are LANES apart, or 2 * LANES or more: then only places between them are written
** store       to memory, aligned or not
** store_some  the first n lanes alone */
#if PARTITIONS
#define CONTRACT(width)                                                                            \
  static inline vector_##width turn_##width(vector_##width v, int by);                             \
  static inline void order_##width(vector_##width *a, vector_##width *b, int against);             \
  static inline void *split_##width(vector_##width v, mask_##width mask, void *front, void *back); \
  static inline void store_##width(void *to, vector_##width v);                                    \
  static inline void store_some_##width(void *to, vector_##width v, int64_t n);
CONTRACT(4)
CONTRACT(8)
#undef CONTRACT
#endif
_Static_assert(PARTITIONS == 0 || REGISTERS > 0, "sorting takes what registers of keys have, too");

/* -- nonzero: masks of 64 elements, and their positions ---------------------------------------- */

/* mask64_<width>: bit i says whether element i of 64 has any of the bits `keep`. Elements of 16
** bytes are two of 8. */
static inline uint64_t mask64_1(const void *in, uint64_t keep);
static inline uint64_t mask64_2(const void *in, uint64_t keep);
static inline uint64_t mask64_4(const void *in, uint64_t keep);
static inline uint64_t mask64_8(const void *in, uint64_t keep);

static inline int64_t count_bits(uint64_t word);

/* Writes the positions of the word's bits, plus `start`, one after the other; returns their number.
** There is room for 64, and all may be written to. */
static inline int64_t emit64(uint16_t *to, uint64_t word, int64_t start);

/* -- random: words of Philox ------------------------------------------------------------------- */

/* longs is an unsigned integer of 64 bits, or a vector of PHILOX_LANES such: what C does with one
** it does with each lane.
** multiply_words  the products of the lower halves of lanes
** put_pairs       to[2 i] = lane i of a, to[2 i + 1] = lane i of b */
_Static_assert(sizeof(longs) == 8 * PHILOX_LANES && 256 % PHILOX_LANES == 0,
               "as run/random.c fills blocks");
static inline longs multiply_words(longs a, longs b);
static inline void put_pairs(uint64_t *to, longs a, longs b);

/* -- where, and all non-temporal stores -------------------------------------------------------- */

/* SELECT(condition, a, b): condition ? a : b of unsigned integers, in the form that the compiler
** makes vectors of.
** SELECT_LINES(width, z, condition, x, x_step, y, y_step, n): as select_<width> of run/where.inc,
** non-temporal where the set can; z is aligned to 64 bytes and n elements are a multiple of 256. */
#if !defined(SELECT) || !defined(SELECT_LINES)
#error "SELECT and SELECT_LINES are missing"
#endif

/* Copies lines of 64 bytes, non-temporal where the set can. `to` is aligned to one. */
static inline void copy_lines(void *to, const void *from, int64_t lines);

/* Orders these stores before all later ones. */
static inline void nontemporal_end(void);

#endif
