-- SPDX-License-Identifier: MIT
-- The axes around rows of text: the labels at the left, and those below.
local measured = require "locus.plot.measured"
local printing = require "locus.print"

local axes = {}

local function trim(line) return (line:gsub(" +$", "")) end

-- The place of a number on an axis, one of `count`, counted from 1.
local function place(at, axis, count)
  return math.floor(measured.share(at, axis.low, axis.high) * (count - 1) + 0.5) + 1
end

-- Columns that the ticks at the left take.
function axes.margin(list)
  local width = 0
  for _, tick in ipairs(list) do width = math.max(width, printing.width(tick.text)) end
  return width
end

-- The texts of the ticks below an axis, in the middle under each; those that others leave no room
-- for are left out, and so are their ticks.
local function below(axis, margin, columns)
  local line, seen, last = "", {}, -1
  for _, tick in ipairs(axis.ticks) do
    local column = place(tick.at, axis, columns)
    local width = printing.width(tick.text)
    local from = margin + 1 + column - math.floor((width + 1) / 2)
    from = math.max(0, math.min(from, margin + 1 + columns - width))
    if from > last then
      line = line .. (" "):rep(from - printing.width(line)) .. tick.text
      last, seen[column] = from + width, true
    end
  end
  return line, seen
end

-- Lines of text: the rows with both axes, {low, high, ticks}. The rows have `columns` columns.
function axes.around(rows, columns, x, y, glyphs)
  local lines, labels, margin = {}, {}, axes.margin(y.ticks)
  for _, tick in ipairs(y.ticks) do
    labels[#rows + 1 - place(tick.at, y, #rows)] = tick.text
  end
  for i, row in ipairs(rows) do
    local label = labels[i] or ""
    lines[i] = trim((" "):rep(margin + 1 - printing.width(label)) .. label .. " "
      .. (labels[i] and glyphs.side_tick or glyphs.side) .. row)
  end
  local texts, ticked = below(x, margin + 2, columns)
  local floor = {}
  for i = 1, columns do floor[i] = ticked[i] and glyphs.floor_tick or glyphs.floor end
  lines[#lines + 1] = (" "):rep(margin + 2) .. glyphs.corners[3] .. table.concat(floor)
  lines[#lines + 1] = texts
  return lines
end

return axes
