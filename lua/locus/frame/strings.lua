-- SPDX-License-Identifier: MIT
-- String columns: ids, an int32 tensor, into the names of a dictionary, which columns may share and
-- which never loses any. A question about strings is answered once for each name, on the host, and
-- then looked up by the ids, wherever they lie.
local core = require "locus.core"
local declare = require "locus.call.declare"
local lazy = require "locus.call.lazy"
local registry = require "locus.call.registry"
local internal = core.internal

local methods, metatable = {}, {__metatable = "string column"}
local events = registry.once(metatable)
local strings = {methods = methods, metatable = metatable}

-- A column of those ids, which are not checked. If `origin` names their file and column, {path=,
-- column=}, they are checked when they are first used, unless they are `checked` already.
function strings.make(ids, dictionary, origin, checked)
  return internal.object(metatable, {ids = ids, dictionary = dictionary, origin = origin,
                                     checked = checked})
end
local make = strings.make

function strings.is(value) return internal.state(value, metatable) ~= nil end

-- Raises if an id names nothing; `whose` are, in words, the column and its owner.
function strings.check_ids(ids, dictionary, column, whose)
  local names = internal.dictionary_count(dictionary)
  if #ids == 0 or core.min(ids) >= 1 and core.max(ids) <= names then return end
  local wrong = core.nonzero(core.logical_or(core.lt(ids, 1), core.gt(ids, names)))
  local row = #wrong > 0 and tonumber(wrong[{1, 1}])
  declare.raise("%s has id %d in row %d of column '%s', but names 1 to %d", whose,
    row and ids[row] or 0, row or 0, column, names)
end

local function check(state)
  local origin = state.origin
  strings.check_ids(state.ids, state.dictionary, origin.column,
    (origin.is_part and "a part of '%s'" or "'%s'"):format(origin.path))
  state.checked = true
end

-- Called after an id that names nothing has been met: raises the error of check, if it is of a
-- file, where somebody else may have written since.
function strings.look_again(value)
  local state = internal.state(value, metatable)
  if state and state.origin then check(state) end
end
local look_again = strings.look_again

-- The ids and the dictionary of a column, as they are, and their origin; nil of other values.
function strings.unchecked(value)
  local state = internal.state(value, metatable)
  if state then return state.ids, state.dictionary, state.origin end
end
local unchecked = strings.unchecked

-- The ids and the dictionary of a column, whose ids have been checked; nil of other values.
function strings.parts(value)
  local state = internal.state(value, metatable)
  if not state then return nil end
  if state.origin and not state.checked then check(state) end
  return state.ids, state.dictionary
end
local parts = strings.parts

-- A column of some of its ids, or copies of them.
function strings.like(column, ids)
  local state = internal.state(column, metatable)
  local origin = state.origin
  if origin and not origin.is_part then
    origin.part = origin.part or {path = origin.path, column = origin.column, is_part = true}
    origin = origin.part
  end
  return make(ids, state.dictionary, origin, state.checked)
end
local like = strings.like
local function answers_of(input, ok, ...)
  if ok then return ... end
  look_again(input)
  error((...), 0)
end

-- body(ids, dictionary, ...) of a column's; where it fails, somebody else may have written ids.
function strings.ask(column, body, ...)
  local ids, dictionary = parts(column)
  if not internal.state(column, metatable).origin then return body(ids, dictionary, ...) end
  return answers_of(column, pcall(body, ids, dictionary, ...))
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

-- Declares a method: its body is called with the ids and the dictionary in place of the column.
function strings.method(line, body)
  declare.add(methods, declare.define(line, function(input, ...)
    if not strings.is(input) then
      declare.raise("'input' must be a string column, got %s", internal.describe(input))
    end
    return ask(input, body, ...)
  end))
end
local method = strings.method

local function host(ids) return ids:cpu():contiguous() end

-- The element of `answers`, a tensor with one for each name, for each of the ids.
function strings.by_name(ids, answers) return answers:to(ids.device)[ids] end
local by_name = strings.by_name

-- The ids of all those columns in a dictionary of their own, with the strings that occur in them in
-- order of first appearance; and that dictionary.
function strings.unite(columns)
  local dictionary, united = internal.dictionary(), {}
  for i, column in ipairs(columns) do
    local ids, own = unpack(column)
    united[i] = by_name(ids, internal.dictionary_gather(own, dictionary, host(ids)))
  end
  return united, dictionary
end
local unite = strings.unite

-- The same of one column, when it has more names than rows.
local function in_use(ids, dictionary)
  if #ids >= internal.dictionary_count(dictionary) then return ids, dictionary end
  local united, own = unite {{ids, dictionary}}
  return united[1], own
end

-- The columns of a list one behind the other. Columns of one dictionary keep it.
function strings.cat(list)
  local columns, same = {}, true
  for i, column in ipairs(list) do
    columns[i] = {parts(column)}
    same = same and columns[i][2] == columns[1][2]
  end
  local united, dictionary = {}, columns[1][2]
  for i, column in ipairs(columns) do united[i] = column[1] end
  if not same then united, dictionary = unite(columns) end
  return make(core.cat(united), dictionary)
end

-- Comparing

local function check_other(other)
  if strings.is(other) then return end
  declare.raise("'other' must be a string or a string column, got %s", internal.describe(other))
end

-- Equality: a string that is no name has an id that no row has.
for _, name in ipairs {"eq", "ne"} do
  method(name .. "(input:any, other:any)", function(ids, dictionary, other)
    if type(other) == "string" then
      return core[name](ids, internal.dictionary_find(dictionary, other) or 0)
    end
    check_other(other)
    local other_ids, own = parts(other)
    if own ~= dictionary then
      other_ids = by_name(other_ids, internal.dictionary_translate(own, dictionary))
    end
    return core[name](ids, other_ids)
  end)
end

-- Numbers in the order of a column's strings.
function strings.ranks(ids, dictionary)
  return by_name(ids, internal.dictionary_rank(dictionary))
end
local ranks = strings.ranks

-- Order, by bytes.
for _, name in ipairs {"lt", "le", "gt", "ge"} do
  method(name .. "(input:any, other:any)", function(ids, dictionary, other)
    if type(other) == "string" then
      return by_name(ids, core[name](internal.dictionary_compare(dictionary, other), 0))
    end
    check_other(other)
    local columns = {{ids, dictionary}, {parts(other)}}
    local united, both = {ids, columns[2][1]}, dictionary
    if columns[2][2] ~= dictionary then united, both = unite(columns) end
    return core[name](ranks(united[1], both), ranks(united[2], both))
  end)
end

-- Asking each name once

-- Which of the names have the pattern. Compiled code may keep a function that pcall calls: this one
-- holds no values.
local function matches(names, pattern)
  local found = {}
  for id, name in ipairs(names) do found[id] = name:find(pattern) ~= nil end
  return found
end

-- match(pattern): where Lua's string.find finds the pattern, a bool mask.
method("match(input:any, pattern:string)", function(ids, dictionary, pattern)
  ids, dictionary = in_use(ids, dictionary)
  local ok, found = pcall(matches, internal.dictionary_names(dictionary), pattern)
  if not ok then declare.raise("'pattern': %s", tostring(found):gsub("^.-:%d+: ", "")) end
  return by_name(ids, core.tensor(found, {dtype = "bool", device = "cpu"}))
end)

local kinds = {string = true, number = true, boolean = true, cdata = true} -- cdata: int64, complex

-- The results of f for each of the names, and the type that all of them have.
local function results_of(f, names)
  local results, kind = {}, nil
  for id, name in ipairs(names) do
    local result = declare.call(f, name)
    kind = kind or type(result)
    if type(result) ~= kind or not kinds[kind] then
      declare.raise("'f' must give strings, numbers or booleans, and one kind for all, got %s%s",
        internal.describe(result), id > 1 and " after " .. internal.describe(results[1]) or "")
    end
    results[id] = result
  end
  return results, kind
end

-- map(f, {dtype}): f(s) for each string, called once for each that stands in the column, in order
-- of first appearance: a string column, a float64 tensor of numbers, a bool tensor, or a tensor of
-- `dtype`, which says what an empty column becomes, too.
-- Errors: results that are none of these, or of more than one kind.
method("map(input:any, f:function, {dtype=nil})", function(ids, dictionary, f, dtype)
  local united, own = unite {{ids, dictionary}}
  local results, kind = results_of(f, internal.dictionary_names(own))
  if not dtype and (kind == "string" or not kind) then
    local mapped = internal.dictionary()
    local mapped_ids = internal.dictionary_add_list(mapped, results, "f")
    return make(by_name(united[1], mapped_ids), mapped)
  end
  dtype = dtype or kind == "number" and "float64" or nil
  return by_name(united[1], core.tensor(results, {dtype = dtype, device = "cpu"}))
end)

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
method("sort(input:any, descending:boolean=false)", function(ids, dictionary, descending)
  local order = core.argsort(ranks(ids, dictionary), 1, descending)
  return make(ids[order], dictionary), order
end)

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

-- A dictionary with that string, too, which has the same numbers for the others; and its number.
local function with_name(dictionary, name)
  local id = internal.dictionary_find(dictionary, name)
  if id then return dictionary, id end
  local own, n = internal.dictionary(), internal.dictionary_count(dictionary)
  internal.dictionary_gather(dictionary, own,
    core.arange(1, n + 1, {dtype = "int32", device = "cpu"}))
  return own, internal.dictionary_add(own, name)
end

-- take(positions, missing, {base=1}): the strings at these positions; base - 1 gives `missing`.
method("take(input:any, positions:any, missing:any=nil, {base=1})",
  function(ids, dictionary, positions, missing, base)
    local id
    if missing ~= nil then
      if type(missing) ~= "string" then
        declare.raise("'missing' must be a string, got %s", internal.describe(missing))
      end
      dictionary, id = with_name(dictionary, missing)
    end
    local taken = core.take(ids, positions, id, {base = base})
    if taken:dim() ~= 1 then
      declare.raise("'positions' must be 1-D, got %s", internal.describe(positions))
    end
    return make(taken, dictionary)
  end)

-- to(device): the column with its ids there.
method("to(input:any, device)", function(ids, dictionary, device)
  return make(ids:to(device), dictionary)
end)

-- Fields and brackets

local fields = {}
local known = registry.once(fields)
strings.fields = fields
function known.ids(ids) return ids end
function known.names(_, dictionary) return internal.dictionary_kept_names(dictionary) end
function known.device(ids) return ids.device end
function known.dtype() return "string" end

-- The name in other libraries, or of tensors.
local of_column = {known = {methods, fields}, elsewhere = {}, hints = {
  size = "#c", shape = "#c", numel = "#c", len = "c:map(string.len)", upper = "c:map(string.upper)",
  lower = "c:map(string.lower)", contains = "c:match(pattern)", find = "c:match(pattern)",
  startswith = 'c:match("^...")', endswith = 'c:match("...$")', bincount = "c.ids:bincount()",
  value_counts = "c:unique{return_counts = true}",
  nunique = "#c:unique()", factorize = "c.ids and c.names",
  codes = "c.ids", categories = "c.names", tolist = "c:totable()", cpu = 'c:to("cpu")',
  cuda = 'c:to("cuda")', clone = "c, which cannot change", apply = "c:map(f)",
  str = "c:match(pattern) or c:map(f)", replace = "c:map(f)", get_categories = "c.names",
  to_physical = "c.ids", drop_duplicates = "c:unique()",
}}

local function resolve(column, key)
  if methods[key] then return methods[key] end
  if fields[key] then
    return fields[key]((key == "ids" and parts or unchecked)(column))
  end
  local there, names = pcall(lazy, "locus.names")
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

-- Called where LuaJIT was built with Lua 5.2's features; others raise a sentence of their own.
function events.__pairs()
  internal.raise("pairs and ipairs take no string column; write for i, s in c:iter() do")
end
events.__ipairs = metatable.__pairs

-- Its name in messages.
function events.__describe(column) return "a string column of size " .. #column end

require "locus.sets.strings"(strings)
require "locus.frame.strings_text"(strings)

return strings
