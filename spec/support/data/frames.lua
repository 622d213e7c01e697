-- SPDX-License-Identifier: MIT
-- Random frames for specs, with whatever text could spoil: extremes and random bits of every type,
-- strings of any bytes, times of all units; how two frames differ; and text in pieces.
local ffi = require "ffi"
local arrays = require "spec.support.data.arrays"
local kinds = require("locus.frame.column").kinds
local locus = require "locus"
local support = require "spec.support"

local frames = {}

local pick, random = arrays.pick, math.random

-- Any byte, those that CSV gives a meaning more often.
local SPECIAL = {'"', '""', ",", ";", "\t", "'", "\n", "\r", "\r\n", " ", "#", "\\", "\0", "-",
                 "\239\187\191", "\255\254", "\31\139", "nan", "NA", "inf", "1", "007", "1e5", "%",
                 "true", "1970-01-01", "\195\169", "\240\157\132\158", ("long "):rep(60)}

--- A random string; with `utf8` of characters alone.
function frames.string(utf8)
  local parts = {}
  for i = 1, pick{0, 1, 1, 2, 3, 8} do
    local special = pick(SPECIAL)
    local usable = random(2) == 1 and not (utf8 and special:find("^[\255\31]"))
    parts[i] = usable and special or string.char(utf8 and random(32, 126) or random(0, 255))
  end
  return table.concat(parts)
end

local WORD = {int8 = "int8_t", uint8 = "uint8_t", int16 = "int16_t", int32 = "int32_t",
              int64 = "int64_t", float16 = "uint16_t", bfloat16 = "uint16_t",
              float32 = "uint32_t", float64 = "uint64_t"}

--- A column of random bits of a dtype; of a fourth of them those of short numbers and extremes.
function frames.bits(dtype, rows)
  local t = locus.empty(rows, {dtype = dtype, device = "cpu"})
  local size = support.types[dtype].size
  local words = ffi.new("uint16_t[?]", rows * math.ceil(size / 2) + 1)
  for i = 0, math.ceil(rows * size / 2) - 1 do words[i] = random(0, 65535) end
  if rows > 0 then ffi.copy(t:data(), words, rows * size) end
  local elements = ffi.cast(WORD[dtype] .. " *", t:data())
  for i = 0, rows - 1 do -- fewer bits: numbers of few digits, of every size
    if random(4) == 1 then elements[i] = bit.arshift(random(-2 ^ 31, 2 ^ 31 - 1), random(0, 31)) end
  end
  for i = 1, rows do
    if random(4) == 1 then t[i] = arrays.value_of(dtype) end
  end
  return t:to(support.device)
end

-- Whole numbers from `low` to `high`, both among them.
local function between(low, high)
  return function(rows)
    local list = {}
    for i = 1, rows do
      list[i] = pick{low, high, 0, random(-1, 60000), math.floor(low + (high - low) * random())}
    end
    return locus.tensor(list, {dtype = "int64"}):view(rows)
  end
end

local function strings(utf8)
  return function(rows)
    local list, few = {}, {}
    for i = 1, 5 do few[i] = frames.string(utf8) end
    for i = 1, rows do list[i] = random(3) == 1 and frames.string(utf8) or pick(few) end
    return locus.strings(list)
  end
end

local FIRST_DAY, LAST_DAY = -719528, 2932896 -- of the years 0 and 9999

--- The kinds of columns: {type, a function of the number of rows that makes one}.
frames.columns = {
  {"bool", function(rows) return frames.bits("int8", rows):ge(0) end}, {"string", strings()},
  {"date", between(FIRST_DAY, LAST_DAY)}, {"ipv4", between(0, 2 ^ 32 - 1)},
}
for dtype in pairs(WORD) do
  table.insert(frames.columns, {dtype, function(rows) return frames.bits(dtype, rows) end})
end
for _, unit in ipairs{"s", "ms", "us", "ns"} do
  local function make(rows) return frames.bits("int64", rows) end
  table.insert(frames.columns, {{"time", unit = unit}, make})
end
table.sort(frames.columns, function(a, b)
  return (a[1].unit or a[1]) < (b[1].unit or b[1])
end)

--- Strings that are UTF-8.
frames.utf8 = strings(true)

--- A random frame of that many rows and columns, which may be of any type.
function frames.random(rows, columns)
  local list = {}
  for i = 1, columns do
    local type, make = unpack(pick(frames.columns))
    local kind = (type.unit or kinds[type]) and type or nil
    local odd = random(3) == 1 and frames.string()
    list[i] = {odd and i .. odd or "c" .. i, make(rows), kind}
  end
  return locus.frame(list)
end

--- The first difference of two frames as a sentence, nil where there is none. All NaN are one.
function frames.difference(a, b)
  local names, others = table.concat(a:columns(), "\1"), table.concat(b:columns(), "\1")
  if names ~= others then return ("columns %q, not %q"):format(others, names) end
  if tostring(a:types()) ~= tostring(b:types()) then return "types " .. tostring(b:types()) end
  if #a ~= #b then return ("%d rows, not %d"):format(#b, #a) end
  for _, name in ipairs(a:columns()) do
    local expected, got = a:column(name):totable(), b:column(name):totable()
    for i = 1, #expected do
      if not support.same_value(expected[i], got[i]) then
        return ("%q[%d] is %q, not %q"):format(name, i, support.show(got[i]),
          support.show(expected[i]))
      end
    end
  end
end

--- A source that gives the text in pieces of at most `most` bytes, of random sizes.
function frames.pieces(text, most)
  local at = 1
  return function()
    if at > #text then return nil end
    local piece = text:sub(at, at + random(0, most) - 1)
    at = at + #piece
    return piece
  end
end

return frames
