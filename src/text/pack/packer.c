/* SPDX-License-Identifier: MIT */
/* gzip by zlib, and frames of zstd with a checksum by libzstd. */
#include "text/pack/packer.h"

#include <string.h>

#include "core/memory.h"
#include "text/pack/library.h"
#include "text/pack/zlib.h"
#include "text/pack/zstd.h"

typedef struct packing {
  const char *form;
  int usual, most; /* levels */
  int64_t bytes;   /* of the state */
  const pack_library *library;
  pack_status (*begin)(pack_stream *stream, int level);
  pack_status (*step)(pack_stream *stream, pack_bytes *bytes, bool last);
  void (*end)(pack_stream *stream);
} packing;

/* -- gzip -------------------------------------------------------------------------------------- */

enum { DEFLATE_INIT, DEFLATE, DEFLATE_END };
typedef int init_function(z_stream *stream, int level, int method, int window, int memory,
                          int strategy, const char *version, int size);
typedef int deflate_function(z_stream *stream, int flush);
typedef int stream_function(z_stream *stream);

static const pack_library zlib = {
    .name = "zlib (libz.so.1)",
    .package = "zlib1g",
    .command = "to io.popen(\"gzip > FILE\", \"w\")",
    .files = {"libz.so.1", "libz.so", "libz.1.dylib"},
    .functions = {"deflateInit2_", "deflate", "deflateEnd"},
};

static pack_status begin_gzip(pack_stream *stream, int level)
{
  enum { DEFLATED = 8, GZIP_WINDOW = 15 + 16, MEMORY = 8 };
  const int status = ((init_function *)stream->function[DEFLATE_INIT])(
      stream->state, level, DEFLATED, GZIP_WINDOW, MEMORY, 0, "1", (int)sizeof(z_stream));

  return status == Z_OK ? PACK_GOING : PACK_NO_MEMORY;
}

static pack_status step_gzip(pack_stream *stream, pack_bytes *bytes, bool last)
{
  enum { NO_FLUSH = 0, FINISH = 4 };
  z_stream *z = stream->state;

  const z_counts counts = locus_z_take(z, bytes);
  const int status = ((deflate_function *)stream->function[DEFLATE])(z, last ? FINISH : NO_FLUSH);
  locus_z_give(z, counts, bytes);
  if (status == Z_STREAM_END) return PACK_ENDED;
  return status == Z_OK || status == Z_BUF_ERROR ? PACK_GOING : PACK_DAMAGED;
}

static void end_gzip(pack_stream *stream)
{
  ((stream_function *)stream->function[DEFLATE_END])(stream->state);
}

/* -- zstd -------------------------------------------------------------------------------------- */

enum { CREATE, SET, COMPRESS, IS_ERROR, FREE };
typedef void *create_function(void);
typedef size_t set_function(void *context, int parameter, int value);
typedef size_t compress_function(void *context, zstd_output *out, zstd_input *in, int end);
typedef unsigned is_error_function(size_t code);
typedef size_t free_function(void *context);

static const pack_library libzstd = {
    .name = "libzstd (libzstd.so.1)",
    .package = "libzstd1",
    .command = "to io.popen(\"zstd > FILE\", \"w\")",
    .files = {"libzstd.so.1", "libzstd.so", "libzstd.1.dylib"},
    .functions = {"ZSTD_createCCtx", "ZSTD_CCtx_setParameter", "ZSTD_compressStream2",
                  "ZSTD_isError", "ZSTD_freeCCtx"},
};

static void end_zstd(pack_stream *stream)
{
  const zstd_state *state = stream->state;
  ((free_function *)stream->function[FREE])(state->stream);
}

static pack_status begin_zstd(pack_stream *stream, int level)
{
  enum { LEVEL = 100, CHECKSUM = 201 };
  zstd_state *state = stream->state;
  set_function *const set = (set_function *)stream->function[SET];

  state->stream = ((create_function *)stream->function[CREATE])();
  if (!state->stream) return PACK_NO_MEMORY;
  set(state->stream, LEVEL, level);
  set(state->stream, CHECKSUM, 1);
  return PACK_GOING;
}

static pack_status step_zstd(pack_stream *stream, pack_bytes *bytes, bool last)
{
  enum { CONTINUE = 0, END = 2 };
  const zstd_state *state = stream->state;
  zstd_input in = {bytes->in, bytes->left, 0};
  zstd_output out = {bytes->out, bytes->room, 0};

  const size_t more = ((compress_function *)stream->function[COMPRESS])(state->stream, &out, &in,
                                                                        last ? END : CONTINUE);
  bytes->in += in.pos;
  bytes->left -= in.pos;
  bytes->out += out.pos;
  bytes->room -= out.pos;
  if (((is_error_function *)stream->function[IS_ERROR])(more)) return PACK_NO_MEMORY;
  return last && more == 0 ? PACK_ENDED : PACK_GOING;
}

/* -- Both -------------------------------------------------------------------------------------- */

static const packing packings[] = {
    {"gzip", 6, 9, sizeof(z_stream), &zlib, begin_gzip, step_gzip, end_gzip},
    {"zstd", 3, 19, sizeof(zstd_state), &libzstd, begin_zstd, step_zstd, end_zstd},
};

static const packing *find(const char *form)
{
  for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
    if (strcmp(packings[i].form, form) == 0) return &packings[i];
  return NULL;
}

bool locus_packing_find(const char *form, int *most)
{
  const packing *found = find(form);

  if (found) *most = found->most;
  return found != NULL;
}

int locus_packer_begin(text_packer *packer, const char *form, int level, locus_context *cx)
{
  const packing *p = find(form);
  text_packer made = {.packing = p};
  char what[48] = "compression by ";

  strcat(what, form);
  strcat(what, " is wanted");
  LOCUS_TRY(locus_library_find(p->library, what, made.stream.function, cx));
  made.stream.state = locus_memory_alloc(p->bytes);
  if (!made.stream.state) return locus_fail_memory(cx, p->bytes);
  memset(made.stream.state, 0, (size_t)p->bytes);
  if (p->begin(&made.stream, level ? level : p->usual) == PACK_GOING) {
    *packer = made;
    return 0;
  }
  locus_memory_free(made.stream.state, p->bytes);
  return locus_fail_memory(cx, 1 << 18);
}

void locus_packer_end(text_packer *packer)
{
  if (!packer->packing) return;
  packer->packing->end(&packer->stream);
  locus_memory_free(packer->stream.state, packer->packing->bytes);
  packer->packing = NULL;
}

int locus_pack(text_packer *packer, pack_bytes *bytes, bool last, pack_status *status,
               locus_context *cx)
{
  *status = packer->packing->step(&packer->stream, bytes, last);
  if (*status == PACK_GOING || *status == PACK_ENDED) return 0;
  return locus_fail_memory(cx, 1 << 18);
}
