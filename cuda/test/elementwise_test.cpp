/* SPDX-License-Identifier: MIT */
/* The unary and binary families against plain loops over numbers. */
/* Tests: unary.cu binary.cu */
#include <cmath>

#include "cuda/test/tensor.h"

using namespace test;

/* Functions of libm, in the type that is computed in, and what stands among them in unary.def. */
namespace libm
{
using namespace std;
template <class T> static T reciprocal(T a)
{
  return (T)1 / a;
}
} // namespace libm

/* For X-macros of unary.def: rows of class FLOATING are functions of libm by their names. */
#define BOOL(name, expression)
#define INTEGER(name, expression)
#define FLOAT(name, expression)
#define COMPLEX(name, expression)
#define UNARY(name, computed) UNARY_##computed(name)
#define UNARY_SAME(name)
#define UNARY_PREDICATE(name)
#define UNARY_TRUTH(name)

template <class T> static number math_of(locus_unary op, T a)
{
#define UNARY_FLOATING(name) \
  if (op == LOCUS_UNARY_##name) return real(libm::name(a));
#include "core/unary.def"
#undef UNARY_FLOATING
  if (op == LOCUS_UNARY_floor) return real(std::floor(a));
  if (op == LOCUS_UNARY_ceil) return real(std::ceil(a));
  if (op == LOCUS_UNARY_round) return real(std::nearbyint(a));
  return real(op == LOCUS_UNARY_trunc ? std::trunc(a) : a - std::trunc(a));
}

template <class T> static number square_of(const number &a)
{
  const T re = (T)a.re, im = (T)a.im;
  if (a.kind == LOCUS_INTEGER) return whole((int64_t)((uint64_t)a.i * (uint64_t)a.i));
  if (a.kind == LOCUS_FLOAT) return real(re * re);
  const T rr = re * re, ii = im * im, both = re * im;
  return number{LOCUS_COMPLEX, 0, (T)(rr - ii), (T)(both + both)};
}

static number unary_of(locus_unary op, const number &a, locus_dtype dtype)
{
  const bool is_whole = a.kind <= LOCUS_INTEGER;
  const bool is_double = dtype == LOCUS_f64 || dtype == LOCUS_c128;
  switch (op) {
  case LOCUS_UNARY_neg:
    return is_whole ? whole((int64_t)(0 - (uint64_t)a.i)) : number{a.kind, 0, -a.re, -a.im};
  case LOCUS_UNARY_abs:
    return is_whole ? whole(a.i < 0 ? (int64_t)(0 - (uint64_t)a.i) : a.i) : real(fabs(a.re));
  case LOCUS_UNARY_sign:
    if (is_whole) return whole((a.i > 0) - (a.i < 0));
    return isnan(a.re) ? a : real((a.re > 0) - (a.re < 0));
  case LOCUS_UNARY_square: return is_double ? square_of<double>(a) : square_of<float>(a);
  case LOCUS_UNARY_bnot: return whole(dtype == LOCUS_b8 ? !a.i : -1 - a.i);
  case LOCUS_UNARY_logical_not: return whole(!a.i);
  case LOCUS_UNARY_isnan: return whole(isnan(a.re) || isnan(a.im));
  case LOCUS_UNARY_isinf: return whole(isinf(a.re) || isinf(a.im));
  case LOCUS_UNARY_isfinite: return whole(isfinite(a.re) && isfinite(a.im));
#define UNARY_FLOATING(name) case LOCUS_UNARY_##name:
#include "core/unary.def"
#undef UNARY_FLOATING
  case LOCUS_UNARY_floor:
  case LOCUS_UNARY_ceil:
  case LOCUS_UNARY_round:
  case LOCUS_UNARY_trunc:
  case LOCUS_UNARY_frac:
    return is_whole ? a : is_double ? math_of(op, a.re) : math_of(op, (float)a.re);
  case LOCUS_UNARIES: break;
  }
  return whole(0);
}

#undef BOOL
#undef INTEGER
#undef FLOAT
#undef COMPLEX
#undef UNARY
#undef UNARY_SAME
#undef UNARY_PREDICATE
#undef UNARY_TRUTH

/* Rows are defined on the kinds of dtypes that they have cells of. */
#define UNARY(name, computed)
#define BINARY(name, computed)
#define BOOL(name, expression) {OP(name), LOCUS_BOOL},
#define INTEGER(name, expression) {OP(name), LOCUS_INTEGER},
#define FLOAT(name, expression) {OP(name), LOCUS_FLOAT},
#define COMPLEX(name, expression) {OP(name), LOCUS_COMPLEX},
struct cell {
  int op;
  locus_kind kind;
};
static const cell unary_cells[] = {
#define OP(name) LOCUS_UNARY_##name
#include "core/unary.def"
#undef OP
};
static const cell binary_cells[] = {
#define OP(name) LOCUS_BINARY_##name
#include "core/binary.def"
#undef OP
};
#undef UNARY
#undef BINARY
#undef BOOL
#undef INTEGER
#undef FLOAT
#undef COMPLEX

template <size_t N> static bool has(const cell (&cells)[N], int op, locus_kind kind)
{
  for (const cell &each : cells)
    if (each.op == op && each.kind == kind) return true;
  return false;
}

/* An op in `dtype` from another dtype into a third one, over one grid. */
static void unary_case(locus_unary op, locus_dtype dtype, locus_dtype from, const locus_grid &grid,
                       int how)
{
  const bool predicate =
      op == LOCUS_UNARY_isnan || op == LOCUS_UNARY_isinf || op == LOCUS_UNARY_isfinite;
  locus_context cx = context();
  tensor in(from, grid, (layout)(how % LAYOUTS));
  tensor out(predicate ? LOCUS_b8 : how % 4 == 3 ? LOCUS_c128 : dtype, grid, (layout)(how % ONE));

  for (int64_t i = 0; i < grid.numel; i++)
    if (!fits(dtype, in.value(i))) in.set(i, whole(5));
  const locus_unary_job job = {op, dtype, grid, out.sent(), in.sent()};
  expect(locus_cuda_unary(&job, &cx) == 0, "unary");
  std::vector<unsigned char> wanted = out.bytes;
  for (int64_t i = 0; i < grid.numel; i++) {
    const number answer = unary_of(op, as(dtype, in.value(i)), dtype);
    put(out.dtype, &wanted[(size_t)out.place(i)], predicate ? answer : as(dtype, answer));
  }
  out.compare(wanted, "unary");
}

static void test_unary()
{
  for (int op = 0; op < LOCUS_UNARIES; op++) {
    for (int d = 0; d < LOCUS_DTYPES; d++) {
      if (!has(unary_cells, op, kind_of(dtype_at(d)))) continue;
      for (int how = 0; how < 12; how++) {
        const locus_dtype from = how < 6 ? dtype_at(d) : dtype_at(how * 5 % LOCUS_DTYPES);
        if (kind_of(from) > kind_of(dtype_at(d)) && op != LOCUS_UNARY_logical_not) continue;
        for (const locus_grid &grid : grids)
          unary_case((locus_unary)op, dtype_at(d), from, grid, how);
      }
    }
  }
}

static int64_t whole_power(int64_t a, int64_t b)
{
  uint64_t power = 1;
  for (int64_t i = 0; i < b; i++) power *= (uint64_t)a;
  return (int64_t)power;
}

/* A shift by as many places as int64 has, or fewer than none, moves everything out. */
static int64_t shifted(locus_binary op, int64_t a, int64_t b, int bits)
{
  const bool all = b < 0 || b >= bits;
  if (op == LOCUS_BINARY_rshift) return a >> (all ? 63 : b);
  return all ? 0 : (int64_t)((uint64_t)a << b);
}

static number whole_binary(locus_binary op, int64_t a, int64_t b, locus_dtype dtype)
{
  const bool truth = dtype == LOCUS_b8;

  switch (op) {
  case LOCUS_BINARY_add: return whole(truth ? a | b : (int64_t)((uint64_t)a + (uint64_t)b));
  case LOCUS_BINARY_sub: return whole((int64_t)((uint64_t)a - (uint64_t)b));
  case LOCUS_BINARY_mul: return whole((int64_t)((uint64_t)a * (uint64_t)b));
  case LOCUS_BINARY_remainder: {
    const __int128 rest = (__int128)a % b;
    return whole((int64_t)(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest));
  }
  case LOCUS_BINARY_fmod: return whole((int64_t)((__int128)a % b));
  case LOCUS_BINARY_floor_divide: {
    const __int128 rest = (__int128)a % b;
    return whole((int64_t)((__int128)a / b - (rest != 0 && (rest < 0) != (b < 0))));
  }
  case LOCUS_BINARY_lshift:
  case LOCUS_BINARY_rshift: return whole(shifted(op, a, b, 8 * (int)locus_dtype_size(dtype)));
  case LOCUS_BINARY_pow: return whole(whole_power(a, b));
  case LOCUS_BINARY_minimum: return whole(a < b ? a : b);
  case LOCUS_BINARY_maximum: return whole(a > b ? a : b);
  case LOCUS_BINARY_band:
  case LOCUS_BINARY_logical_and: return whole(a & b);
  case LOCUS_BINARY_bor:
  case LOCUS_BINARY_logical_or: return whole(a | b);
  case LOCUS_BINARY_bxor:
  case LOCUS_BINARY_logical_xor: return whole(a ^ b);
  case LOCUS_BINARY_div:
  case LOCUS_BINARY_hypot:
  case LOCUS_BINARY_atan2:
  case LOCUS_BINARIES: break;
  }
  return whole(0);
}

template <class T> static T floor_remainder(T a, T b)
{
  const T rest = sizeof(T) == 4 ? (T)fmodf((float)a, (float)b) : (T)fmod(a, b);
  if (rest == 0) return b < 0 || (b == 0 && signbit(b)) ? (T)-0.0 : (T)0;
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

/* The quotient rounded down, from the rest, which is exact. */
template <class T> static T floor_quotient(T a, T b)
{
  if (b == 0) return a / b;
  const T rest = std::fmod(a, b);
  T ratio = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0)) ratio -= 1;
  if (ratio == 0) return std::copysign((T)0, a / b);
  return std::floor(ratio) + (ratio - std::floor(ratio) > (T)0.5);
}

template <class T> static number real_binary(locus_binary op, T a, T b)
{
  switch (op) {
  case LOCUS_BINARY_add: return real(a + b);
  case LOCUS_BINARY_sub: return real(a - b);
  case LOCUS_BINARY_mul: return real(a * b);
  case LOCUS_BINARY_div: return real(a / b);
  case LOCUS_BINARY_remainder: return real(floor_remainder(a, b));
  case LOCUS_BINARY_fmod: return real(std::fmod(a, b));
  case LOCUS_BINARY_floor_divide: return real(floor_quotient(a, b));
  case LOCUS_BINARY_hypot: return real(std::hypot(a, b));
  case LOCUS_BINARY_atan2: return real(std::atan2(a, b));
  case LOCUS_BINARY_pow: return real(sizeof(T) == 4 ? powf((float)a, (float)b) : pow(a, b));
  case LOCUS_BINARY_minimum: return real(isnan(a) ? a : isnan(b) ? b : a < b ? a : b);
  case LOCUS_BINARY_maximum: return real(isnan(a) ? a : isnan(b) ? b : a > b ? a : b);
  case LOCUS_BINARY_band:
  case LOCUS_BINARY_bor:
  case LOCUS_BINARY_bxor:
  case LOCUS_BINARY_lshift:
  case LOCUS_BINARY_rshift:
  case LOCUS_BINARY_logical_and:
  case LOCUS_BINARY_logical_or:
  case LOCUS_BINARY_logical_xor:
  case LOCUS_BINARIES: break;
  }
  return whole(0);
}

template <class T> static number complex_binary(locus_binary op, const number &a, const number &b)
{
  const T ar = (T)a.re, ai = (T)a.im, br = (T)b.re, bi = (T)b.im;
  if (op == LOCUS_BINARY_add) return number{LOCUS_COMPLEX, 0, (T)(ar + br), (T)(ai + bi)};
  if (op == LOCUS_BINARY_sub) return number{LOCUS_COMPLEX, 0, (T)(ar - br), (T)(ai - bi)};
  const T re = (T)(ar * br), ii = (T)(ai * bi), ri = (T)(ar * bi), ir = (T)(ai * br);
  return number{LOCUS_COMPLEX, 0, (T)(re - ii), (T)(ri + ir)};
}

static number binary_of(locus_binary op, const number &a, const number &b, locus_dtype dtype)
{
  if (kind_of(dtype) <= LOCUS_INTEGER) return whole_binary(op, a.i, b.i, dtype);
  if (dtype == LOCUS_c64) return complex_binary<float>(op, a, b);
  if (dtype == LOCUS_c128) return complex_binary<double>(op, a, b);
  if (dtype == LOCUS_f64) return real_binary<double>(op, a.re, b.re);
  return real_binary<float>(op, (float)a.re, (float)b.re);
}

static bool divides(locus_binary op)
{
  return op == LOCUS_BINARY_remainder || op == LOCUS_BINARY_fmod || op == LOCUS_BINARY_floor_divide;
}

static void binary_case(locus_binary op, locus_dtype dtype, const locus_grid &grid, int how)
{
  const locus_dtype lower = kind_of(dtype) > LOCUS_INTEGER ? LOCUS_i32 : LOCUS_b8;
  const locus_dtype other = how < LAYOUTS ? dtype : lower;
  locus_context cx = context();
  tensor a(other, grid, (layout)(how % LAYOUTS)), b(dtype, grid, (layout)(how / 2 % LAYOUTS));
  tensor out(dtype, grid, (layout)(how % ONE));
  const bool is_whole = kind_of(dtype) == LOCUS_INTEGER;

  for (int64_t i = 0; i < grid.numel; i++) {
    if (is_whole && divides(op) && b.value(i).i == 0) b.set(i, whole(3));
    if (is_whole && op == LOCUS_BINARY_pow) b.set(i, whole(random_below(70)));
  }
  const locus_binary_job job = {op, dtype, grid, out.sent(), a.sent(), b.sent()};
  expect(locus_cuda_binary(&job, &cx) == 0, "binary");
  std::vector<unsigned char> wanted = out.bytes;
  for (int64_t i = 0; i < grid.numel; i++) {
    const number answer = binary_of(op, as(dtype, a.value(i)), as(dtype, b.value(i)), dtype);
    put(dtype, &wanted[(size_t)out.place(i)], as(dtype, answer));
  }
  out.compare(wanted, "binary");
}

static void test_binary()
{
  for (int op = 0; op < LOCUS_BINARIES; op++) {
    for (int d = 0; d < LOCUS_DTYPES; d++) {
      if (!has(binary_cells, op, kind_of(dtype_at(d)))) continue;
      for (int how = 0; how < 2 * LAYOUTS; how++)
        for (const locus_grid &grid : grids) binary_case((locus_binary)op, dtype_at(d), grid, how);
    }
  }
}

int main()
{
  test_unary();
  test_binary();
  return finish("elementwise");
}
