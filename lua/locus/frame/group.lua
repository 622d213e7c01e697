-- SPDX-License-Identifier: MIT
-- Groups: rows with equal keys, numbered in the order in which the keys first come. A group object
-- keeps the number of each row, its ids; it answers by group, in that order.
local agg = require "locus.frame.agg"
local aggregate = require "locus.frame.aggregate"
local answers = require "locus.frame.answers"
local buckets = require "locus.time.groups"
local core = require "locus.core"
local declare = require "locus.call.declare"
local registry = require "locus.call.registry"
local frame = require "locus.frame.frame"
local gather = require "locus.frame.gather"
local keys = require "locus.frame.keys"
local strings = require "locus.frame.strings"
local lazy = require "locus.call.lazy"
local internal = core.internal

local metatable, methods = {__metatable = "group"}, {}
local events = registry.once(metatable)
local group = {metatable = metatable, methods = methods}

-- The groups of the rows of `columns`, a frame's state with the keys alone; `of` is the state of
-- the frame that was grouped, nil if there is none.
local function make(columns, of)
  local list = {}
  for i, name in ipairs(columns.names) do list[i] = columns.columns[name] end
  local ids, firsts = keys.number(list)
  return internal.object(metatable, {by = columns, of = of, ids = ids, firsts = firsts,
                                     size = #firsts})
end

-- group("sym"), group{"sym", "day"}: the rows of equal keys.
frame.method("group(frame:any, names...)", function(state, names)
  if #names == 0 then declare.raise("'names' must hold the name of a column") end
  local columns, kinds = {}, {}
  for _, name in ipairs(names) do
    if columns[name] then declare.raise("'%s' is named twice", name:sub(1, 60)) end
    columns[name], kinds[name] = frame.column(state, name), state.kinds[name]
  end
  return make(frame.state(frame.make(names, columns, kinds)), state)
end)

-- group{"sym", time = "1m"}: the rows of equal keys, and of one bucket of time.
local of_names = frame.methods.group
local function by_buckets(state, given)
  local names, columns, parts = buckets.read(state, given)
  local by = frame.state(frame.make(names, columns, {}))
  if not parts then return make(by, state) end
  parts.of, parts.by = state, by
  parts.with_rows.of, parts.with_rows.by = state, by
  return internal.object(metatable, parts)
end

local of_buckets = declare.plain("group(frame, names...)", function(f, given, ...)
  if select("#", ...) > 0 then
    declare.raise("takes one table with buckets, got %s behind it", internal.describe((...)))
  end
  local made = frame.ask(frame.state(f), by_buckets, given)
  return made
end)

local function grouped(f, ...)
  if not buckets.are((...)) or not frame.is(f) then return of_names(f, ...) end
  return of_buckets(f, ...)
end
declare.declared[grouped] = declare.declared[of_names]
frame.methods.group = grouped

local function is_column(value) return core.is_tensor(value) or strings.is(value) end

-- group_by(keys): the same of a 1-D tensor, a string column or a list, whose column in g.keys is
-- `key`; of a list of such columns `key1`, `key2` and so on.
declare.func("group_by(keys:any)", function(given)
  local entries = {}
  if type(given) == "table" and (is_column(given[1]) or type(given[1]) == "table") then
    for i, c in ipairs(given) do entries[i] = {"key" .. i, c} end
  else
    entries[1] = {"key", given}
  end
  return make(frame.state(core.frame(entries)))
end)

-- -- Methods -------------------------------------------------------------------------------------

local function opened(name, g)
  local state = internal.state(g, metatable)
  if state then return state end
  declare.raise("'group' must be the groups of a frame, got %s; write g:%s(...)",
    internal.describe(g), name)
end

-- A method, declared by its line; body gets the groups' state in their place.
function group.method(line, body)
  local name = line:match("^[%w_]+")
  declare.add(methods, declare.define(line, function(g, ...)
    local state = opened(name, g)
    return frame.ask(state.of or state.by, function(_, ...) return body(state, ...) end, ...)
  end))
end

local method = group.method

-- count(): how many rows each group has, int64.
-- sum(column) and so on: the answer for each group over a column, the name of one of the frame's
-- or a column of as many rows. Sums are made in the order of the rows.
-- quantile(column, q): as x:quantile of each group's rows; for a list of q a row for each group.
for how, parameters in pairs(aggregate.parameters) do
  local plan_of = aggregate[how]
  local line = ("%s(group:any%s%s)"):format(how, parameters == "" and "" or ", ", parameters)
  method(line, function(state, ...)
    local with_rows = state.with_rows or state
    local answer = answers.find(with_rows, {plan_of(with_rows, ...)})[1]
    return buckets.spread(state, how, answer)
  end)
end

require "locus.missing.group"(method)

-- The rows ordered by group, and where each group ends among them.
local function by_group(state)
  state.ends = state.ends
    or core.cumsum(answers.find(state, {aggregate.count(state)})[1], 1):totable()
  return answers.order(state), state.ends
end

-- The i-th part of a column that is ordered by group.
local function part(ordered, ends, i)
  return ordered[{{(ends[i - 1] or 0) + 1, ends[i]}}]
end

-- rows(i): the positions of the rows of the i-th group, ascending.
method("rows(group:any, i:integer)", function(state, i)
  if type(i) ~= "number" or i < 1 or i > state.size then
    declare.raise("'i' must be one of the %d groups, got %s", state.size, internal.describe(i))
  end
  local order, ends = by_group(state)
  return core.methods.clone(part(order, ends, i))
end)

-- each(f): calls f(part, key, i) for one group after the other. `part` is the frame of its rows, or
-- their positions if no frame was grouped; `key` is the table of its keys, as g.keys[i] gives it; i
-- is its number.
method("each(group:any, f:function)", function(state, f)
  local order, ends = by_group(state)
  local all = state.of and frame.at(state.of, order)
    or core.methods.clone(order)
  local rows = group.keys(state)
  for i = 1, state.size do declare.call(f, part(all, ends, i), rows[i], i) end
end)

-- agg{name = {how, column, ...}, ...}: a frame of the keys and of those answers, by name, which one
-- pass over the rows finds. A list of {name, how, column, ...} fixes their order. The table must
-- not be taken for options.
declare.add(methods, declare.plain("agg(group, columns)", function(g, columns, ...)
  local state = opened("agg", g)
  if select("#", ...) > 0 then
    declare.raise("takes one table of columns, got %s behind it", internal.describe((...)))
  end
  local entries = frame.ask(state.of or state.by, function() return agg.entries(state, columns) end)
  local list, of_keys = {}, state.places and frame.state(state.keys).columns
    or gather.at(state.by, state.firsts)
  for i, name in ipairs(state.by.names) do
    local kind = state.by.kinds[name]
    list[i] = {name, of_keys[name], kind and {kind.type, unit = kind.unit}}
  end
  for _, entry in ipairs(entries) do list[#list + 1] = entry end
  local made = core.frame(list)
  return made
end))

-- -- The object ----------------------------------------------------------------------------------

-- A frame with a row for each group.
function group.keys(state)
  if not state.keys then
    local made = frame.at(state.by, state.firsts)
    state.keys = internal.join_scope(made, state.ids)
  end
  return state.keys
end

local fields = {keys = group.keys}
local known = registry.once(fields)

function known.ids(state) return state.ids end

-- Its name elsewhere.
local hints = {
  size = "g:count()", ngroups = "#g", groups = "g.keys", indices = "g:rows(i)",
  get_group = "f[g:rows(i)]", apply = "g:each(f)", aggregate = "g:agg{name = {how, column}}",
  median = "g:quantile(column, 0.5)", len = "g:count()", n_unique = "g:nunique(column)",
  head = "g:first(column)", filter = "f[mask[g.ids]]", transform = "g:sum(column)[g.ids]",
  n = "g:count()", iter = "g:each(f)",
  pivot = 'f:pivot{rows = "a", columns = "b", values = "x", how = "sum"}',
  pivot_table = 'f:pivot{rows = "a", columns = "b", values = "x", how = "mean"}',
  value_counts = 'f:value_counts("name")',
  sample = "g:each(f), and part[locus.randperm(#part)[{ {1, n} }]] in f",
  lag = "g:shift(column, k)", lead = "g:shift(column, -k)", expanding = "g:cumsum(column)",
  ewm = "g:ewm_mean(column, {alpha = 0.1})", ewma = "g:ewm_mean(column, {alpha = 0.1})",
  ema = "g:ewm_mean(column, {alpha = 0.1, adjust = false})",
  cum_count = "g:cumcount()", cum_sum = "g:cumsum(column)", row_number = "g:cumcount()",
  ngroup = "g.ids", nth = "g:rows(i)[n]", over = "g:sum(column)[g.ids]",
}
local of_groups = {known = {methods, fields}, elsewhere = {}, hints = hints}

function events.__index(g, key)
  if methods[key] then return methods[key] end
  local state = internal.state(g, metatable)
  if fields[key] then return fields[key](state) end
  if type(key) ~= "string" then internal.raise("groups have no brackets; write f[g:rows(i)]") end
  internal.raise(("groups have no '%s'%s"):format(key:sub(1, 60),
    lazy("locus.names.advice").advice(key, of_groups)))
end

function events.__newindex() internal.raise("groups do not change") end
function events.__len(g) return internal.state(g, metatable).size end

function events.__describe(g)
  local size = internal.state(g, metatable).size
  return internal.format("%d group%s", size, size == 1 and "" or "s")
end

function events.__tostring(g)
  local state = internal.state(g, metatable)
  return internal.format("[%s of %d row%s by '%s']", metatable.__describe(g), #state.ids,
    #state.ids == 1 and "" or "s", internal.visible(table.concat(state.by.names, "', '")))
end

return group
