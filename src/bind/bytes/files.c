/* SPDX-License-Identifier: MIT */
/* The bytes of tensors in files, and as strings: lua/locus/files knows their form. */
#ifdef __linux__
#define _GNU_SOURCE /* fallocate */
#endif
#include <errno.h>
#include <fcntl.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bind/bind.h"
#include "core/system/mapping.h"
#include "core/system/read_file.h"

enum { PIECE = 1 << 24 }; /* bytes between looks at Ctrl-C */

#define FILE_PARAMS(P) P(file, LOCUS_REQUIRED, any) P(tensor, LOCUS_REQUIRED, any)
LOCUS_FILE_PLACES(FILE_PARAMS);
static const locus_param file_params[] = {FILE_PARAMS(LOCUS_PARAM){0}};

typedef size_t transfer(char *bytes, size_t count, FILE *file, locus_context *cx);

static size_t to_file(char *bytes, size_t count, FILE *file, locus_context *cx)
{
  (void)cx;
  return fwrite(bytes, 1, count, file);
}

/* Reserves room on the disk for the bytes to come: if the file system allocates it late, closing a
** truncated file waits for the disk. A failure is ignored, since the write reports it. False if
** buffered bytes of the file cannot be written. */
static bool reserve(FILE *file, size_t bytes)
{
#ifdef FALLOC_FL_KEEP_SIZE
  if (bytes < PIECE) return true;
  if (fflush(file)) return false;
  const off_t place = ftello(file);
  if (place >= 0) fallocate(fileno(file), FALLOC_FL_KEEP_SIZE, place, (off_t)bytes);
#else
  (void)file, (void)bytes;
#endif
  return true;
}

/* Reads or writes all bytes of a tensor in C order on the CPU, straight from or to its memory.
** Gives their number, and the system's reason if they are too few because of an error. */
static int transfer_all(lua_State *L, const char *function, transfer *one)
{
  locus_call call;
  size_t done = 0;

  locus_call_begin_plain(&call, L, function, file_params, 2);
  FILE *file = *(FILE **)luaL_checkudata(L, AT_file + 1, LUA_FILEHANDLE);
  const locus_tensor *tensor = locus_arg_tensor(&call, AT_tensor);
  const size_t bytes = (size_t)(tensor->numel * locus_dtype_size(tensor->dtype));
  errno = 0;
  const bool ready = one != to_file || reserve(file, bytes);
  while (ready && done < bytes) {
    const size_t piece = bytes - done < PIECE ? bytes - done : PIECE;
    const size_t count = one(tensor->data + done, piece, file, &call.cx);
    done += count;
    if (count < piece) break;
    locus_call_poll(&call);
  }
  const int reason = errno;
  lua_pushnumber(L, (lua_Number)done);
  if (done == bytes || !ferror(file)) return 1;
  lua_pushstring(L, strerror(reason));
  return 2;
}

static int read_bytes(lua_State *L)
{
  return transfer_all(L, "load", locus_read_file);
}

static int write_bytes(lua_State *L)
{
  return transfer_all(L, "save", to_file);
}

/* flush_file(file, sync): writes out the file's buffer, and waits for the disk if asked to. Returns
** the reason of a failure, or nil. In compiled code LuaJIT's own file:flush() flushes again after a
** failure, and the second flush succeeds. */
static int flush_file(lua_State *L)
{
  FILE *file = *(FILE **)luaL_checkudata(L, 1, LUA_FILEHANDLE);

  if (!file) return luaL_error(L, "attempt to use a closed file");
  errno = 0;
  if (fflush(file) == 0 && (!lua_toboolean(L, 2) || fsync(fileno(file)) == 0)) return 0;
  lua_pushstring(L, errno ? strerror(errno) : "the file takes no more");
  return 1;
}

/* cut_file(file, length): its first bytes alone. A failure leaves it longer. */
static int cut_file(lua_State *L)
{
  FILE *file = *(FILE **)luaL_checkudata(L, 1, LUA_FILEHANDLE);

  if (!file) return luaL_error(L, "attempt to use a closed file");
  lua_pushboolean(L, ftruncate(fileno(file), (off_t)luaL_checknumber(L, 2)) == 0);
  return 1;
}

/* make_folder(path): nil, and the system's reason, if it fails. */
static int make_folder(lua_State *L)
{
  const char *path = luaL_checkstring(L, 1);

  lua_pushboolean(L, true);
  if (mkdir(path, 0777) == 0) return 1;
  lua_pushnil(L);
  lua_pushstring(L, strerror(errno));
  return 2;
}

/* is_folder(path): whether a folder is there, and else the kind of file that is, or nil for
** nothing. */
static int is_folder(lua_State *L)
{
  const char *path = luaL_checkstring(L, 1);
  struct stat status;
  const bool found = stat(path, &status) == 0;

  lua_pushboolean(L, found && S_ISDIR(status.st_mode));
  if (found) lua_pushstring(L, S_ISREG(status.st_mode) ? "a file" : "no folder");
  else if (lstat(path, &status) == 0) lua_pushliteral(L, "a symbolic link to nothing");
  else lua_pushnil(L);
  return 2;
}

/* swap_bytes(tensor): turns the bytes of every number around, of both parts of a complex one. */
#define SWAP_BYTES_PARAMS(P) P(tensor, LOCUS_REQUIRED, Tensor)
static int swap_bytes(lua_State *L)
{
  LOCUS_PARAMS(SWAP_BYTES_PARAMS, any);
  locus_call call;

  locus_call_begin_plain(&call, L, "load", params, 1);
  const locus_tensor *tensor = locus_arg_tensor(&call, ARG_tensor);
  const bool complex = locus_dtype_kind(tensor->dtype) == LOCUS_COMPLEX;
  const int64_t bytes = tensor->numel * locus_dtype_size(tensor->dtype);
  const int64_t size = locus_dtype_size(tensor->dtype) / (complex ? 2 : 1);
  for (char *at = tensor->data; at < tensor->data + bytes; at += size) {
    for (int64_t i = 0; i < size / 2; i++) {
      const char byte = at[i];
      at[i] = at[size - 1 - i];
      at[size - 1 - i] = byte;
    }
  }
  return 0;
}

/* bytes_of(tensor): those of a tensor in C order on the CPU, as a string. */
#define BYTES_OF_PARAMS(P) P(tensor, LOCUS_REQUIRED, Tensor)
static int bytes_of(lua_State *L)
{
  LOCUS_PARAMS(BYTES_OF_PARAMS, any);
  locus_call call;

  locus_call_begin_plain(&call, L, "tobytes", params, 1);
  const locus_tensor *tensor = locus_arg_tensor(&call, ARG_tensor);
  lua_pushlstring(L, tensor->data, (size_t)(tensor->numel * locus_dtype_size(tensor->dtype)));
  return 1;
}

/* Elements of a file that begin at `offset`. The kernels move them in words of up to 8 bytes. */
static int map_elements(locus_tensor *out, FILE *file, const char *path, locus_dtype dtype,
                        const locus_shape *shape, int64_t offset, bool writable, locus_context *cx)
{
  const int64_t item = locus_dtype_size(dtype), aligned = item < 8 ? item : 8;
  locus_loan loan;
  int64_t numel;

  LOCUS_TRY(locus_shape_numel(shape, dtype, &numel, cx));
  if (offset % aligned != 0) {
    return locus_fail(cx,
                      "'%s' has elements that begin at byte %lld; to be mapped, they must begin "
                      "at a multiple of %lld for dtype %s",
                      path, (long long)offset, (long long)aligned, locus_dtype_name(dtype));
  }
  LOCUS_TRY(locus_mapping_begin(fileno(file), path, offset, numel * item, writable, &loan, cx));
  const int status = locus_tensor_wrap(out, dtype, shape, &loan, cx);
  if (status) loan.lender->end(loan.lender);
  return status;
}

/* map_file(handle, path, dtype, sizes, offset, writable): a tensor in C order on the bytes of an
** open file, which are read when they are touched. */
/* clang-format off */
#define MAP_FILE_PARAMS(P)                                                                  \
  P(handle, LOCUS_REQUIRED, any) P(path, LOCUS_REQUIRED, any) P(dtype, LOCUS_REQUIRED, any) \
  P(sizes, LOCUS_REQUIRED, any) P(offset, LOCUS_REQUIRED, any) P(writable, LOCUS_REQUIRED, any)
/* clang-format on */
static int map_file(lua_State *L)
{
  LOCUS_PARAMS(MAP_FILE_PARAMS, any);
  locus_call call;
  locus_shape shape;
  int status;

  locus_call_begin_plain(&call, L, "load", params, 6);
  FILE *file = *(FILE **)luaL_checkudata(L, ARG_handle + 1, LUA_FILEHANDLE);
  if (!file) return luaL_error(L, "attempt to use a closed file");
  const char *path = locus_arg_string(&call, ARG_path, NULL);
  const locus_dtype dtype = locus_arg_dtype(&call, ARG_dtype, LOCUS_DTYPES);
  locus_arg_shape(&call, ARG_sizes, &shape, false);
  const int64_t offset = locus_arg_int(&call, ARG_offset, 0);
  const bool writable = locus_arg_bool(&call, ARG_writable, false);
  locus_tensor *out = locus_push_tensor(L);
  do status = map_elements(out, file, path, dtype, &shape, offset, writable, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* read_scattered(tensor): tells the system that the file behind its elements, if there is one, will
** be read a page here and there. */
#define READ_SCATTERED_PARAMS(P) P(tensor, LOCUS_REQUIRED, Tensor)
static int read_scattered(lua_State *L)
{
  LOCUS_PARAMS(READ_SCATTERED_PARAMS, any);
  locus_call call;

  locus_call_begin_plain(&call, L, "search_index", params, 1);
  locus_mapping_scattered(locus_arg_tensor(&call, ARG_tensor)->storage);
  return 0;
}

/* bytes_to(tensor, n): the bytes from its first element to the next multiple of n. */
#define BYTES_TO_PARAMS(P) P(tensor, LOCUS_REQUIRED, Tensor) P(n, LOCUS_REQUIRED, integer)
static int bytes_to(lua_State *L)
{
  LOCUS_PARAMS(BYTES_TO_PARAMS, any);
  locus_call call;

  locus_call_begin_plain(&call, L, "bytes_to", params, 2);
  const locus_tensor *tensor = locus_arg_tensor(&call, ARG_tensor);
  const uintptr_t n = (uintptr_t)locus_arg_int(&call, ARG_n, 0);
  lua_pushinteger(L, (lua_Integer)(-(uintptr_t)tensor->data % n));
  return 1;
}

const locus_entry locus_bind_files[] = {
    {"read_bytes", read_bytes, LOCUS_INTERNAL},
    {"write_bytes", write_bytes, LOCUS_INTERNAL},
    {"flush_file", flush_file, LOCUS_INTERNAL},
    {"cut_file", cut_file, LOCUS_INTERNAL},
    {"make_folder", make_folder, LOCUS_INTERNAL},
    {"is_folder", is_folder, LOCUS_INTERNAL},
    {"swap_bytes", swap_bytes, LOCUS_INTERNAL},
    {"bytes_of", bytes_of, LOCUS_INTERNAL},
    {"map_file", map_file, LOCUS_INTERNAL},
    {"read_scattered", read_scattered, LOCUS_INTERNAL},
    {"bytes_to", bytes_to, LOCUS_INTERNAL},
    {0},
};
