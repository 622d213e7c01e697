-- SPDX-License-Identifier: MIT
-- Pictures as SVG: one element after the other, and the axes around them.
-- Source: https://www.w3.org/TR/SVG11/
local measured = require "locus.plot.measured"
local printing = require "locus.print"
local internal = require("locus.core").internal

local svg = {}

local WIDTH, HEIGHT = 640, 400
local TOP, RIGHT, BELOW = 16, 20, 48 -- around what is drawn
local CHARACTER, LINE = 6.6, 16      -- of a text of 11 points

-- Colours that people of any sight tell apart: Okabe and Ito, https://jfly.uni-koeln.de/color/
svg.colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
               "#999999"}

local ENTITIES = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;"}

local function escaped(text) return (text:gsub('[&<>"]', ENTITIES)) end

-- A number as short as a hundredth of a pixel allows.
local function number(value)
  return (internal.format("%.2f", value):gsub("%.?0+$", ""):gsub("^%-0$", "0"))
end
svg.number = number

-- An element: its attributes as a list of names and values, and the text or elements in it.
function svg.element(name, attributes, inside)
  local parts = {"<" .. name}
  for i = 1, #attributes, 2 do
    local value = attributes[i + 1]
    value = type(value) == "number" and number(value) or escaped(value)
    parts[#parts + 1] = (' %s="%s"'):format(attributes[i], value)
  end
  return table.concat(parts) .. (inside and (">%s</%s>"):format(inside, name) or "/>")
end

function svg.text(x, y, anchor, text)
  return svg.element("text", {"x", x, "y", y, "text-anchor", anchor}, escaped(text))
end

local function widest(list)
  local width = 0
  for _, tick in ipairs(list) do width = math.max(width, printing.width(tick.text)) end
  return width * CHARACTER
end

-- The area of the drawing: left, top, right, bottom; `x` and `y` make pixels of numbers. `above`:
-- rows of text over it; `beside`: pixels at the right.
function svg.frame(x, y, above, beside)
  local f = {left = 18 + widest(y.ticks), top = TOP + LINE * (above or 0),
             right = WIDTH - RIGHT - (beside or 0), bottom = HEIGHT - BELOW}
  function f.x(value)
    return f.left + measured.share(value, x.low, x.high) * (f.right - f.left)
  end
  function f.y(value)
    return f.bottom - measured.share(value, y.low, y.high) * (f.bottom - f.top)
  end
  return f
end

-- The axes with their ticks, each with a line across the drawing with `grid`.
function svg.axes(f, x, y)
  local list = {}
  local function line(x1, y1, x2, y2, colour)
    list[#list + 1] = svg.element("line", {"x1", x1, "y1", y1, "x2", x2, "y2", y2, "stroke",
      colour})
  end
  for _, tick in ipairs(y.ticks) do
    local at = f.y(tick.at)
    line(f.left, at, f.right, at, "#e5e5e5")
    list[#list + 1] = svg.text(f.left - 8, at + 4, "end", tick.text)
  end
  local last = -math.huge
  for _, tick in ipairs(x.ticks) do
    local at, half = f.x(tick.at), printing.width(tick.text) * CHARACTER / 2
    line(at, f.bottom, at, f.bottom + 4, "#666666")
    if at - half > last then
      list[#list + 1] = svg.text(math.min(at, WIDTH - half - 2), f.bottom + 18, "middle",
        tick.text)
      last = at + half + CHARACTER
    end
  end
  line(f.left, f.bottom, f.right, f.bottom, "#666666")
  line(f.left, f.top, f.left, f.bottom, "#666666")
  return table.concat(list, "\n")
end

-- The whole text of a picture: parts are its elements; `note` is below it, and is its title.
function svg.document(parts, note, width, height)
  width, height = width or WIDTH, height or HEIGHT
  local title = escaped(note)
  local list = {
    svg.element("title", {}, title),
    svg.element("rect", {"width", width, "height", height, "fill", "#ffffff"}),
  }
  for _, part in ipairs(parts) do list[#list + 1] = part end
  list[#list + 1] = svg.text(width / 2, height - 8, "middle", note)
  return ('<?xml version="1.0" encoding="UTF-8"?>\n') .. svg.element("svg", {
    "xmlns", "http://www.w3.org/2000/svg", "width", width, "height", height,
    "viewBox", ("0 0 %d %d"):format(width, height), "font-family", "sans-serif",
    "font-size", "11", "fill", "#333333",
  }, "\n" .. table.concat(list, "\n") .. "\n") .. "\n"
end

return svg
