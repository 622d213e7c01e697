-- SPDX-License-Identifier: MIT
-- The keys of rows on two sides, as numbers that both sides share.
local core = require "locus.core"
local declare = require "locus.call.declare"
local strings = require "locus.frame.strings"
local internal = core.internal

local types = select(2, internal.dtypes())
local sides = {}

-- Whether two tensors can be compared exactly: no dtype holds int64 and complex numbers.
function sides.are_comparable(a, b)
  if not core.is_tensor(a) or not core.is_tensor(b) then return true end
  local dtype, other = internal.dtype_of(a), internal.dtype_of(b)
  return not (dtype == "int64" and types[other].kind == "COMPLEX"
    or other == "int64" and types[dtype].kind == "COMPLEX")
end

-- The tensor of a key, or that of the ids of its strings; raises if it is none.
local function tensor_of(key, name, n, beside)
  if not strings.is(key) and not core.is_tensor(key) then
    declare.raise("'%s' must be a 1-D tensor or a string column, got %s", name,
      internal.describe(key))
  end
  local tensor = strings.parts(key) or key
  if core.methods.dim(tensor) ~= 1 or #tensor ~= n then
    declare.raise("'%s' must be of size %d, like '%s', got %s", name, n, beside,
      internal.describe(key))
  end
  return tensor
end

-- Strings: the names of the second column are looked up once for each of them.
local function of_strings(a, b)
  local ids, dictionary = strings.settled(a)
  local _, own = strings.parts(b)
  local gathers = own ~= dictionary and strings.is_watched(b) -- which checks what it reads
  local other = (gathers and strings.parts or strings.settled)(b)
  if own ~= dictionary then
    other = strings.by_name(other, internal.dictionary_translate(own, dictionary))
  end
  return ids, other, internal.dictionary_count(dictionary)
end

-- When there are two dtypes, each value is looked up: they are compared exactly.
local function of_tensors(a, b)
  if internal.dtype_of(a) == internal.dtype_of(b) then
    local ids, firsts, other = internal.factorize(a, b)
    return ids, other, #firsts
  end
  local ids, firsts = internal.factorize(a)
  return ids, core.take(ids, core.lookup(a, b), 0), #firsts
end

-- For two sides, each {key, name, rows, whose}: their numbers, int32, 1..count, those of the second
-- one 0 where the first has no such key; and count.
local function of_pair(a, b)
  local tensor_a, tensor_b = tensor_of(unpack(a)), tensor_of(unpack(b))
  local device, other = internal.device_of(tensor_a), internal.device_of(tensor_b)
  if device ~= other then
    declare.raise("'%s' must be on %s as '%s' is, got %s", b[2], device, a[2], other)
  end
  if strings.is(a[1]) ~= strings.is(b[1]) then
    declare.raise("'%s' and '%s' must both hold strings or both numbers, got %s and %s", a[2], b[2],
      internal.describe(a[1]), internal.describe(b[1]))
  end
  if not sides.are_comparable(a[1], b[1]) then
    declare.raise("'%s' and '%s' must be of dtypes that go together, got %s and %s", a[2], b[2],
      internal.dtype_of(tensor_a), internal.dtype_of(tensor_b))
  end
  if strings.is(a[1]) then return of_strings(a[1], b[1]) end
  return of_tensors(tensor_a, tensor_b)
end

-- The rows of two sides, each {key, name, rows, whose}, by number: ids of the first one, 1..count;
-- those of the second one, 0 if no row of the first has that key; and count. A key may be a list of
-- keys, as many on both sides. name is the argument's, whose that of the other argument with as
-- many rows.
function sides.pair(a, b)
  if type(a[1]) ~= "table" and type(b[1]) ~= "table" then return of_pair(a, b) end
  local count = type(a[1]) == "table" and type(b[1]) == "table" and #a[1] == #b[1] and #a[1]
  if not count or count == 0 then
    declare.raise("'%s' and '%s' must be lists of as many keys", a[2], b[2])
  end
  local parts = {}
  for k = 1, count do
    local function of(side) return {side[1][k], ("%s[%d]"):format(side[2], k), side[3], side[4]} end
    local ids, other, size = of_pair(of(a), of(b))
    if count == 1 then return ids, other, size end
    parts[k] = {core.cat({ids, other}), size}
  end
  local ids, firsts = internal.combine(parts)
  local n = a[3]
  return ids[{{1, n}}], ids[{{n + 1, #ids}}], #firsts
end

return sides
