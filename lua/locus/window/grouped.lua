-- SPDX-License-Identifier: MIT
-- Windows of frames, and what rows get from the others of their group: g:shift, g:cumsum, g:rolling
-- and so on. Answers have a row for each row of the frame, in its order. One pass over the rows
-- gives them (src/cpu/run/running.c), with a table of the groups; windows come from rows that are
-- laid out group behind group, once for all answers.
local aggregate = require "locus.frame.aggregate"
local answers = require "locus.frame.answers"
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.call.declare"
local ewm = require "locus.window.ewm"
local filling = require "locus.derived.filling"
local frame = require "locus.frame.frame"
local group = require "locus.frame.group"
local keys = require "locus.frame.keys"
local shift = require "locus.derived.shift"
local strings = require "locus.frame.strings"
local tensor_kind = require "locus.tensor.kind"
local windows = require "locus.window.windows"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())

-- A method of groups; of buckets of time, of those that have rows.
local function add(line, body)
  group.method(line, function(state, ...) return body(state.with_rows or state, ...) end)
end

-- How many rows each group has.
local function counts_of(state)
  return core.segment(state.ids, state.ids, "count", {groups = state.size})
end

local function host(tensor) return methods.contiguous(methods.cpu(tensor)) end

-- Answers of a pass over the rows, on the device of the groups' ids.
local function run(state, how, input, value)
  local found, misfit = internal.run_groups(host(state.ids), state.size, how, input, value)
  local device = internal.device_of(state.ids)
  return device == "cpu" and found or found:to(device), misfit
end

-- The position of the row that lies k rows before each in its group, or 0: for several rows that of
-- the one before, again and again, by squaring.
local function places(state, k)
  local step, found = run(state, k < 0 and "next" or "prior"), nil
  k = math.abs(k)
  while k > 0 do
    if k % 2 == 1 then found = found and methods.take(step, found, 0) or step end
    k = math.floor(k / 2)
    if k > 0 then
      if not core.any(step:ne(0)) then return step end
      step = methods.take(step, step, 0)
    end
  end
  return found
end

local FIRST = "rows without another one in their group"

local function number_of(k, rows) return math.max(-rows, math.min(rows, tonumber(k))) end

-- The elements of the rows before, or after, of int64 or float64.
local function neighbours(state, c, k, fill)
  local kind = tensor_kind.of(c)
  local found = run(state, k > 0 and "before" or "after", host(tensor_kind.plain(c)),
    filling(fill, internal.dtype_of(c)))
  return tensor_kind.tagged(found, kind)
end

-- A column whose rows come from k rows before in their group.
local function shifted(state, c, k, fill, name)
  if k == 0 then return c end
  if strings.is(c) then
    local found = places(state, k)
    if fill == nil then fill = "" end
    if type(fill) ~= "string" then
      declare.raise("'fill' must be a string for %s, got %s", name, internal.describe(fill))
    end
    return strings.methods.take(c, found, fill)
  end
  fill = shift.fill(c, fill, name, FIRST)
  local dtype = internal.dtype_of(c)
  if math.abs(k) == 1 and (dtype == "int64" or dtype == "float64") then
    return neighbours(state, c, k, fill)
  end
  return methods.take(c, places(state, k), fill)
end

-- shift(column, k, {fill}): the element that lies k rows before in the group, or behind where k is
-- negative; fill where there is none, which is NaN for floats and "" for strings.
add("shift(group:any, column:any, k:integer=1, {fill:any=nil})",
  function(state, given, k, fill)
    local c, _, name = aggregate.values(state, given)
    return shifted(state, c, number_of(k, #state.ids), fill, name)
  end)

-- diff(column, k, {fill}): each element less the one k rows before in its group; for strings and
-- bool whether they differ.
add("diff(group:any, column:any, k:integer=1, {fill:any=nil})",
  function(state, given, k, fill)
    local c, _, name = aggregate.values(state, given)
    k = number_of(k, #state.ids)
    local is_string = strings.is(c)
    local differs = is_string or internal.dtype_of(c) == "bool"
    local none = not is_string and methods.narrow(c, 1, 1, 0)
    local like = differs and core.empty(0, {dtype = "bool"}) or none - none
    if k ~= 0 then fill = shift.fill(like, fill, "the difference of " .. name, FIRST) end
    local before = shifted(state, c, k, is_string and "" or not differs and 0, name)
    local found
    if is_string then found = strings.methods.ne(c, before)
    elseif differs then found = core.ne(c, before)
    else found = c - before end
    if k == 0 then return found end
    return core.where(places(state, k):eq(0), fill, found)
  end)

-- cumsum(column): the sum of the group's elements up to this row; integers are int64 modulo 2^64.
add("cumsum(group:any, column:any)", function(state, given)
  local c = aggregate.numbers(state, given, "cumsum")
  local dtype = internal.dtype_of(c)
  local real = types[dtype].kind == "FLOAT"
  local found = run(state, "sum", host(methods.to(dtype == "int64" and methods.long(c) or c,
    real and "float64" or "int64")))
  return tensor_kind.tagged(real and methods.to(found, dtype) or found, tensor_kind.of_sum(c))
end)

-- cumcount({base=1}): which row of its group each is, counted from base.
add("cumcount(group:any, {base=1})", function(state, base)
  local found = run(state, "count")
  return base == 1 and found or found + (base - 1)
end)

-- ewm_mean(column, {alpha, ...}): the mean of the group's elements up to this row, as x:ewm_mean.
add(("ewm_mean(group:any, column:any, %s})"):format(ewm.OPTIONS), function(state, given, ...)
  return ewm.grouped(state, (aggregate.numbers(state, given, "ewm_mean")), ...)
end)

-- rank(column, {method, descending, base}): the place of each element among those of its group in
-- order, as x:rank has it.
add("rank(group:any, column:any, {method:string=\"average\", descending:boolean=false, "
  .. "base=1})", function(state, given, method, descending, base)
    local c = aggregate.values(state, given)
    if strings.is(c) then c = strings.ranks(strings.parts(c)) end
    local places_of = core.rank(c, 1, {method = "dense", descending = descending})
    local most = #state.ids > 0 and core.max(places_of) or 0
    local key = (state.ids:long() - 1) * most + places_of
    local ranks = core.rank(key, 1, {method = method})
    local before
    if method == "dense" then
      if #state.ids == 0 then return ranks end
      before = core.segment(ranks, state.ids, "min", {groups = state.size}) - 1
    else
      local counts = counts_of(state)
      before = core.cumsum(counts, 1) - counts
    end
    return ranks - before[state.ids] + (base - 1)
  end)

-- -- Windows -------------------------------------------------------------------------------------

local function column_of(state)
  return function(given)
    local c, _, name = aggregate.values(state, given)
    return c, name
  end
end

-- rolling(rows, ...): windows of rows, or of spans of a column, within each group.
add(("rolling(group:any, %s})"):format(windows.OPTIONS),
  function(state, rows, min, center, on, span, closed, fill)
    local order = answers.order(state)
    local counts = host(counts_of(state))
    local offsets = core.cat({core.zeros(1, {dtype = "int64", device = "cpu"}),
                              core.cumsum(counts, 1)})
    return windows.make({rows = #state.ids, order = order, column = column_of(state),
                         on = column_of(state), named_on = "a column, or a 1-D tensor", dim = 1},
      windows.given(rows, min, center, on, span, closed, fill), offsets, host(state.ids[order]))
  end)

-- The same of all rows of a frame.
frame.method(("rolling(frame:any, %s})"):format(windows.OPTIONS),
  function(state, rows, min, center, on, span, closed, fill)
    local function of(given)
      local c = given
      if type(given) == "string" then return frame.column(state, given), given end
      if type(given) == "table" then c = column.of("column", given) end
      if not core.is_tensor(c) or methods.dim(c) ~= 1 or #c ~= state.rows then
        declare.raise("'column' must be the name of a column, or a 1-D tensor of %d rows, got %s",
          state.rows, internal.describe(given))
      end
      return c, "'column'"
    end
    return windows.make({rows = state.rows, column = of, on = of, dim = 1,
                         named_on = "a column, or a 1-D tensor"},
      windows.given(rows, min, center, on, span, closed, fill))
  end)

-- -- Sessions ------------------------------------------------------------------------------------

-- The number of each row among the values of `by`: a column, or a list of columns.
local function ids_of(by, rows)
  if by == nil then return core.ones(rows, {dtype = "int32", device = "cpu"}), 1 end
  local function is_column(value) return core.is_tensor(value) or strings.is(value) end
  local first = type(by) == "table" and by[1]
  by = (is_column(first) or type(first) == "table") and {unpack(by)} or {by}
  for i, c in ipairs(by) do
    if type(c) == "table" then by[i] = column.of("by", c) end
    if not (strings.is(by[i]) or core.is_tensor(by[i]) and methods.dim(by[i]) == 1)
      or column.rows(by[i]) ~= rows then
      declare.raise("'by' must be a column of %d rows, or a list of such, got %s", rows,
        internal.describe(c))
    end
  end
  local ids, firsts = keys.number(by)
  return host(ids), #firsts
end

-- sessions(time, {by, gap}): the number of each row's session, int64, counted from 1 by first
-- appearance. A session goes on while each row lies at most `gap` behind the one before it, of all
-- rows or of those with equal `by`.
declare.func("sessions(time:tensor, {by:any=nil, gap:any=nil})", function(time, by, gap)
  local places_of, kind = windows.places(time, "a 1-D tensor of times", "time")
  if gap == nil then declare.raise("'gap' is missing; write gap = \"30m\"") end
  local ids, groups = ids_of(by, #time)
  local found, misfit = internal.run_groups(ids, groups, "sessions", places_of,
    windows.span(gap, places_of, kind, "gap", "time"))
  if misfit >= 0 then
    declare.raise("'time' must ascend%s, and falls in row %d; sort by it first",
      by ~= nil and " for each value of 'by'" or "", misfit + 1)
  end
  local device = internal.device_of(time)
  return device == "cpu" and found or found:to(device)
end)
