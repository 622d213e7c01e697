-- SPDX-License-Identifier: MIT
-- x:hist(): how many elements lie in each bin, as bars.
local core = require "locus.core"
local declare = require "locus.call.declare"
local glyphs = require "locus.plot.glyphs"
local measured = require "locus.plot.measured"
local picture = require "locus.plot.picture"
local svg = require "locus.plot.svg"
local ticks = require "locus.plot.ticks"
local internal, methods = core.internal, core.methods

local MOST = 1000            -- bins
local FLOAT_MAX = (2 - 2 ^ -23) * 2 ^ 127 -- the greatest float32
local FEWEST, USUAL = 5, 16  -- the least and the greatest number of bins, about, if none is given

local function usual(m) return math.min(math.max(math.ceil(m.count ^ 0.5), FEWEST), USUAL) end

local function check_bins(bins)
  local is_edges = core.is_tensor(bins) and bins:dim() == 1
  local count = is_edges and #bins - 1 or tonumber(bins)
  if is_edges and count <= MOST then
    if core.all(core.logical_not(core.isinf(bins))) then return bins end
    declare.raise("'bins' must hold finite edges, got %s", internal.describe(bins))
  end
  if count and count >= 1 and count <= MOST and count % 1 == 0 then return count end
  declare.raise("'bins' must be a whole number from 1 to %d, or as many edges, got %s", MOST,
    internal.describe_number(bins))
end

-- Round edges around all elements; one bin if all are equal.
local function round_edges(m)
  if m.low < m.high then
    local low = measured.widened(m.low, m.high)
    if low == m.low or m.whole then return ticks.edges(m.low, m.high, usual(m), m.whole) end
  elseif m.whole then
    return {m.low, m.low + 1}
  end
  return {measured.widened(m.low, m.high)}
end

-- Round edges that begin and end with the range, if there are such.
local function edges_in(range, most)
  local low = type(range) == "table" and tonumber(range[1])
  local high = low and tonumber(range[2])
  if not high or not (low < high) or high - low == math.huge then return nil end
  local edges = ticks.edges(low, high, most, false)
  return edges[1] == low and edges[#edges] == high and edges
end

-- Edges of `count` bins within a range that float32 elements cannot hold, and histogram refuses.
local function wide_edges(m, count, range)
  local low, high = unpack(type(range) == "table" and range or {})
  low, high = tonumber(low), tonumber(high)
  if not low or not high or internal.dtype_of(m.x) ~= "float32" then return nil end
  local farthest = math.max(math.abs(low), math.abs(high))
  if farthest <= FLOAT_MAX or farthest == math.huge or not (low < high) then return nil end
  return core.linspace(low, high, count + 1, {dtype = "float64",
                                              device = internal.device_of(m.x)})
end

-- The arguments of histogram: edges, or how many bins of equal width; and the range of these.
local function bins_of(m, bins, range)
  bins = bins ~= nil and check_bins(bins)
  local edges = not bins and (range == nil and round_edges(m) or edges_in(range, usual(m)))
  if edges then
    return core.tensor(edges, {dtype = "float64", device = internal.device_of(m.x)})
  end
  bins = bins or usual(m)
  local wide = type(bins) == "number" and wide_edges(m, bins, range)
  if wide then return wide end
  if range == nil and type(bins) == "number" and not m.whole then range = {m.low, m.high} end
  return bins, range
end

-- Where each bin lies: "[0, 5)", or one whole number.
local function texts_of(edges, m, is_round)
  local texts, list, widest = ticks.texts(edges, ticks.span(edges[1], edges[2]), m.origin), {}, 0
  local single = is_round and m.whole and edges[2] - edges[1] == 1
  for i = 1, #edges - (single and 1 or 0) do widest = math.max(widest, #texts[i]) end
  for i, text in ipairs(texts) do texts[i] = (" "):rep(widest - #text) .. text end
  for i = 1, #edges - 1 do
    list[i] = single and texts[i]
      or ("[%s, %s%s"):format(texts[i], texts[i + 1], i == #edges - 1 and "]" or ")")
  end
  return list
end

-- {counts, edges, texts} as Lua numbers and texts; without elements all are empty.
local function count(m, bins, range)
  if not m.low then return {counts = {}, edges = {}, texts = {}} end
  local taken, within = bins_of(m, bins, range)
  local counts, edges = core.histogram(m.x, taken, {range = within})
  local h = {counts = measured.numbers(counts), edges = measured.numbers(edges)}
  h.texts = texts_of(h.edges, m, bins == nil and range == nil)
  return h
end

-- A bar of that share of `columns`, which is seen where the share is not 0.
local function bar(share, columns, parts)
  local pieces = math.floor(share * columns * #parts + 0.5)
  if share > 0 then pieces = math.max(pieces, 1) end
  local whole, rest = math.floor(pieces / #parts), pieces % #parts
  return parts[#parts]:rep(whole) .. (rest > 0 and parts[rest] or "")
end

local function lines_of(h, columns)
  local known, lines, most, label = glyphs.known(), {}, 0, 0
  for i, number in ipairs(h.counts) do
    most, label = math.max(most, number), math.max(label, #h.texts[i])
  end
  local room = math.max(columns - label - #internal.format("%d", most) - 4, 1)
  for i, number in ipairs(h.counts) do
    local drawn = bar(most > 0 and number / most or 0, room, known.bars)
    lines[i] = internal.format(" %s %s%s %d", (" "):rep(label - #h.texts[i]) .. h.texts[i],
      known.side,
      drawn, number)
  end
  return lines
end

local function counted(n, what) return internal.format("%d %s%s", n, what, n == 1 and "" or "s") end

-- "[1000 elements in 16 bins; 3 outside; 1 NaN left out]"
local function note_of(m, h)
  local outside, n = m.count - m.nan - m.infinite, #h.counts
  for _, number in ipairs(h.counts) do outside = outside - number end
  return ("[%s%s%s%s]"):format(counted(m.count, "element"),
    n > 0 and " in " .. counted(n, "bin") or "",
    outside > 0 and internal.format("; %d outside", outside) or "", measured.left_out {m})
end

local function draw(m, h, note)
  if #h.counts == 0 then return svg.document({}, note) end
  local n, most = #h.edges, 1
  for _, number in ipairs(h.counts) do most = math.max(most, number) end
  local x = {low = h.edges[1], high = h.edges[n]}
  x.ticks = ticks.between(x.low, x.high, 8, m)
  local y = ticks.around(0, most, 5, {origin = 0, whole = true})
  local f = svg.frame(x, y)
  local parts = {svg.axes(f, x, y)}
  for i, number in ipairs(h.counts) do
    local left, top = f.x(h.edges[i]), f.y(number)
    if number > 0 then
      parts[#parts + 1] = svg.element("rect", {"x", left, "y", top,
        "width", f.x(h.edges[i + 1]) - left, "height", f.bottom - top, "fill", svg.colours[1],
        "stroke", "#ffffff", "stroke-width", "0.5"})
    end
  end
  return svg.document(parts, note)
end

-- hist(input, bins, {range, width}): a picture of how many of the elements, of any size, lie in
-- each of a row of bins, a bar for each, with its count. `bins` and `range` are those of histogram;
-- without them bins have a round width, and begin at multiples of it: about as many as the root of
-- the number of elements, 5 to 16. NaN and infinities are in no bin, and the last line counts them.
-- `width`: columns of the whole, by default those of a line. Errors: complex; those of histogram;
-- more than 1000 bins.
declare.both("hist(input:tensor, bins:value=nil, {range:any=nil, width:integer=nil})",
  function(input, bins, range, width)
    local columns = glyphs.columns(width)
    local m = measured.of(methods.flatten(input), "input")
    if m.origin ~= 0 and (bins ~= nil or range ~= nil) then m = measured.as_floats(m) end
    local h = count(m, bins, range)
    local lines, note = lines_of(h, columns), note_of(m, h)
    lines[#lines + 1], m.x = note, nil
    return picture.make(lines, function() return draw(m, h, note) end)
  end)
