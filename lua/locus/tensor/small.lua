-- SPDX-License-Identifier: MIT
-- Small calls through LuaJIT's FFI, which stay compiled in the loop around them. They are ops of
-- tensors and numbers, with a new result or f(a, b, {out = out}); new tensors of one size, at most
-- with {dtype = dtype}; searchsorted with its common options, or of one number. Each function here
-- takes the place of the core's of that name; everything it does not serve, errors too, goes on to
-- the core as it came.
local handle = require "locus.tensor.handle".type
local ffi = handle and require "ffi"

-- The value under that key where a table holds this and nothing else.
local function only(options, key)
  if type(options) == "table" and next(options) == key and next(options, key) == nil then
    return rawget(options, key)
  end
end

-- How many keys a table has; nil for more than three.
local function count_keys(t)
  local a = next(t)
  if a == nil then return 0 end
  local b = next(t, a)
  if b == nil then return 1 end
  local c = next(t, b)
  if c == nil then return 2 end
  if next(t, c) == nil then return 3 end
end

local function one_if(value) return value ~= nil and 1 or 0 end

-- The options of a search: the side, out_int32, base and out; nil when they are the core's to read.
-- bucketize has no `side`.
local function search_options(options, has_side)
  if type(options) ~= "table" then return nil end
  local right, side = rawget(options, "right"), rawget(options, "side")
  local out_int32, base = rawget(options, "out_int32"), rawget(options, "base")
  local out = rawget(options, "out")
  if side ~= nil and not has_side then return nil end
  local known = one_if(right) + one_if(side) + one_if(out_int32) + one_if(base) + one_if(out)
  if count_keys(options) ~= known then return nil end
  if side == nil then side = right and "right" or "left" elseif right ~= nil then return nil end
  if (side == "left" or side == "right" or side == "both")
      and (right == nil or type(right) == "boolean") and (base == nil or base == 0 or base == 1)
      and (out_int32 == nil or type(out_int32) == "boolean") then
    return side, out_int32 or false, base or 1, out
  end
end

-- Serves tensors of that metatable, if there is an FFI.
return function(core, metatable)
  if not handle then return end
  local internal = core.internal
  local blank = require "locus.tensor.blank"
  local functions, state, served = internal.small()
  state = ffi.cast("const void *", state) -- compiled calls take no light userdata
  local into = ffi.cast("bool (*)(const void *state, int row, const void *out, const void *a, "
                        .. "const void *b, const void *c, double, double, double)", functions.into)
  local search = ffi.cast("bool (*)(const void *state, const void *out, const void *sequence, "
                          .. "const void *values, bool right, bool out_int32, int base)",
                          functions.search)
  local search_number = ffi.cast("double (*)(const void *, double, bool right)",
                                 functions.search_number)
  local create = ffi.cast("bool (*)(const void *state, const void *out, double, int dtype, "
                          .. "int what)", functions.create)
  local real, number_of = {}, {}
  for i, name in ipairs(internal.dtypes()) do
    real[i - 1], number_of[name] = not name:find("complex", 1, true), i - 1
  end

  local function is(value) return getmetatable(value) == metatable end

  -- An operand as the FFI takes it: a tensor and 0, or nil and a number; nothing for all else.
  local function operand(value)
    if type(value) == "number" then return nil, value end
    if is(value) then return value, 0 end
  end

  -- Runs a row of src/bind/tensor/small.c; 0 means operands that it does not have.
  local function run(row, out, a, b, c)
    local x, p = operand(a)
    local y, q = operand(b)
    local z, r = operand(c)
    return p and q and r and (x or y or z) and into(state, row, out, x, y, z, p, q, r)
  end

  local function run_fresh(row, a, b, c)
    local made = blank.take()
    if run(row, made, a, b, c) then return made end
    blank.give(made)
  end

  -- The result of a row for these operands, with that many other values behind them, options at
  -- best; nil when the core has to make the call.
  local function answer(row, others, options, a, b, c)
    if others == 0 then return run_fresh(row, a, b, c) end
    local out = others == 1 and only(options, "out")
    return out and is(out) and run(row, out, a, b, c) and out or nil
  end

  -- By the number of operands, or "new" where a tensor is all that is given: makes the function of
  -- a row; `all` is the core's.
  local forms = {}

  function forms.new(all, row)
    return function(...)
      local made = select("#", ...) == 1 and run_fresh(row, (...), 0, 0)
      if made then return made end
      return all(...)
    end
  end

  forms[1] = function(all, row)
    return function(...)
      local a, options = ...
      local made = answer(row, select("#", ...) - 1, options, a, 0, 0)
      if made then return made end
      return all(...)
    end
  end

  forms[2] = function(all, row)
    return function(...)
      local a, b, options = ...
      local made = answer(row, select("#", ...) - 2, options, a, b, 0)
      if made then return made end
      return all(...)
    end
  end

  forms[3] = function(all, row)
    return function(...)
      local a, b, c, options = ...
      local made = answer(row, select("#", ...) - 3, options, a, b, c)
      if made then return made end
      return all(...)
    end
  end

  for i, entry in ipairs(served) do
    local name, operands, has_out = unpack(entry)
    local small = forms[has_out and operands or "new"](core.methods[name], i - 1)
    if core[name] then core[name] = small end
    core.methods[name] = small
  end

  for name, what in pairs {empty = -1, zeros = 0, ones = 1} do
    local all = core[name]
    core[name] = function(...)
      local size, options = ...
      local count = select("#", ...)
      local dtype = count == 1 and -1 or count == 2 and number_of[only(options, "dtype") or ""]
      if dtype and type(size) == "number" then
        local made = blank.take()
        if create(state, made, size, dtype, what) then return made end
        blank.give(made)
      end
      return all(...)
    end
  end

  -- The answers for a tensor of values; nil where the core has to find them.
  local function search_tensor(seq, values, side, out_int32, base, out)
    if side == "both" or not is(seq) or not is(values) then return nil end
    local result = out
    if out == nil then result = blank.take() elseif not is(out) then return nil end
    if search(state, result, seq, values, side == "right", out_int32, base) then return result end
    if out == nil then blank.give(result) end
  end

  -- The answer for one number, or both of them.
  local function search_one(seq, value, side, out_int32, base)
    local t = is(seq) and ffi.cast(handle, seq).tensor
    if not t or t.ndim ~= 1 or t.direct == 0 or not real[t.dtype] then return nil end
    if out_int32 and t.size[0] >= 2 ^ 31 - 2 then return nil end
    local first = search_number(t, value, side == "right") + (base - 1)
    if side ~= "both" then return first end
    return first, search_number(t, value, true) + (base - 1)
  end

  -- searchsorted and bucketize, which is given the two the other way round.
  local function search_form(all, swapped)
    return function(...)
      local seq, values, options = ...
      local count = select("#", ...)
      if swapped then seq, values = values, seq end
      local side, out_int32, base, out = "left", false, 1, nil
      if count == 3 then side, out_int32, base, out = search_options(options, not swapped) end
      if (count == 2 or count == 3) and side then
        if type(values) ~= "number" then
          local result = search_tensor(seq, values, side, out_int32, base, out)
          if result then return result end
        elseif out == nil then
          local first, last = search_one(seq, values, side, out_int32, base)
          if last then return first, last end
          if first then return first end
        end
      end
      return all(...)
    end
  end

  for name, swapped in pairs {searchsorted = false, bucketize = true} do
    local small = search_form(core[name], swapped)
    core[name], core.methods[name] = small, small
  end
end
