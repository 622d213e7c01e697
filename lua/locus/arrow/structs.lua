-- SPDX-License-Identifier: MIT
-- The structs of Arrow's C data interface, as Lua sees them.
local declare = require "locus.call.declare"
local internal = require "locus.core".internal
local has_ffi, ffi = pcall(require, "ffi")

local structs = {}

-- ORDER ARROW: src/core/exchange/arrow.h declares the first two.
if has_ffi then
  ffi.cdef [[
    typedef struct locus_arrow_schema {
      const char *format, *name, *metadata;
      int64_t flags, n_children;
      struct locus_arrow_schema **children, *dictionary;
      void (*release)(struct locus_arrow_schema *);
      void *private_data;
    } locus_arrow_schema;
    typedef struct locus_arrow_array {
      int64_t length, null_count, offset, n_buffers, n_children;
      const void **buffers;
      struct locus_arrow_array **children, *dictionary;
      void (*release)(struct locus_arrow_array *);
      void *private_data;
    } locus_arrow_array;
    typedef struct locus_arrow_stream {
      int (*get_schema)(struct locus_arrow_stream *, locus_arrow_schema *);
      int (*get_next)(struct locus_arrow_stream *, locus_arrow_array *);
      const char *(*get_last_error)(struct locus_arrow_stream *);
      void (*release)(struct locus_arrow_stream *);
      void *private_data;
    } locus_arrow_stream;
  ]]
end

function structs.need_ffi()
  if not has_ffi then declare.raise("needs LuaJIT, whose FFI knows pointers") end
end

-- Releases the struct's content, once; a library that moved it elsewhere has cleared `release`.
local function release(struct)
  if struct.release ~= nil then struct.release(struct) end
end
structs.release = release

-- A new struct of that kind, "schema", "array" or "stream", which counts as released. The collector
-- releases the content that it then has.
function structs.new(kind) return ffi.gc(ffi.new("locus_arrow_" .. kind), release) end

-- The form in which core functions take the address of a struct or of bytes.
function structs.address(pointer) return ffi.cast("void *", pointer) end

-- The struct behind an argument, a pointer or a struct.
function structs.given(argument, kind)
  local ok, address = pcall(ffi.cast, "void *", argument)
  if not ok or type(argument) ~= "cdata" then
    declare.raise("'%s' must be a pointer to a struct of Arrow, got %s", kind,
      internal.describe(argument))
  end
  if address == nil then declare.raise("'%s' is NULL", kind) end
  local struct = ffi.cast(("locus_arrow_%s *"):format(kind), address)
  if struct.release == nil then declare.raise("'%s' was released or moved", kind) end
  return struct
end

-- The address of a buffer's bytes at a place.
function structs.place(buffer, bytes) return ffi.cast("const char *", buffer) + bytes end

structs.string = has_ffi and ffi.string

-- The metadata of a schema, by key: in memory the number of pairs, then the length and the bytes of
-- each key and each value.
function structs.metadata(schema)
  local pairs_of = {}
  if schema.metadata == nil then return pairs_of end
  local at = schema.metadata
  local function number()
    local value = ffi.new("int32_t[1]")
    ffi.copy(value, at, 4)
    at = at + 4
    return value[0]
  end
  local function text()
    local length = number()
    at = at + length
    return ffi.string(at - length, length)
  end
  for _ = 1, number() do
    local key = text()
    pairs_of[key] = text()
  end
  return pairs_of
end

return structs
