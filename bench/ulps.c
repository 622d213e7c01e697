/* SPDX-License-Identifier: MIT */
/* How far libm's functions lie from the exact ones, in units in the last place of the right answer:
** the columns of libm in docs/ops.md. It prints the greatest error of each function, and where. The
** right answer is libquadmath's, of 113 bits.
**
** cc -O2 bench/ulps.c -o build-bench/ulps -lquadmath -lm
** build-bench/ulps [arguments of each function (default: 1e6)] [first letters of a name]
**
** Half of the arguments have any exponent, of subnormal and huge numbers too, and either sign; the
** others are small numbers, or lie near the places where functions change or are 0. */
#include <float.h>
#include <math.h>
#include <quadmath.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __float128 quad;

static uint64_t state = 1;

static uint64_t draw(void)
{
  state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = (state ^ state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* From -1 to 1. */
static double share(void)
{
  return (double)(int64_t)draw() * 0x1p-63;
}

static double argument(int digits, int least, int most)
{
  static const double places[] = {0,   .5,  1,   -1,   2,    10,   22,   88,   -87,   -103,
                                  127, 709, 710, -708, -745, 1023, -149, -126, -1022, -1074};
  const uint64_t kind = draw() % 8;

  if (kind < 4)
    return ldexp(1 + fabs(share()), least + (int)(draw() % (uint64_t)(most - least))) *
           (draw() & 1 ? 1 : -1);
  if (kind == 4) return 10 * share();
  if (kind == 5) return 100 * share();
  const double near = ldexp(share(), -(int)(draw() % (uint64_t)(digits + 1)));
  if (kind == 6) return M_PI_4 * (double)((int)(draw() % 400) - 200) * (1 + near);
  return places[draw() % (sizeof places / sizeof places[0])] + near;
}

/* The error of `got`; 0 where the right answer is not a number or would round to infinity. */
static double ulps(double got, quad right, int digits, int least, int most)
{
  int exponent;

  if (isnanq(right) || fabsq(right) >= ldexpq(1 - ldexpq(1, -digits - 1), most)) return 0;
  if (!isfinite(got)) return INFINITY;
  frexpq(right, &exponent);
  exponent -= digits;
  if (exponent < least || right == 0) exponent = least;
  return (double)ldexpq(fabsq(got - right), -exponent);
}

typedef struct function {
  const char *name;
  double (*wide)(double);
  float (*narrow)(float);
  quad (*right)(quad);
} function;

typedef struct function_of_two {
  const char *name;
  double (*wide)(double, double);
  float (*narrow)(float, float);
  quad (*right)(quad, quad);
} function_of_two;

static double reciprocal(double x)
{
  return 1 / x;
}

static float reciprocalf(float x)
{
  return 1 / x;
}

static quad reciprocalq(quad x)
{
  return 1 / x;
}

/* The rows of unary.def that are computed as floats. */
#define ROW(name)                 \
  {                               \
#name, name, name##f, name##q \
  }
#define BOOL(name, expression)
#define INTEGER(name, expression)
#define FLOAT(name, expression)
#define COMPLEX(name, expression)
#define SAME(name)
#define PREDICATE(name)
#define TRUTH(name)
#define FLOATING(name) ROW(name),
#define UNARY(name, computed) computed(name)
static const function functions[] = {
#include "../src/core/unary.def"
};
static const function_of_two functions_of_two[] = {ROW(atan2), ROW(hypot), ROW(pow)};

typedef struct worst {
  double off, a, b;
} worst;

static void heed(worst *w, double off, double a, double b)
{
  if (off > w->off) *w = (worst){off, a, b};
}

static void say(const char *name, worst narrow, worst wide)
{
  printf("%-6s float32 %.3f at %a %a, float64 %.3f at %a %a\n", name, narrow.off, narrow.a,
         narrow.b, wide.off, wide.a, wide.b);
  fflush(stdout);
}

static void measure(const function *f, int64_t count)
{
  worst narrow = {0}, wide = {0};

  for (int64_t i = 0; i < count; i++) {
    const float a = (float)argument(24, -149, 128);
    const double b = argument(53, -1074, 1024);
    heed(&narrow, ulps(f->narrow(a), f->right(a), 24, -149, 128), a, 0);
    heed(&wide, ulps(f->wide(b), f->right(b), 53, -1074, 1024), b, 0);
  }
  say(f->name, narrow, wide);
}

/* A power of a, mostly a finite one. */
static double exponent_for(double a, int most)
{
  const double size = fabs(log2(fabs(a)));
  return size > 0 && size < INFINITY ? share() * most / size : share();
}

static void measure_of_two(const function_of_two *f, int64_t count)
{
  const int is_power = strcmp(f->name, "pow") == 0;
  worst narrow = {0}, wide = {0};

  for (int64_t i = 0; i < count; i++) {
    float a = (float)argument(24, -149, 128), b = (float)argument(24, -149, 128);
    double c = argument(53, -1074, 1024), d = argument(53, -1074, 1024);
    if (is_power) {
      a = fabsf(a), c = fabs(c);
      b = (float)exponent_for(a, 150), d = exponent_for(c, 1074);
    } else if (i % 2) { /* of about one size */
      b = a * (float)(1 + share()), d = c * (1 + share());
    }
    heed(&narrow, ulps(f->narrow(a, b), f->right(a, b), 24, -149, 128), a, b);
    heed(&wide, ulps(f->wide(c, d), f->right(c, d), 53, -1074, 1024), c, d);
  }
  say(f->name, narrow, wide);
}

int main(int argc, char **argv)
{
  const int64_t count = (int64_t)(argc > 1 ? atof(argv[1]) : 1e6);
  const char *begin = argc > 2 ? argv[2] : "";

  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
    if (strncmp(functions[i].name, begin, strlen(begin)) == 0) measure(&functions[i], count);
  for (size_t i = 0; i < sizeof functions_of_two / sizeof functions_of_two[0]; i++)
    if (strncmp(functions_of_two[i].name, begin, strlen(begin)) == 0)
      measure_of_two(&functions_of_two[i], count);
  return 0;
}
