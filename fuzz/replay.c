/* SPDX-License-Identifier: MIT */
/* A main for compilers without libFuzzer: runs a target on each of the files that are named. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

static void replay(const char *path)
{
  enum { MOST = 1 << 20 };
  FILE *file = fopen(path, "rb");
  uint8_t *data = malloc(MOST);

  if (!file || !data) {
    perror(path);
    exit(2);
  }
  const size_t size = fread(data, 1, MOST, file);
  fclose(file);
  fprintf(stderr, "%s\n", path); /* the last one named is the one to blame */
  LLVMFuzzerTestOneInput(data, size);
  free(data);
}

int main(int argc, char **argv)
{
  for (int i = 1; i < argc; i++) replay(argv[i]);
  printf("%d inputs replayed\n", argc - 1);
  return 0;
}
