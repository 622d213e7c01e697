/* SPDX-License-Identifier: MIT */
/* The keys of the hash, from the system's random bytes. */
#include "text/names/hash.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

static text_hash_keys drawn;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool from_file(void *bytes, size_t size)
{
  FILE *file = fopen("/dev/urandom", "rb");

  if (!file) return false;
  const bool whole = fread(bytes, 1, size, file) == size;
  fclose(file);
  return whole;
}

static bool from_system(void *bytes, size_t size)
{
#if defined(SYS_getrandom)
  enum { NO_WAIT = 1 }; /* GRND_NONBLOCK: soon after boot there may be none */
  if (syscall(SYS_getrandom, bytes, size, NO_WAIT) == (long)size) return true;
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)
  arc4random_buf(bytes, size);
  return true;
#endif
  return from_file(bytes, size);
}

/* If a sandbox has no random bytes, the keys come from values that are hard to guess: the time, and
** the addresses of code and stack. */
static void from_process(text_hash_keys *keys)
{
  struct timespec now;
  uint64_t sum = (uintptr_t)&from_process ^ (uint64_t)getpid() << 32;

  clock_gettime(CLOCK_REALTIME, &now);
  for (int i = 0; i < LOCUS_HASH_KEYS; i++) {
    sum = locus_hash_fold(sum ^ (uint64_t)now.tv_nsec ^ 0x9E3779B97F4A7C15u,
                          (uint64_t)now.tv_sec ^ (uintptr_t)&now ^ 0xD1B54A32D192ED03u) +
          sum + 1;
    keys->key[i] = sum;
  }
}

text_hash_keys locus_hash_new_keys(void)
{
  text_hash_keys keys;

  if (!from_system(&keys, sizeof keys)) from_process(&keys);
  keys.key[LOCUS_HASH_KEYS - 1] |= 1; /* lengths are multiplied by it: none may vanish */
  return keys;
}

static void draw(void)
{
  drawn = locus_hash_new_keys();
}

text_hash_keys locus_hash_keys(void)
{
  pthread_once(&once, draw);
  return drawn;
}
