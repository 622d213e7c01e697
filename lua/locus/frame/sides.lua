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

-- Strings: each name of the second column is looked up once.
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

-- Two dtypes: each value is looked up, since they must be compared exactly.
local function of_tensors(a, b)
  if internal.dtype_of(a) == internal.dtype_of(b) then
    local ids, firsts, other = internal.factorize(a, b)
    return ids, other, #firsts
  end
  local ids, firsts = internal.factorize(a)
  return ids, core.take(ids, core.lookup(a, b), 0), #firsts
end

-- The numbers of two sides, each {key, name, rows, whose}: int32 in 1..count, with 0 on the second
-- side for a key that the first lacks; and count.
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
    declare.raise("'%s' and '%s' must have dtypes that compare, got %s and %s", a[2], b[2],
      internal.dtype_of(tensor_a), internal.dtype_of(tensor_b))
  end
  if strings.is(a[1]) then return of_strings(a[1], b[1]) end
  return of_tensors(tensor_a, tensor_b)
end

-- The same for keys that may be lists of keys, as many on both sides: ids of the rows of the first
-- side, of the second side, and count. `name` is the argument's name, `whose` that of the other
-- argument with as many rows.
function sides.pair(a, b)
  if type(a[1]) ~= "table" and type(b[1]) ~= "table" then return of_pair(a, b) end
  local count = type(a[1]) == "table" and type(b[1]) == "table" and #a[1] == #b[1] and #a[1]
  if not count or count == 0 then
    declare.raise("'%s' and '%s' must be lists with the same number of keys", a[2], b[2])
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
