/* SPDX-License-Identifier: MIT */
/* Keys are numbers in the order of first appearance if each is at most one more than the greatest
** in front of it, and at least 1. So no table is needed, only the greatest key in front of each
** block:
**
**   keys       | 1 2 1 3 2 | 4 1 1 5 2 | 3 2 1 1 5 |
**   greatest     3           5           5             of each block, by all threads
**   in front     0           3           5             by one
**
** Then all threads check the blocks, copy them, and write down the row of each new key. Most
** columns that are no such numbers show it in their first block. */
#include "text/names/key_numbered.h"

#include "core/memory.h"
#include "core/once.h"
#include "core/parallel.h"

enum { BLOCK = 1 << 12, BLOCK_IN_TESTS = 1 << 4, GRAIN = 8 };

typedef struct key_check {
  const int32_t *keys;
  int32_t *ids;
  int64_t *firsts;
  int64_t count, block;
  uint32_t *front; /* the greatest key of each block; later the greatest in front of it */
  bool *strays;
} key_check;

static int64_t block_end(const key_check *check, int64_t b)
{
  const int64_t end = (b + 1) * check->block;
  return end < check->count ? end : check->count;
}

/* A key below 1 counts as the greatest of all. */
static int greatest_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const key_check *check = job;

  for (int64_t b = begin; b < end; b++) {
    uint32_t greatest = 0;
    for (int64_t i = b * check->block; i < block_end(check, b); i++) {
      const uint32_t key = (uint32_t)check->keys[i] - 1;
      greatest = key > greatest ? key : greatest;
    }
    check->front[b] = greatest + (greatest < UINT32_MAX);
  }
  return locus_poll(cx);
}

/* Whether the keys of a block may stand there; each is read once, since others may write to it. */
static bool copy_block(const key_check *check, int64_t b, uint32_t known)
{
  const uint32_t most = check->firsts ? check->front[b + 1] : UINT32_MAX;
  bool strays = false;

  for (int64_t i = b * check->block; i < block_end(check, b); i++) {
    const uint32_t key = (uint32_t)LOCUS_ONCE(check->keys[i]) - 1;
    check->ids[i] = (int32_t)(key + 1);
    strays |= key > known;
    if (key != known) continue;
    if (known == most) return false; /* it has been written since */
    if (check->firsts) check->firsts[known] = i + 1;
    known++;
  }
  return !strays && (!check->firsts || known == most);
}

static int copy_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const key_check *check = job;

  for (int64_t b = begin; b < end; b++) {
    if (copy_block(check, b, check->front[b])) continue;
    __atomic_store_n(check->strays, true, __ATOMIC_RELAXED);
    return 0;
  }
  return locus_poll(cx);
}

static int check_blocks(key_check *check, int64_t blocks, locus_tensor *firsts, locus_context *cx)
{
  uint32_t known = 0;

  LOCUS_TRY(locus_parallel(greatest_part, check, blocks, GRAIN, cx));
  for (int64_t b = 0; b < blocks; b++) {
    const uint32_t greatest = check->front[b];
    check->front[b] = known;
    known = greatest > known ? greatest : known;
  }
  check->front[blocks] = known;
  *check->strays = known > check->count || known > INT32_MAX;
  if (*check->strays) return 0;
  LOCUS_TRY(locus_tensor_resize(firsts, known, cx));
  check->firsts = (int64_t *)firsts->data;
  return locus_parallel(copy_part, check, blocks, GRAIN, cx);
}

int locus_keys_are_numbered(const int32_t *keys, int64_t count, int32_t *ids, locus_tensor *firsts,
                            bool *numbered, locus_context *cx)
{
  bool strays = false;
  key_check check = {.keys = keys, .ids = ids, .count = count, .strays = &strays};

  check.block = locus_small_pieces() ? BLOCK_IN_TESTS : BLOCK;
  *numbered = false;
  if (count == 0 || !copy_block(&check, 0, 0)) return 0;
  const int64_t blocks = (count - 1) / check.block + 1;
  const int64_t bytes = (blocks + 1) * (int64_t)sizeof *check.front;
  check.front = locus_memory_alloc(bytes);
  if (!check.front) return locus_fail_memory(cx, bytes);
  const int status = check_blocks(&check, blocks, firsts, cx);
  locus_memory_free(check.front, bytes);
  *numbered = status == 0 && !strays;
  return status;
}
