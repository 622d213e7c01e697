-- SPDX-License-Identifier: MIT
-- The right answers of factorize and the functions that stand on it, by Lua tables; and random
-- elements of any dtype with many ties, NaN of both signs, both zeros, and int64 past 2^53 among
-- them.
local ffi = require "ffi"
local support = require "spec.support"

local numbering = {}

local function key_of_part(v)
  if v ~= v then return "nan" end
  return v == 0 and "0" or support.show(v)
end

--- A string that two elements have in common when they are equal, NaN and NaN too.
function numbering.key(v)
  if type(v) == "string" then return "s" .. v end
  if type(v) == "boolean" then return tostring(v) end
  if ffi.istype("complex", v) then return key_of_part(v.re) .. " " .. key_of_part(v.im) end
  return type(v) == "number" and key_of_part(v) or tostring(v):gsub("LL$", "")
end

--- The numbers of a list's elements in order of first appearance, the positions of the first ones,
--- and the number of each key.
function numbering.of(list)
  local ids, firsts, known = {}, {}, {}
  for i, v in ipairs(list) do
    local key = numbering.key(v)
    if not known[key] then
      firsts[#firsts + 1] = i
      known[key] = #firsts
    end
    ids[i] = known[key]
  end
  return ids, firsts, known
end

local function choices(dtype, few)
  local kind = support.types[dtype].kind
  local list = kind ~= "BOOL" and {0, 1, 2, 3, 5, 100} or {true, false}
  for _ = 1, kind ~= "BOOL" and not few and 40 or 0 do list[#list + 1] = math.random(0, 120) end
  if kind == "INTEGER" and not few then
    for _, bound in ipairs(support.range[dtype]) do list[#list + 1] = bound end
  end
  if dtype == "int64" then
    list[#list + 1] = support.integer("9007199254740992")
    list[#list + 1] = support.integer("9007199254740993")
  end
  if kind == "FLOAT" or kind == "COMPLEX" then
    for _, v in ipairs {-0.0, support.nan, -support.nan, 1 / 0, -1 / 0, 0.5, -0.5} do
      list[#list + 1] = v
    end
  end
  return list
end

--- A list of n random elements of that dtype; of `few` different ones where that is set.
function numbering.random(dtype, n, few)
  local from, list = choices(dtype, few), {}
  local complex = support.types[dtype].kind == "COMPLEX"
  for i = 1, n do
    local v = from[math.random(#from)]
    list[i] = complex and support.complex(v, from[math.random(#from)]) or v
  end
  return list
end

return numbering
