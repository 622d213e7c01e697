-- SPDX-License-Identifier: MIT
-- internal.factorize(input, values, names): the elements of a 1-D tensor by number. Answers on
-- input's device: the number of each element, int32, 1 to n in the order in which they first come;
-- and firsts, int64, the first position of each number, counted from 1. With `values`, of the same
-- dtype and device, also their numbers, 0 for those that the input lacks. Equal elements have one
-- number: NaN equals NaN, -0 equals 0, complex numbers are equal if both parts are. `names`: the
-- input is ids of strings, and an error if one that is numbered on the CPU is not 1..names.
--
-- internal.combine(list): the same of several such columns of numbers, given as {{ids, count}, ...}
-- with 0 <= ids <= count: rows are equal if all of them are.
local core = require "locus.core"
local internal = core.internal

local types = select(2, internal.dtypes())
local SAMPLE = 1024
local numbers = {}

local function is_complex(t) return types[internal.dtype_of(t)].kind == "COMPLEX" end

-- Whether each element of a 1-D tensor, or row of a 2-D one, differs from the one before it; the
-- first does.
function numbers.starts(x)
  local n, is_row = #x, core.methods.dim(x) == 1
  local starts = core.ones(n, {dtype = "bool", device = internal.device_of(x)})
  if n < 2 then return starts end
  local behind = starts[{{2, n}}]
  local differs = core.ne(x[{{1, n - 1}}], x[{{2, n}}], {out = is_row and behind or nil})
  if types[internal.dtype_of(x)].kind == "FLOAT" then
    local nan = core.isnan(x)
    if core.any(nan) then
      local both = core.logical_and(nan[{{1, n - 1}}], nan[{{2, n}}])
      core.methods.logical_and_(differs, core.logical_not(both))
    end
  end
  if not is_row then core.any(differs, 2, {out = behind}) end
  return starts
end

-- Whether so large a share of a row on the CPU differs, by the looks of some elements, and integers
-- are far apart, that to sort it is faster than to look for each in a table of hashes: 0.9 where
-- elements are sorted, 0.97 where they take their positions with them.
function numbers.mostly_differ(x, share)
  local n = #x
  if n < 8 * SAMPLE or internal.device_of(x) ~= "cpu" then return false end
  local sample = x[{{1, n, math.floor(n / math.max(SAMPLE, n / 128))}}]
  local _, firsts = internal.factorize(sample)
  if #firsts < share * #sample then return false end
  if types[internal.dtype_of(x)].kind == "FLOAT" then return true end
  return tonumber(core.amax(x)) - tonumber(core.amin(x)) > 4 * n
end

-- For each row of a 2-D tensor the number of its run.
local function row_runs(x)
  if is_complex(x) then
    x = core.reshape(internal.factorize(core.flatten(x)), core.methods.size(x))
  end
  return core.cumsum(numbers.starts(x), 1)
end

-- The runs of equal elements of a 1-D tensor: the element of each; with `places` where each begins,
-- counted from base, and how long it is, else nil; with `has_numbers` for each element the number
-- of its run, counted from base. The same for rows of a 2-D tensor, except the first answer.
function numbers.runs(x, places, has_numbers, base)
  if core.methods.dim(x) == 2 then x = row_runs(x) end
  return internal.runs(core.methods.contiguous(x), not not places, not not has_numbers, base)
end

-- Numbers in the order of first appearance, by sorting: rows of one number lie together, in the
-- order in which they came, so that the first of them is the first of all.
local function by_order(input)
  local device = internal.device_of(input)
  local sorted, order = core.sort(input)
  local _, begins, _, run = numbers.runs(sorted, true, true, 1)
  local rows = order[begins]
  local is_first = core.zeros(#input, {dtype = "bool", device = device})
  is_first[rows] = true
  local own = core.cumsum(is_first, 1)[rows]
  local ids = core.empty(#input, {dtype = "int32", device = device})
  ids[order] = own[run]
  return ids, core.nonzero(is_first, {as_tuple = true})
end

local function on_device(input)
  if #input > 0 and not is_complex(input) then return by_order(input) end
  local ids, firsts = internal.factorize_host(input:cpu():contiguous()) -- they have no order
  local device = internal.device_of(input)
  return ids:to(device), firsts:to(device)
end

-- The values come behind the input in one row.
local function both_on_device(input, values)
  local n = #input
  local ids, firsts = on_device(core.cat({input, values}))
  local found = ids[{{n + 1, #ids}}]
  firsts = firsts[core.le(firsts, n)] -- in order, so the first ones
  return ids[{{1, n}}], firsts, core.masked_fill(found, core.gt(found, #firsts), 0)
end

function internal.factorize(input, values, names)
  if internal.device_of(input) ~= "cpu" then
    if values then return both_on_device(input, values) end
    return on_device(input)
  end
  return internal.factorize_host(input:contiguous(), values and values:contiguous(), names)
end

function internal.combine(list)
  local ids, firsts = list[1][1], nil
  if #list == 1 then return internal.factorize(ids) end
  for i = 2, #list do
    local other, count = unpack(list[i])
    ids, firsts = internal.factorize(ids:long() * (count + 1) + other)
  end
  return ids, firsts
end

-- The positions of numbers, counted from base; base - 1 for 0.
function numbers.positions(found, firsts, base)
  local none = core.zeros(1, {dtype = "int64", device = internal.device_of(firsts)})
  return core.cat({none, firsts})[found + 1] + (base - 1)
end

return numbers
