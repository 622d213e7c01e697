-- SPDX-License-Identifier: MIT
-- String columns: an int32 tensor of ids into the names of a dictionary. Columns may share a
-- dictionary, which never loses a name. A question about strings is answered once for each name, on
-- the host; the answers are then looked up by the ids, on their device.
local core = require "locus.core"
local declare = require "locus.call.declare"
local ids_of = require "locus.frame.ids"
local lazy = require "locus.call.lazy"
local registry = require "locus.call.registry"
local internal = core.internal

local methods, metatable = {}, {__metatable = "string column"}
local events = registry.once(metatable)
local strings = {methods = methods, metatable = metatable}

-- A column of those ids, which are not checked here. If `origin` names their file and column
-- (ids.lua), the first use checks them, unless they are `checked` already. Each use also checks the
-- ids that it reads, since other programs may write to the file.
function strings.make(ids, dictionary, origin, checked)
  return internal.object(metatable, {ids = ids, dictionary = dictionary, origin = origin,
                                     checked = checked})
end
local make = strings.make

function strings.is(value) return internal.state(value, metatable) ~= nil end

-- Called after an id that names nothing has been met. Raises the error of ids.check if the column
-- lies in a file, which another program may have written to.
function strings.look_again(value)
  local state = internal.state(value, metatable)
  if state and state.origin then ids_of.check(state.ids, state.dictionary, state.origin) end
end
local look_again = strings.look_again

-- The ids and the dictionary of a column, unchecked, and their origin; nil for other values.
function strings.unchecked(value)
  local state = internal.state(value, metatable)
  if state then return state.ids, state.dictionary, state.origin end
end
local unchecked = strings.unchecked

-- The ids, checked, and the dictionary of a column; nil for other values.
function strings.parts(value)
  local state = internal.state(value, metatable)
  if not state then return nil end
  if state.origin and not state.checked then
    ids_of.check(state.ids, state.dictionary, state.origin)
    state.checked = true
  end
  return state.ids, state.dictionary
end
local parts = strings.parts

-- The same with ids that nobody else can write to: a copy if others can. The copy is what is
-- checked.
function strings.settled(value)
  local state = internal.state(value, metatable)
  if not state then return nil end
  local ids = internal.own(state.ids)
  ids_of.check(ids, state.dictionary, state.origin)
  return ids, state.dictionary
end

-- A column of some of its ids, or copies of them.
function strings.like(column, ids)
  local state = internal.state(column, metatable)
  return make(ids, state.dictionary, ids_of.part(state.origin), state.checked)
end
local like = strings.like

local function answers_of(input, first, second, ok, ...)
  if ok then return ... end
  look_again(input)
  look_again(first)
  look_again(second)
  error((...), 0)
end

-- Whether others may write to a column's ids, or have.
function strings.is_watched(column) return select(3, unchecked(column)) ~= nil end
local is_watched = strings.is_watched

-- Calls body(ids, dictionary, ...). If it fails, another program may have written ids of this
-- column, or of another one among the first two arguments.
function strings.ask(column, body, first, second, ...)
  local ids, dictionary = parts(column)
  if is_watched(column) or is_watched(first) or is_watched(second) then
    return answers_of(column, first, second, pcall(body, ids, dictionary, first, second, ...))
  end
  return body(ids, dictionary, first, second, ...)
end
local ask = strings.ask

-- A column of the strings in a list.
function strings.of(list, device)
  local dictionary = internal.dictionary()
  local ids = internal.dictionary_add_list(dictionary, list, "list")
  return make(ids:to(device or core.get_default_device()), dictionary)
end

-- strings(list, {device}): a string column of the strings in a list.
-- Errors: an element that is no string.
declare.func("strings(list:any, {device=nil})", strings.of)

-- Declares a method: its body gets the ids and the dictionary in place of the column, or in front
-- of it if it `needs` the column.
function strings.method(line, body, needs)
  declare.add(methods, declare.define(line, function(input, ...)
    if not strings.is(input) then
      declare.raise("'input' must be a string column, got %s", internal.describe(input))
    end
    if needs then return ask(input, body, input, ...) end
    return ask(input, body, ...)
  end))
end
local method = strings.method

local function host(ids) return ids:cpu():contiguous() end

-- The element of `answers`, which has one for each name, for each id; an error if an id has no
-- name.
function strings.by_name(ids, answers) return core.take(answers:to(ids.device), ids) end
local by_name = strings.by_name

-- Numbers of the elements by internal.factorize, of those that a column has.
function strings.number(column)
  local ids, dictionary = parts(column)
  return internal.factorize(ids, nil, internal.dictionary_count(dictionary))
end

-- A mask of the ids that are that number, or that `differ` from it; an error if an id has no name.
function strings.equal(column, id, differ)
  local ids, dictionary = parts(column)
  if not is_watched(column) then return core[differ and "ne" or "eq"](ids, id) end
  return internal.compare_ids(ids, id, internal.dictionary_count(dictionary), nil, differ)
end

-- The ids of all those columns in a dictionary of their own, with the strings that occur in them in
-- order of first appearance; and that dictionary.
function strings.unite(columns)
  local dictionary, united = internal.dictionary(), {}
  for i, column in ipairs(columns) do
    local ids, own = unpack(column)
    local _, numbers = internal.dictionary_gather(own, dictionary, host(ids))
    united[i] = numbers:to(ids.device)
  end
  return united, dictionary
end
local unite = strings.unite

-- The same of one column, when it has more names than rows.
function strings.in_use(ids, dictionary)
  if #ids >= internal.dictionary_count(dictionary) then return ids, dictionary end
  local united, own = unite {{ids, dictionary}}
  return united[1], own
end
local in_use = strings.in_use

-- Joins the columns of a list. Columns that share a dictionary keep it.
function strings.cat(list)
  local columns, same, origins, rows = {}, true, {}, {}
  for i, column in ipairs(list) do
    columns[i], rows[i] = {parts(column)}, #column
    same = same and columns[i][2] == columns[1][2]
    origins[i] = select(3, unchecked(column))
  end
  local united, dictionary = {}, columns[1][2]
  for i, column in ipairs(columns) do united[i] = column[1] end
  if same then return make(core.cat(united), dictionary, ids_of.joined(origins, rows), true) end
  local ok
  ok, united, dictionary = pcall(unite, columns)
  if ok then return make(core.cat(united), dictionary) end
  for _, column in ipairs(list) do look_again(column) end
  error(united, 0)
end

-- Numbers in the order of a column's strings.
function strings.ranks(ids, dictionary)
  return by_name(ids, internal.dictionary_rank(dictionary))
end
local ranks = strings.ranks

-- Order and names

-- compact(): the same strings with a dictionary of their own, without names that no row has.
method("compact(input:any)", function(ids, dictionary)
  local united, own = unite {{ids, dictionary}}
  return make(united[1], own)
end)

-- argsort(descending): the positions that sort by bytes; equal strings keep their order.
method("argsort(input:any, descending:boolean=false)", function(ids, dictionary, descending)
  return core.argsort(ranks(ids, dictionary), 1, descending)
end)

-- sort(descending): the column in that order, and the positions.
method("sort(input:any, descending:boolean=false)", function(ids, dictionary, c, descending)
  local order = core.argsort(ranks(ids, dictionary), 1, descending)
  return like(c, ids[order]), order
end, true)

-- for i, s in c:iter() do: positions from base, and strings.
method("iter(input:any, {base=1})", function(ids, dictionary, base)
  ids, dictionary = in_use(ids, dictionary)
  local here, names, last = host(ids), internal.dictionary_names(dictionary), #ids + base - 1
  return function(_, i)
    if not i then internal.raise("iter: is for loops; write for i, s in c:iter() do") end
    if i >= last then return nil end
    local id = here[i + 2 - base]
    return i + 1, names[id] or internal.dictionary_name(dictionary, id) -- which raises
  end, nil, base - 1
end)

method("totable(input:any)", function(ids, dictionary)
  ids, dictionary = in_use(ids, dictionary)
  local list, names = ids:totable(), internal.dictionary_names(dictionary)
  for i, id in ipairs(list) do
    list[i] = names[id] or internal.dictionary_name(dictionary, id) -- which raises
  end
  return list
end)

-- A dictionary with the same numbers that also has that string; and the string's number.
function strings.with_name(dictionary, name)
  local id = internal.dictionary_find(dictionary, name)
  if id then return dictionary, id end
  local own, n = internal.dictionary(), internal.dictionary_count(dictionary)
  internal.dictionary_gather(dictionary, own,
    core.arange(1, n + 1, {dtype = "int32", device = "cpu"}))
  return own, internal.dictionary_add(own, name)
end

-- Raises if a position with an id, not a missing one, now has the number that `missing` got: that
-- id named nothing before.
local function check_taken(c, taken, id, positions, missing)
  local found = core.count_nonzero(core.eq(taken, id))
  if found == core.count_nonzero(core.eq(positions, missing)) then return end
  look_again(c)
  declare.raise("ids changed while they were read: another thread or process writes there")
end

-- The parts of take(positions, missing): the ids to gather, the number of `missing` or nil, and a
-- function that makes a column of what was gathered at positions that count from base. `name` is
-- the column's in errors.
function strings.taking(c, missing, name)
  local ids, own = parts(c)
  local dictionary, origin, id = own, select(3, unchecked(c)), nil
  if missing ~= nil then
    if type(missing) ~= "string" then
      declare.raise("'missing'%s must be a string, got %s",
        name and (" of the column '%s'"):format(declare.shown(name)) or "",
        internal.describe(missing))
    end
    dictionary, id = strings.with_name(dictionary, missing)
  end
  return ids, id, function(taken, positions, base)
    if origin and own ~= dictionary then check_taken(c, taken, id, positions, base - 1) end
    return make(taken, dictionary, ids_of.part(origin), true)
  end
end

-- take(positions, missing, {base=1}): the strings at these positions; base - 1 gives `missing`.
method("take(input:any, positions:any, missing:any=nil, {base=1})",
  function(_, _, c, positions, missing, base)
    local ids, id, finish = strings.taking(c, missing)
    local taken = core.take(ids, positions, id, {base = base})
    if taken:dim() ~= 1 then
      declare.raise("'positions' must be 1-D, got %s", internal.describe(positions))
    end
    return finish(taken, positions, base)
  end, true)

-- Fields and brackets

local fields = {}
local known = registry.once(fields)
strings.fields = fields
function known.ids(ids) return ids end
function known.names(_, dictionary) return internal.dictionary_kept_names(dictionary) end
function known.device(ids) return ids.device end
function known.dtype() return "string" end

-- Names in other libraries, and names of tensors' methods.
local of_column = {known = {methods, fields}, elsewhere = {}, hints = {
  size = "#c", shape = "#c", numel = "#c", len = "c:map(string.len)", upper = "c:map(string.upper)",
  lower = "c:map(string.lower)", contains = "c:match(pattern)", find = "c:match(pattern)",
  startswith = 'c:match("^...")', endswith = 'c:match("...$")', bincount = "c.ids:bincount()",
  value_counts = "c:unique{return_counts = true}",
  nunique = "#c:unique()", factorize = "c.ids and c.names",
  codes = "c.ids", categories = "c.names", tolist = "c:totable()", cpu = 'c:to("cpu")',
  cuda = 'c:to("cuda")', clone = "c, which cannot change", apply = "c:map(f)",
  astype = 'c:to("float64")', cast = 'c:to("float64")', to_numeric = 'c:to("float64")',
  float = 'c:to("float32")', double = 'c:to("float64")', long = 'c:to("int64")',
  int = 'c:to("int32")', bool = 'c:to{"bool", "yes", "no"}', to_datetime = "c:as_time()",
  to_date = "c:as_date()", strptime = "c:as_time(pattern)",
  str = "c:match(pattern) or c:map(f)", replace = "c:map(f)", get_categories = "c.names",
  to_physical = "c.ids", drop_duplicates = "c:unique()", cat = "locus.cat{c, d}",
}}

local function resolve(column, key)
  if methods[key] then return methods[key] end
  if fields[key] then
    return fields[key]((key == "ids" and parts or unchecked)(column))
  end
  local there, names = pcall(lazy, "locus.names.advice")
  internal.raise(("a string column has no '%s'%s"):format(key:sub(1, 60),
    there and names.advice(key, of_column) or ""))
end

function events.__index(column, key)
  if type(key) == "string" then return resolve(column, key) end
  local few = type(key) == "number" or type(key) == "table"
  local ids, dictionary, origin = (few and unchecked or parts)(column)
  local chosen = ids[key]
  if type(chosen) == "number" then
    local there = chosen >= 1 and chosen <= internal.dictionary_count(dictionary)
    if origin and not there then look_again(column) end -- which raises
    return internal.dictionary_name(dictionary, chosen)
  end
  if chosen:dim() ~= 1 then
    internal.raise(("index: a string column has one dimension; the positions have %d")
      :format(chosen:dim()))
  end
  return like(column, chosen)
end

function events.__newindex()
  internal.raise("a string column cannot be changed; c:map(f) makes another")
end

function events.__len(column) return #(unchecked(column)) end

function events.__lt()
  internal.raise("< and > compare whole values; write c:lt(other) or c:gt(other)")
end

function events.__le()
  internal.raise("<= and >= compare whole values; write c:le(other) or c:ge(other)")
end

function events.__concat()
  internal.raise(".. joins strings; write locus.cat({c, d}), or tostring(c) for its text")
end

function events.__call()
  internal.raise("a string column cannot be called; write c[i], or for i, s in c:iter() do")
end

-- Only LuaJIT built with Lua 5.2's features calls it; other builds raise their own error.
function events.__pairs()
  internal.raise("pairs and ipairs take no string column; write for i, s in c:iter() do")
end
events.__ipairs = metatable.__pairs

-- Its name in messages.
function events.__describe(column) return "a string column of size " .. #column end

require "locus.frame.compare"(strings)
require "locus.convert.strings"(strings)
require "locus.frame.asking"(strings)
require "locus.sets.strings"(strings)
require "locus.missing.strings"(strings)
require "locus.frame.strings_text"(strings)
require "locus.window.strings"(strings)

return strings
