-- SPDX-License-Identifier: MIT
-- x:image(): a matrix as a picture, a shade for each element.
local core = require "locus.core"
local declare = require "locus.call.declare"
local glyphs = require "locus.plot.glyphs"
local measured = require "locus.plot.measured"
local picture = require "locus.plot.picture"
local svg = require "locus.plot.svg"
local ticks = require "locus.plot.ticks"
local internal, methods = core.internal, core.methods

local ROWS = 24      -- of text, where nobody said how many
local MISSING = "?"  -- drawn where nothing is finite
local FINEST = 64    -- rows and columns of a picture in a file
-- From the least to the greatest: shades of viridis, https://bids.github.io/colormap/
local COLOURS = {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}

-- Rows of the means of blocks of side x side elements, as lists of Lua numbers.
local function means(m, side)
  if side == 1 then return methods.totable(methods.double(m.x)) end
  local rows, how = {}, measured.averaging(m)
  for i = 1, m.x:size(1), side do
    local band = methods.narrow(m.x, 1, i, math.min(side, m.x:size(1) - i + 1))
    local row = {}
    for j = 1, m.x:size(2), side do
      local block = methods.narrow(band, 2, j, math.min(side, m.x:size(2) - j + 1))
      row[#row + 1] = measured.mean(block, how)
    end
    rows[#rows + 1] = row
  end
  return rows
end

-- The side of the blocks that make at most `rows` rows and `columns` columns.
local function side_of(m, rows, columns)
  return math.max(1, math.ceil(m.x:size(1) / rows), math.ceil(m.x:size(2) / columns))
end

local function extent(rows)
  local low, high = math.huge, -math.huge
  for _, row in ipairs(rows) do
    for _, value in ipairs(row) do
      if value == value then low, high = math.min(low, value), math.max(high, value) end
    end
  end
  return low, high
end

-- Red, green and blue, 0..255.
local function rgb(share)
  local place = math.min(share, 1) * (#COLOURS - 1)
  local i = math.min(math.floor(place) + 1, #COLOURS - 1)
  local parts = {}
  for k = 1, 3 do
    local from, to = COLOURS[i][k], COLOURS[i + 1][k]
    parts[k] = math.floor(from + (to - from) * (place - i + 1) + 0.5)
  end
  return parts
end

local function colour(share) return ("#%02x%02x%02x"):format(unpack(rgb(share))) end

-- -- Text -----------------------------------------------------------------------------------------

local RESET = "\27[0m"

-- The code by which a terminal writes in that colour, or on it.
local function ink(share) return ("\27[38;2;%d;%d;%dm"):format(unpack(rgb(share))) end
local function paper(share) return ("\27[48;2;%d;%d;%dm"):format(unpack(rgb(share))) end

-- Two elements in one character, one above the other; nothing where nothing is finite.
local function halves(known, upper, lower)
  if upper and lower then return ink(upper) .. paper(lower) .. known.upper .. RESET end
  if upper then return ink(upper) .. known.upper .. RESET end
  return lower and ink(lower) .. known.lower .. RESET or " "
end

local function colored_lines(rows, low, high)
  local known, lines = glyphs.known(), {}
  local function share(row, j)
    local value = row and row[j]
    return value and value == value and measured.share(value, low, high)
  end
  for i = 1, #rows, 2 do
    local chars = {}
    for j = 1, #rows[i] do chars[j] = halves(known, share(rows[i], j), share(rows[i + 1], j)) end
    lines[#lines + 1] = " " .. table.concat(chars)
  end
  return lines
end

local function lines_of(rows, low, high)
  local known, lines = glyphs.known(), {}
  local shades, corners = known.shades, known.corners
  local edge = known.floor:rep(2 * #rows[1])
  for i, row in ipairs(rows) do
    local chars = {}
    for j, value in ipairs(row) do
      local shade = value ~= value and MISSING
        or shades[math.min(math.floor(measured.share(value, low, high) * #shades) + 1, #shades)]
      chars[j] = shade:rep(2)
    end
    lines[i] = " " .. known.side .. table.concat(chars) .. known.side
  end
  table.insert(lines, 1, " " .. corners[1] .. edge .. corners[2])
  lines[#lines + 1] = " " .. corners[3] .. edge .. corners[4]
  return lines
end

-- The values of the shades, from the first to the last one.
local function range_of(m, first, last, low, high)
  if low > high then return "nothing to draw" end
  local texts = ticks.texts({low, high}, ticks.span(low, high), m.origin)
  if low == high then return "all " .. texts[1] end
  return ("%s%s to %s%s"):format(first, texts[1], last, texts[2])
end

local function note_of(m, rows, side, first, last)
  local means_of = side > 1 and (", means of %dx%d"):format(side, side) or ""
  local range = range_of(m, first, last, extent(rows))
  return ("[%dx%d: %s%s%s]"):format(m.rows, m.columns, range, means_of, measured.left_out {m})
end

-- -- SVG ------------------------------------------------------------------------------------------

-- The scale at the right of a picture.
local function scale(parts, f, list, low, high)
  local left, steps = f.right + 16, 32
  for i = 1, steps do
    local height = (f.bottom - f.top) / steps
    parts[#parts + 1] = svg.element("rect", {"x", left, "y", f.bottom - i * height, "width", 12,
      "height", height, "fill", colour((i - 0.5) / steps), "shape-rendering", "crispEdges"})
  end
  for _, tick in ipairs(list) do
    local at = f.bottom - measured.share(tick.at, low, high) * (f.bottom - f.top)
    parts[#parts + 1] = svg.text(left + 18, at + 4, "start", tick.text)
  end
end

-- A row of blocks; rows are counted downwards, and the axis goes up from -rows to -1.
local function add_row(parts, f, m, i, row, low, high)
  local side = m.side
  local top, bottom = f.y(-(i - 1) * side - 0.5), f.y(-math.min(i * side, m.rows) - 0.5)
  for j, value in ipairs(row) do
    local left = f.x((j - 1) * side + 0.5)
    local right = f.x(math.min(j * side, m.columns) + 0.5)
    if value == value then
      parts[#parts + 1] = svg.element("rect", {"x", left, "y", top, "width", right - left,
        "height", bottom - top, "fill", colour(measured.share(value, low, high)),
        "shape-rendering", "crispEdges"})
    end
  end
end

local function draw(m, rows)
  if m.count == 0 then return svg.document({}, note_of(m, rows, 1, "", "")) end
  local low, high = extent(rows)
  local parts, whole = {}, {origin = 0, whole = true}
  local x, y = {low = 0.5, high = m.columns + 0.5}, {low = -m.rows - 0.5, high = -0.5}
  x.ticks = ticks.between(x.low, x.high, 8, whole)
  y.ticks = ticks.between(y.low, y.high, 6, whole)
  for _, tick in ipairs(y.ticks) do tick.text = tick.text:gsub("^-", "") end
  local f = svg.frame(x, y, 0, 80)
  local pixels = math.min((f.right - f.left) / m.columns, (f.bottom - f.top) / m.rows)
  f.right, f.bottom = f.left + pixels * m.columns, f.top + pixels * m.rows
  parts[1] = svg.axes(f, x, y)
  for i, row in ipairs(rows) do add_row(parts, f, m, i, row, low, high) end
  if low < high then
    local axis = {origin = m.origin, whole = m.origin ~= 0}
    scale(parts, f, ticks.between(low, high, 6, axis), low, high)
  end
  return svg.document(parts, note_of(m, rows, m.side, "", ""))
end

-- The lines of a picture in the terminal, and the last one, which explains it.
local function text_of(m, columns, most, color)
  if m.count == 0 then return {note_of(m, {}, 1, "", "")} end
  local known = glyphs.known()
  local side = color and side_of(m, 2 * most, columns - 1)
    or side_of(m, most, math.floor((columns - 3) / 2))
  local rows = means(m, side)
  local lines = (color and colored_lines or lines_of)(rows, extent(rows))
  local first, last = known.shades[1], known.shades[#known.shades]
  if color then
    first, last = ink(0) .. known.full .. RESET, ink(1) .. known.full .. RESET
  end
  lines[#lines + 1] = note_of(m, rows, side, ("'%s' "):format(first), ("'%s' "):format(last))
  return lines
end

-- image(input, {color, width, height}): a picture of a matrix, the first row above: of five shades
-- from the least number to the greatest, two characters for each element, `?` for NaN and
-- infinities. Where there is no room for all elements, the means of square blocks are drawn. The
-- last line says what the ends stand for. With `color`, on a terminal, two elements are half a
-- character each, in colours of 24 bits, unless the environment says NO_COLOR. width, height:
-- columns and rows of the whole. Errors: complex; other than two dimensions.
declare.both("image(input:tensor, {color:boolean=false, width:integer=nil, height:integer=nil})",
  function(input, color, width, height)
    local columns, most = glyphs.columns(width), glyphs.rows(height, ROWS)
    if methods.dim(input) ~= 2 then
      declare.raise("'input' must be 2-D, got %s", internal.describe(input))
    end
    local m = measured.of(input, "input")
    m.rows, m.columns = m.x:size(1), m.x:size(2)
    local lines = text_of(m, columns, most, color and glyphs.has_colors())
    m.side = m.count > 0 and side_of(m, FINEST, FINEST) or 1
    local finer = m.count > 0 and means(m, m.side) or {}
    m.x = nil
    return picture.make(lines, function() return draw(m, finer) end)
  end)
