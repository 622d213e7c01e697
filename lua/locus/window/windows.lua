-- SPDX-License-Identifier: MIT
-- Windows that move along tensors: what x:rolling, f:rolling and g:rolling make. Their answers come
-- from a kernel of the CPU (src/cpu/run/window.c); tensors of a device are brought there and back.
local core = require "locus.core"
local declare = require "locus.call.declare"
local fill_value = require "locus.derived.fill_value"
local filling = require "locus.derived.filling"
local lazy = require "locus.call.lazy"
local quantile = require "locus.derived.quantile"
local quantity = require "locus.tensor.quantity"
local registry = require "locus.call.registry"
local selection = require "locus.derived.selection"
local tensor_kind = require "locus.tensor.kind"
local time_means = require "locus.window.time_means"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())
local metatable, functions = {__metatable = "windows"}, {}
local events = registry.once(metatable)
local windows = {metatable = metatable, methods = functions}

-- How answers are typed: with the dtype of the elements, as sums, as real numbers, int64.
local OWN, SUM, REAL, COUNT = "own", "sum", "real", "count"
local CLASSES = {sum = SUM, mean = REAL, min = OWN, max = OWN, std = REAL, var = REAL,
                 count = COUNT, median = OWN, quantile = REAL, first = OWN, last = OWN}

local function dtype_of(class, dtype)
  local kind = types[dtype].kind
  if class == COUNT then return "int64" end
  if kind == "FLOAT" or class == OWN then return dtype end
  return class == SUM and "int64" or core.get_default_dtype()
end

-- The number that stands for the answers of windows with too few elements, which have that kind.
local function missing_of(state, dtype, own_kind)
  if state.fill == nil then return nil end
  local like = core.zeros(1, {dtype = dtype, device = "cpu"})
  return fill_value(own_kind and tensor_kind.tagged(like, own_kind) or like, state.fill,
    "'fill' of the windows")
end

local function raise_lacking(state, dtype, kind)
  declare.raise("a window has fewer than %d element%s, and %s no NaN for its answer; write "
    .. "min = %d or fill = %s in rolling, or take x:double()", state.fewest,
    state.fewest == 1 and "" or "s", kind and kind.text .. " have" or dtype .. " has",
    state.fewest > 1 and 1 or 0, kind and '"' .. kind.example .. '"' or "0")
end

-- The fewest elements of a window with an answer. Each has a count, and none may have a sum.
local function fewest_of(state, how)
  if how == "count" then return 0 end
  if how == "sum" then return state.fewest end
  return math.max(state.fewest, 1)
end

-- The answers of rows [rows, n], int64 or float64 of the CPU.
local function ask(state, rows, how, skips_nan, more)
  local options = {skips_nan = skips_nan, fewest = fewest_of(state, how), begins = state.begins,
                   ends = state.ends}
  local n = rows:size(2)
  if not state.begins then
    options.before = math.min(state.before, math.max(n - 1, 0))
    options.after = math.min(state.after, math.max(n - 1, 0))
  end
  for name, value in pairs(more) do options[name] = value end
  return internal.window(rows, how, options)
end

-- Roots of variances that float64 cannot hold: from elements times a power of 2. Zeros are looked
-- at again where an element is small, since those of equal elements are right.
local function mended_roots(state, rows, found, skips_nan, more)
  local function of_scaled(power)
    return ask(state, rows * 2 ^ power, "std", skips_nan, more) * 2 ^ -power
  end
  if core.nanmax(rows) > 2 ^ 480 or core.nanmin(rows) < -2 ^ 480 then
    found = core.where(core.isfinite(found), found, of_scaled(-600))
  end
  if not (core.nanmin(found) < 2 ^ -480) then return found end
  local all = core.abs(rows)
  local tiny = core.logical_and(core.lt(all, 2 ^ -450), core.gt(all, 0))
  local small = core.lt(found, 2 ^ -480)
  return core.any(tiny) and core.where(small, of_scaled(600), found) or found
end

local answers_of

-- Means and quantiles of times and durations.
local function means_of(state, x, how, skips_nan, more, kind)
  local without_fill = setmetatable({fill = 0 / 0}, {__index = state})
  return time_means(x, kind, more.interpolation, function(offsets, interpolation)
    more.interpolation = interpolation
    return answers_of(without_fill, offsets, how, skips_nan, more)
  end, function(found, lost)
    if state.fill == nil then raise_lacking(state, "int64", kind) end
    return core.masked_fill(found, lost, missing_of(state, "int64", kind))
  end)
end

-- The answers for a tensor, along a dimension.
function answers_of(state, x, how, skips_nan, more)
  local averaged = (how == "mean" or how == "quantile") and tensor_kind.of(x)
  if averaged and averaged.per_day > 0 then
    return means_of(state, x, how, skips_nan, more, averaged)
  end
  local dtype, device, class = internal.dtype_of(x), internal.device_of(x), CLASSES[how]
  local target = dtype_of(class, dtype)
  local own_kind = class == OWN and tensor_kind.of(x) or class == SUM and tensor_kind.of_sum(x)
    or nil
  local missing = how ~= "count" and missing_of(state, target, own_kind)
  local plain = dtype == "int64" and methods.long(x) or x
  local real = types[dtype].kind == "FLOAT"
  local rows = selection.rows(methods.to(methods.cpu(plain), real and "float64" or "int64"),
    state.dim)
  if missing ~= nil and missing ~= false and types[target].kind ~= "FLOAT" then
    more.missing = core.full({1}, missing, {dtype = target, device = "cpu"}):long()
  end
  local found, lacking = ask(state, rows, how, skips_nan and real, more)
  if how == "std" and dtype == "float64" and methods.numel(found) > 0 then
    found = mended_roots(state, rows, found, skips_nan, more)
  end
  if lacking and not more.missing and how ~= "count" then raise_lacking(state, target, own_kind) end
  if missing and types[target].kind == "FLOAT" then
    local counts = ask(state, rows, "count", skips_nan and real, {fewest = 0})
    found = core.where(counts:lt(fewest_of(state, how)), missing, found)
  end
  found = methods.to(selection.along(found, plain, state.dim), target)
  if own_kind then found = tensor_kind.tagged(found, own_kind) end
  return device == "cpu" and found or methods.to(found, device)
end

-- -- Methods -------------------------------------------------------------------------------------

local function opened(name, w)
  local state = internal.state(w, metatable)
  if state then return state end
  declare.raise("'windows' must be made by rolling, got %s; write w:%s(...)",
    internal.describe(w), name)
end

local function real_of(x, what, how)
  if core.is_tensor(x) and types[internal.dtype_of(x)].kind ~= "COMPLEX" then return x end
  declare.raise("%s must be of real numbers for '%s', got %s", what, how, internal.describe(x))
end

-- The answers for the windows' own tensor, or for a column of their frame.
local function answer(state, column, how, skips_nan, more)
  if state.tensor then
    if column ~= nil then
      declare.raise("takes no column, since the windows are those of a tensor, got %s",
        internal.describe(column))
    end
    return answers_of(state, state.tensor, how, skips_nan, more)
  end
  if column == nil then
    declare.raise("'column' is missing; write w:%s(\"price\")", how)
  end
  local values, name = state.column(column)
  real_of(values, name, how)
  if not state.order then return answers_of(state, values, how, skips_nan, more) end
  local found = answers_of(state, values[state.order], how, skips_nan, more)
  local made = core.empty_like(found)
  made[state.order] = tensor_kind.plain(found)
  return tensor_kind.tagged(made, tensor_kind.of(found))
end

local function method(line, body)
  local name = line:match("^[%w_]+")
  declare.add(functions, declare.define(line, function(w, ...)
    return body(opened(name, w), ...)
  end))
end

-- sum(column) and so on: for each element the answer of its window; `column` of windows of a frame
-- or of groups. With `nan` in front NaN is no element.
for _, how in ipairs {"sum", "mean", "min", "max", "count", "median"} do
  method(("%s(windows:any, column:any=nil)"):format(how), function(state, column)
    return answer(state, column, how, false, {})
  end)
  method(("nan%s(windows:any, column:any=nil)"):format(how), function(state, column)
    return answer(state, column, how, true, {})
  end)
end

for _, how in ipairs {"first", "last"} do
  method(("%s(windows:any, column:any=nil)"):format(how), function(state, column)
    return answer(state, column, how, false, {})
  end)
end

for _, how in ipairs {"std", "var"} do
  for nan, skips in pairs {[""] = false, nan = true} do
    method(("%s%s(windows:any, column:any=nil, {correction:number=1})"):format(nan, how),
      function(state, column, correction)
        if correction ~= correction then declare.raise("'correction' must not be NaN") end
        return answer(state, column, how, skips, {correction = correction})
      end)
  end
end

-- quantile(column, q), or of a tensor quantile(q): one number from 0 to 1.
for nan, skips in pairs {[""] = false, nan = true} do
  method(nan .. 'quantile(windows:any, column:any=nil, q:any=nil, '
    .. '{interpolation:string="linear"})', function(state, column, q, interpolation)
      if state.tensor and q == nil then column, q = nil, column end
      if q == nil then declare.raise("'q' is missing; write a number from 0 to 1") end
      quantile.check_interpolation(interpolation)
      local list, single = quantile.read_q(q)
      if not single then
        declare.raise("'q' must be one number from 0 to 1, got %s", internal.describe(q))
      end
      return answer(state, column, "quantile", skips, {q = list[1], interpolation = interpolation})
    end)
end

-- -- The object ----------------------------------------------------------------------------------

local hints = {agg = "w:mean(column) and so on, one after the other", apply = "x:unfold(1, n, 1)",
  aggregate = "w:mean(column) and so on", corr = "x:unfold(1, n, 1)", size = "w:count()"}
local of_windows = {known = {functions}, elsewhere = {}, hints = hints}

function events.__index(_, key)
  if functions[key] then return functions[key] end
  if type(key) ~= "string" then
    internal.raise("windows have no brackets; write w:mean()[i] for one answer")
  end
  internal.raise(("windows have no '%s'%s"):format(key:sub(1, 60),
    lazy("locus.names.advice").advice(key, of_windows)))
end

function events.__newindex() internal.raise("windows do not change") end

function events.__describe(w)
  return "windows of " .. internal.state(w, metatable).text
end

function events.__tostring(w) return "[" .. metatable.__describe(w) .. "]" end

-- -- What rolling takes --------------------------------------------------------------------------

local CLOSED = {right = {false, true}, left = {true, false}, both = {true, true},
                neither = {false, false}}

-- The column that windows are spans of, int64 or float64 on the CPU, and its kind.
local function places_of(on, what, name)
  if not core.is_tensor(on) or methods.dim(on) ~= 1 then
    declare.raise("'%s' must be %s, got %s", name, what, internal.describe(on))
  end
  local dtype = internal.dtype_of(on)
  local kind = types[dtype].kind
  if kind == "BOOL" or kind == "COMPLEX" then
    declare.raise("'%s' must be of times or real numbers, got %s", name, internal.describe(on))
  end
  local plain = methods.cpu(dtype == "int64" and methods.long(on) or on)
  return methods.contiguous(methods.to(plain, kind == "FLOAT" and "float64" or "int64")),
    tensor_kind.of(on)
end

-- A span in the unit of the places, as a tensor of one element: "5m" beside times, else a number.
local function span_of(span, places, kind, name, on)
  if type(span) == "string" then
    if not kind or kind.type == "ipv4" then
      declare.raise("'%s' is \"%s\", and '%s' has no unit; write a number, or make '%s' a time",
        name, internal.visible(span), on, on)
    end
    span = internal.span(span, kind.unit and kind.unit ~= "d" and kind.unit or "day", name)
  elseif quantity.is and quantity.is(span) then
    local units = quantity.units_beside(span, kind)
    if not units then
      declare.raise("'%s' is %s, which is no whole number of the units of '%s'", name,
        internal.describe(span), on)
    end
    span = units
  end
  local one = filling(span, internal.dtype_of(places))
  if type(span) == "boolean" or not one or not core.all(one:ge(0)) then
    declare.raise("'%s' must be a span of time such as \"5m\", or a number of at least 0, got %s",
      name, type(span) == "number" and internal.spell(span) or internal.describe(span))
  end
  return one
end
windows.span = span_of
windows.places = places_of

local function by_span(state, given, offsets)
  for _, name in ipairs {"rows", "center"} do
    if given[name] then
      declare.raise("'%s' does not go with 'span'; write one of rows = 20 and span = \"5m\"", name)
    end
  end
  if given.span == nil then declare.raise("'span' is missing; write span = \"5m\"") end
  if given.on == nil then declare.raise("'on' is missing; write on = \"time\"") end
  local closed = CLOSED[given.closed]
  if not closed then
    declare.raise("'closed' must be \"right\", \"left\", \"both\" or \"neither\", got %q",
      given.closed)
  end
  local on = state.on(given.on)
  local places, kind = places_of(on, state.named_on, "on")
  if #places ~= state.rows then
    declare.raise("'on' must have %d rows, got %d", state.rows, #places)
  end
  local span = span_of(given.span, places, kind, "span", "on")
  local laid = state.order and places[methods.cpu(state.order)] or places
  local begins, ends, misfit = internal.window_bounds(laid, span,
    {offsets = offsets, closed_left = closed[1], closed_right = closed[2]})
  if misfit >= 0 then
    local row = state.order and tonumber(state.order[misfit + 1]) or misfit + 1
    declare.raise("'on' must ascend%s, and falls in row %d; sort by it first",
      state.order and " within each group" or "", row)
  end
  state.begins, state.ends, state.fewest = begins, ends, given.min or 1
end

-- Windows by rows within groups, whose rows lie one group behind the other.
local function within_groups(state, offsets, numbers)
  local at = core.arange(0, state.rows, {dtype = "int64", device = "cpu"})
  local first, last = offsets:take(numbers), offsets:take(numbers + 1)
  local before = math.min(state.before, state.rows)
  local after = math.min(state.after, state.rows)
  state.begins = core.maximum(at - before, first)
  state.ends = core.minimum(at + (after + 1), last)
end

local function by_rows(state, given)
  local rows = given.rows
  if rows == nil then declare.raise("'rows' is missing; write rows = 20, or on and span") end
  if given.on ~= nil then declare.raise("'on' goes with 'span'; write span = \"5m\"") end
  if given.closed ~= "right" then
    declare.raise("'closed' goes with 'span'; windows by rows end with their row, or write "
      .. "center = true")
  end
  if rows < 1 then declare.raise("'rows' must be at least 1, got %d", rows) end
  state.after = given.center and math.floor((rows - 1) / 2) or 0
  state.before = rows - 1 - state.after
  state.fewest = given.min or rows
  if state.fewest > rows then
    declare.raise("'min' must be at most 'rows', %d, got %d", rows, state.fewest)
  end
end

--- Windows of a state that has `rows`, and `tensor` and `dim`, or column(name) and on(name); with
--- `order`, the rows by group, `offsets` and `numbers`, int64 of the CPU.
function windows.make(state, given, offsets, numbers)
  if given.min and given.min < 0 then
    declare.raise("'min' must not be negative, got %d", given.min)
  end
  for _, name in ipairs {"rows", "min"} do given[name] = tonumber(given[name]) end
  state.fill = given.fill
  if given.span ~= nil or given.on ~= nil and given.rows == nil then
    by_span(state, given, offsets)
    state.text = "spans"
  else
    by_rows(state, given)
    if offsets then within_groups(state, offsets, numbers) end
    state.text = internal.format("%d row%s", given.rows, given.rows == 1 and "" or "s")
  end
  return internal.object(metatable, state)
end

local OPTIONS = "rows:integer=nil, {min:integer=nil, center:boolean=false, on:any=nil, "
  .. 'span:any=nil, closed:string="right", fill:any=nil'
windows.OPTIONS = OPTIONS

function windows.given(rows, min, center, on, span, closed, fill)
  if type(fill) == "table" then
    declare.raise("'fill' must be a number, or a text of times, got a table")
  end
  return {rows = rows, min = min, center = center, on = on, span = span, closed = closed,
          fill = fill}
end

-- rolling(rows, ...): for each element along a dimension the window of that many elements that ends
-- with it, or has it in its middle; or those at most `span` before it on `on`, a 1-D tensor.
-- Source: https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.rolling.html
declare.both(("rolling(input:tensor, %s, dim=nil})"):format(OPTIONS),
  function(input, rows, min, center, on, span, closed, fill, dim)
    real_of(input, "'input'", "rolling")
    if methods.dim(input) == 0 then
      declare.raise("'input' must have dimensions, got a 0-d tensor")
    end
    if span ~= nil and methods.dim(input) ~= 1 then
      declare.raise("'input' must be 1-D for spans, got size %s", tostring(input.shape))
    end
    dim = dim or methods.dim(input)
    local state = {tensor = input, dim = dim, rows = methods.size(input, dim),
                   named_on = "a 1-D tensor", on = function(given) return given end}
    return windows.make(state, windows.given(rows, min, center, on, span, closed, fill))
  end)

return windows
