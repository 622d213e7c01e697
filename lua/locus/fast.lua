-- SPDX-License-Identifier: MIT
-- Small calls through LuaJIT's FFI, which stay compiled in the loop around them: one number in a
-- sequence, seq:searchsorted(4), and f(a, b, {out = out}) with a table of options that is kept or
-- made for the call. Each function here takes the place of the core's of that name; everything it
-- does not serve, errors too, goes on to the core as it came.
local handle = require "locus.handle".type
local ffi = handle and require "ffi"

-- The value of `out` where a table holds that and nothing else.
local function only_out(options)
  if type(options) == "table" and next(options) == "out" and next(options, "out") == nil then
    return rawget(options, "out")
  end
end

-- Serves tensors of that metatable, where there is an FFI.
return function(core, metatable)
  if not handle then return end
  local internal = core.internal
  local address, state, served = internal.into()
  local into = ffi.cast("bool (*)(const void *state, int row, const void *out, const void *a, "
                        .. "const void *b, const void *c)", address)
  state = ffi.cast("const void *", state) -- compiled calls take no light userdata
  local search_number = ffi.cast("double (*)(const void *, double)", internal.search_number())
  local real = {}
  for i, name in ipairs(internal.dtypes()) do real[i - 1] = not name:find("complex", 1, true) end

  local function is(value) return getmetatable(value) == metatable end

  -- A sequence that a number can be looked up in, as the FFI sees it.
  local function one_row(seq)
    local t = is(seq) and ffi.cast(handle, seq).tensor
    return t and t.ndim == 1 and t.direct ~= 0 and real[t.dtype] and t
  end

  -- By the number of operands: makes the function of a row of src/bind/into.c; `all` is the core's.
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

  local function searchsorted(all, row)
    return function(...)
      local seq, values, options = ...
      local count = select("#", ...)
      if count == 2 and type(values) == "number" then
        local t = one_row(seq)
        if t then return search_number(t, values) end
      elseif count == 3 then
        local out = only_out(options)
        if out and is(out) and is(seq) and is(values)
            and into(state, row, out, seq, values, nil) then
          return out
        end
      end
      return all(...)
    end
  end

  for i, entry in ipairs(served) do
    local name, operands = unpack(entry)
    local form = name == "searchsorted" and searchsorted or forms[operands]
    local fast = form(core[name], i - 1)
    core[name], core.methods[name] = fast, fast
  end
end
