-- SPDX-License-Identifier: MIT
-- The types of columns of text: the `types` of read_csv, read_log and chunks, in the form for the
-- core's reader and for frames.
local frame_column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.call.declare"
local kinds = require "locus.tensor.kind"
local quantity = require "locus.tensor.quantity"
local internal = core.internal

local types = {}

local integers, floats, numbers = {}, {}, {}
local dtypes, about = internal.dtypes()
for _, dtype in ipairs(dtypes) do
  local kind = about[dtype].kind
  integers[dtype], floats[dtype] = kind == "INTEGER" or nil, kind == "FLOAT" or nil
  if kind == "INTEGER" or kind == "FLOAT" then numbers[#numbers + 1] = dtype end
end

-- For each type that is no dtype, its name in the error about a field that does not fit; "" if
-- every field fits.
local called, words_known = {}, {}
for _, type in ipairs(internal.text_types()) do
  called[type.word] = type.called
  words_known[#words_known + 1] = type.word
end

local known = table.concat(numbers, " ") .. " " .. table.concat(words_known, " ") .. " skip"

-- The word and the options of a type {"int64", missing = -1}; a word alone has no options.
local function take_apart(spec)
  if type(spec) == "table" then return spec[1], spec end
  return spec, {}
end

local function check_options(raise, spec, allowed)
  for key in pairs(spec) do
    if not allowed[key] then
      raise("has the option '%s', which %s does not have", declare.shown(key), spec[1])
    end
  end
end

-- A tensor of the one element that is written for a missing field.
local function filling(raise, value, dtype)
  if value == nil then return nil end
  return frame_column.filling(value, dtype)
    or raise("has missing = %s, which %s cannot hold", internal.describe(value), dtype)
end

-- The same of a column of times: a time in another unit is converted, or raises.
local function time_filling(raise, value, kind)
  if not (quantity.is and quantity.is(value)) then return filling(raise, value, "int64") end
  local like = kinds.tagged(core.zeros(1, {dtype = "int64", device = "cpu"}), kind)
  local ok, made = pcall(core.full_like, like, value)
  if ok then return kinds.plain(made) end
  raise("has missing = %s, which a %s%s cannot hold", internal.describe(value), kind.type,
    kind.unit and " in " .. kind.unit or "")
end

local function words(raise, given)
  if type(given) == "string" then given = {given} end
  if type(given) ~= "table" or #given == 0 then
    raise('is a bool: write {"bool", "yes", "no"} with the words that stand for true and false')
  end
  local list = {} -- that nobody else changes
  for i, word in ipairs(given) do
    if type(word) ~= "string" then raise("has a word that is no string") end
    list[i] = word
  end
  return list
end

local of = {} -- by word: its options in the form for the core, and the kind for frames

function of.string(raise, spec)
  check_options(raise, spec, {true, missing = true})
  if type(spec.missing) ~= "string" and spec.missing ~= nil then
    raise("has missing = %s, which is no string", internal.describe(spec.missing))
  end
  return {type = "string", dtype = "int32", filled = spec.missing or ""}
end

function of.request_path(raise, spec)
  local column = of.string(raise, spec)
  column.type = "request_path"
  return column
end

function of.bool(raise, spec)
  check_options(raise, spec, {true, true, true, missing = true})
  local column = {type = "bool", dtype = "bool", fill = filling(raise, spec.missing, "bool")}
  column.trues, column.falses = words(raise, spec[2]), words(raise, spec[3])
  if #column.trues + #column.falses > 16 then raise("has more than 16 words") end
  for _, word in ipairs(column.trues) do
    for _, other in ipairs(column.falses) do
      if word == other then raise("has %q for both true and false", word) end
    end
  end
  return column
end

local function pattern_of(raise, spec)
  local pattern = spec[2]
  if pattern == nil then return nil end
  local advice = frame_column.unit_advice(spec)
  if advice then raise("has the unit as its pattern; %s", advice) end
  if type(pattern) ~= "string" then raise("has the pattern %s", internal.describe(pattern)) end
  local wrong = internal.check_pattern(pattern)
  if wrong then raise("has the pattern %q, which %s", pattern, wrong) end
  return pattern
end

-- The places of `ambiguous` and `missing` among the choices of src/text/time/clock.h, and the value
-- of a missing field. `missing` is either of the two, or a list of both.
local function choices(raise, spec)
  local twice = ({first = 1, second = 2})[spec.ambiguous]
  if spec.ambiguous ~= nil and not twice then
    raise('has ambiguous = %s, which is neither "first" nor "second"',
      internal.describe(spec.ambiguous))
  end
  local value, gone = spec.missing, nil
  if type(value) == "string" then
    value, gone = nil, value
  elseif type(value) == "table" then
    value, gone = value[1], value[2]
  end
  if gone ~= nil and gone ~= "forward" then
    raise('has missing = %s, which is neither a value nor "forward"', internal.describe(gone))
  end
  if not spec.zone and (twice or gone) then
    raise("has %s without a zone", twice and "'ambiguous'" or "missing = \"forward\"")
  end
  return twice, gone and 1, value
end

function of.time(raise, spec)
  check_options(raise, spec, {true, true, unit = true, missing = true, zone = true,
                              ambiguous = true})
  local unit = spec.unit or "us"
  local twice, gone, missing = choices(raise, spec)
  if not frame_column.per_second[unit] then
    raise('has the unit %s, which is none of "s", "ms", "us" and "ns"', internal.describe(unit))
  end
  return {type = "time", dtype = "int64", per_second = frame_column.per_second[unit],
          pattern = pattern_of(raise, spec),
          fill = time_filling(raise, missing, {type = "time", unit = unit}),
          zone = spec.zone ~= nil and internal.zone(spec.zone) or nil, twice = twice, gone = gone},
         {type = "time", unit = unit}
end

function of.date(raise, spec)
  check_options(raise, spec, {true, true, missing = true})
  return {type = "date", dtype = "int64", pattern = pattern_of(raise, spec),
          fill = time_filling(raise, spec.missing, {type = "date"})}, {type = "date"}
end

function of.ipv4(raise, spec)
  check_options(raise, spec, {true, missing = true})
  return {type = "ipv4", dtype = "int64",
          fill = time_filling(raise, spec.missing, {type = "ipv4"})},
         {type = "ipv4"}
end

for word in pairs(called) do
  if not of[word] then error(("frame/types.lua has no options for the type %q"):format(word)) end
end

local function of_number(raise, spec, word)
  check_options(raise, spec, {true, missing = true})
  local missing = spec.missing
  if missing == nil and floats[word] then missing = 0 / 0 end
  return {type = integers[word] and "integer" or "float", dtype = word,
          fill = filling(raise, missing, word)}
end

-- The column of a type: {word=, spec=, column= (as src/bind/text/reader.c reads it), kind= (of
-- frames), words}; nil for "skip". raise(format, ...) is called with an error in it.
function types.read(spec, point, raise)
  local word, options = take_apart(spec)
  if word == "skip" then return nil end
  if type(word) ~= "string" then raise("is %s, which is no type", internal.describe(spec)) end
  local make = of[word] or (integers[word] or floats[word]) and of_number
  if not make then
    local advice = frame_column.advice(word)
    if not advice or advice:find("complex", 1, true) then advice = "the types are " .. known end
    raise("is %q; %s", word:sub(1, 60), advice)
  end
  local column, kind = make(raise, options, word)
  column.point = point
  return {word = word, spec = spec, column = column, kind = kind}
end

-- Whether it is a type, or a table that seems to be one, and no device.
function types.is(spec)
  local word = take_apart(spec)
  return type(spec) == "table" or called[word] ~= nil or integers[word] or floats[word]
    or word == "skip" or word == "duration" or frame_column.advice(word) ~= nil
end

-- A column whose type its text decides: int64, float64, date, time, or else string.
function types.guess(point)
  return {word = "int64", guessed = true, column = {
    type = "guess_integer", dtype = "int64", point = point, filled = "",
    fill = filling(error, 0 / 0, "float64"),
  }}
end

-- By name in the core, the words and kinds of guesses.
local guesses = {
  guess_integer = {"int64"}, guess_float = {"float64"}, string = {"string"},
  guess_date = {"date", {type = "date"}}, guess_time = {"time", {type = "time", unit = "us"}},
  guess_time_ns = {"time", {type = "time", unit = "ns"}},
}

-- Gives a guessed column its type once that is known, by its name in the core.
function types.resolve(entry, type)
  local word, kind = unpack(guesses[type])
  entry.word, entry.kind = word, kind
  entry.column.type = type
  entry.column.dtype = kind and "int64" or word == "string" and "int32" or word
end

-- A value as it is written in Lua.
local function written(value)
  if type(value) == "string" then return '"' .. internal.visible(value, true) .. '"' end
  if type(value) ~= "table" then return tostring(value) end
  local list = {}
  for i, item in ipairs(value) do list[i] = written(item) end
  return "{" .. table.concat(list, ", ") .. "}"
end

-- The same type, with the texts of missing values.
local function with_missing(entry)
  local _, spec = take_apart(entry.spec)
  local list = {}
  for i, item in ipairs(spec) do list[i] = written(item) end
  if #list == 0 then list[1] = written(entry.word) end
  for _, name in ipairs {"unit", "zone", "ambiguous", "path"} do
    if spec[name] then list[#list + 1] = name .. " = " .. written(spec[name]) end
  end
  local value = spec.missing == "forward" and '{value, "forward"}' or "value"
  return "{" .. table.concat(list, ", ") .. ", missing = " .. value .. "}"
end

-- The error for a field that is not of its type.
function types.wrong(entry, wrong)
  local column, word = entry.column, entry.word
  if wrong == "is missing" then
    local what = entry.path and "is missing or null; write %s if it may be"
      or "is empty; write %s if it may be"
    return what:format(with_missing(entry))
  elseif wrong then
    return wrong
  elseif column.type == "bool" then
    return ("is neither %q nor %q"):format(column.trues[1], column.falses[1])
  end
  local of_no_dtype = called[word] ~= "" and called[word]
  return "is not " .. (of_no_dtype or (word:find("^i") and "an " or "a ") .. word)
end

return types
