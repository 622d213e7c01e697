-- SPDX-License-Identifier: MIT
-- The part of a tensor that can be drawn: its finite elements, their range, and the number of the
-- others. Everything is found by ops; only the drawn values come to Lua.
local core = require "locus.core"
local order = require "locus.derived.order"
local kinds = require "locus.tensor.kind"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())
local EXACT = 2 ^ 53 -- below it a Lua number holds every whole number

local measured = {}

-- Counts the elements that are not finite, and makes NaN of infinities; the range of the others.
local function leave_out(m)
  local low, high = core.amin(m.x), core.amax(m.x)
  if low ~= low then
    m.nan = tonumber(core.sum(core.isnan(m.x)))
    if m.nan == m.count then return nil end
    low, high = core.nanmin(m.x), core.nanmax(m.x)
  end
  if low > -math.huge and high < math.huge then return low, high end
  local infinite = core.isinf(m.x)
  m.infinite = tonumber(core.sum(infinite))
  m.x = core.masked_fill(m.x, infinite, 0 / 0)
  if m.nan + m.infinite == m.count then return nil end
  return core.nanmin(m.x), core.nanmax(m.x)
end

-- Integers that no Lua number holds are counted from a round `origin` near them; where they reach
-- further than that, as float64.
local function rebase(m, low, high)
  local span = tonumber(high) - tonumber(low)
  if span >= EXACT then
    m.x = methods.double(m.x)
    return tonumber(low), tonumber(high)
  end
  local unit = low - low + 10
  while tonumber(unit) < 10 * span do unit = unit * 10 end
  m.origin = low - low % unit
  m.x = m.x - m.origin
  return tonumber(low - m.origin), tonumber(high - m.origin)
end

-- {x, count, low, high, nan, infinite, origin, whole}: x has NaN for elements that are not finite;
-- low and high are nil if no others are left; elements are `origin` plus those of x; `whole` if
-- they are no fractions. Raises for complex ones, which have no order.
function measured.of(x, name)
  local kind = types[internal.dtype_of(x)].kind
  order.check_ordered(x, name)
  x = kinds.plain(x)
  if kind == "BOOL" then x = methods.byte(x) end
  local m = {x = x, count = tonumber(methods.numel(x)), nan = 0, infinite = 0, origin = 0,
             whole = kind ~= "FLOAT"}
  if m.count == 0 then return m end
  local low, high
  if m.whole then low, high = core.amin(x), core.amax(x) else low, high = leave_out(m) end
  if type(low) == "cdata" or type(high) == "cdata" then
    local zero = type(low) == "cdata" and low - low or high - high
    low, high = rebase(m, low + zero, high + zero)
  end
  m.low, m.high = low, high
  return m
end

local MICROSECONDS = {s = 1e6, ms = 1e3}

-- The measures, and the type of the kind if elements are times or dates. Times are drawn in
-- microseconds, in whatever unit they count.
function measured.with_kind(x, name)
  local kind = kinds.of(x)
  local unit = kind and kind.type == "time" and kind.unit
  if unit == "ns" then x = core.floor_divide(kinds.plain(x), 1000)
  elseif unit and unit ~= "us" then x = core.mul(methods.double(x), MICROSECONDS[unit]) end
  local m = measured.of(x, name)
  local is_near = m.low and math.max(-m.low, m.high) < EXACT and m.origin == 0
  return m, is_near and kind and kind.type or nil
end

-- The same elements as float64, for axes that are shared.
function measured.as_floats(m)
  if m.origin == 0 then return m end
  local double = methods.double(m.x + m.origin)
  local from = tonumber(m.origin)
  return {x = double, count = m.count, low = from + m.low, high = from + m.high, nan = 0,
          infinite = 0, origin = 0, whole = true}
end

-- From where to where all of a list reach; nil where none does.
function measured.extent(list)
  local low, high
  for _, m in ipairs(list) do
    if m.low then
      low, high = math.min(low or m.low, m.low), math.max(high or m.high, m.high)
    end
  end
  return low, high
end

-- A range around one number, or around several that a Lua number hardly tells apart.
function measured.widened(low, high)
  local size = math.max(math.abs(low), math.abs(high))
  if high / 2 - low / 2 > math.max(size * 2 ^ -47, 1e-300) then return low, high end
  local pad = size < 2 ^ 12 and 0.5 or size * 2 ^ -13
  local most = 1.7976931348623157e308
  return math.max(low - pad, -most), math.min(high + pad, most)
end

-- How far between low and high a number lies, 0..1, in the middle if there is nothing between them;
-- both may be as far apart as can be.
function measured.share(value, low, high)
  local span = high / 2 - low / 2
  return span > 0 and (value / 2 - low / 2) / span or 0.5
end

-- "; 3 NaN, 1 inf left out", or nothing.
function measured.left_out(list)
  local nan, infinite, parts = 0, 0, {}
  for _, m in ipairs(list) do nan, infinite = nan + m.nan, infinite + m.infinite end
  if nan > 0 then parts[1] = internal.format("%d NaN", nan) end
  if infinite > 0 then parts[#parts + 1] = internal.format("%d inf", infinite) end
  return #parts > 0 and "; " .. table.concat(parts, ", ") .. " left out" or ""
end

local LARGE = 1e280 -- sums of numbers beyond it may be infinite

-- How means of parts are taken, for `mean`: it has no tensor.
function measured.averaging(m)
  local size = m.low and math.max(math.abs(m.low), math.abs(m.high)) or 0
  return {whole = m.whole, scale = size > LARGE and 2 ^ 64 or 1}
end

-- The mean of those elements of a part that are no NaN; NaN if all are.
function measured.mean(part, how)
  if how.whole then return core.mean(part, {dtype = "float64"}) end
  part = methods.double(part)
  if how.scale ~= 1 then part = part / how.scale end
  return core.nanmean(part) * how.scale
end

-- The elements of a small 1-D tensor as Lua numbers.
function measured.numbers(x) return methods.totable(methods.double(x)) end

-- Calls each(part, i, first) for runs of equally many elements of a 1-D tensor, at most `most`
-- runs. Gives the number of elements of a run; the last one may have fewer.
function measured.each_run(x, most, each)
  local n = #x
  local length = math.max(1, math.ceil(n / most))
  for first = 1, n, length do
    each(methods.narrow(x, 1, first, math.min(length, n - first + 1)), (first - 1) / length + 1,
      first)
  end
  return length
end

return measured
