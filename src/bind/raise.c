/* SPDX-License-Identifier: MIT */
/* The one place that raises: at the caller's line, in the caller's words. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bind/bind.h"

enum { MOST_SHOWN = 60 }; /* characters of a caller's string */

/* Whether the frame is Lua code that is not a file of locus's own folder. */
static bool is_callers(lua_State *L, lua_Debug *frame)
{
  lua_getinfo(L, "Sl", frame);
  if (frame->currentline <= 0) return false;
  lua_getfield(L, LUA_REGISTRYINDEX, locus_hook_source);
  const char *own = lua_tostring(L, -1);
  bool foreign = !own || strncmp(frame->source, own, strlen(own)) != 0;
  lua_pop(L, 1);
  return foreign;
}

/* Pushes the message as one line: what the caller wrote may hold anything. */
static const char *push_line(lua_State *L, const char *message)
{
  luaL_Buffer line;

  luaL_buffinit(L, &line);
  for (; *message; message++)
    luaL_addchar(&line, (unsigned char)*message < ' ' ? '?' : *message);
  luaL_pushresult(&line);
  return lua_tostring(L, -1);
}

int locus_raise(lua_State *L, const char *message)
{
  lua_Debug frame;

  luaL_checkstack(L, 8, "error");
  message = push_line(L, message);
  for (int level = 0; lua_getstack(L, level, &frame); level++) {
    if (!is_callers(L, &frame)) continue;
    lua_pushfstring(L, "%s:%d: %s", frame.short_src, frame.currentline, message);
    return lua_error(L);
  }
  lua_pushstring(L, message);
  return lua_error(L);
}

/* Of the declared functions that are running for the caller the outermost is the one he called. */
const char *locus_called(lua_State *L, const char *function)
{
  lua_Debug frame;
  int top = lua_gettop(L);

  luaL_checkstack(L, 8, "error");
  lua_getfield(L, LUA_REGISTRYINDEX, locus_hook_declared);
  bool declared = lua_istable(L, -1);
  for (int level = 0; declared && lua_getstack(L, level, &frame); level++) {
    if (is_callers(L, &frame)) break;
    lua_getinfo(L, "f", &frame);
    lua_rawget(L, top + 1);
    if (lua_istable(L, -1)) {
      lua_getfield(L, -1, "name");
      function = lua_tostring(L, -1);
    }
    lua_settop(L, top + 1);
  }
  lua_settop(L, top);
  return function;
}

int locus_call_error(locus_call *call, const char *format, ...)
{
  char message[640];
  va_list arguments;
  int used = snprintf(message, sizeof message, "%s: ", locus_called(call->L, call->function));

  va_start(arguments, format);
  vsnprintf(message + used, sizeof message - (size_t)used, format, arguments);
  va_end(arguments);
  return locus_raise(call->L, message);
}

int locus_arg_expected(locus_call *call, int i, const char *expected)
{
  return locus_call_error(call, "'%s' must be %s, got %s", call->params[i].name, expected,
                          locus_describe(call->L, i + 1));
}

/* On a changed hook the old one is put back first: raising while LuaJIT's is pending ends in
** "error in error handling". */
static void raise_interrupt(locus_call *call)
{
  lua_sethook(call->L, call->hook, call->hook_mask, call->hook_count);
  locus_raise(call->L, "interrupted!");
}

bool locus_call_again(locus_call *call, int status)
{
  if (status == 0) return false;
  if (call->cx.error.code == LOCUS_INTERRUPTED) raise_interrupt(call);
  if (call->cx.error.code == LOCUS_OUT_OF_MEMORY && !call->collected) {
    call->collected = true;
    locus_collect(call->L, locus_state_of(call->L));
    locus_device_trim();
    return true;
  }
  locus_call_error(call, "%s", call->cx.error.message);
  return false;
}

static const char *describe_tensor(lua_State *L, const locus_tensor *tensor)
{
  char text[LOCUS_SHAPE_TEXT];
  const char *name = locus_dtype_name(tensor->dtype);

  if (!tensor->storage) return lua_pushfstring(L, "a freed tensor");
  if (tensor->shape.ndim == 0) return lua_pushfstring(L, "a 0-d %s tensor", name);
  return lua_pushfstring(L, "%s %s tensor of size %s", locus_dtype_article(tensor->dtype), name,
                         locus_shape_text(&tensor->shape, text));
}

static const char *describe_string(lua_State *L, const char *text)
{
  bool whole = strlen(text) <= MOST_SHOWN;
  lua_pushlstring(L, text, whole ? strlen(text) : MOST_SHOWN);
  return lua_pushfstring(L, "the string \"%s%s\"", lua_tostring(L, -1), whole ? "" : "...");
}

static const char *push(lua_State *L, const char *text)
{
  lua_pushstring(L, text);
  return lua_tostring(L, -1);
}

const char *locus_describe(lua_State *L, int index)
{
  const locus_tensor *tensor = locus_test_tensor(L, index);
  char text[LOCUS_VALUE_TEXT];
  locus_value value;

  luaL_checkstack(L, 4, "describe");
  if (tensor) return describe_tensor(L, tensor);
  switch (lua_type(L, index)) {
  case LUA_TNIL:
  case LUA_TNONE: return push(L, "nil");
  case LUA_TBOOLEAN:
    return push(L, lua_toboolean(L, index) ? "the Lua boolean true" : "the Lua boolean false");
  case LUA_TSTRING: return describe_string(L, lua_tostring(L, index));
  case LUA_TNUMBER:
    locus_read_scalar(L, index, &value);
    return lua_pushfstring(L, "the number %s", locus_value_text(&value, text));
  case LUA_TTABLE: return push(L, "a table");
  case LUA_TFUNCTION: return push(L, "a function");
  case LUA_TTHREAD: return push(L, "a coroutine");
  case LUA_TUSERDATA:
  case LUA_TLIGHTUSERDATA: return push(L, "a userdata");
  default: break;
  }
  if (!locus_read_scalar(L, index, &value)) return locus_describe_cdata(L, index);
  return lua_pushfstring(L, "the cdata %s", locus_value_text(&value, text));
}
