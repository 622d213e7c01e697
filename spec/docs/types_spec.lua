-- SPDX-License-Identifier: MIT
-- The types that the files of lua/locus/meta give parameters are those that functions take:
-- what a function says when it is given something else names the same, and a value of each type is
-- not refused as such.
local declare = require "locus.call.declare"
local locus = require "locus"
local meta = require "spec.support.docs.meta"
local pages = require "spec.support.docs.pages"
local public = require "spec.support.calls.public"
local recorded = require "spec.support.calls.recorded"

-- The words of functions about an argument, by the types that meta.lua may give it then.
local SAID = {
  ["be true or false"] = "boolean",
  ["be a whole number"] = "integer 0|1",
  ["be a dimension"] = "integer locus.Dims",
  ["be a whole number or a list of whole numbers"] = "locus.Dims",
  ["hold whole numbers"] = "locus.Dims integer[]",
  ["be a whole number of at least 0"] = "integer \"raise\"|integer",
  ["be a whole number of at least 1"] = "integer",
  ["be a number"] = "number integer",
  ['be a number or "fro"'] = "number|\"fro\"",
  ["be a number of at least 0"] = "number|ffi.cdata*",
  ["be a number from 0 to 1, or a list of such"] = "number|number[] number",
  ["be a number, a boolean or a cdata"] = "any locus.Scalar locus.Scalar|string",
  ["be a string"] = "string", ['be a string or a table {"quantile", 0.9}'] = "string|table",
  ["be a name"] = "string|string[]",
  ["be a name or a list of names"] = "string|string[]",
  ["be a text or a number"] = "string|number|ffi.cdata* string|number|ffi.cdata*|locus.Tensor",
  ["be a list, a string column or an int64 tensor"] = "any[]|locus.Strings|locus.Tensor",
  ["be a time, a tensor of times or a number"] = "number|ffi.cdata*|locus.Tensor",
  ["be a string or a string column"] = "string|locus.Strings",
  ["be a list of strings"] = "string[]|locus.Strings string|string[]|locus.Strings string[] "
    .. "string|string[] boolean|string[]",
  ["be one byte, other than a line's end"] = "string string|false",
  ["be the text that begins a comment"] = "string",
  ['be "." or ","'] = "string", ['be "apache"'] = "string",
  ["be a tensor"] = "locus.Tensor locus.Tensor|locus.Tensor[]",
  ["be a table of two tensors, {values, indices}"] = "locus.Tensor|locus.Tensor[]",
  ["be a tensor or a table"] = "locus.Table locus.Table|locus.Strings locus.Tensor|integer[]",
  ["be a 1-D tensor or a list"] = "locus.Table",
  ["be a tensor, a table or a number"] = "locus.Data",
  ["be a tensor, a table or a whole number"] = "locus.Data",
  ["be a 1-D tensor, a string column or a list"] = "locus.Column string|locus.Column",
  ["be a boolean, or a list of one for each key"] = "boolean",
  ["be a dtype, a device or a tensor"] = "locus.ToWhat",
  ["be a table of tensors"] = "locus.Data[]",
  ["be a table of index tensors and masks"] = "table",
  ["be a table of formats by column"] = "table<string,locus.Format>",
  ["be a table of values by name"] = "table<string,any>",
  ["be {how, column}"] = "table", ["be {of the sequence, of the values}"] = "table",
  ["be a type or a list of {name, type}"] = "locus.ColumnType|table",
  ["be a table of types by column"] = "table<string|integer,locus.TextType>",
  ["be a list of {name, column}"] = "locus.Columns", ["be a table of two numbers"] = "number[]",
  ["hold tensors"] = "locus.ByName",
  ["be a function"] = "function locus.Part",
  ["be a function or false"] = "boolean|fun(bytes:integer,length:integer?) "
    .. "boolean|fun(bytes:integer,length:integer) boolean|fun(rows:integer,count:integer)",
  ["be a path, an open file or a function"] = "locus.Target",
  ["be a path, an open file, a function, {text = s} or a list of these"] =
    "locus.TextSource locus.Divided",
  ["be a path, a pattern or a list of paths"] = "string|string[]",
  ["be the name of a column for the files' names"] = "string",
  ["be a pointer to a struct of Arrow"] = "ffi.cdata*",
  ["be a pointer"] = "ffi.cdata*", ["be a pointer or an array"] = "ffi.cdata*",
  ["be a frame"] = "locus.Frame", ["be a string column"] = "locus.Strings",
  ["be the groups of a frame"] = "locus.Group",
  ["be made by rolling"] = "locus.Windows",
  ["be the name of a column, or a 1-D tensor of 4 rows"] = "string|locus.Column",
  ["be a column of 4 rows, or a list of such"] = "any",
  ['be a span of time such as "5m", or a number of at least 0'] = "any",
  ["be made by locus.builder"] = "locus.Builder locus.FrameBuilder",
  ["be made by hist, spark, plot or image"] = "locus.Picture",
  ["be made by locus.sketch"] = "locus.Sketch",
  ["be a sketch or the bytes of one"] = "locus.Sketch|string",
  ["be made by locus.generator"] = "locus.Generator",
  ["be made by locus.connect"] = "locus.Connection",
  ['be a connection or a text such as "sqlite:shop.db", "postgresql://user@host/shop" or '
    .. '"duckdb:shop.db"'] = "string|locus.Connection string",
  ["be a number, a boolean, a string or a table by column"] =
    "number|boolean|string|locus.ByName", ['be "float64"'] = "string",
  ["be a list of values or a frame"] = "any[]|locus.Frame",
  ["be a table of texts by name"] = "table<string,string|number|boolean>",
  ["be a table of values by column"] = "locus.ByName",
  ["be made by locus.npy_writer"] = "locus.Writer",
  ['be "r" or "r+"'] = "string",
  ['be a name such as "Europe/Berlin"'] = "string",
  ['be one such as "15m", "day" or "2 weeks"'] = "string",
  ['be a span such as "15m" or "1 day"'] = "string",
  ["be a time as text, an element of times, or a whole number of units"] = "any",
  ['be "s", "ms", "us", "ns" or "day"'] = "string",
  ['be "s", "ms", "us", "ns" or "d"'] = "string",
  ['be "first" or "second"'] = "string", ['be "forward"'] = "string",
  ['be "both", "left", "right" or "none"'] = "string",
}

-- Parameters about which a function says something else, or nothing.
local OTHERS = {
  ["any value will do"] = "from_ptr/keep read_csv/text read_json/text read_log/text chunks/text",
  ["of several values it is about the columns"] = "builder:push/values",
  ["the function that is called says it"] = "tidy/arguments",
  ["the column or the table is what the sentence is about"] =
    "frame:rename/names frame:rename/new frame:take/missing frame:take/base frame:with/name "
    .. "frame:with/column frame:with/kind frame:join/missing frame:pivot/missing "
    .. "frame:fill_missing/values fill_missing/value fill_missing_/value "
    .. "fill_missing/missing fill_missing_/missing "
    .. "group_by/keys chunks/quotes",
  ["the type of the column is what the sentence is about"] =
    "strings:to/target strings:to/device strings:to/missing strings:to/unit strings:to/zone "
    .. "strings:to/ambiguous strings:as_time/missing strings:as_time/unit "
    .. "strings:as_time/ambiguous strings:as_date/missing strings:as_duration/missing",
  ["the tensors are a table by name"] = "savez/progress",
  ["two values alone are the last two"] = "randint/low randint/high randint/size",
  ["windows of a tensor take no column, and without a span others are missing"] =
    "rolling/on rolling/span rolling/fill frame:rolling/on frame:rolling/fill group:rolling/on "
    .. "group:rolling/fill windows:count/column windows:first/column "
    .. "windows:last/column windows:max/column "
    .. "windows:mean/column windows:median/column windows:min/column windows:nancount/column "
    .. "windows:nanmax/column windows:nanmean/column windows:nanmedian/column "
    .. "windows:nanmin/column windows:nanquantile/column windows:nanstd/column "
    .. "windows:nansum/column windows:nanvar/column windows:quantile/column windows:std/column "
    .. "windows:sum/column windows:var/column",
  ["the connection is closed by then"] = "connection:execute/params",
  ["the rows are read later"] = "sql_chunks/missing",
  ["the writer is closed by then"] = "writer:write/values",
  ["of several values it is about sizes"] = "BFloat16Tensor/data BoolTensor/data ByteTensor/data "
    .. "CharTensor/data DoubleTensor/data FloatTensor/data HalfTensor/data IntTensor/data "
    .. "LongTensor/data ShortTensor/data Tensor/data",
}

local exempt = {}
for _, names in pairs(OTHERS) do
  for name in names:gmatch("%S+") do exempt[name] = true end
end

local function full_name(entry)
  return entry.kind == "tensor" and entry.name or entry.kind .. ":" .. entry.name
end

-- How much deeper in brackets a text is behind a character.
local function step(c) return c:find("[%(%[{<]") and 1 or c:find("[%)%]}>]") and -1 or 0 end

-- The text up to what follows the type: a type has blanks only within brackets and quotes.
local function type_of(text)
  local depth, quoted = 0, false
  for i = 1, #text do
    local c = text:sub(i, i)
    if c == '"' then quoted = not quoted end
    depth = depth + step(c)
    if c == " " and depth == 0 and not quoted then return text:sub(1, i - 1) end
  end
  return text
end

-- A union of strings is a string, and so is an alias for one.
local function plain(text)
  local type = type_of(text):gsub(", ", ","):gsub(": ", ":")
  local same = meta.aliases[type]
  local words = (same == "" or type == "locus.Device") and '""' or same or type
  if (words .. "|"):gsub('"[^"]*"|', "") == "" then return "string" end
  return type
end

-- The parts of "a: X, b: fun(c: Y, d: Z)" between the commas outside brackets.
local function split(text)
  local list, depth, from = {}, 0, 1
  for i = 1, #text do
    local c = text:sub(i, i)
    depth = depth + step(c)
    if c == "," and depth == 0 then
      list[#list + 1] = text:sub(from, i - 1)
      from = i + 1
    end
  end
  list[#list + 1] = text:sub(from)
  return list
end

-- The types of the parameters of a class's function, by name.
local function types_in(class, name)
  local type = meta.fields[class] and meta.fields[class][name]
  local inside = type and (meta.aliases[type] or type):match("^fun(%b())")
  if not inside then return nil end
  local types = {}
  for _, part in ipairs(split(inside:sub(2, -2))) do
    local param, of = part:match("^%s*([%w_.]+)%??: ?(.*)$")
    if param then types[param] = plain(of) end
    if param == "last" then types["end"] = types.last end -- a keyword is no name in meta.lua
    local named_ones = (param == "named" or param == "...") and of or ""
    for named in named_ones:gmatch("locus%.[%w_.]+") do
      for key, text in pairs(meta.fields[named] or {}) do types[key] = plain(text) end
    end
  end
  return types
end

local function types_of(entry)
  for class in entry.classes:gmatch("%S+") do
    local types = types_in(class, entry.name:match("[^.]*$"))
    if types then return types end
  end
end

-- The function's words about a parameter, given the value; nil if it does not mention it.
local function said(f, args, params, i, value)
  local list = recorded.with(args, params, i, value)
  local ok, message = pcall(f, unpack(list, 1, list.n))
  if ok then return nil end
  local name, what = tostring(message):match("'([%w_]+)[%[%]1]*' must (.-), got")
  return name == params[i].name and what or nil
end

-- The same of the first recorded call in which it says something.
local function told(entry, params, i, value)
  for _, args in ipairs(recorded[entry.kind .. ":" .. entry.name] or {}) do
    local what = said(entry.f, args, params, i, value)
    if what then return what, args end
  end
end

-- A value of each type that could be mistaken for another one.
local SAMPLES = {
  ["locus.Data"] = 1, ["locus.Table"] = {1}, ["locus.Dims"] = {1}, integer = 1, number = 0.5,
  boolean = true, ["locus.Scalar"] = 1, ["number|number[]"] = 0.5, ["integer[]"] = {1},
  ["locus.Tensor"] = locus.zeros(1), ["locus.ToWhat"] = "int8",
}

local function includes(list, type)
  for each in (list or ""):gmatch("%S+") do
    if each == type then return true end
  end
end

-- A method that is no function has a tensor for self, though a table would do.
local function of_table(what) return what == "be a tensor or a table" end

-- The wrong types of an entry, and how many were looked at.
local function wrong_types(entry, add)
  local types, params = types_of(entry), declare.parameters(entry.f)
  local count = 0
  for i, param in ipairs(types and params or {}) do
    local where, type = full_name(entry) .. "/" .. param.name, types[param.name]
    local what, args = told(entry, params, i, coroutine.create(type_of))
    local shared = _G.type(rawget(locus, entry.name)) == "function"
    local own = type == "locus.Tensor" and i == 1 and not shared
    local refused = what and SAMPLES[type] ~= nil and not param.sizes
      and said(entry.f, args, params, i, SAMPLES[type]) == what
    if what then count = count + 1 end
    if not exempt[where] then
      if not what then add(where .. ": says nothing")
      elseif not includes(SAID[what], type) and not (own and of_table(what)) or refused then
        add(("%s: meta.lua has %s, it must %s"):format(where, tostring(type), what))
      end
    end
  end
  return count
end

-- The objects with methods that tensors make up.
local OBJECTS = {}
local CLASSES = "Frame Group Windows Strings Builder FrameBuilder Picture SearchIndex"
for class in CLASSES:gmatch("%S+") do
  OBJECTS[class] = true
end

describe("the types in meta.lua #host #once", function()
  it("are what functions take", function()
    local found, count = {}, 0
    for _, entry in ipairs(public) do
      if #(recorded[entry.kind .. ":" .. entry.name] or {}) > 0 then
        count = count + wrong_types(entry, function(text) found[#found + 1] = text end)
      end
    end
    assert.same({}, found)
    assert.is_true(count > 900, count)
  end)

  it("say which object a method of one answers, but where its argument decides", function()
    local text, open, count = pages.read("lua/locus/meta/functions.lua"), {}, 0
    local row = "@field ([%w_]+) fun%([%w_]+: locus%.(%u%w+)[^\n]*%): ([^\n]+)"
    for name, class, answer in text:gmatch(row) do
      if OBJECTS[class] then
        count = count + 1
        if answer == "any" and name ~= "map" and name ~= "lookup" then
          open[#open + 1] = ("%s.%s: .ci/types.lua has no row with its answer"):format(class, name)
        end
      end
    end
    assert.same({}, open)
    assert.is_true(count > 60, count)
  end)
end)
