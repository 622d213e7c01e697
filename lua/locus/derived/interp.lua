-- SPDX-License-Identifier: MIT
-- Values on a broken line. interp of 1e6 values takes four times as long as its search, a fourth of
-- NumPy's time; the rest are gathers and arithmetic. Places are compared and subtracted exactly,
-- whatever their dtypes: beside int64 a place is a whole number and a rest, and whole numbers are
-- subtracted modulo 2^64. Along most of the line the value is NumPy's, slope * (x - xp) + fp. If a
-- slope is infinite, or so small that it has lost digits, the value is interpolated by the part of
-- the piece that lies before x.
local core = require "locus.core"
local declare = require "locus.call.declare"
local order = require "locus.derived.order"
local internal, methods = core.internal, core.methods

local LEAST = 2 ^ -1022 -- of the numbers that have all digits
local PAST_INT64 = 2 ^ 63

local function any(mask) return methods.numel(mask) > 0 and core.any(mask) end

-- -- Places --------------------------------------------------------------------------------------

-- A tensor of places: `double` if float64 holds them; beside int64 the sums of `whole` and `rest`.
-- Floats that int64 does not hold have its ends as whole numbers.
local function places_of(x, beside_int64)
  if internal.dtype_of(x) == "int64" then return {whole = x} end
  local double = x:double()
  if not beside_int64 then return {double = double} end
  local inside = methods.clamp(double, -PAST_INT64, PAST_INT64 - 1024)
  local whole = methods.masked_fill_(core.trunc(inside), core.isnan(double), 0):long()
  return {double = double, whole = whole, rest = double - whole}
end

local function map(places, f)
  local double, whole, rest = places.double, places.whole, places.rest
  return {double = double and f(double), whole = whole and f(whole), rest = rest and f(rest)}
end

-- Places b less places a that lie before them, as float64.
local function difference(b, a)
  if a.double and b.double then return b.double - a.double end
  local whole = b.whole - a.whole
  local apart = whole:double()
  local wraps = core.lt(whole, 0)
  if any(wraps) then apart = core.where(wraps, apart + 2 ^ 64, apart) end
  if b.rest then apart:add_(b.rest) end
  if a.rest then apart:sub_(a.rest) end
  return apart
end

-- How large a part of the piece lies before x, where a piece may be longer than all numbers.
local function shares(x, before, after)
  local short = difference(x, before) / difference(after, before)
  if not before.double then return short end
  local x_double = x.double or x.whole:double() -- exact enough on a piece as long as that
  local long = (x_double / 2 - before.double / 2) / (after.double / 2 - before.double / 2)
  return core.where(core.isinf(after.double - before.double), long, short)
end

-- -- The line ------------------------------------------------------------------------------------

-- The points, with their places also as the caller gave them; the `slope` after each one, 0 behind
-- the last; and `hard`, a mask of the pieces in which a slope is useless, nil if there are none.
local function line_of(xp, fp, beside_int64)
  local line = {given = xp, at = places_of(xp, beside_int64), fp = fp, n = #xp}
  local function next_ones(x) return x[{{2, line.n}}] end
  local function ones(x) return x[{{1, line.n - 1}}] end
  local apart = difference(map(line.at, next_ones), map(line.at, ones))
  local rise = next_ones(fp) - ones(fp)
  local slope = rise / apart
  local last = core.zeros(1, {dtype = "float64", device = internal.device_of(xp)})
  line.slope = core.cat{slope, last}
  local steep = core.abs(slope)
  if line.n == 1 or core.amin(steep) >= LEAST and core.amax(steep) < math.huge then return line end
  local lost = core.logical_and(core.lt(steep, LEAST), core.ne(rise, 0))
  local hard = core.logical_or(core.logical_not(core.lt(steep, math.huge)), lost)
  for _, ends in ipairs {fp, line.at.double or fp} do
    local finite = core.isfinite(ends)
    hard = core.logical_and(hard, core.logical_and(next_ones(finite), ones(finite)))
  end
  hard = core.logical_and(hard, core.gt(apart, 0))
  if core.any(hard) then line.hard = core.cat{hard, last:to("bool")} end
  return line
end

-- The answers along hard pieces, by fractions: of a rise, or of half of it if that is infinite.
local function by_shares(answers, x, line, piece)
  local ahead = core.minimum(piece + 1, line.n)
  local function before(p) return methods.take(p, piece, 0) end
  local function after(p) return methods.take(p, ahead) end
  local share = shares(x, map(line.at, before), map(line.at, after))
  local low, high = before(line.fp), after(line.fp)
  local rise = high - low
  local near, half = core.lt(share, 0.5), high / 2 - low / 2
  local halves = core.where(near, low / 2 + half * share, high / 2 - half * (1 - share))
  local value = core.where(core.isinf(rise), halves * 2, low + rise * share)
  return core.where(methods.take(line.hard, piece, false), value, answers)
end

-- The answers once some are NaN, as none need be but those at NaN and between infinite points.
local function mended(answers, x, line, piece, value)
  local ahead = core.minimum(piece + 1, line.n)
  local after = methods.take(line.fp, ahead)
  local at_after = map(line.at, function(p) return methods.take(p, ahead) end)
  local function where(condition, choice) answers = core.where(condition, choice, answers) end
  local slope = methods.take(line.slope, piece, 0)
  where(core.isnan(answers), core.neg(difference(at_after, x)) * slope + after)
  where(core.logical_and(core.isnan(answers), core.eq(value, after)), value)
  local ends = core.logical_or(core.eq(piece, 0), core.eq(piece, line.n))
  where(core.logical_or(ends, core.eq(x.given, methods.take(line.given, piece, 0))), value)
  if order.is_float(x.given) then where(core.isnan(x.given), x.double) end
  return answers
end

-- The values at x, a tensor with dimensions; NaN at NaN. Piece 0 lies before the first point.
local function along_line(given, xp, fp, left, right)
  local beside_int64 = internal.dtype_of(given) == "int64" or internal.dtype_of(xp) == "int64"
  local line, x = line_of(xp, fp, beside_int64), places_of(given, beside_int64)
  x.given = given
  local piece = core.searchsorted(xp, given, {right = true, base = 0})
  local value = methods.take(fp, piece, left or fp[1])
  local answers = difference(x, map(line.at, function(p) return methods.take(p, piece, 0) end))
  answers:mul_(methods.take(line.slope, piece, 0)):add_(value)
  if line.hard then answers = by_shares(answers, x, line, piece) end
  local greatest = answers:numel() > 0 and core.amax(answers) or 0
  if greatest ~= greatest then answers = mended(answers, x, line, piece, value) end
  return right and core.where(core.gt(given, xp[{{line.n}}]), right, answers) or answers
end

-- -- A period ------------------------------------------------------------------------------------

local function check_period(period)
  if period ~= 0 and period - period == 0 then return math.abs(period) end
  declare.raise("'period' must be a finite number other than 0, got %s", period)
end

-- Places modulo the period. int64 places are exact if the period is a whole number and int64 holds
-- twice the period, since points go one period further.
local function around(x, period)
  local exact = internal.dtype_of(x) == "int64" and period % 1 == 0 and period <= PAST_INT64 / 2
  return (exact and x or x:double()) % period
end

-- The points of one period in their order, and one more at either end.
local function wrapped(xp, fp, period)
  local n = #xp
  local places
  xp, places = core.sort(around(xp, period))
  fp = fp[places]
  return core.cat{xp[{{n}}] - period, xp, xp[{{1}}] + period}, core.cat{fp[{{n}}], fp, fp[{{1}}]}
end

-- -- interp --------------------------------------------------------------------------------------

local function check_points(xp, fp, ascend)
  order.check_real(xp, "xp")
  order.check_real(fp, "fp")
  if #xp ~= #fp then
    declare.raise("'xp' and 'fp' must have the same size, got %d and %d", #xp, #fp)
  elseif #xp == 0 then
    declare.raise("'xp' has no elements")
  elseif internal.device_of(xp) ~= internal.device_of(fp) then
    declare.raise("'fp' must be on %s as 'xp' is, got %s", internal.device_of(xp),
      internal.device_of(fp))
  end
  if not ascend then return end
  order.check_nan(xp, "xp", false)
  local row = internal.unsorted(xp)
  if row then order.raise(xp, "xp", tonumber(row), tonumber(row) - 1, 1) end
end

-- Raises unless x, a tensor or a scalar, can be searched for among those elements.
local function check_x(x, among)
  if not core.is_tensor(x) then return end
  order.check_ordered(x, "x")
  if internal.device_of(x) ~= internal.device_of(among) then
    declare.raise("'xp' must be on %s as 'x' is, got %s", internal.device_of(x),
      internal.device_of(among))
  end
end

-- x with dimensions: a number and a 0-d tensor would be rounded to the dtype that is searched.
local function laid_out(x, device)
  if not core.is_tensor(x) then
    x = core.tensor(x, {dtype = type(x) == "number" and "float64" or nil, device = device})
  end
  return methods.dim(x) > 0 and x or methods.reshape(x, 1)
end

-- interp(x, xp, fp, left, right, period): the values at x of the line through the points (xp, fp),
-- xp ascending; before the first and after the last point `left` and `right`, else their values.
-- With a period, which has no such ends, points and x are taken modulo that, in any order. float64,
-- of x's size.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.interp.html
declare.both("interp(x:value, xp:tensor, fp:tensor, left:number=nil, right:number=nil, "
  .. "period:number=nil, {out=nil})",
  function(x, xp, fp, left, right, period, out)
    check_points(xp, fp, not period)
    check_x(x, xp)
    if out ~= nil then
      internal.apart(out, x, "x", true)
      internal.apart(out, xp, "xp")
      internal.apart(out, fp, "fp")
    end
    local at, values = laid_out(x, internal.device_of(xp)), fp:double()
    if period then
      period = check_period(period)
      left, right = nil, nil
      xp, values = wrapped(xp, values, period)
      at = around(at, period)
    end
    local answers = along_line(at, xp, values, left, right)
    if out == nil and not core.is_tensor(x) then return answers:item() end
    if core.is_tensor(x) and methods.dim(x) == 0 then answers = methods.reshape(answers, {}) end
    return declare.deliver(answers, out, answers)
  end)
