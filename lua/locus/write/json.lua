-- SPDX-License-Identifier: MIT
-- Frames as JSON: f:write_json. The core makes the objects of a few thousand rows at a time, as it
-- does the lines of f:write_csv.
local core = require "locus.core"
local declare = require "locus.call.declare"
local frame = require "locus.frame.frame"
local nest = require "locus.write.nest"
local to = require "locus.write.target"
local write = require "locus.write.rows"

local internal, raise = core.internal, declare.raise
local describe = internal.describe

local FORM = {method = "write_json", called = "JSON", endings = "json jsonl ndjson",
              ending = "json"}

-- By word of `infinite`: what stands for inf and for -inf. A number that is too great is one of
-- JSON, and readers make inf of it.
local INFINITE = {
  null = {"null", "null"}, number = {"1e999", "-1e999"}, string = {'"Infinity"', '"-Infinity"'},
  error = {},
}

-- A number by the grammar of RFC 8259, section 6.
local function is_number(text)
  local digits, rest = text:match("^%-?(%d+)(.*)$")
  if not digits or digits:find("^0%d") then return false end
  rest = rest:gsub("^%.%d+", "", 1):gsub("^[eE][+-]?%d+$", "", 1)
  return rest == ""
end

-- What stands for NaN must be JSON, or nothing: then the key is left out.
local function check_missing(text)
  local inside = text:match('^"([^"\\%c]*)"$')
  if text == "" or text == "null" or is_number(text) then return end
  if inside and internal.json_string(inside) then return end
  local quoted = internal.json_string(text)
  raise("'missing' must be \"null\", a number, a string between quotes, or \"\", which leaves "
    .. "the key out, got %s%s", describe(text),
    quoted and not text:find("[\"'\\]") and ("; write '%s'"):format(quoted) or "")
end

local function infinite_of(word)
  local texts = INFINITE[word]
  if texts then return unpack(texts, 1, 2) end
  raise("'infinite' must be \"null\", \"number\" for 1e999, \"string\" for \"Infinity\", or "
    .. "\"error\", got %s", describe(word))
end

local function check_invalid(word)
  if word == nil or word == "replace" or word == "keep" then return end
  raise("'invalid' must be \"replace\", for U+FFFD in the place of bytes that are no UTF-8, or "
    .. "\"keep\", got %s", describe(word))
end

-- The name as a key.
local function key_of(name, invalid)
  local key = internal.json_string(name, invalid)
  if key then return key .. ":" end
  raise("the name of column '%s' is no UTF-8; write invalid = \"replace\" for U+FFFD in the place "
    .. "of such bytes, or \"keep\"", declare.shown(name))
end

-- Each key by itself, in the order of the columns.
local function flat(names, key)
  local keys = {}
  for i, name in ipairs(names) do keys[i] = {key = key(name)} end
  return names, keys, 0
end

local function nothing() end

-- Writes the frame as JSON: a line for each row, {"time":"2026-11-22T08:30:59Z","sym":"IBM"}, or
-- with array = true the items of one array. int64 is exact, floats are the shortest decimals that
-- read back, bools true and false, times, dates and addresses strings as write_csv writes them,
-- durations numbers, and strings have the escapes that JSON asks for.
--
-- target, progress, zone, compress, level: as in write_csv. formats, by column, too: "%d" and
-- "%.2f" give numbers, all other formats and functions strings; "json" leaves strings as they are,
-- which must be JSON.
-- missing: what stands for NaN: "null", a number, a string between quotes; "" leaves the key out.
-- infinite: what stands for inf and -inf: "null"; "number", 1e999 and -1e999; "string", "Infinity"
-- and "-Infinity"; or "error". invalid: bytes that are no UTF-8 are an error, or become U+FFFD
-- ("replace"), or stay ("keep"). nest = true: a column `a.b` is the member "b" of an object "a".
-- Errors: as in write_csv, before a file is opened, but for values: the first that cannot be
-- written raises, and the file that was at the path stays as it was.
--
-- Source: https://www.rfc-editor.org/rfc/rfc8259
frame.method('write_json(frame:any, target:any_or_options=nil, {formats:any=nil, '
  .. 'array:boolean=false, nest:boolean=false, missing:string="null", infinite:string="null", '
  .. 'invalid:string=nil, progress:any=nil, zone:any=nil, compress:string=nil, '
  .. 'level:integer=nil})',
  function(state, target, formats, array, nested, missing, infinite, invalid, option, zone,
           compress, level)
    if target == "-" then target = io.stdout end
    local packing = to.check(target, FORM, compress, level)
    check_missing(missing)
    check_invalid(invalid)
    local positive, negative = infinite_of(infinite)
    local names, keys, closes = (nested and nest.plan or flat)(state.names, function(name)
      return key_of(name, invalid)
    end)
    return write.rows(state, names, {
      target = target, formats = formats, zone = zone, progress = option, keys = keys,
      plan = {json = true, array = array and 1 or 0, closes = closes, missing = missing,
              infinite = positive, minus_infinite = negative, invalid = invalid},
      packing = packing, begin = nothing, close = internal.write_close,
    })
  end)
