-- SPDX-License-Identifier: MIT
-- What is asked of a search: digitize and interp. digitize is one search. interp of 1e6 values
-- takes four times what its search does, a fourth of NumPy's time; the rest are gathers and
-- arithmetic.
local core = require "locus.core"
local declare = require "locus.declare"
local order = require "locus.derived.order"
local internal, methods = core.internal, core.methods

-- -- Bins ----------------------------------------------------------------------------------------

-- Raises unless x, a tensor or a scalar, can be searched for among those elements.
local function check_x(x, among, name)
  if not core.is_tensor(x) then return end
  order.check_ordered(x, "x")
  if internal.device_of(x) ~= internal.device_of(among) then
    declare.raise("'%s' must be on %s as 'x' is, got %s", name, internal.device_of(x),
      internal.device_of(among))
  end
end

local function reversed(x)
  return methods.take(x, core.arange(#x, 0, -1, {dtype = "int64", device = internal.device_of(x)}))
end

-- Whether bins descend; raises where they do neither.
local function descend(bins, base)
  local falls = internal.unsorted(bins)
  if not falls then return false end
  local rises = internal.unsorted(reversed(bins))
  if not rises then return true end
  return declare.raise("'bins' must ascend or descend, but falls at [%.0f] and rises at [%.0f]",
    tonumber(falls) + base - 1, #bins + 1 - tonumber(rises) + base)
end

-- digitize(x, bins, right=false, ...): for each element the number of its bin: i where
-- bins[i - 1] <= x < bins[i], or with `right` bins[i - 1] < x <= bins[i]; of bins that descend,
-- bins[i - 1] > x >= bins[i] and bins[i - 1] >= x > bins[i]. Counted from base, so that base = 0
-- gives NumPy's numbers.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.digitize.html
declare.both("digitize(x:value, bins:tensor, right:boolean=false, {out_int32:boolean=false, "
  .. "out=nil, base=1})",
  function(x, bins, right, out_int32, out, base)
    order.check_real(bins, "bins")
    check_x(x, bins, "bins")
    local descending = descend(bins, base)
    return core.searchsorted(bins, x, {right = descending == right, descending = descending,
      out_int32 = out_int32, out = out, base = base})
  end)

-- -- On a broken line ----------------------------------------------------------------------------

local function check_points(xp, fp, ascend)
  order.check_real(xp, "xp")
  order.check_real(fp, "fp")
  if #xp ~= #fp then
    declare.raise("'xp' and 'fp' must be of one size, got %.0f and %.0f", #xp, #fp)
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

-- The points of one period in their order, and one more at either end.
local function wrapped(xp, fp, period)
  local n = #xp
  local places
  xp, places = core.sort(xp % period)
  fp = fp[places]
  return core.cat{xp[{{n}}] - period, xp, xp[{{1}}] + period}, core.cat{fp[{{n}}], fp, fp[{{1}}]}
end

-- How steep the line is from each point on: not at all after the last one.
local function slopes(xp, fp)
  local n = #xp
  local last = core.zeros(1, {dtype = "float64", device = internal.device_of(xp)})
  return core.cat{(fp[{{2, n}}] - fp[{{1, n - 1}}]) / (xp[{{2, n}}] - xp[{{1, n - 1}}]), last}
end

-- The answers once some are NaN, as none need be but those at NaN and between infinite points.
local function mended(answers, x, xp, fp, piece, slope, value)
  local n = #xp
  local ahead = core.minimum(piece + 1, n)
  local after = methods.take(fp, ahead)
  local function where(condition, choice) answers = core.where(condition, choice, answers) end
  where(core.isnan(answers), (x - methods.take(xp, ahead)) * slope + after)
  where(core.logical_and(core.isnan(answers), core.eq(value, after)), value)
  local ends = core.logical_or(core.eq(piece, 0), core.eq(piece, n))
  where(core.logical_or(ends, core.eq(x, methods.take(xp, piece, 0))), value)
  where(core.isnan(x), x)
  return answers
end

-- The values at x, a float64 tensor; NaN at NaN. Piece 0 lies before the first point.
local function along_line(x, xp, fp, left, right)
  local piece = core.searchsorted(xp, x, {right = true, base = 0})
  local slope = methods.take(slopes(xp, fp), piece, 0)
  local value = methods.take(fp, piece, left or fp[1])
  local answers = x - methods.take(xp, piece, 0)
  answers:mul_(slope):add_(value)
  local greatest = answers:numel() > 0 and core.amax(answers) or 0
  if greatest ~= greatest then
    answers = mended(answers, x, xp, fp, piece, slope, value)
  end
  return right and core.where(core.gt(x, xp[#xp]), right, answers) or answers
end

local function as_double(x, device)
  if core.is_tensor(x) then return x:double() end
  return core.tensor(tonumber(x), {dtype = "float64", device = device})
end

-- interp(x, xp, fp, left, right, period): the values at x of the line through the points (xp, fp),
-- xp ascending; before the first and after the last point `left` and `right`, else their values.
-- With a period, which has no such ends, points and x are taken modulo that, in any order. float64,
-- computed so, of x's size.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.interp.html
declare.both("interp(x:value, xp:tensor, fp:tensor, left:number=nil, right:number=nil, "
  .. "period:number=nil, {out=nil})",
  function(x, xp, fp, left, right, period, out)
    check_points(xp, fp, not period)
    check_x(x, xp, "xp")
    if out ~= nil then
      internal.apart(out, x, "x", true)
      internal.apart(out, xp, "xp")
      internal.apart(out, fp, "fp")
    end
    local at = as_double(x, internal.device_of(xp))
    xp, fp = xp:double(), fp:double()
    if period then
      if period == 0 or period - period ~= 0 then
        declare.raise("'period' must be a finite number other than 0, got %.14g", period)
      end
      left, right, period = nil, nil, math.abs(period)
      xp, fp = wrapped(xp, fp, period)
      at = at % period
    end
    local answers = along_line(at, xp, fp, left, right)
    if out == nil and not core.is_tensor(x) then return answers:item() end
    return declare.deliver(answers, out, answers)
  end)
