-- SPDX-License-Identifier: MIT
-- x:plot(): series of numbers as lines or points between two axes.
local axes = require "locus.plot.axes"
local canvas = require "locus.plot.canvas"
local core = require "locus.core"
local declare = require "locus.call.declare"
local glyphs = require "locus.plot.glyphs"
local measured = require "locus.plot.measured"
local picture = require "locus.plot.picture"
local printing = require "locus.print"
local reduce = require "locus.plot.reduce"
local svg = require "locus.plot.svg"
local ticks = require "locus.plot.ticks"
local internal, methods = core.internal, core.methods

local MOST = #glyphs.marks -- series that are told apart
local ROWS = 15            -- between the axes, where nobody said how many

-- A plot is {series, x, y, points, said}: for each series {m, name, points}; x and y are axes,
-- {low, high, origin, whole, kind}, x with its m if elements are not counted; `points` draws no
-- lines; `said` describes its source.

-- -- Axes -----------------------------------------------------------------------------------------

local function check_series(p)
  if #p.series > MOST then
    declare.raise("%d series can be drawn at most, got %d", MOST, #p.series)
  end
  local own = p.x.m and p.x.m.count
  for _, s in ipairs(p.series) do
    if own and s.m.count ~= own then
      declare.raise("'x' must have the %d elements of a series, got %d", s.m.count, own)
    end
  end
end

local function measured_list(series)
  local list, is_shared = {}, #series > 1
  for i, s in ipairs(series) do
    if is_shared then s.m = measured.as_floats(s.m) end
    list[i] = s.m
  end
  return list
end

-- The range of both axes; nil if there is nothing to draw.
local function set_ranges(p)
  local list, most = measured_list(p.series), 0
  local low, high = measured.extent(list)
  for _, m in ipairs(list) do most = math.max(most, m.count) end
  local x, y = p.x, p.y
  if #list == 0 then return nil end
  if x.m then x.low, x.high = x.m.low, x.m.high else x.low, x.high = 1, most end
  if not low or not x.low then return nil end
  x.low, x.high = measured.widened(x.low, x.high)
  x.origin, x.whole = x.m and x.m.origin or 0, not x.m or x.m.whole
  y.origin, y.whole = list[1].origin, true
  for _, m in ipairs(list) do y.whole = y.whole and m.whole end
  y.low, y.high = measured.widened(low, high)
  return true
end

-- As many ticks of an axis as its texts leave room for.
local function spaced(axis, columns)
  for most = 12, 2, -1 do
    local list, width = ticks.between(axis.low, axis.high, most, axis), 0
    for _, tick in ipairs(list) do width = width + printing.width(tick.text) + 2 end
    if width <= columns or most == 2 then return list end
  end
end

local function set_points(p)
  for _, s in ipairs(p.series) do
    local x = p.x.m and p.x.m.x
    if p.points then s.points, s.each = reduce.scatter(x, s.m.x, p.x, p.y)
    else s.points, s.each = reduce.line(x, s.m.x, p.x.low, p.x.high) end
  end
end

-- -- Text -----------------------------------------------------------------------------------------

local function trace(p, y_axis, c, s, mark)
  local before
  for _, point in ipairs(s.points) do
    local x, y = point[1], point[2]
    local here
    if x - x == 0 and y - y == 0 then
      here = {math.floor(measured.share(x, p.x.low, p.x.high) * (c.width - 1) + 0.5),
              math.floor((1 - measured.share(y, y_axis.low, y_axis.high)) * (c.height - 1) + 0.5)}
      if before and not p.points then
        canvas.line(c, before[1], before[2], here[1], here[2], mark)
      else
        canvas.dot(c, here[1], here[2], mark)
      end
    end
    before = here
  end
end

local function legend(p)
  local parts = {}
  for i, s in ipairs(p.series) do parts[i] = glyphs.marks[i] .. " " .. s.name end
  return " " .. table.concat(parts, "  ")
end

local function lines_of(p, columns, rows)
  local known = glyphs.known()
  local y = ticks.around(p.y.low, p.y.high, math.max(2, math.floor(rows / 3)), p.y)
  local room = math.max(columns - axes.margin(y.ticks) - 3, 8)
  local x = {low = p.x.low, high = p.x.high, ticks = spaced(p.x, room)}
  local c = canvas.new(room, rows, known.braille and #p.series == 1)
  for i, s in ipairs(p.series) do trace(p, y, c, s, glyphs.marks[i]) end
  local lines = axes.around(canvas.texts(c), room, x, y, known)
  if #p.series > 1 then table.insert(lines, 1, legend(p)) end
  return lines
end

-- "[2 series of 100 points; 3 NaN left out]"
local function note_of(p)
  local list, most, each = {}, 0, nil
  for i, s in ipairs(p.series) do
    list[i], most, each = s.m, math.max(most, s.m.count), s.each or each
  end
  if p.x.m then list[#list + 1] = p.x.m end
  local count = internal.format("%d point%s", most, most == 1 and "" or "s")
  local many = #p.series > 1 and ("%d series of "):format(#p.series) or ""
  local said = p.said and p.said .. ", " or ""
  if p.x.kind == "time" and p.x.low then
    said = ("%s from %s, "):format(p.said, internal.format_time(math.floor(p.x.low)))
  end
  local drawn = ""
  if each and not p.points then
    drawn = each > 0 and internal.format(", of every %d the least and the greatest", each)
      or ", of every column the least and the greatest"
  end
  return ("[%s%s%s%s%s]"):format(said, many, count, drawn,
    measured.left_out(list))
end

-- -- SVG ------------------------------------------------------------------------------------------

local function polylines(p, f, s, colour)
  local parts, path = {}, {}
  local function finish()
    if #path == 1 then path[2] = path[1] end
    if #path > 0 then
      parts[#parts + 1] = svg.element("polyline", {"points", table.concat(path, " "), "fill",
        "none", "stroke", colour, "stroke-width", "1.5", "stroke-linecap", "round",
        "stroke-linejoin", "round"})
    end
    path = {}
  end
  for _, point in ipairs(s.points) do
    local x, y = f.x(point[1]), f.y(point[2])
    if x - x ~= 0 or y - y ~= 0 then
      finish()
    elseif p.points then
      parts[#parts + 1] = svg.element("circle", {"cx", x, "cy", y, "r", s.each and 1 or 2.5,
        "fill", colour, "fill-opacity", "0.7"})
    else
      path[#path + 1] = svg.number(x) .. "," .. svg.number(y)
    end
  end
  finish()
  return table.concat(parts, "\n")
end

local function draw(p, note)
  local x = {low = p.x.low, high = p.x.high, ticks = spaced(p.x, 80)}
  local y = ticks.around(p.y.low, p.y.high, 6, p.y)
  local many = #p.series > 1
  local f = svg.frame(x, y, many and 1 or 0)
  local parts, at = {svg.axes(f, x, y)}, f.left
  for i, s in ipairs(p.series) do
    parts[#parts + 1] = polylines(p, f, s, svg.colours[i])
    if many then
      parts[#parts + 1] = svg.element("rect", {"x", at, "y", 10, "width", 10, "height", 10, "fill",
        svg.colours[i]})
      parts[#parts + 1] = svg.text(at + 14, 19, "start", s.name)
      at = at + 32 + 6.6 * printing.width(s.name)
    end
  end
  return svg.document(parts, note)
end

-- -- What is called -------------------------------------------------------------------------------

local plot = {}

-- A picture of a plot: {series, x, points, said}; x.m and each m are measured. It keeps no tensor.
function plot.picture(p, width, height)
  local columns, rows = glyphs.columns(width), glyphs.rows(height, ROWS)
  check_series(p)
  p.y = p.y or {}
  local any = set_ranges(p)
  if any then set_points(p) end
  local note = note_of(p)
  local lines = any and lines_of(p, columns, rows) or {}
  lines[#lines + 1] = note
  p.x.m = nil
  for _, s in ipairs(p.series) do s.m = nil end
  return picture.make(lines, function()
    return any and draw(p, note) or svg.document({}, note)
  end)
end

-- A table or a number as a tensor.
local to_tensor = declare.define("plot(input:tensor)", function(input) return input end)

-- The series in a value, as a list of 1-D tensors.
local function rows_of(input)
  local is_list = type(input) == "table" and core.is_tensor(input[1])
  local list = {}
  if is_list then
    for i, x in ipairs(input) do
      if not core.is_tensor(x) or methods.dim(x) > 1 then
        declare.raise("'input[%d]' must be a 1-D tensor, got %s", i, internal.describe(x))
      end
      list[i] = methods.flatten(x)
    end
    return list
  end
  local x = to_tensor {input = input}
  if methods.dim(x) > 2 then
    declare.raise("'input' must have one dimension, or two with a series in each row, got %s",
      internal.describe(x))
  end
  if methods.dim(x) < 2 then return {methods.flatten(x)} end
  for i = 1, x:size(1) do list[i] = methods.select(x, 1, i) end
  return list
end

-- plot(input, {x, names, points, width, height}): a picture of a series, of each row of a matrix,
-- or of each tensor in a list, at most eight. They are lines between two axes, over 1, 2 and so on,
-- or over `x`, which all of them share; with `points` only points. One series is drawn in braille,
-- several each in its own mark, as `names` says, or by number. NaN and infinities end a line, and
-- the last line counts them. A long series is drawn as the least and the greatest of equally many
-- elements or of each column. width: columns of the whole; height: rows between the axes. Errors:
-- complex; other dimensions; an `x` of another length.
declare.both("plot(input:any, {x:tensor=nil, names:names=nil, points:boolean=false, "
  .. "width:integer=nil, height:integer=nil})",
  function(input, x, names, points, width, height)
    local rows = rows_of(input)
    if names and #names ~= #rows then
      declare.raise("'names' must have a name for each of the %d series, got %d", #rows, #names)
    end
    local p = {series = {}, x = {}, y = {}, points = points}
    for i, row in ipairs(rows) do
      local m, kind = measured.with_kind(row, "input")
      if i == 1 then p.y.kind = kind elseif p.y.kind ~= kind then p.y.kind = nil end
      p.series[i] = {m = m, name = names and internal.visible(names[i]) or tostring(i)}
    end
    if x then p.x.m, p.x.kind = measured.with_kind(methods.flatten(x), "x") end
    return plot.picture(p, width, height)
  end)

return plot
