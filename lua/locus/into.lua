-- SPDX-License-Identifier: MIT
-- f(a, b, {out = out}) of small tensors through LuaJIT's FFI: compiled into the loop around it,
-- with a table of options that is kept or made for the call. Everything else, errors too, goes on
-- to the C core as it came.
local handle = require "locus.handle".type
local ffi = handle and require "ffi"

-- The value of `out` where a table holds that and nothing else.
local function only_out(options)
  if type(options) == "table" and next(options) == "out" and next(options, "out") == nil then
    return rawget(options, "out")
  end
end

-- Wraps what src/bind/into.c serves, for tensors of that metatable.
return function(core, metatable)
  if not handle then return end
  local address, state, served = core.internal.into()
  local into = ffi.cast("bool (*)(const void *state, int row, const void *out, const void *a, "
                        .. "const void *b, const void *c)", address)
  state = ffi.cast("const void *", state) -- compiled calls take no light userdata

  local function is(value) return getmetatable(value) == metatable end

  -- By the number of operands: the function for a row, where `all` is the core's.
  local forms = {}

  forms[1] = function(all, row)
    return function(...)
      local a, options = ...
      local out = select("#", ...) == 2 and only_out(options)
      if out and is(out) and is(a) and into(state, row, out, a, nil, nil) then return out end
      return all(...)
    end
  end

  forms[2] = function(all, row)
    return function(...)
      local a, b, options = ...
      local out = select("#", ...) == 3 and only_out(options)
      if out and is(out) and is(a) and is(b) and into(state, row, out, a, b, nil) then
        return out
      end
      return all(...)
    end
  end

  forms[3] = function(all, row)
    return function(...)
      local a, b, c, options = ...
      local out = select("#", ...) == 4 and only_out(options)
      if out and is(out) and is(a) and is(b) and is(c) and into(state, row, out, a, b, c) then
        return out
      end
      return all(...)
    end
  end

  for i, entry in ipairs(served) do
    local name, operands = unpack(entry)
    local wrapped = forms[operands](core[name], i - 1)
    core[name], core.methods[name] = wrapped, wrapped
  end
end
