/* SPDX-License-Identifier: MIT */
/* The similarity of two names. */
#include "bind/ground/spelling.h"

#include <string.h>

/* Levenshtein's distance, for names shorter than 32 characters. */
int locus_spelling_distance(const char *a, const char *b)
{
  int row[32], n = (int)strlen(b);

  if (n > 31 || strlen(a) > 31) return 100;
  for (int j = 0; j <= n; j++) row[j] = j;
  for (int i = 1; *a; a++, i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int change = diagonal + (*a != b[j - 1]);
      int skip = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      diagonal = row[j];
      row[j] = change < skip ? change : skip;
    }
  }
  return row[n];
}
