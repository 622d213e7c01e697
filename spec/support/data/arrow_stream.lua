-- SPDX-License-Identifier: MIT
-- A stream of Arrow's C stream interface, made of what to_arrow gives.
local ffi = require "ffi"

-- The bytes of a struct go to another place.
local function move(to, from)
  ffi.copy(to, from, ffi.sizeof(from))
  from.release = nil
end

-- The answer of read(stream) for a stream of that schema and those arrays, whose n-th call gives
-- the error 5 if failing is n; and whether the stream was released. Functions called from C may
-- raise nothing, and their callers may not be compiled.
return function(schema, arrays, read, failing)
  local stream = ffi.new("locus_arrow_stream")
  local given = 0
  local calls = {
    ffi.cast("int (*)(locus_arrow_stream *, locus_arrow_schema *)", function(_, to)
      move(to, schema)
      return 0
    end),
    ffi.cast("int (*)(locus_arrow_stream *, locus_arrow_array *)", function(_, to)
      given = given + 1
      if given == failing then return 5 end
      if arrays[given] then move(to, arrays[given]) end
      return 0
    end),
    ffi.cast("const char *(*)(locus_arrow_stream *)", function() return nil end),
    ffi.cast("void (*)(locus_arrow_stream *)", function() stream.release = nil end),
  }
  stream.get_schema, stream.get_next, stream.get_last_error, stream.release = unpack(calls)
  jit.off()
  local ok, result = pcall(read, stream)
  jit.on()
  local released = stream.release == nil
  for _, call in ipairs(calls) do call:free() end
  if not ok then error(result, 0) end
  return result, released
end
