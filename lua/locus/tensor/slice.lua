-- SPDX-License-Identifier: MIT
-- Views named by numbers and ranges, x[{ {2, 5} }], and the elements named by one index tensor or
-- mask, x[pos], through LuaJIT's FFI, so that loops around them stay compiled. This file leaves all
-- other cases to the C core: its functions answer nil.
local handle = require "locus.tensor.handle".type
local ffi = handle and require "ffi"

-- How many entries a list of at most three has; nil for any other table.
local function length(list)
  local key = next(list)
  if key == nil then return 0 end
  if key ~= 1 then return nil end
  key = next(list, 1)
  if key == nil then return 1 end
  if key ~= 2 then return nil end
  key = next(list, 2)
  if key == nil then return 2 end
  if key == 3 and next(list, 3) == nil then return 3 end
end

local function is_whole(value)
  return type(value) == "number" and value % 1 == 0 and value >= -2 ^ 53 and value <= 2 ^ 53
end

-- view(tensor, key) and take(tensor, index) for tensors of that metatable; nothing where C is
-- quicker.
return function(internal, metatable)
  if not handle then return end
  local blank = require "locus.tensor.blank"
  local functions, state = internal.small()
  state = ffi.cast("const void *", state)
  local slice = ffi.cast("bool (*)(const void *state, const void *out, const void *input, "
                         .. "const void *picks, int count)", functions.slice)
  local gather = ffi.cast("bool (*)(const void *state, const void *out, const void *input, "
                          .. "const void *index)", functions.take)
  -- ORDER PICK: src/op/op.h
  local ALL, ONE, RANGE = 0, 1, 2
  local picks = ffi.new [[struct {
    int what;
    int64_t first, last, step;
    const void *tensor;
  }[3] ]]

  -- Reads one entry of a key into its pick; false when the core has to.
  local function read(pick, entry)
    if is_whole(entry) then
      pick.what, pick.first = ONE, entry
      return true
    end
    local count = type(entry) == "table" and length(entry)
    if not count then return false end
    if count == 0 then
      pick.what = ALL
      return true
    end
    local first, last, step = rawget(entry, 1), rawget(entry, 2), rawget(entry, 3)
    if count == 1 then last = first end
    if count < 3 then step = 1 end
    if not (is_whole(first) and is_whole(last) and is_whole(step)) then return false end
    pick.what, pick.first, pick.last, pick.step = RANGE, first, last, step
    return true
  end

  -- Reads a key; answers how many picks it has, and whether all are numbers.
  local function read_key(key)
    if type(key) == "number" then return read(picks[0], key) and 1, true end
    local count = length(key)
    if not count or count == 0 then return nil end
    local a, b, c = rawget(key, 1), rawget(key, 2), rawget(key, 3)
    if not read(picks[0], a) then return nil end
    if count > 1 and not read(picks[1], b) then return nil end
    if count > 2 and not read(picks[2], c) then return nil end
    return count, type(a) == "number" and type(b) ~= "table" and type(c) ~= "table"
  end

  local function view(tensor, key)
    if getmetatable(tensor) ~= metatable then return nil end
    local t = ffi.cast(handle, tensor).tensor
    local count, numbers = read_key(key)
    if not count or numbers and count >= t.ndim then return nil end
    local made = blank.take()
    if slice(state, made, t, picks, count) then return made end
    blank.give(made)
  end

  local function take(tensor, index)
    if getmetatable(tensor) ~= metatable or getmetatable(index) ~= metatable then return nil end
    local made = blank.take()
    if gather(state, made, ffi.cast(handle, tensor).tensor, ffi.cast(handle, index).tensor) then
      return made
    end
    blank.give(made)
  end

  return view, take
end
