-- SPDX-License-Identifier: MIT
-- Elements named by numbers, read and written in place through LuaJIT's FFI, so that loops over
-- them stay compiled. All other cases (other dtypes and devices, errors, plain Lua 5.1) are left to
-- the C core: get answers nil, set false.
local denormal = require "locus.tensor.denormal"
local handle = require "locus.tensor.handle".type
local ffi = handle and require "ffi"

-- The distance of position i of dimension d from its first one; nil when there is no such position.
local function distance(t, d, i)
  local size = tonumber(t.size[d])
  if i < 0 then i = i + size + 1 end
  if i >= 1 and i <= size and i % 1 == 0 then return (i - 1) * tonumber(t.stride[d]) end
end

-- The distance from the first element of the one that a key names: a number, or a table of two or
-- three numbers, read without its metamethods, as the core does.
local function locate(t, key)
  if type(key) == "number" then return t.ndim == 1 and distance(t, 0, key) end
  local i, j, k = rawget(key, 1), rawget(key, 2), rawget(key, 3)
  local ndim = k == nil and 2 or 3
  if t.ndim ~= ndim or rawget(key, ndim + 1) ~= nil then return nil end
  if type(i) ~= "number" or type(j) ~= "number" then return nil end
  local a, b, c = distance(t, 0, i), distance(t, 1, j), 0
  if ndim == 3 then c = type(k) == "number" and distance(t, 2, k) end
  return a and b and c and a + b + c
end

-- get(tensor, key) and set(tensor, key, value) for tensors of that metatable; nothing where C is
-- quicker.
return function(internal, metatable)
  if not handle then return end
  local words = ffi.typeof("int32_t *")
  local least_exact, most_exact = ffi.new("int64_t", -2 ^ 53), ffi.new("int64_t", 2 ^ 53)
  local pointers, low, past, int64 = {}, {}, {}, nil -- by number of the dtype
  -- For floats: the distance between words with a sign, and the word of -inf.
  local sign_words, infinite = {}, {}
  local names, types = internal.dtypes()
  for i, name in ipairs(names) do
    local c = types[name]
    local whole, is_float = c.kind == "INTEGER", c.kind == "FLOAT"
    if whole or is_float and c.element == c.value then
      pointers[i - 1] = ffi.typeof(c.element .. " *")
    end
    if whole then low[i - 1], past[i - 1] = c.low, c.past end
    if is_float then
      local half, double = c.size == 2, c.size == 8
      sign_words[i - 1] = not half and (double and 2 or 1)
      infinite[i - 1] = double and -0x100000 or -0x800000
    end
    if name == "int64" then int64 = i - 1 end
  end

  local function get(tensor, key)
    if getmetatable(tensor) ~= metatable then return nil end
    local t = ffi.cast(handle, tensor).tensor
    local pointer = pointers[t.dtype]
    local at = pointer and t.direct ~= 0 and locate(t, key)
    if not at then return nil end
    local step = sign_words[t.dtype]
    -- LuaJIT keeps values that are no numbers in NaNs with a sign: these, and -inf, are C's
    if step then
      local top = ffi.cast(words, t.data)[step * at + step - 1]
      if top < 0 and top >= infinite[t.dtype] then return nil end
      if step == 1 and denormal.is_word(top) then return nil end
    end
    local value = ffi.cast(pointer, t.data)[at]
    if t.dtype == int64 and value >= least_exact and value <= most_exact then
      return tonumber(value)
    end
    return value
  end

  local function set(tensor, key, value)
    if getmetatable(tensor) ~= metatable or type(value) ~= "number" then return false end
    local t = ffi.cast(handle, tensor).tensor
    local dtype = t.dtype
    local pointer, least = pointers[dtype], low[dtype]
    local at = pointer and t.direct == 1 and locate(t, key)
    if not at or least and not (value >= least and value < past[dtype] and value % 1 == 0) then
      return false
    end
    if least and value == 0 and not denormal.is_zero(value) then return false end
    if sign_words[dtype] == 1 and denormal.in_float32(value) then return false end
    ffi.cast(pointer, t.data)[at] = value
    return true
  end

  return get, set
end
