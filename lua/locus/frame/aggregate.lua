-- SPDX-License-Identifier: MIT
-- What is asked of groups. Each function gets their state and a column, a name or the values, and
-- answers a column with an element for each group, and the kind that it has as times and dates.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.declare"
local frame = require "locus.frame.frame"
local quantile = require "locus.frame.quantile"
local strings = require "locus.frame.strings"
local internal = core.internal

local types = select(2, internal.dtypes())
local aggregate = {}

-- The column that is meant, its kind, and what errors call it.
local function values_of(state, given)
  if type(given) == "string" and state.of then
    return frame.column(state.of, given), state.of.kinds[given], ("the column '%s'"):format(given)
  end
  local c = type(given) == "table" and column.of("column", given, nil, column.device(state.ids))
    or given
  if not strings.is(c) and not (core.is_tensor(c) and core.methods.dim(c) == 1) then
    declare.raise("'column' must be a 1-D tensor, a string column or a list, got %s",
      internal.describe(given))
  end
  local rows = column.rows(c)
  if rows ~= #state.ids then
    declare.raise("'column' must have %.0f rows, as the keys, got %.0f", #state.ids, rows)
  elseif column.device(c) ~= column.device(state.ids) then
    declare.raise("'column' must be on %s, like the keys, got %s", column.device(state.ids),
      internal.describe(c))
  end
  return c, nil, "'column'"
end

local function segment(state, tensor, how)
  return core.segment(tensor, state.ids, how, {groups = state.size})
end

local function numbers_of(state, given, how)
  local c, kind, name = values_of(state, given)
  if strings.is(c) then
    declare.raise("%s must be of numbers for '%s', got %s", name, how, internal.describe(c))
  elseif types[internal.dtype_of(c)].kind == "COMPLEX" then
    declare.raise("%s must be real, got %s", name, internal.describe(c))
  end
  return c, kind
end

-- The rows ordered by group, those of one in their order.
function aggregate.order(state)
  state.order = state.order or internal.settle(core.argsort(state.ids), state.ids)
  return state.order
end

function aggregate.count(state) return core.bincount(state.ids, nil, state.size) end

for _, how in ipairs {"sum", "prod", "mean", "std", "var", "any", "all"} do
  aggregate[how] = function(state, given)
    return segment(state, (numbers_of(state, given, how)), how)
  end
end

-- By rows, so of any column.
function aggregate.first(state, given)
  local c, kind = values_of(state, given)
  return column.take(c, state.firsts), kind
end

function aggregate.last(state, given)
  local c, kind = values_of(state, given)
  local rows = core.arange(1, #state.ids + 1, {dtype = "int64", device = column.device(state.ids)})
  return column.take(c, segment(state, rows, "last")), kind
end

-- Of strings by their places in the order of bytes.
for _, how in ipairs {"min", "max"} do
  aggregate[how] = function(state, given)
    local ids, dictionary = strings.parts((values_of(state, given)))
    if not ids then
      local c, kind = numbers_of(state, given, how)
      return segment(state, c, how), kind
    end
    local ranks = internal.dictionary_rank(dictionary)
    local places = segment(state, strings.by_name(ids, ranks), how)
    return strings.make(strings.by_name(places, core.argsort(ranks):int()), dictionary)
  end
end

-- How many different values each group has, NaN being one.
function aggregate.nunique(state, given)
  local ids, firsts = internal.factorize((column.parts((values_of(state, given)))))
  local _, rows = internal.combine {{state.ids, state.size}, {ids, #firsts}}
  return core.bincount(state.ids[rows], nil, state.size)
end

-- q: a number, or a list of them.
function aggregate.quantile(state, given, q)
  local values = numbers_of(state, given, "quantile")
  return quantile(aggregate.order(state), aggregate.count(state), values, q)
end

-- Those that take a column and nothing else.
aggregate.names = {"sum", "prod", "mean", "std", "var", "min", "max", "any", "all", "first",
                   "last", "nunique"}

-- -- agg -----------------------------------------------------------------------------------------

local function check_name(name)
  if type(name) ~= "string" or name == "" then
    declare.raise("the name of a column must be a string that is not empty, got %s",
      name == "" and "an empty one" or internal.describe(name))
  end
end

-- {name, answer, kind}, as core.frame takes it, of {how, column, ...}.
local function entry_of(state, name, how, given, ...)
  local known = how == "count" or how == "quantile"
  for _, other in ipairs(aggregate.names) do known = known or how == other end
  if not known then
    declare.raise("'%s' must be {how, column}, and how one of count, %s or quantile, got %s", name,
      table.concat(aggregate.names, ", "), internal.describe(how))
  elseif given == nil and how ~= "count" then
    declare.raise("'%s' must be {\"%s\", column}, the column is missing", name, how)
  elseif how == "quantile" and type((...)) ~= "number" then
    declare.raise("'%s' must be {\"quantile\", column, q}, q is %s", name, internal.describe((...)))
  end
  local answer, kind = aggregate[how](state, given, ...)
  return {name, answer, kind and {kind.type, unit = kind.unit}}
end

-- The columns that agg is asked for: those of the list in its order, then those by name in theirs.
function aggregate.entries(state, columns)
  if type(columns) ~= "table" then
    declare.raise("'columns' must be a table {name = {how, column}}, got %s",
      internal.describe(columns))
  end
  local entries, names = {}, {}
  for _, written in ipairs(columns) do
    if type(written) ~= "table" then
      declare.raise("'columns' must hold {name, how, column}, got %s", internal.describe(written))
    end
    check_name(written[1])
    entries[#entries + 1] = entry_of(state, unpack(written))
  end
  for name in pairs(columns) do
    if type(name) == "string" then names[#names + 1] = name end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    check_name(name)
    local written = columns[name]
    if type(written) == "string" then written = {written} end
    if type(written) ~= "table" then
      declare.raise("'%s' must be {how, column}, got %s", name, internal.describe(written))
    end
    entries[#entries + 1] = entry_of(state, name, unpack(written))
  end
  return entries
end

return aggregate
