-- SPDX-License-Identifier: MIT
-- Answers about groups. Each function gets their state and a column, a name or the values, and
-- checks them. It gives a plan: `asks`, the answers {tensor, how, ...} that it needs of the rows;
-- finish(...), which makes of these a column with an element for each group; and the kind of that
-- column: time or date. So the rows are read once for all answers of a call.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.call.declare"
local frame = require "locus.frame.frame"
local keys = require "locus.frame.keys"
local kinds = require "locus.tensor.kind"
local quantiles = require "locus.derived.quantile"
local strings = require "locus.frame.strings"
local internal = core.internal

local types = select(2, internal.dtypes())
local aggregate = {}

-- The column itself, its kind, and its name in errors.
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
    declare.raise("'column' must have %d rows, as the keys, got %d", #state.ids, rows)
  elseif column.device(c) ~= column.device(state.ids) then
    declare.raise("'column' must be on %s, like the keys, got %s", column.device(state.ids),
      internal.describe(c))
  end
  return c, nil, "'column'"
end

aggregate.values_of = values_of

local function answer_of(x, dtype)
  return internal.dtype_of(x) == dtype and x or core.methods.to(x, dtype)
end

-- Sums of integers wrap in a dtype that is narrower than int64.
local function wrapped(sums, dtype)
  local type = types[dtype]
  if type.kind ~= "INTEGER" or dtype == "int64" then return answer_of(sums, dtype) end
  local span = 2 ^ (8 * core.methods.element_size(core.empty(0, {dtype = dtype})))
  return answer_of(core.remainder(sums - type.low, span) + type.low, dtype)
end

local function segment(state, tensor, how)
  return core.segment(tensor, state.ids, how, {groups = state.size})
end

local function same(answer) return answer end

local function plan(asks, finish, kind)
  return {asks = asks, finish = finish or same, kind = kind}
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

aggregate.values, aggregate.numbers = values_of, numbers_of

function aggregate.count(state) return plan {state.ids, "count"} end

for _, how in ipairs {"any", "all"} do
  aggregate[how] = function(state, given) return plan {numbers_of(state, given, how), how} end
end

-- The mean of times and the like is one, to the nearest unit; of two as near the later one.
local function mean_of_kind(state, c, kind)
  local x = kinds.plain(c)
  local counts = core.clamp(segment(state, state.ids, "count"), 1)
  local own = counts[state.ids]
  return plan({core.floor_divide(x, own), "sum", x % own, "sum"}, function(quotients, rests)
    local rounded = core.floor_divide(rests * 2 + counts, counts * 2)
    return kinds.tagged(quotients + rounded, kind)
  end)
end

-- With a dtype, as in x:sum: the values are cast to it first, and the answer has it.
for _, how in ipairs {"sum", "prod", "mean"} do
  aggregate[how] = function(state, given, dtype)
    local c = numbers_of(state, given, how)
    local kind = how == "mean" and dtype == nil and kinds.of(c)
    if kind and kind.per_day > 0 then return mean_of_kind(state, c, kind) end
    if dtype == nil then return plan {c, how} end
    if types[dtype].kind == "COMPLEX" then declare.raise("'dtype' must be real, got %s", dtype) end
    core[how](c[{{1, 0}}], {dtype = dtype}) -- raises if there is no such answer
    return plan({core.methods.to(c, dtype), how},
      function(answer) return wrapped(answer, dtype) end)
  end
end

-- The kernel computes with the correction 1, and other corrections are derived from that. A group
-- of one row is special: its distance to itself, 0 or NaN, is divided by 1 - correction.
local function variances(state, x, correction, rows, var)
  local one = x[state.firsts] - x[state.firsts]
  return core.where(rows:eq(1), one, var * (rows - 1)) / core.clamp(rows - correction, 0)
end

-- The roots of variances. If a variance over- or underflows, the root comes from a variance of
-- scaled values, since the roots themselves are in range.
local function deviations(state, x, correction, rows, var)
  local answers = core.pow(variances(state, x, correction, rows, var), 0.5)
  local usual = core.logical_and(core.gt(answers, 2 ^ -480), core.lt(answers, math.huge))
  if core.all(usual) then return answers end
  local ratio = core.pow((rows - 1) / core.clamp(rows - correction, 0), 0.5)
  local quarters = segment(state, x / 4, "std") * ratio * 4
  return core.where(core.logical_or(usual, core.lt(rows, 2)), answers, quarters)
end

for _, how in ipairs {"std", "var"} do
  local find = how == "std" and deviations or variances
  aggregate[how] = function(state, given, correction)
    local c = numbers_of(state, given, how)
    if correction == 1 then return plan {c, how} end
    if correction ~= correction then declare.raise("'correction' must not be NaN") end
    local dtype = internal.dtype_of(c)
    local wanted = types[dtype].kind == "FLOAT" and dtype or core.get_default_dtype()
    local x = c:double()
    return plan({state.ids, "count", x, "var"}, function(counts, var)
      return answer_of(find(state, x, correction, counts:double(), var), wanted)
    end)
  end
end

-- Without NaN. On the CPU the pass over the rows leaves NaN out; on a device there is a mask of the
-- rows that are there, if any is not. Columns of other dtypes have no NaN.
local function without_nan(state, given, how)
  local c, kind = numbers_of(state, given, "nan" .. how)
  if types[internal.dtype_of(c)].kind ~= "FLOAT" then return c, nil, kind, how end
  if internal.device_of(c) == "cpu" then return c, nil, kind, "nan" .. how end
  local there = core.logical_not(core.isnan(c))
  if core.all(there) then return c, nil, kind, how end
  return c, there, kind, how
end

for _, how in ipairs {"sum", "mean"} do
  aggregate["nan" .. how] = function(state, given)
    local c, there, _, own = without_nan(state, given, how)
    if not there then return plan {c, own} end
    return plan({}, function()
      return core.segment(c[there], state.ids[there], how, {groups = state.size})
    end)
  end
end

for _, how in ipairs {"std", "var"} do
  aggregate["nan" .. how] = function(state, given, correction)
    local c, there, _, own = without_nan(state, given, how)
    if not there and own == how then return aggregate[how](state, c, correction) end
    if correction ~= correction then declare.raise("'correction' must not be NaN") end
    if not there and correction == 1 then return plan {c, own} end
    local double, dtype = c:double(), internal.dtype_of(c)
    local function corrected(counts, var, mean)
      local rows = counts:double()
      local answers = core.where(rows:eq(1), mean - mean, var * (rows - 1))
        / core.clamp(rows - correction, 0)
      return answer_of(how == "std" and core.pow(answers, 0.5) or answers, dtype)
    end
    if not there then
      return plan({double, "nancount", double, "nanvar", double, "nanmean"}, corrected)
    end
    local x, ids, named = c[there], state.ids[there], {groups = state.size}
    if correction == 1 then
      return plan({}, function() return core.segment(x, ids, how, named) end)
    end
    return plan({}, function()
      x = x:double()
      return corrected(core.segment(ids, ids, "count", named), core.segment(x, ids, "var", named),
        core.segment(x, ids, "mean", named))
    end)
  end
end

-- A group of NaN alone has NaN.
for _, how in ipairs {"min", "max"} do
  aggregate["nan" .. how] = function(state, given)
    local c, there, kind, own = without_nan(state, given, how)
    if not there then return plan({c, own}, nil, kind) end
    local worst = how == "min" and math.huge or -math.huge
    return plan({core.masked_fill(c, core.isnan(c), worst), how, there, "any"},
      function(best, any) return core.masked_fill(best, core.logical_not(any), 0 / 0) end, kind)
  end
end

function aggregate.nancount(state, given)
  local c, there, _, own = without_nan(state, given, "count")
  return plan {there or c, there and "sum" or own}
end

-- Takes rows, so a column of any type.
function aggregate.first(state, given)
  local c, kind = values_of(state, given)
  return plan({}, function() return column.take(c, state.firsts) end, kind)
end

-- The last rows are found once for all columns.
function aggregate.last(state, given)
  local c, kind = values_of(state, given)
  local made = plan({}, function() return column.take(c, state.lasts) end, kind)
  made.lasts = true
  return made
end

-- Strings, by their places in the order of bytes.
for _, how in ipairs {"min", "max"} do
  aggregate[how] = function(state, given)
    local ids, dictionary = strings.parts((values_of(state, given)))
    if not ids then
      local c, kind = numbers_of(state, given, how)
      return plan({c, how}, nil, kind)
    end
    local ranks = internal.dictionary_rank(dictionary)
    return plan({strings.by_name(ids, ranks), how}, function(places)
      return strings.make(strings.by_name(places, core.argsort(ranks):int()), dictionary)
    end)
  end
end

-- The number of distinct values in each group; NaN counts as one.
function aggregate.nunique(state, given)
  local ids, firsts = keys.number {(values_of(state, given))}
  local _, rows = internal.combine {{state.ids, state.size}, {ids, #firsts}}
  return plan({}, function() return core.bincount(state.ids[rows], nil, state.size) end)
end

-- q: a number, or a list of them; `there`: asks how many rows count, nil for all.
local function plan_of_quantile(state, values, q, interpolation, there)
  quantiles.check_interpolation(interpolation)
  local list, single = quantiles.read_q(q)
  local made = plan({state.ids, "count"}, single and core.flatten or nil)
  if there then made.asks[3], made.asks[4] = unpack(there) end
  made.quantile = {values = values, q = list, interpolation = interpolation}
  return made
end

function aggregate.quantile(state, given, q, interpolation)
  local c = numbers_of(state, given, "quantile")
  return plan_of_quantile(state, c, q, interpolation)
end

-- The column, and what asks how many of its rows count.
local function counted_without_nan(state, given, how)
  local c, there = without_nan(state, given, how)
  if types[internal.dtype_of(c)].kind ~= "FLOAT" then return c end
  return c, there and {there, "sum"} or internal.device_of(c) == "cpu" and {c, "nancount"} or nil
end

function aggregate.nanquantile(state, given, q, interpolation)
  local c, there = counted_without_nan(state, given, "quantile")
  return plan_of_quantile(state, c, q, interpolation, there)
end

-- As x:nanmedian: of two middle elements the lower one.
function aggregate.nanmedian(state, given)
  local c, there = counted_without_nan(state, given, "median")
  return plan_of_quantile(state, c, 0.5, "lower", there)
end

-- The parameters of each answer besides the groups, in the form of declare.lua.
aggregate.parameters = {count = ""}
for _, how in ipairs {"quantile", "nanquantile"} do
  aggregate.parameters[how] = 'column:any, q:any, {interpolation:string="linear"}'
end
for _, how in ipairs {"min", "max", "any", "all", "first", "last", "nunique"} do
  aggregate.parameters[how] = "column:any"
end
for _, how in ipairs {"sum", "prod", "mean"} do
  aggregate.parameters[how] = "column:any, {dtype=nil}"
end
for _, how in ipairs {"std", "var"} do
  aggregate.parameters[how] = "column:any, {correction:number=1}"
  aggregate.parameters["nan" .. how] = "column:any, {correction:number=1}"
end
for _, how in ipairs {"nansum", "nanmean", "nanmin", "nanmax", "nancount", "nanmedian"} do
  aggregate.parameters[how] = "column:any"
end

return aggregate

