/* SPDX-License-Identifier: MIT */
/* Folders that are opened once, and the files in them; locks. lua/locus/files/folder.lua explains
** their purpose. */
#include "bind/bytes/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bind/bind.h"
#include "text/names/hash.h"

#define FOLDER "locus.folder"

static int close_folder(lua_State *L)
{
  int *folder = luaL_checkudata(L, 1, FOLDER);

  if (*folder >= 0) close(*folder);
  *folder = -1;
  return 0;
}

int locus_check_folder(lua_State *L, int index)
{
  const int *folder = luaL_checkudata(L, index, FOLDER);

  if (*folder < 0) luaL_error(L, "attempt to use a closed folder");
  return *folder;
}

int locus_give_descriptor(int file, FILE *handle)
{
  if (dup2(file, fileno(handle)) < 0) return -1;
  return fcntl(fileno(handle), F_SETFD, FD_CLOEXEC);
}

static int fail(lua_State *L)
{
  const int reason = errno;

  lua_pushnil(L);
  lua_pushstring(L, strerror(reason));
  lua_pushboolean(L, reason == ENOENT);
  return 3;
}

static int answer(lua_State *L, int status)
{
  if (status < 0) return fail(L);
  lua_pushboolean(L, true);
  return 1;
}

/* If it fails, each function gives nil, the system's reason, and whether nothing is there. */

/* open_folder(path) */
static int open_folder(lua_State *L)
{
  const char *path = luaL_checkstring(L, 1);
  int *folder = lua_newuserdata(L, sizeof *folder);

  *folder = -1;
  if (luaL_newmetatable(L, FOLDER)) {
    lua_pushcfunction(L, close_folder);
    lua_setfield(L, -2, "__gc");
    lua_pushliteral(L, "folder");
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
  *folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return *folder < 0 ? fail(L) : 1;
}

/* open_in(folder, name, handle, mode): makes the handle of an open file that of the named one: "r",
** "r+", or "a", which creates it if necessary. */
static int open_in(lua_State *L)
{
  const int folder = locus_check_folder(L, 1);
  const char *name = luaL_checkstring(L, 2), *mode = luaL_checkstring(L, 4);
  FILE *handle = *(FILE **)luaL_checkudata(L, 3, LUA_FILEHANDLE);
  const int access = strcmp(mode, "r") ? O_RDWR : O_RDONLY, make = *mode == 'a' ? O_CREAT : 0;

  if (!handle) return luaL_error(L, "attempt to use a closed file");
  const int file = openat(folder, name, access | make | O_CLOEXEC, 0666);
  if (file < 0) return fail(L);
  const int status = locus_give_descriptor(file, handle), reason = errno;
  close(file);
  errno = reason;
  return answer(L, status);
}

/* remove_in(folder, name) */
static int remove_in(lua_State *L)
{
  return answer(L, unlinkat(locus_check_folder(L, 1), luaL_checkstring(L, 2), 0));
}

/* rename_in(folder, from, to): the disk has it when this returns. */
static int rename_in(lua_State *L)
{
  const int folder = locus_check_folder(L, 1);

  if (renameat(folder, luaL_checkstring(L, 2), folder, luaL_checkstring(L, 3))) return fail(L);
  return answer(L, fsync(folder) && errno == EIO ? -1 : 0);
}

/* names_in(folder): of the files there, a list. */
static int names_in(lua_State *L)
{
  const int copy = openat(locus_check_folder(L, 1), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = copy < 0 ? NULL : fdopendir(copy);
  int count = 0;

  if (!entries) return fail(L);
  /* An error for want of memory leaves the entries open, as it would a handle of Lua's. */
  lua_newtable(L);
  for (const struct dirent *entry; (entry = readdir(entries));) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    lua_pushstring(L, entry->d_name);
    lua_rawseti(L, -2, ++count);
  }
  closedir(entries);
  return 1;
}

/* is_linked(handle): whether the open file has a name. */
static int is_linked(lua_State *L)
{
  FILE *handle = *(FILE **)luaL_checkudata(L, 1, LUA_FILEHANDLE);
  struct stat status;

  if (!handle) return luaL_error(L, "attempt to use a closed file");
  lua_pushboolean(L, fstat(fileno(handle), &status) == 0 && status.st_nlink > 0);
  return 1;
}

/* has_other_names(folder, name): whether the file has other names, as where a folder was copied by
** links (cp -l). */
static int has_other_names(lua_State *L)
{
  const int folder = locus_check_folder(L, 1);
  struct stat status;

  lua_pushboolean(L, fstatat(folder, luaL_checkstring(L, 2), &status, 0) == 0 &&
                         S_ISREG(status.st_mode) && status.st_nlink > 1);
  return 1;
}

/* written_at(handle): the time of the last write to the open file, as text; nil if it is not
** known. */
static int written_at(lua_State *L)
{
  FILE *handle = *(FILE **)luaL_checkudata(L, 1, LUA_FILEHANDLE);
  struct stat status;
  char text[64];

  if (!handle) return luaL_error(L, "attempt to use a closed file");
  if (fstat(fileno(handle), &status)) return 0;
  snprintf(text, sizeof text, "%lld.%09ld", (long long)status.st_mtim.tv_sec,
           (long)status.st_mtim.tv_nsec);
  lua_pushstring(L, text);
  return 1;
}

/* -- Locks ------------------------------------------------------------------------------------- */

enum { NAP = 2000000 }; /* nanoseconds between two tries */

static double seconds_now(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* lock_file(handle, exclusive, seconds): locks an open file until it is closed, and waits that long
** for others. False if they still hold it then; nil and the reason if the file system has no
** locks. */
/* clang-format off */
#define LOCK_FILE_PARAMS(P)                                        \
  P(handle, LOCUS_REQUIRED, any) P(exclusive, LOCUS_REQUIRED, any) \
  P(seconds, LOCUS_REQUIRED, any)
/* clang-format on */
static int lock_file(lua_State *L)
{
  LOCUS_PARAMS(LOCK_FILE_PARAMS, any);
  const struct timespec nap = {0, NAP};
  locus_call call;

  locus_call_begin_plain(&call, L, "save", params, 3);
  FILE *handle = *(FILE **)luaL_checkudata(L, 1, LUA_FILEHANDLE);
  const int how = (lua_toboolean(L, 2) ? LOCK_EX : LOCK_SH) | LOCK_NB;
  const double until = seconds_now() + luaL_checknumber(L, 3);
  if (!handle) return luaL_error(L, "attempt to use a closed file");
  while (flock(fileno(handle), how)) {
    if (errno != EWOULDBLOCK && errno != EINTR) return fail(L);
    if (seconds_now() >= until) {
      lua_pushboolean(L, false);
      return 1;
    }
    nanosleep(&nap, NULL);
    locus_call_poll(&call);
  }
  lua_pushboolean(L, true);
  return 1;
}

/* pause(seconds): fewer than ten. */
static int pause_for(lua_State *L)
{
  const double seconds = luaL_checknumber(L, 1);

  if (!(seconds >= 0 && seconds < 10)) return luaL_argerror(L, 1, "fewer than ten expected");
  const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&time, NULL);
  return 0;
}

/* this_process(): its number, and the name of the machine. */
static int this_process(lua_State *L)
{
  char name[256] = "";

  gethostname(name, sizeof name - 1);
  lua_pushnumber(L, (lua_Number)getpid());
  lua_pushstring(L, name);
  return 2;
}

/* stamp(): 16 digits, different each time. */
static int stamp(lua_State *L)
{
  char digits[20];

  snprintf(digits, sizeof digits, "%016llx", (unsigned long long)locus_hash_new_keys().key[0]);
  lua_pushstring(L, digits);
  return 1;
}

const locus_entry locus_bind_folder[] = {
    {"open_folder", open_folder, LOCUS_INTERNAL},
    {"close_folder", close_folder, LOCUS_INTERNAL},
    {"open_in", open_in, LOCUS_INTERNAL},
    {"remove_in", remove_in, LOCUS_INTERNAL},
    {"rename_in", rename_in, LOCUS_INTERNAL},
    {"names_in", names_in, LOCUS_INTERNAL},
    {"is_linked", is_linked, LOCUS_INTERNAL},
    {"has_other_names", has_other_names, LOCUS_INTERNAL},
    {"written_at", written_at, LOCUS_INTERNAL},
    {"lock_file", lock_file, LOCUS_INTERNAL},
    {"pause", pause_for, LOCUS_INTERNAL},
    {"this_process", this_process, LOCUS_INTERNAL},
    {"stamp", stamp, LOCUS_INTERNAL},
    {0},
};
