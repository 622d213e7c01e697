-- SPDX-License-Identifier: MIT
-- Long series as few points: the drawing looks the same. A point is {x, y}; one without a number
-- ends a line.
local core = require "locus.core"
local measured = require "locus.plot.measured"
local internal, methods = core.internal, core.methods

local reduce = {}

local COLUMNS, ROWS = 640, 320 -- how finely a picture is reduced
reduce.MOST = 2 * COLUMNS      -- points that are drawn one by one

local function listed(x, y)
  local xs, points = x and measured.numbers(x), {}
  for i, value in ipairs(measured.numbers(y)) do
    points[i] = {xs and xs[i] or i, value}
  end
  return points
end

-- The least and the greatest of a part, at one place.
local function add(points, at, part)
  local low = core.nanmin(part)
  points[#points + 1] = {at, tonumber(low)}
  if low == low then points[#points + 1] = {at, tonumber(core.nanmax(part))} end
end

-- Elements at 1, 2, and so on.
local function by_place(y)
  local points = {}
  local length = measured.each_run(y, COLUMNS, function(part, _, first)
    add(points, first + (#part - 1) / 2, part)
  end)
  return points, length
end

-- Elements at ascending places: those of each column of the picture are found by searches.
local function by_order(x, y, low, high)
  local points, before = {}, 1
  local edges = core.linspace(low, high, COLUMNS + 1, {dtype = "float64", device = x.device})
  local ends = methods.totable(core.searchsorted(x, edges, {right = true}))
  for i = 2, COLUMNS + 1 do
    local after = tonumber(ends[i])
    if after > before then
      add(points, (i - 1.5) / COLUMNS * (high - low) + low, methods.narrow(y, 1, before,
        after - before))
      before = after
    end
  end
  return points
end

-- The number of the cell, 0..count-1, in which each element lies between low and high.
local function cells(x, low, high, count)
  local scaled = (methods.double(x) / 2 - low / 2) * (count / (high / 2 - low / 2))
  return methods.long(core.clamp(core.floor(scaled), 0, count - 1))
end

-- Elements at places in any order.
local function by_column(x, y, low, high)
  local cell = cells(x, low, high, COLUMNS) + 1
  local present = core.gt(core.bincount(cell, nil, COLUMNS + 1), 0)
  local number = core.cumsum(methods.long(present), 1)
  local group = number[cell]
  local least, most = core.segment(y, group, "min"), core.segment(y, group, "max")
  local points = {}
  least, most = measured.numbers(least), measured.numbers(most)
  for i, column in ipairs(methods.totable(methods.flatten(core.nonzero(present)))) do
    local at = (tonumber(column) - 0.5) / COLUMNS * (high - low) + low
    points[#points + 1], points[#points + 2] = {at, least[i]}, {at, most[i]}
  end
  return points
end

-- The pairs with two finite numbers.
local function finite(x, y)
  local both = core.logical_and(core.isfinite(x), core.isfinite(y))
  if core.all(both) then return x, y end
  return x[both], y[both]
end

-- The points of the line through y at x, or at 1, 2 and so on if x is nil; x lies between low and
-- high. And the number of elements that each two points replace, if that is the same for all.
function reduce.line(x, y, low, high)
  if #y <= reduce.MOST then return listed(x, y) end
  if not x then return by_place(y) end
  x, y = finite(x, y)
  if #x == 0 then return {} end
  if core.is_sorted(x) then return by_order(x, y, low, high), 0 end
  return by_column(x, y, low, high), 0
end

-- The points alone, of many those cells of the picture that have any, between low and high of both
-- axes.
function reduce.scatter(x, y, across, up)
  if #y <= reduce.MOST then return listed(x, y) end
  x = x or core.arange(1, #y + 1, {device = internal.device_of(y)})
  x, y = finite(x, y)
  local cell = cells(x, across.low, across.high, COLUMNS) * ROWS + cells(y, up.low, up.high, ROWS)
  local points = {}
  for i, place in ipairs(methods.totable(core.unique(cell))) do
    local column, row = math.floor(tonumber(place) / ROWS), tonumber(place) % ROWS
    points[i] = {across.low + (column + 0.5) / COLUMNS * (across.high - across.low),
                 up.low + (row + 0.5) / ROWS * (up.high - up.low)}
  end
  return points, 0
end

return reduce
