-- SPDX-License-Identifier: MIT
-- The kinds of tensors, as a frame's columns have them: {type = "time", unit = "us"}, {type =
-- "date"}, {type = "duration", unit = "us"}, {type = "ipv4"}, with the `text` of messages and an
-- `example`; nil for plain numbers. The tag itself is a field of the tensor, which C reads
-- (src/core/kind.h).
local core = require "locus.core"
local internal = core.internal

local kind = {}

-- The kinds by number, each with its `number` and, for times and durations, the units in a day; and
-- their numbers, by type and unit.
local kinds, numbers = internal.kinds(), {}
for number, k in ipairs(kinds) do
  k.unit, k.number = k.unit or nil, number
  numbers[k.type .. " " .. (k.unit or "")] = number
end

--- The kind with that number.
function kind.by_number(number) return kinds[number] end

--- The number of a kind; 0 for nil.
function kind.number(k)
  return k and (k.number or numbers[k.type .. " " .. (k.unit or "")]) or 0
end

--- The kind of that type and unit, as one table for all; nil if there is none.
function kind.named(type, unit) return kinds[numbers[type .. " " .. (unit or "")]] end

--- The kind of a tensor; nil for plain numbers and other values.
function kind.of(tensor) return kinds[internal.kind_of(tensor)] end

--- The kind of a sum of its elements: durations stay such.
function kind.of_sum(tensor)
  local own = kind.of(tensor)
  return own and own.type == "duration" and own or nil
end

--- A tensor of the same int64 elements that has the kind; nil: of plain numbers.
function kind.tagged(tensor, k)
  local number = kind.number(k)
  if internal.kind_of(tensor) == number then return tensor end
  return internal.with_kind(tensor, number)
end

--- Raises where the tensors of those names have two kinds. Plain numbers go with all.
function kind.check_same(a, first, b, second)
  local own, theirs = kind.of(a), kind.of(b)
  if not own or not theirs or own == theirs then return end
  local sort = own.per_day > 0 and theirs.per_day > 0
    and (own.type == "duration") == (theirs.type == "duration")
  local function quoted(name) return name:find("'", 1, true) and name or "'" .. name .. "'" end
  internal.fail(("%s has %s, and %s has %s%s"):format(quoted(first), own.text, quoted(second),
    theirs.text,
    sort and ('; write x:as_unit("%s") for one of them'):format(own.unit or "d") or ""))
end

--- A tensor of the same elements as plain numbers.
function kind.plain(tensor)
  return internal.kind_of(tensor) == 0 and tensor or internal.with_kind(tensor, 0)
end

return kind
