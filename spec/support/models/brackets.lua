-- SPDX-License-Identifier: MIT
-- A model of t[...] in plain Lua, and random keys for it. A model key is a list of numbers, ranges
-- ({}, {a}, {a, b}, {a, b, step}), {positions = list, shape = sizes} and {mask = list, shape =
-- sizes}; lists are in C order.

local arrays = require "spec.support.data.arrays"
local support = require "spec.support"

local brackets = {}

local random = math.random

-- The 0-based coordinates of a flat 0-based position.
local function unravel(flat, shape)
  local index = {}
  for d = #shape, 1, -1 do
    index[d] = flat % shape[d]
    flat = (flat - index[d]) / shape[d]
  end
  return index
end

local function from_zero(position, size)
  return position < 0 and position + size or position - 1
end

-- The 0-based positions of a range.
local function range_positions(range, size)
  local first, last = range[1] or 1, range[2] or range[1] or -1
  local list = {}
  if size == 0 and #range == 0 then
    return list
  end
  last = last < 0 and last + size + 1 or last
  first = first < 0 and first + size + 1 or first
  for p = first, last, range[3] or 1 do
    list[#list + 1] = p - 1
  end
  return list
end

-- The columns of a mask's nonzero, one list for each of its dimensions (for one when it has none).
local function mask_columns(entry)
  local columns = {}
  for d = 1, math.max(#entry.shape, 1) do
    columns[d] = {}
  end
  for flat, truth in ipairs(entry.mask) do
    if truth then
      local index = unravel(flat - 1, entry.shape)
      for d, column in ipairs(columns) do
        column[#column + 1] = index[d] or 0
      end
    end
  end
  return columns
end

-- Adds what an entry says of the dimensions from d on to the axes; gives the next dimension and the
-- distance that a number moves the first element by.
local function add_axes(axes, entry, d, shape, strides)
  if type(entry) == "number" then
    return d + 1, from_zero(entry, shape[d]) * strides[d]
  elseif entry.mask then
    for m, column in ipairs(mask_columns(entry)) do
      local stride = #entry.shape > 0 and strides[d + m - 1] or 0
      axes[#axes + 1] = { stride = stride, column = column, shape = { #column } }
    end
    return d + #entry.shape, 0
  elseif entry.positions then
    local column = {}
    for i, p in ipairs(entry.positions) do
      column[i] = from_zero(p, shape[d])
    end
    axes[#axes + 1] = { stride = strides[d], column = column, shape = entry.shape }
  else
    axes[#axes + 1] = { stride = strides[d], list = range_positions(entry, shape[d]) }
  end
  return d + 1, 0
end

local function broadcast(a, b)
  local shape = {}
  for d = 1, math.max(#a, #b) do
    local x, y = a[#a + 1 - d] or 1, b[#b + 1 - d] or 1
    table.insert(shape, 1, x == 1 and y or x)
  end
  return shape
end

--- The element of a flat list of that shape which broadcasting puts at an index.
function brackets.spread(list, shape, index)
  local flat = 0
  for d, size in ipairs(shape) do
    flat = flat * size + (size == 1 and 0 or index[#index - #shape + d])
  end
  return list[flat + 1]
end

-- Where the axes stand in the result: a list of axes, with `wide` sizes for those of columns.
local function order(axes)
  local wide, first, last, count = {}, nil, nil, 0
  for i, axis in ipairs(axes) do
    if axis.column then
      wide, first, last, count = broadcast(wide, axis.shape), first or i, i, count + 1
    end
  end
  local front = count > 0 and (last - first + 1 == count and first or 1)
  local result, shape, from = {}, {}, 0
  local function add_wide()
    from = #shape
    for _, size in ipairs(wide) do
      shape[#shape + 1] = size
    end
  end
  if front == 1 then
    add_wide()
  end
  for i, axis in ipairs(axes) do
    if i == front and front > 1 then
      add_wide()
    end
    if axis.list then
      shape[#shape + 1] = #axis.list
      result[#result + 1] = { axis = axis, at = #shape }
    end
  end
  return result, shape, from, wide
end

--- The meaning of t[key]: the shape of the result and, in its C order, the flat 1-based positions
--- in t.
function brackets.meant(shape, key)
  local strides, step = {}, 1
  for d = #shape, 1, -1 do
    strides[d], step = step, step * shape[d]
  end
  local axes, d, base = {}, 1, 0
  for _, entry in ipairs(key) do
    local moved
    d, moved = add_axes(axes, entry, d, shape, strides)
    base = base + moved
  end
  while d <= #shape do
    d = add_axes(axes, {}, d, shape, strides)
  end
  local kept, result, from, wide = order(axes)
  local positions = {}
  for flat = 0, support.numel(result) - 1 do
    local index, at = unravel(flat, result), base
    for _, k in ipairs(kept) do
      at = at + k.axis.list[index[k.at] + 1] * k.axis.stride
    end
    local inner = { unpack(index, from + 1, from + #wide) }
    for _, axis in ipairs(axes) do
      if axis.column then
        at = at + brackets.spread(axis.column, axis.shape, inner) * axis.stride
      end
    end
    positions[flat + 1] = at + 1
  end
  return result, positions
end

local function random_position(size)
  return random(2) == 1 and random(size) or -random(size)
end

local function random_range(size)
  local kind = random(4)
  if kind == 1 then
    return {}
  elseif kind == 2 and size > 0 then
    return { random_position(size) }
  end
  local first = random(size + 1)
  return { first, random(first - 1, size), kind == 3 and random(3) or nil }
end

-- A shape that broadcasts to another.
local function random_part(shape)
  local part = {}
  for d = random(1, #shape + 1), #shape do
    part[#part + 1] = random(4) == 1 and 1 or shape[d]
  end
  return part
end
brackets.random_part = random_part

local function random_entry(shape, d, wide, mask_count)
  local kind, size = random(6), shape[d]
  if kind <= 2 and size > 0 then
    return random_position(size), 1
  elseif kind == 3 and (size > 0 or support.numel(wide) == 0) then
    local entry = { positions = {}, shape = size > 0 and random_part(wide) or wide }
    for i = 1, support.numel(entry.shape) do
      entry.positions[i] = random_position(size)
    end
    return entry, 1
  elseif kind == 4 and mask_count then
    local dims = random(0, math.min(2, #shape - d + 1))
    local entry = { mask = {}, shape = { unpack(shape, d, d + dims - 1) } }
    local numel = support.numel(entry.shape)
    if numel >= mask_count then
      for i = 1, numel do
        entry.mask[i] = i <= mask_count
      end
      for i = numel, 2, -1 do
        local j = random(i)
        entry.mask[i], entry.mask[j] = entry.mask[j], entry.mask[i]
      end
      return entry, dims
    end
  end
  return random_range(size), 1
end

--- A random key for a shape. All masks have as many trues as the index tensors are long, when there
--- are both.
function brackets.random_key(shape)
  local wide, key, d = {}, {}, 1
  for i = 1, random(0, 2) do
    wide[i] = random(0, 3)
  end
  local mask_count = random(2) == 1 and (wide[#wide] or random(0, 3)) or nil
  while d <= #shape and random(8) > 1 do
    local entry, dims = random_entry(shape, d, wide, mask_count)
    key[#key + 1] = entry
    d = d + dims
  end
  return key
end

--- The key as locus takes it: positions and masks are tensors.
function brackets.real_key(key)
  local real = {}
  for i, entry in ipairs(key) do
    real[i] = entry
    if type(entry) == "table" and entry.positions then
      local dtype = arrays.pick { "int64", "int32" }
      real[i] = support.tensor(dtype, entry.positions, entry.shape)
    elseif type(entry) == "table" and entry.mask then
      real[i] = support.tensor("bool", entry.mask, entry.shape)
    end
    if type(real[i]) == "userdata" then
      real[i] = support.laid(real[i], arrays.pick(support.layouts))
    end
  end
  return real
end

--- The key as one line of text.
function brackets.show(key)
  local words = {}
  for i, entry in ipairs(key) do
    if type(entry) == "number" then
      words[i] = tostring(entry)
    else
      local list, name = entry.mask or entry.positions or entry, entry.mask and "mask" or ""
      local text = {}
      for k, value in ipairs(list) do
        text[k] = tostring(value)
      end
      name = entry.positions and "positions" or name
      local shape = entry.shape and "(" .. table.concat(entry.shape, "x") .. ")" or ""
      words[i] = name .. shape .. "{" .. table.concat(text, ",") .. "}"
    end
  end
  return "t[{ " .. table.concat(words, ", ") .. " }]"
end

--- True when numbers alone name one element.
function brackets.names_element(shape, key)
  for _, entry in ipairs(key) do
    if type(entry) ~= "number" then
      return false
    end
  end
  return #key == #shape and #shape > 0
end

--- A random shape of up to four dimensions, now and then with a zero.
function brackets.random_shape()
  local shape = {}
  for d = 1, random(0, 4) do
    shape[d] = random(6) == 1 and 0 or random(4)
  end
  return shape
end

return brackets
