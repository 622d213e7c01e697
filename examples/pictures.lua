-- SPDX-License-Identifier: MIT
-- The bright parts of a grey picture: pixels above a threshold, those that touch each other taken
-- together, and the box around each such component.
package.path = (arg[0]:match "^.*/" or "") .. "?.lua;" .. package.path
local command = require "command"
local locus = require "locus"
local pgm = require "pgm"

local HELP = [[
usage: luajit pictures.lua [--threshold N] [--touch 4|8] [--least N] [--out BOXES.pgm] [PICTURE.pgm]

Reads a grey picture (PGM, P2 or P5; - is standard input), or without one makes a small one, and
writes as CSV a line for each component of pixels that are brighter than a threshold and touch each
other, in the order of their first pixels: its box, with columns and rows counted from 1, how many
pixels it has, and how bright they are on average.

  --threshold N  what pixels must exceed (default: half way from the darkest to the brightest)
  --touch 4      pixels touch at their sides alone (default: 8, at their corners, too)
  --least N      leave out components of fewer pixels (default: 1)
  --out FILE     also write the picture, dark where there is no component, with the boxes drawn
  --help         print this and exit
]]

-- Some discs of different brightness; two of them overlap.
local function small_picture()
  local row, column = locus.meshgrid(locus.arange(1, 25), locus.arange(1, 61))
  local picture = locus.full({24, 60}, 20)
  for _, disc in ipairs {{8, 8, 5, 200}, {12, 13, 4, 230}, {6, 40, 3, 150}, {18, 48, 5, 255}} do
    local y, x, radius, grey = unpack(disc)
    picture = locus.where(((row - y) ^ 2 + (column - x) ^ 2):le(radius ^ 2), grey, picture)
  end
  return picture:int(), 255
end

-- The pairs of numbers that touch in a grid of numbers; 0 is no number. Steps are rows down and
-- columns to the right.
local function touching(grid, steps)
  local height, width, firsts, seconds = grid:size(1), grid:size(2), {}, {}
  for i, step in ipairs(steps) do
    local down, right = unpack(step)
    local left = math.max(-right, 0)
    right = math.max(right, 0)
    local a = grid[{{1, height - down}, {1 + left, width - right}}]
    local b = grid[{{1 + down, height}, {1 + right, width - left}}]
    local both = a:ne(0):logical_and(b:ne(0))
    firsts[i], seconds[i] = a[both], b[both]
  end
  return locus.cat(firsts), locus.cat(seconds)
end

-- For each of n numbers the least one that pairs connect it to. In each round every number that is
-- the least of its own, and is connected to lesser ones, is put under the least of these.
local function connected(n, a, b)
  local under = locus.arange(1, n + 1, {dtype = "int64"})
  while #a > 0 do
    under:scatter_reduce_(1, a:maximum(b), a:minimum(b), "amin")
    local above = under[under]
    while not above:equal(under) do under, above = above, above[above] end
    a, b = under[a], under[b]
    local apart = a:ne(b)
    a, b = a[apart], b[apart]
  end
  return under
end

local STEPS = {["4"] = {{0, 1}, {1, 0}}, ["8"] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}}}

-- The components of pixels that a mask has, as a frame of their boxes.
local function components(picture, mask, steps)
  local pixels = mask:flatten():nonzero{as_tuple = true}
  local grid = locus.zeros(mask:numel(), {dtype = "int64"})
  grid[pixels] = locus.arange(1, #pixels + 1, {dtype = "int64"})
  local roots = connected(#pixels, touching(grid:view(mask.shape), steps))
  local _, of, count = roots:unique{return_inverse = true, return_counts = true}
  local row = (pixels - 1):floor_divide(mask:size(2)) + 1
  local column = (pixels - 1) % mask:size(2) + 1
  return locus.frame{
    {"left", column:segment(of, "min")}, {"top", row:segment(of, "min")},
    {"right", column:segment(of, "max")}, {"bottom", row:segment(of, "max")},
    {"pixels", count}, {"mean", picture[mask]:double():segment(of, "mean")},
  }
end

-- The picture, dark where the mask is not, and the boxes in white.
local function drawn(picture, mask, boxes, white)
  local canvas = locus.where(mask, picture, picture:floor_divide(2))
  for i = 1, #boxes do
    local box = boxes[i]
    local across, along = {box.left, box.right}, {box.top, box.bottom}
    canvas[{box.top, across}], canvas[{box.bottom, across}] = white, white
    canvas[{along, box.left}], canvas[{along, box.right}] = white, white
  end
  return canvas
end

local function main(files, options)
  local threshold = command.number(options, "threshold", 0)
  local least = command.number(options, "least", 1, true)
  local steps = STEPS[options.touch] or command.fail("--touch must be 4 or 8, got '%s'",
    options.touch)
  local picture, white
  if files[1] then picture, white = pgm.read(files[1]) else picture, white = small_picture() end
  local mask = picture:gt(threshold or (picture:min() + picture:max()) / 2)
  local boxes = components(picture, mask, steps)
  boxes = boxes[boxes.pixels:ge(least)]
  if options.out then pgm.write(options.out, drawn(picture, mask, boxes, white), white) end
  boxes:write_csv(io.stdout, {formats = {mean = "%.3f"}})
end

command.run{name = "pictures", help = HELP, files = 1, least = 0, main = main,
            options = {threshold = false, touch = "8", least = "1", out = false}}
