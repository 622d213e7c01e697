-- SPDX-License-Identifier: MIT
-- The order of rows by several keys: a stable sort for each, from the last key to the first. And
-- locus.argsort of a list of keys.
local core = require "locus.core"
local declare = require "locus.call.declare"
local strings = require "locus.frame.strings"
local order = require "locus.derived.order"
local internal = core.internal

local argsort = {}

-- A tensor that sorts as the key does.
function argsort.sortable(key)
  return strings.is(key) and strings.ranks(strings.parts(key)) or key
end

-- The positions, counted from 1, that sort by these tensors, the first one above all. descending[k]
-- says whether the k-th one descends. Copies go as soon as they are read.
function argsort.by_keys(keys, descending)
  local free = core.methods.free
  local positions = core.methods.argsort(keys[#keys], 1, descending[#keys])
  for k = #keys - 1, 1, -1 do
    local values, before = keys[k][positions], positions
    local sorted = core.methods.argsort(values, 1, descending[k])
    free(values)
    positions = before[sorted]
    free(before)
    free(sorted)
  end
  return positions
end

local function is_key(value) return core.is_tensor(value) or strings.is(value) end

-- The keys as tensors, checked against the first one.
local function tensors_of(keys)
  local list = {}
  for k, key in ipairs(keys) do
    if not is_key(key) then
      declare.raise("'keys[%d]' must be a 1-D tensor or a string column, got %s", k,
        internal.describe(key))
    end
    list[k] = argsort.sortable(key)
    order.check_real(list[k], ("keys[%d]"):format(k))
    if #list[k] ~= #list[1] then
      declare.raise("'keys[%d]' must be of size %d, like 'keys[1]', got %s", k, #list[1],
        internal.describe(key))
    end
    local device, other = internal.device_of(list[1]), internal.device_of(list[k])
    if device ~= other then
      declare.raise("'keys[%d]' must be on %s as 'keys[1]' is, got %s", k, device, other)
    end
  end
  return list
end

-- Whether each of the keys descends, from a boolean for all or one for each.
local function directions(given, count)
  if type(given) == "boolean" then
    return setmetatable({}, {__index = function() return given end})
  end
  local fits = type(given) == "table" and #given == count
  for k = 1, fits and count or 0 do fits = fits and type(given[k]) == "boolean" end
  if not fits then
    declare.raise("'descending' must be a boolean, or a list of one for each key, got %s",
      internal.describe(given))
  end
  return given
end

-- argsort(keys, {descending, base}): the positions that sort rows by several keys, 1-D tensors and
-- string columns of one length, the first one above all; equal rows keep their order. A key that
-- descends is in the exact reverse order, as in x:argsort(1, true).
local of_keys = declare.define("argsort(keys:any, {descending:any=false, base=1})",
  function(keys, descending, base)
    local list = tensors_of(keys)
    local positions = argsort.by_keys(list, directions(descending, #list))
    return base == 1 and positions or positions + (base - 1)
  end)

-- All keys except tensors, which the core sorts.
function argsort.any(input, ...)
  if strings.is(input) then return strings.methods.argsort(input, ...) end
  return (type(input) == "table" and of_keys or internal.argsort_tensor)(input, ...)
end

return argsort
