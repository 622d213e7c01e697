/* SPDX-License-Identifier: MIT */
/* THE place that makes names, strings and messages safe to show. */
#include "bind/ground/visible.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

/* Whether a character of two or three bytes changes the direction of the text behind it, ends a
** line, or is an invisible mark. Joiners (U+200C, U+200D) and spaces are none: scripts need them.
**
** Source: https://www.unicode.org/reports/tr9/, table 4; general categories Zl and Zp */
static bool is_unseen(const unsigned char *text)
{
  if (text[0] < 0xe0) return text[0] == 0xd8 && text[1] == 0x9c;
  const unsigned code = (text[0] & 0xfu) << 12 | (text[1] & 0x3fu) << 6 | (text[2] & 0x3fu);
  return code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x206f) || code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb);
}

/* The number of bytes of the character at the beginning of `length` bytes; 0 if it is a control
** character, or none.
** Source: https://www.unicode.org/versions/latest/core-spec/chapter-3/, table 3-7 */
static size_t character(const unsigned char *text, size_t length)
{
  const unsigned first = text[0];

  if (first < 0x80) return first >= ' ' && first != 0x7f;
  if (first < 0xc2 || first > 0xf4) return 0;
  const size_t count = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length < count) return 0;
  for (size_t k = 1; k < count; k++)
    if (text[k] < 0x80 || text[k] > 0xbf) return 0;
  const unsigned second = text[1];
  const unsigned least = first == 0xc2 || first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  return count < 4 && is_unseen(text) ? 0 : count;
}

static void add_escape(luaL_Buffer *out, unsigned char byte)
{
  char text[8];

  switch (byte) {
  case '\n': luaL_addstring(out, "\\n"); return;
  case '\r': luaL_addstring(out, "\\r"); return;
  case '\t': luaL_addstring(out, "\\t"); return;
  default: break;
  }
  snprintf(text, sizeof text, "\\x%02x", byte);
  luaL_addstring(out, text);
}

const char *locus_push_visible(lua_State *L, const char *text, size_t length, bool quoted)
{
  const unsigned char *bytes = (const unsigned char *)text;
  luaL_Buffer out;

  luaL_checkstack(L, 8, "text");
  luaL_buffinit(L, &out);
  for (size_t i = 0; i < length;) {
    const size_t count = character(bytes + i, length - i);
    if (quoted && (bytes[i] == '"' || bytes[i] == '\\')) luaL_addchar(&out, '\\');
    if (count) luaL_addlstring(&out, text + i, count);
    else add_escape(&out, bytes[i]);
    i += count ? count : 1;
  }
  luaL_pushresult(&out);
  return lua_tostring(L, -1);
}
