-- SPDX-License-Identifier: MIT
-- How many elements lie in each of a row of bins. A kernel counts (src/cpu/run/histogram.c): a
-- search and bincount would take 1.3 to 2.6 times as long for 1e5 and 1e6 elements, 1.9 and more
-- for 1e6.
local core = require "locus.core"
local declare = require "locus.call.declare"
local kinds = require "locus.tensor.kind"
local order = require "locus.derived.order"
local time_bins = require "locus.derived.time_bins"
local internal, methods = core.internal, core.methods

local EXACT = 2 ^ 53 -- below it float64 holds every whole number
local FLOAT32_PAST = 2 ^ 128 - 2 ^ 103 -- this number and greater ones are infinite in float32

-- A Lua number for an element.
local function number(element)
  if type(element) == "boolean" then return element and 1 or 0 end
  return tonumber(element)
end

local function is_wide(x) return internal.dtype_of(x) == "int64" end

-- -- Edges ---------------------------------------------------------------------------------------

-- The next float64 below or above a number that an int64 may have been rounded to.
local function beyond(value, direction)
  local _, exponent = math.frexp(value)
  return math.abs(value) < EXACT and value or value + direction * 2 ^ (exponent - 53)
end

local function is_finite(low, high) return low - low == 0 and high - high == 0 end

-- The least and the greatest finite element; nil if there is none.
local function finite_extent(input)
  local finite = core.masked_fill(input, core.logical_not(core.isfinite(input)), 0 / 0)
  local low, high = core.nanmin(finite), core.nanmax(finite)
  if low == low then return low, high end
end

-- Raises, and says how the range of the bins is written: in `form`, from the least to the greatest
-- finite element.
local function raise_unbounded(input, low, high, form)
  local lies = low ~= low and low or low == -math.huge and low or high
  local dtype = internal.dtype_of(input)
  low, high = finite_extent(input)
  if not low then
    declare.raise("'input' has no finite element, so the range of the bins must be given: write "
      .. form, "0", "1")
  elseif low == high then
    local pad = math.max(0.5, math.abs(low) * 2 ^ -20)
    low, high = low - pad, high + pad
  end
  dtype = dtype == "float32" and dtype or "float64" -- that of the edges
  declare.raise("'input' holds %s, so the range of the bins must be given: write " .. form
    .. " for its finite elements", internal.spell(lies, dtype), internal.spell(low, dtype),
    internal.spell(high, dtype))
end

-- The least and the greatest element.
local function extent(input, form)
  if input:numel() == 0 then return 0, 1 end
  local low, high = number(core.amin(input)), number(core.amax(input))
  if is_wide(input) then return beyond(low, -1), beyond(high, 1) end
  if not is_finite(low, high) then raise_unbounded(input, low, high, form) end
  return low, high
end

local function check_range(low, high, name)
  if not is_finite(low, high) then
    declare.raise("%s must be finite, got %s and %s", name, low, high)
  elseif low > high then
    declare.raise("%s must not fall, got %s and %s", name, low, high)
  end
end

-- Raises unless each edge is greater than the one before it. Where steps are many units of the last
-- place they are that without a look.
local function check_steps(edges, bins, low, high)
  local dtype = internal.dtype_of(edges)
  local unit = math.max(math.abs(low), math.abs(high)) * (dtype == "float32" and 2 ^ -23 or 2 ^ -52)
  if (high / 2 - low / 2) / bins > 4 * unit then return end
  if core.all(core.lt(edges[{{1, bins}}], edges[{{2, bins + 1}}])) then return end
  declare.raise("'bins' is %d, but between %s and %s %s has too few numbers for the edges",
    bins, internal.spell(low, dtype), internal.spell(high, dtype), dtype)
end

-- bins + 1 edges of equal steps, as linspace has them, in float32 for float32. A range of one
-- number reaches from a half before it to a half after.
local function uniform(input, bins, low, high)
  local single = internal.dtype_of(input) == "float32"
  if single and math.max(-low, high) >= FLOAT32_PAST then
    declare.raise("the bins must be within float32, as 'input' is, got a range from %s to %s",
      low, high)
  end
  if low == high then low, high = low - 0.5, high + 0.5 end
  local factor = high - low == math.huge and 2 or 1
  local edges = core.linspace(low / factor, high / factor, bins + 1, {dtype = "float64",
    device = internal.device_of(input)}) * factor
  if single then edges = edges:float() end
  check_steps(edges, bins, low, high)
  return edges
end

local function check_bins(bins)
  if bins >= 1 and bins < 2 ^ 30 and bins % 1 == 0 then return end
  declare.raise("'bins' must be a whole number from 1 to 2^30, or edges, got %s", bins)
end

local function check_edges(edges, input)
  order.check_real(edges, "bins")
  if #edges < 2 then declare.raise("'bins' must hold two edges at least, got %d", #edges) end
  if internal.device_of(edges) ~= internal.device_of(input) then
    declare.raise("'bins' must be on %s as 'input' is, got %s", internal.device_of(input),
      internal.device_of(edges))
  end
  order.check_nan(edges, "bins", false)
  local row = internal.unsorted(edges)
  if row then order.raise(edges, "bins", tonumber(row), tonumber(row) - 1, 1) end
end

-- -- Counts --------------------------------------------------------------------------------------

-- Whether all comparisons with edges may be made in float64: they hold every int64 that is near
-- enough to an edge for the difference to count.
local function comparable(input, edges)
  if not is_wide(input) and not is_wide(edges) then return true end
  local low, high = number(edges[1]), number(edges[#edges])
  return low > -EXACT and high < EXACT
end

-- Counts, or sums of weights, by exact searches.
local function searched(input, edges, weight)
  local n = #edges
  local bin
  if n > 2 then
    bin = core.bucketize(input, edges[{{2, n - 1}}], {right = true})
  else
    bin = core.ones_like(input, {dtype = "int64"})
  end
  local inside = core.between(input, edges[{{1}}], edges[{{n}}])
  bin:masked_fill_(core.logical_not(inside), n)
  return methods.clone(methods.narrow(core.bincount(bin, weight, n), 1, 1, n - 1))
end

local function counted(input, edges, weight)
  local flat = core.flatten(input)
  weight = weight and core.flatten(weight)
  if not comparable(flat, edges) then return searched(flat, edges, weight) end
  return internal.count_bins(flat, methods.contiguous(edges:double()), weight)
end

local function check_weight(weight, input)
  order.check_ordered(weight, "weight")
  if weight.shape ~= input.shape then
    declare.raise("'weight' must be of size %s, as 'input' is, got %s", tostring(input.shape),
      internal.describe(weight))
  elseif internal.device_of(weight) ~= internal.device_of(input) then
    declare.raise("'weight' must be on %s as 'input' is, got %s", internal.device_of(input),
      internal.device_of(weight))
  end
end

-- Whether bins have edges in whole units, of input's kind.
local function has_units(input)
  local kind = kinds.of(input)
  return kind and kind.per_day > 0
end

-- Counts that bins of other widths would have, too: their sum over widths is 1. Shares, and halves
-- of widths, are taken where numbers between would be too great.
local function densities(counts, edges)
  local n = #edges
  if has_units(edges) then edges = edges - edges[1] end
  edges, counts = edges:double(), counts:double()
  local widths, total = core.diff(edges), core.sum(counts)
  local answers = counts / widths / total
  local lost = core.logical_or(core.isinf(widths), core.isinf(answers))
  if not core.any(lost) then return answers end
  local halves = edges[{{2, n}}] / 2 - edges[{{1, n - 1}}] / 2
  return core.where(lost, counts / total / halves / 2, answers)
end

-- The pair of numbers of an option.
local function read_range(range)
  local ok = type(range) == "table" and #range == 2
  local low, high = ok and tonumber(range[1]), ok and tonumber(range[2])
  if not (low and high) then
    declare.raise("'range' must be a table of two numbers, got %s", internal.describe_number(range))
  end
  declare.check_keys(range, "'range'", "a table of two numbers", 2)
  check_range(low, high, "'range'")
  return low, high
end

local function edges_of(input, bins, range)
  if core.is_tensor(bins) then
    check_edges(bins, input)
    kinds.check_same(input, "input", bins, "bins")
    if range ~= nil then
      declare.raise("'range' goes with a number of bins, but 'bins' holds their edges")
    end
    return methods.clone(bins)
  end
  check_bins(tonumber(bins) or 0)
  if has_units(input) then return time_bins(input, tonumber(bins), range) end
  local low, high
  if range ~= nil then
    low, high = read_range(range)
  else
    low, high = extent(kinds.plain(input), "{range = {%s, %s}}")
  end
  return uniform(kinds.plain(input), tonumber(bins), low, high)
end

-- histogram(input, bins=100, {range, weight, density}): the number of elements of `input`, of any
-- size, in each bin, and the edges of the bins. `bins` is their number, of equal width over
-- `range`, by default from the least to the greatest element; or it holds the edges. Bin i has
-- edges[i] <= x < edges[i + 1], the last one its upper edge, too; what lies outside, and NaN, is in
-- none. Edges of times, dates and durations are such, in whole units. Counts are int64; with
-- `weight`, of input's size, sums of weights in float64, added in the order of the input; with
-- `density` divided by their sum and the widths.
-- Source: https://pytorch.org/docs/stable/generated/torch.histogram.html
-- https://numpy.org/doc/stable/reference/generated/numpy.histogram.html
declare.both("histogram(input:tensor, bins:value=100, {range:any=nil, weight:tensor=nil, "
  .. "weights:tensor=nil, density:boolean=false})",
  function(input, bins, range, weight, weights, density)
    order.check_ordered(input, "input")
    if weight and weights then
      declare.raise("'weight' and 'weights' are two names of one option")
    end
    weight = weight or weights
    if weight then check_weight(weight, input) end
    local edges = edges_of(input, bins, range)
    local counts = counted(kinds.plain(input), kinds.plain(edges), weight)
    return density and densities(counts, edges) or counts, edges
  end)

-- histc(input, bins=100, min=0, max=0, {out}): the counts of histogram over min..max, or where
-- these are equal from the least to the greatest element, in input's dtype, int64 for integers and
-- bool.
-- Source: https://pytorch.org/docs/stable/generated/torch.histc.html
declare.both("histc(input:tensor, bins:any=100, min:number=0, max:number=0, {out=nil})",
  function(input, bins, min, max, out)
    order.check_ordered(input, "input")
    if type(bins) ~= "number" and type(bins) ~= "cdata" then
      declare.raise("'bins' must be a whole number, got %s", internal.describe_number(bins))
    end
    bins = tonumber(bins) or 0
    check_bins(bins)
    check_range(min, max, "'min' and 'max'")
    local plain, low, high = kinds.plain(input), min, max
    local edges = low == high and has_units(input) and kinds.plain(time_bins(input, bins))
    if low == high and not edges then low, high = extent(plain, "{min = %s, max = %s}") end
    local counts = counted(plain, edges or uniform(plain, bins, low, high))
    if order.is_float(input) then counts = counts:to(internal.dtype_of(input)) end
    return declare.deliver(input, out, counts)
  end)

return {densities = densities, finite_extent = finite_extent}
