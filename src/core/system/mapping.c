/* SPDX-License-Identifier: MIT */
/* Mappings of files. One begins at the page in which its first byte lies. */
#include "core/system/mapping.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"

typedef struct mapping {
  locus_lender lender; /* first: that address is known elsewhere */
  void *start;         /* NULL: no byte is needed */
  size_t length;
} mapping;

static void end(locus_lender *lender)
{
  mapping *m = (mapping *)lender;

  if (m->start) munmap(m->start, m->length);
  locus_memory_free(m, sizeof *m);
}

void locus_mapping_scattered(const locus_storage *storage)
{
  const mapping *m = (const mapping *)storage->lender;

  if (m && m->lender.end == end && m->start) madvise(m->start, m->length, MADV_RANDOM);
}

static int fail(const char *path, const char *what, locus_context *cx)
{
  return locus_fail(cx, "'%s' cannot be %s: %s", path, what, strerror(errno));
}

static int check_length(int file, const char *path, int64_t offset, int64_t bytes,
                        locus_context *cx)
{
  struct stat status;

  if (fstat(file, &status)) return fail(path, "mapped", cx);
  if (!S_ISREG(status.st_mode))
    return locus_fail(cx, "'%s' cannot be mapped: it is no regular file", path);
  const int64_t there = status.st_size > offset ? status.st_size - offset : 0;
  if (bytes <= there) return 0;
  return locus_fail(cx, "'%s' is cut off: it has %lld of %lld bytes of elements", path,
                    (long long)there, (long long)bytes);
}

static int map(mapping *m, int file, const char *path, int64_t offset, int64_t bytes, bool writable,
               locus_loan *loan, locus_context *cx)
{
  const int64_t before = offset % sysconf(_SC_PAGESIZE);
  const int access = writable ? PROT_READ | PROT_WRITE : PROT_READ;

  LOCUS_TRY(check_length(file, path, offset, bytes, cx));
  if (bytes > 0) {
    m->length = (size_t)(bytes + before);
    void *start = mmap(NULL, m->length, access, MAP_SHARED, file, (off_t)(offset - before));
    if (start == MAP_FAILED) return fail(path, "mapped", cx);
    m->start = start;
    loan->data = (char *)start + before;
  }
  return 0;
}

int locus_mapping_begin(int file, const char *path, int64_t offset, int64_t bytes, bool writable,
                        locus_loan *loan, locus_context *cx)
{
  mapping *m = locus_memory_alloc(sizeof *m);

  if (!m) return locus_fail_memory(cx, sizeof *m);
  *m = (mapping){.lender.end = end};
  *loan = (locus_loan){.device = LOCUS_CPU, .readonly = !writable, .lender = &m->lender};
  const int status = map(m, file, path, offset, bytes, writable, loan, cx);
  if (status) end(&m->lender);
  return status;
}
