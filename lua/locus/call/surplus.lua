-- SPDX-License-Identifier: MIT
-- The addition to the error of a value by position that is one too many, or of the wrong type: how
-- to write it by name. It was meant for an option that takes such values, by the kind that
-- declare.lua has, or by its name. Loaded for the first such error.
local core = require "locus.core"
local internal = core.internal

local surplus = {}

-- The values of options that functions read themselves: the words of a string, or types of values.
-- Options of one name are of one kind.
surplus.kinds = {
  data = "value", list = "table", side = "left|right|both", sorter = "tensor",
  inclusive = "both|neither|left|right", size = "integer", fill_value = "integer",
  groups = "integer", positions = "any", keep = "any", out = "out", alpha = "number",
  output_size = "integer",
  direction = "backward|forward|nearest", how = "inner|left|semi|anti", kind = "time|date|ipv4",
  method = "average|min|max|dense|ordinal", interpolation = "linear|lower|higher|nearest|midpoint",
  indexing = "ij|xy", mmap = "r|r+", reduce = "add|multiply", profile = "default|short|full",
  by = "table", tolerance = "number", range = "table", formats = "table", types = "table",
  separator = "byte", rows = "integer", skip = "integer", limit = "integer", columns = "table",
  header = "boolean|table", bad = "raise|any", progress = "function|boolean",
  generator = "userdata",
}

-- The types of values that a kind takes; 0 alone says that it was meant for base, which is 1.
local WHOLE, NUMBERS = {zero = true, whole = true}, {zero = true, whole = true, fraction = true}
local DATA = {zero = true, whole = true, fraction = true, tensor = true, table = true}
local LIST = {zero = true, whole = true, table = true}
surplus.types = {
  string = {string = true}, boolean = {boolean = true}, integer = WHOLE, number = NUMBERS,
  tensor = {tensor = true, table = true}, table = {table = true}, value = DATA,
  tensors = {table = true}, out = {tensor = true}, dim = WHOLE, dims = LIST, sizes = LIST,
  integers = LIST, counts = {zero = true, whole = true, tensor = true, table = true},
  names = {string = true, table = true}, base = {zero = true}, dtype = {}, device = {},
  ["function"] = {["function"] = true}, userdata = {userdata = true}, byte = {},
  any = {},
}

local function type_of(value)
  if core.is_tensor(value) then return "tensor" end
  local kind = type(value)
  if kind ~= "number" and kind ~= "cdata" then return kind end
  local number = kind == "number" or internal.describe(value):find("^the cdata [-%d]+$")
  if not number then return kind end
  if value == 0 then return "zero" end
  return (kind == "cdata" or value % 1 == 0) and "whole" or "fraction"
end

local function is_device(text) return text == "cpu" or text:find("^cuda:?%d*$") ~= nil end

local dtypes = {}
for _, name in ipairs(internal.dtypes()) do dtypes[name] = true end

-- How well a value fits, best last: `out` and `base` give way to all others; a string that is
-- spelled nearly like a word; a value of the right type; one of an argument that must be given; the
-- name of an option of true and false; a word, or a single byte that can only separate something.
local LAST, ALIKE, TYPE, REQUIRED, NAME, WORD = 1, 2, 3, 4, 5, 6

-- How well a value fits one of the words or types; the word, if that is another.
local function fits_listed(value, kind, listed)
  if listed == "byte" then
    return kind == "string" and #value == 1 and value:find("%W") and WORD or nil
  end
  local types = surplus.types[listed]
  if types then return types[kind] and TYPE end
  if kind ~= "string" then return nil end
  if value == listed then return WORD end
  local distance = #listed > 3 and internal.spelling_distance(value:lower(), listed) or 9
  if distance < 3 then return ALIKE, listed end
end

local function fits(value, param)
  local takes, kind = param.takes, type_of(value)
  if takes == "dtype" then return kind == "string" and dtypes[value] and WORD or nil end
  if takes == "device" then return kind == "string" and is_device(value) and WORD or nil end
  if value == param.name and takes:find("boolean", 1, true) then return NAME, true end
  local best, word
  for listed in takes:gmatch("[^|]+") do
    local here, shown = fits_listed(value, kind, listed)
    if here and (not best or here > best) then best, word = here, shown end
  end
  if takes == "out" or takes == "base" then return best and LAST end
  return best == TYPE and not param.optional and REQUIRED or best, word
end

local SCALARS = {boolean = true, integer = true, number = true}

--- A kind, or several of words and kinds with | between them. Functions in C have types.
function surplus.takes(param)
  local kind = param.kind or param.name
  if kind == param.name or kind == "any" or kind == "string" then
    local type = (param.type or ""):gsub(" = .*", "")
    return surplus.kinds[param.name] or SCALARS[type] and type or kind
  end
  return kind
end

-- Adds to each parameter the values that it takes, and whether it is one of those given, the bits
-- of a number.
local function complete(params, given)
  local list = {}
  for i, param in ipairs(params) do
    list[i] = {name = param.name, named = param.named, optional = param.optional,
               sizes = param.sizes, given = given % 2 ^ i >= 2 ^ (i - 1), default = param.default,
               takes = surplus.takes(param)}
  end
  return list
end

-- The value as it is written in Lua; "..." for values without a short form there.
local function shown(value)
  local kind = type(value)
  if kind == "string" and #value < 25 and not value:find('[%c"\\\127-\255]') then
    return '"' .. value .. '"'
  elseif kind == "boolean" or kind == "cdata" and type_of(value) ~= "cdata" then
    return tostring(value)
  end
  return kind ~= "string" and internal.describe(value):match("^the %a+ (%S+)$") or "..."
end

-- The options that the value fits best, each as `side = "right"`, and how well: those that go by
-- name alone, and the optional ones that by position come `later`.
local function options(params, value, taken, later)
  local found, best = {}, LAST
  for _, param in ipairs(params) do
    local fit, word
    local open = param.named or later and param.optional
    if open and not param.given and not taken[param.name] then
      fit, word = fits(value, param)
      if value == param.default and fit ~= WORD then fit = nil end -- unless it is one of its words
    end
    if fit and fit > best then found, best = {}, fit end
    if fit == best then
      table.insert(found, {name = param.name,
                           text = ("%s = %s"):format(param.name, shown(word or value))})
    end
  end
  return found, best
end

-- One value: {side = "right"}, or whichever of several options it fits as well.
local function one(params, value, later)
  local found, texts = options(params, value, {}, later), {}
  for i = 1, math.min(#found, 3) do texts[i] = "{" .. found[i].text .. "}" end
  local last = table.remove(texts)
  return #texts > 0 and table.concat(texts, ", ") .. " or " .. last or last
end

-- The two ends of a range, histogram(x, 3, 0, 1), as {range = {0, 1}}.
local function ends(params, low, high)
  if not NUMBERS[type_of(low)] or not NUMBERS[type_of(high)] then return nil end
  for _, param in ipairs(params) do
    if param.name == "range" and not param.given then
      return ("{range = {%s, %s}}"):format(shown(low), shown(high))
    end
  end
end

-- Several: {on = "city", how = "left"}, each as the first option that it fits best.
local function several(params, values, first, last)
  local taken, texts = {}, {}
  for i = first, last do
    local found = options(params, values[i], taken)[1]
    if not found then return nil end
    taken[found.name] = true
    table.insert(texts, found.text)
  end
  return "{" .. table.concat(texts, ", ") .. "}"
end

-- Arguments by name as they are written, {dim = 1, out = ...}; nil if there are none.
local function written(params, named)
  local texts = {}
  for _, param in ipairs(params) do
    local value = named and named[param.name]
    if value ~= nil then texts[#texts + 1] = ("%s = %s"):format(param.name, shown(value)) end
  end
  return #texts > 0 and "{" .. table.concat(texts, ", ") .. "}" or nil
end

-- A call of that one value, with the arguments by name.
local function call(name, text, params, named)
  local braces = written(params, named)
  return braces and ("%s(%s, %s)"):format(name, text, braces) or ("%s(%s)"):format(name, text)
end

local PLAIN = {zero = true, whole = true, fraction = true, boolean = true, table = true}

-- Whether all values are numbers, booleans and tables, or all strings.
local function are_data(values, count)
  local strings = 0
  for i = 1, count do
    local kind = type_of(values[i])
    if kind == "string" then strings = strings + 1 elseif not PLAIN[kind] then return false end
  end
  return strings == 0 or strings == count
end

-- The arguments by name, with a dtype and a device that come behind data; how many values are left.
local function trailing(params, values, count, named)
  local all, left = {}, count
  for option, value in pairs(named or {}) do all[option] = value end
  while left > 2 and type(values[left]) == "string" and type(values[1]) ~= "string" do
    local found, best = options(params, values[left], all)
    if best ~= WORD then break end
    all[found[1].name], left = values[left], left - 1
  end
  return all, left
end

-- tensor(1, 2, 3) is tensor{1, 2, 3}; tensor{1, 2, dtype = "int64"} has its options apart, and so
-- has tensor(1, 2, "int64").
local function data(params, values, given, name, by_name)
  local named, count = trailing(params, values, given, by_name)
  local takes = params[1].takes
  if takes ~= "value" and takes ~= "table" or not are_data(values, count) then return nil end
  local texts = {}
  for i = 1, math.min(count, 5) do
    local text = type(values[i]) == "table" and "{...}" or shown(values[i])
    texts[i] = i < 5 and text or "..."
  end
  local list = "{" .. table.concat(texts, ", ") .. "}"
  return next(named) == nil and name .. list or call(name, list, params, named)
end

local LETTERS = {"x", "y", "z"}

-- Tensors one by one in the place of a table of them: cat({x, y}, 1). The same tensor has the same
-- letter. Those given to `tensor` make one when they are stacked.
local function tensors(params, values, count, name, named)
  local texts, letters, known = {}, {}, 0
  while core.is_tensor(values[#texts + 1]) do
    local x = values[#texts + 1]
    if not letters[x] then
      known = known + 1
      letters[x] = LETTERS[known] or "..."
    end
    texts[#texts + 1] = letters[x]
    if known > #LETTERS then break end
  end
  local list = ("{%s}"):format(table.concat(texts, ", "))
  if name == "tensor" and #texts > 1 and #texts == count then return "stack(" .. list .. ")" end
  if #texts < 1 or params[1].takes ~= "tensors" or params[1].sizes then return nil end
  for i = #texts + 1, count do
    if not core.is_tensor(values[i]) then list = list .. ", " .. shown(values[i]) end
  end
  return call(name, list, params, named)
end

-- Frames and string columns one by one in the place of a table of them: cat{f, g}.
local FRAMES, COLUMNS = {"f", "g", "h"}, {"c", "d", "e"}

local function parts(name, values, count)
  local said = name == "cat" and type(values[1]) == "userdata" and internal.describe(values[1])
  local letters = said and (said:find("^a frame ") and FRAMES
    or said:find("^a string column ") and COLUMNS)
  if not letters then return nil end
  local few = table.concat(letters, ", ", 1, math.min(math.max(count, 2), #letters))
  return ("locus.cat{%s%s}"):format(few, count > #letters and ", ..." or "")
end

-- Calls that are written in another form altogether, by the function, or by that of frames, and the
-- type of the value.
local ELSEWHERE = {
  sub = {number = "x[{ {first, last} }] for a part, x - y for a difference"},
  group_by = {string = "f:group(name), or locus.group_by{column, column}"},
  ["frame:sort"] = {boolean = '"-name" for the reverse order'},
}

local function elsewhere(name, params, value)
  if params[1] and params[1].name == "frame" then name = "frame:" .. name end
  return (ELSEWHERE[name] or {})[type(value)]
end

-- The addition for `count` values by position, when the function takes `most`.
local function of_values(name, params, values, count, most, named)
  return elsewhere(name, params, values[count])
    or parts(name, values, count)
    or tensors(params, values, count, name, named)
    or most == 1 and data(params, values, count, name, named)
    or (count == most + 1 and one(params, values[count]) or nil)
    or count == most + 2 and ends(params, values[count - 1], values[count])
    or count > most + 1 and several(params, values, most + 1, count)
end

-- The first option that takes a boolean: {descending = true}.
local function of_boolean(params, value)
  local option = options(params, value, {}, true)[1]
  return option and "{" .. option.text .. "}"
end

-- The addition for a value that cannot be the argument of its place.
local function of_value(name, params, values, count, value, named)
  if core.is_tensor(value) then return tensors(params, values, count, name, named) end
  if type(value) == "boolean" then
    return elsewhere(name, params, value) or of_boolean(params, value)
  end
  if type(value) ~= "string" then
    return elsewhere(name, params, value) or parts(name, values, count)
  end
  local _, best = options(params, value, {}, true)
  return best >= NAME and one(params, value, true)
end

-- "; write {side = "right"}" or "". The function, its parameters, the bits of those that were given
-- already, and the values; how many it takes by position, or nil; the arguments by name; and, where
-- one value is at fault, that.
function surplus.advice(name, params, given, values, count, most, named, value)
  params = complete(params, given)
  local text = most and of_values(name, params, values, count, most, named)
    or not most and of_value(name, params, values, count, value, named)
  return text and "; write " .. text or ""
end

return surplus
