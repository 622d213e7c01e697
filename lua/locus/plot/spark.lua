-- SPDX-License-Identifier: MIT
-- x:spark(): a row of numbers as one line of characters of eight heights.
local core = require "locus.core"
local declare = require "locus.call.declare"
local glyphs = require "locus.plot.glyphs"
local measured = require "locus.plot.measured"
local picture = require "locus.plot.picture"
local svg = require "locus.plot.svg"
local ticks = require "locus.plot.ticks"
local internal, methods = core.internal, core.methods

local SAID = 40 -- columns for the text behind the line

-- The numbers that are drawn, NaN for runs without any, and how many elements each is the mean of.
-- Compiled code keeps the function that it calls, so that has no tensor.
local function reduced(m, columns)
  if m.count <= columns then return measured.numbers(m.x), 1 end
  local list, how = {}, measured.averaging(m)
  local length = measured.each_run(m.x, columns, function(part, i)
    list[i] = measured.mean(part, how)
  end)
  return list, length
end

local function extent(list)
  local low, high = math.huge, -math.huge
  for _, value in ipairs(list) do
    if value == value then low, high = math.min(low, value), math.max(high, value) end
  end
  return low, high
end

local function line_of(list, low, high)
  local sparks, chars = glyphs.known().sparks, {}
  for i, value in ipairs(list) do
    local share = measured.share(value, low, high)
    chars[i] = value ~= value and " "
      or sparks[math.min(math.floor(share * #sparks) + 1, #sparks)]
  end
  return table.concat(chars)
end

local function note_of(m, low, high, length)
  local range = "nothing to draw"
  if low <= high then
    local texts = ticks.texts({low, high}, ticks.span(low, high), m.origin)
    range = low == high and texts[1] or texts[1] .. " to " .. texts[2]
  end
  local means = length > 1 and internal.format(", means of %d", length) or ""
  return range .. means .. measured.left_out {m}
end

local function draw(list, low, high, note)
  local width, height = 240, 60
  low, high = measured.widened(low, high)
  local points, paths = {}, {}
  local function finish()
    if #points == 1 then points[2] = points[1] end
    if #points > 0 then
      paths[#paths + 1] = svg.element("polyline", {"points", table.concat(points, " "),
        "fill", "none", "stroke", svg.colours[1], "stroke-width", "1.5",
        "stroke-linecap", "round"})
    end
    points = {}
  end
  for i, value in ipairs(list) do
    if value ~= value then
      finish()
    else
      local x = 4 + (#list > 1 and (i - 1) / (#list - 1) or 0.5) * (width - 8)
      local y = 34 - measured.share(value, low, high) * 30
      points[#points + 1] = svg.number(x) .. "," .. svg.number(y)
    end
  end
  finish()
  return svg.document(paths, note, width, height)
end

-- spark(input, {width}): a picture of the elements of a row in one line, from the lowest character
-- for the least to the highest for the greatest, with a space for NaN and infinities. These two
-- numbers follow, and a note on omitted elements. Where there are more elements than columns,
-- equally many are drawn as their mean. `width`: columns for the elements. Errors: complex; more
-- than one dimension.
declare.both("spark(input:tensor, {width:integer=nil})", function(input, width)
  local columns = width and glyphs.columns(width) or math.max(glyphs.columns() - SAID, 20)
  if methods.dim(input) > 1 then
    declare.raise("'input' must be 1-D, got %s", internal.describe(input))
  end
  local m = measured.of(methods.flatten(input), "input")
  local list, length = reduced(m, columns)
  local low, high = extent(list)
  local note = note_of(m, low, high, length)
  local line = line_of(list, low, high)
  return picture.make({#list > 0 and line .. "  " .. note or note}, function()
    return draw(list, low, high, note)
  end)
end)
