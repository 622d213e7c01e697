/* SPDX-License-Identifier: MIT */
/* Terminals: whether a file is one, how large it is, and its key for interrupts; and the file that
** keeps typed lines. */
#include <errno.h>
#include <fcntl.h>
#include <lualib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "bind/bind.h"

/* The descriptor of the file that is the argument; -1 of a closed one. */
static int descriptor(lua_State *L)
{
  FILE *file = *(FILE **)luaL_checkudata(L, 1, LUA_FILEHANDLE);

  return file ? fileno(file) : -1;
}

/* is_terminal(file): whether the file is a terminal. */
static int is_terminal(lua_State *L)
{
  lua_pushboolean(L, isatty(descriptor(L)));
  return 1;
}

/* terminal_size(file): columns and rows of the terminal; nil if the file is none. */
static int terminal_size(lua_State *L)
{
  struct winsize size;

  if (ioctl(descriptor(L), TIOCGWINSZ, &size) || size.ws_col == 0) return 0;
  lua_pushinteger(L, size.ws_col);
  lua_pushinteger(L, size.ws_row);
  return 2;
}

/* terminal_interrupt(file, key): makes that byte the terminal's key for interrupts, or none if it
** is nil, and returns the one before; nil if there was none, or no terminal. */
static int terminal_interrupt(lua_State *L)
{
  int fd = descriptor(L);
  const cc_t none = (cc_t)_POSIX_VDISABLE;
  cc_t key = lua_isnoneornil(L, 2) ? none : (cc_t)luaL_checkint(L, 2), before;
  struct termios mode;

  if (tcgetattr(fd, &mode)) return 0;
  before = mode.c_cc[VINTR];
  mode.c_cc[VINTR] = key;
  tcsetattr(fd, TCSANOW, &mode);
  if (before == none) return 0;
  lua_pushinteger(L, before);
  return 1;
}

/* private_file(path): ensures that there is a file that only its owner can read, and creates an
** empty one if necessary; false and the reason if it fails. */
static int private_file(lua_State *L)
{
  const char *path = luaL_checkstring(L, 1);
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  struct stat status;

  lua_pushboolean(L, file >= 0);
  if (file < 0) {
    lua_pushstring(L, strerror(errno));
    return 2;
  }
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_mode & 077)
    (void)!fchmod(file, status.st_mode & 0700);
  close(file);
  return 1;
}

/* interrupt_handler(): the address of a handler for SIGINT, which is ready for the next one. */
static int interrupt_handler(lua_State *L)
{
  locus_push_interrupt_handler(L);
  return 1;
}

const locus_entry locus_bind_terminal[] = {
    {"is_terminal", is_terminal, LOCUS_INTERNAL},
    {"terminal_size", terminal_size, LOCUS_INTERNAL},
    {"interrupt_handler", interrupt_handler, LOCUS_INTERNAL},
    {"private_file", private_file, LOCUS_INTERNAL},
    {"terminal_interrupt", terminal_interrupt, LOCUS_INTERNAL},
    {0},
};
