-- SPDX-License-Identifier: MIT
-- Quantiles of streams: a sketch counts numbers in bins whose edges grow by one factor, so that
-- every quantile is found within a share of its value, and sketches of parts merge into that of the
-- whole (DDSketch: Masson, Rim and Lee, "DDSketch: A fast and fully-mergeable quantile sketch with
-- relative-error guarantees", VLDB 2019). Bin k has numbers above growth^(k - 1) up to growth^k,
-- where growth = (1 + accuracy) / (1 - accuracy), and 2 growth^k / (growth + 1) stands for them. No
-- bins are joined to save memory, which DDSketch does: so the error holds for all data, and a
-- sketch has as many bins as its range needs, 115 for each power of ten at 1 %.
local core = require "locus.core"
local declare = require "locus.call.declare"
local registry = require "locus.call.registry"
local internal, methods = core.internal, core.methods

local FINEST, COARSEST = 1e-4, 0.5 -- accuracy
local LEAST = 2.2250738585072014e-308 -- smaller magnitudes, which have few bits, count as 0
local GREATEST = 1.7976931348623157e308 -- float64
local BUFFERED = 512 -- numbers that are pushed one by one, and counted together

local sketch = {}
local metatable = {__metatable = "sketch", __index = sketch}
local events = registry.once(metatable)

-- -- State ---------------------------------------------------------------------------------------

-- Bins: `low` is the number of the first one of `counts`, int64.
local function no_bins()
  return {low = 0, counts = core.zeros({0}, {dtype = "int64", device = "cpu"})}
end

-- zeros, below, above: how many numbers are 0, -inf, inf. negative: the bins of the magnitudes of
-- numbers below 0.
local function empty_of(accuracy)
  return {accuracy = accuracy, step = math.log((1 + accuracy) / (1 - accuracy)), zeros = 0,
          below = 0, above = 0, positive = no_bins(), negative = no_bins(), sum = 0,
          min = math.huge, max = -math.huge, waiting = {}}
end

local function state_of(given)
  local state = internal.state(given, metatable)
  if state then return state end
  declare.raise("'sketch' must be made by locus.sketch, got %s", internal.describe(given))
end

-- -- Counting ------------------------------------------------------------------------------------

-- Adds to the bins the counts of those that begin with `low`.
local function add(bins, low, counts)
  if #counts == 0 then return bins end
  if #bins.counts == 0 then return {low = low, counts = counts} end
  local first = math.min(bins.low, low)
  local size = math.max(bins.low + #bins.counts, low + #counts) - first
  local sums = bins.counts
  if first < bins.low or size > #sums then
    sums = core.zeros({size}, {dtype = "int64", device = "cpu"})
    methods.narrow(sums, 1, bins.low - first + 1, #bins.counts):copy_(bins.counts)
  end
  methods.narrow(sums, 1, low - first + 1, #counts):add_(counts)
  return {low = first, counts = sums}
end

-- The bins of magnitudes.
local function bins_of(magnitudes, step)
  if #magnitudes == 0 then return no_bins() end
  local numbers = core.ceil(core.log(magnitudes) / step)
  local low = core.min(numbers)
  return {low = low, counts = core.bincount((numbers - (low - 1)):long())}
end

-- Counts the elements of a 1-D float64 tensor on the CPU.
local function count(state, x)
  local known = x[core.isnan(x):logical_not()]
  if #known == 0 then return end
  local low, high = core.min(known), core.max(known)
  local finite = known
  if low == -math.huge or high == math.huge then
    finite = known[core.isfinite(known)]
    state.below = state.below + core.count_nonzero(core.eq(known, -math.huge))
    state.above = state.above + core.count_nonzero(core.eq(known, math.huge))
  end
  local positive = finite[core.ge(finite, LEAST)]
  local negative = core.neg(finite[core.le(finite, -LEAST)])
  local more, less = bins_of(positive, state.step), bins_of(negative, state.step)
  state.positive = add(state.positive, more.low, more.counts)
  state.negative = add(state.negative, less.low, less.counts)
  state.zeros = state.zeros + #finite - #positive - #negative
  state.sum = state.sum + core.sum(known)
  state.min, state.max = math.min(state.min, low), math.max(state.max, high)
end

-- Counts the numbers that wait for it.
local function settle(state)
  if #state.waiting == 0 then return end
  local waiting = core.tensor(state.waiting, {dtype = "float64", device = "cpu"})
  count(state, waiting)
  state.waiting = {}
end

local function total(state)
  local n = state.zeros + state.below + state.above
  return n + tonumber(core.sum(state.positive.counts)) + tonumber(core.sum(state.negative.counts))
end

-- -- Bytes ---------------------------------------------------------------------------------------

-- After the mark: float64 accuracy, sum, min, max; int64 zeros, below, above, low and size of the
-- positive bins, low and size of the negative ones; int64 counts of the positive bins, then of the
-- negative ones. All little-endian.
local MARK, REALS, WHOLES = "locus sketch 1\n\0", 4, 7

local function pieces(state)
  local positive, negative = state.positive, state.negative
  return {
    core.tensor({state.accuracy, state.sum, state.min, state.max},
      {dtype = "float64", device = "cpu"}),
    core.tensor({state.zeros, state.below, state.above, positive.low, #positive.counts,
                 negative.low, #negative.counts}, {dtype = "int64", device = "cpu"}),
    positive.counts, negative.counts,
  }
end

local function refuse(bytes)
  declare.raise("'bytes' must come from a sketch's tobytes, got %s",
    #bytes < 8 * (REALS + WHOLES) + #MARK and ("%d bytes"):format(#bytes) or "others")
end

local function part(bytes, first, size, dtype)
  if size == 0 then return no_bins().counts end
  return methods.cpu(core.from_string(bytes:sub(first, first + 8 * size - 1), dtype))
end

local function is_accuracy(x) return x >= FINEST and x <= COARSEST end

local MOST = 2 ^ 53 -- numbers of a sketch

-- Bins from the number of the first one and the counts; nil where no float64 can have them.
local function bins_from(low, counts, step)
  local last = low + #counts - 1
  local farthest = 746 / step + 2 -- 746 > 1074 ln(2)
  local fits = #counts == 0 or low >= -farthest and last <= farthest and core.min(counts) >= 0
  if not fits then return nil end
  return core.sum(methods.double(counts)) < MOST and {low = low, counts = counts} or nil
end

local function read_bytes(bytes)
  if type(bytes) ~= "string" then
    declare.raise("'bytes' must be a string, got %s", internal.describe(bytes))
  end
  local at = #MARK + 1
  if bytes:sub(1, #MARK) ~= MARK or #bytes < #MARK + 8 * (REALS + WHOLES) then refuse(bytes) end
  local reals = part(bytes, at, REALS, "float64"):totable()
  local wholes = part(bytes, at + 8 * REALS, WHOLES, "int64"):totable()
  for i, whole in ipairs(wholes) do wholes[i] = tonumber(whole) end
  local zeros, below, above, low, size, low_negative, size_negative = unpack(wholes)
  local head = #MARK + 8 * (REALS + WHOLES)
  local fits = math.min(size, size_negative, zeros, below, above) >= 0
    and math.max(zeros, below, above) < MOST and #bytes == head + 8 * (size + size_negative)
  if not fits or not is_accuracy(reals[1]) then refuse(bytes) end
  local state = empty_of(reals[1])
  state.sum, state.min, state.max = reals[2], reals[3], reals[4]
  state.zeros, state.below, state.above = zeros, below, above
  state.positive = bins_from(low, part(bytes, head + 1, size, "int64"), state.step)
  state.negative = bins_from(low_negative,
    part(bytes, head + 8 * size + 1, size_negative, "int64"), state.step)
  local right = state.positive and state.negative
    and (total(state) == 0 or state.min <= state.max)
  if not right then refuse(bytes) end
  return state
end

-- -- Methods -------------------------------------------------------------------------------------

local function method(line, body)
  declare.add(sketch, declare.define(line, function(s, ...) return body(state_of(s), s, ...) end))
end

-- push(values): counts a number, or each element of a tensor or a list. NaN is left out. Answers
-- the sketch. Errors: complex numbers.
method("push(sketch:any, values:value)", function(state, s, values)
  if type(values) == "number" then
    if values == values then state.waiting[#state.waiting + 1] = values end
    if #state.waiting >= BUFFERED then settle(state) end
    return s
  end
  if not core.is_tensor(values) then values = core.tensor(values, {device = "cpu"}) end
  if internal.dtype_of(values):find("^complex") then
    declare.raise("'values' must be real, got %s", internal.describe(values))
  end
  count(state, methods.reshape(methods.double(methods.cpu(values)), -1))
  return s
end)

-- merge(other): counts all that another sketch has counted, or one's bytes: the same as if all had
-- been pushed here. Answers the sketch. Errors: another accuracy.
method("merge(sketch:any, other:any)", function(state, s, given)
  local other = type(given) == "string" and read_bytes(given) or internal.state(given, metatable)
  if not other then
    declare.raise("'other' must be a sketch or the bytes of one, got %s", internal.describe(given))
  elseif other.accuracy ~= state.accuracy then
    declare.raise("'other' has the accuracy %s, and this one %s; only equal ones merge",
      internal.spell(other.accuracy), internal.spell(state.accuracy))
  end
  settle(other)
  settle(state)
  local positive = add(state.positive, other.positive.low, other.positive.counts:clone())
  state.negative = add(state.negative, other.negative.low, other.negative.counts:clone())
  state.positive = positive
  for _, name in ipairs {"zeros", "below", "above", "sum"} do
    state[name] = state[name] + other[name]
  end
  state.min, state.max = math.min(state.min, other.min), math.max(state.max, other.max)
  return s
end)

-- The numbers that stand for the bins, and how many of all are in front of or in each: -inf,
-- negative ones from the greatest magnitude on, 0, positive ones, inf.
local function ladder(state)
  local function values(bins)
    local numbers = core.arange(bins.low, bins.low + #bins.counts,
      {dtype = "float64", device = "cpu"})
    local middle = math.log(2 / (math.exp(state.step) + 1))
    return core.clamp(core.exp(numbers * state.step + middle), nil, GREATEST)
  end
  local function one(x, dtype) return core.tensor({x}, {dtype = dtype, device = "cpu"}) end
  local flipped = core.flip(state.negative.counts, {1})
  local counts = core.cat {one(state.below, "int64"), flipped, one(state.zeros, "int64"),
    state.positive.counts, one(state.above, "int64")}
  local places = core.cat {one(-math.huge, "float64"), core.flip(values(state.negative):neg(), {1}),
    one(0, "float64"), values(state.positive), one(math.huge, "float64")}
  return places, core.cumsum(counts, 1)
end

local function check_share(q)
  if type(q) == "number" and q >= 0 and q <= 1 then return q end
  declare.raise("'q' must be a number from 0 to 1, or a list of such, got %s",
    internal.describe_number(q))
end

-- quantile(q): the element at the place floor(q (n - 1)) of the n in order, counted from 0, off by
-- at most `accuracy` times itself; the least one for 0, the greatest for 1. A list of q gives a
-- list. NaN where nothing was counted.
method("quantile(sketch:any, q:any)", function(state, _, q)
  local list = type(q) == "table" and q or {q}
  for _, share in ipairs(list) do check_share(share) end
  settle(state)
  local n = total(state)
  local answers, places, sums = {}, nil, nil
  if n > 0 then places, sums = ladder(state) end
  for i, share in ipairs(list) do
    local rank = math.floor(share * (n - 1))
    if n == 0 then
      answers[i] = 0 / 0
    elseif rank == 0 or rank == n - 1 then
      answers[i] = rank == 0 and state.min or state.max
    else
      local value = places[core.searchsorted(sums, rank, {right = true})]
      answers[i] = math.min(math.max(value, state.min), state.max)
    end
  end
  if type(q) == "table" then return answers end
  return answers[1]
end)

-- count(), sum(), mean(), min(), max(): of all that was counted; NaN where nothing was, but for the
-- count and the sum.
method("count(sketch:any)", function(state)
  settle(state)
  return total(state)
end)
method("sum(sketch:any)", function(state)
  settle(state)
  return state.sum
end)
method("mean(sketch:any)", function(state)
  settle(state)
  return state.sum / total(state)
end)
for _, name in ipairs {"min", "max"} do
  method(name .. "(sketch:any)", function(state)
    settle(state)
    return total(state) > 0 and state[name] or 0 / 0
  end)
end

-- clear(): forgets all. Answers the sketch.
method("clear(sketch:any)", function(state, s)
  for name, value in pairs(empty_of(state.accuracy)) do state[name] = value end
  return s
end)

-- tobytes(): the sketch as a string, which locus.sketch{bytes = s} and merge read, in this or
-- another process.
method("tobytes(sketch:any)", function(state)
  settle(state)
  local list = {MARK}
  for _, piece in ipairs(pieces(state)) do list[#list + 1] = methods.tobytes(piece) end
  return table.concat(list)
end)

-- -- The object ----------------------------------------------------------------------------------

function events.__newindex() internal.raise("a sketch has no fields; write s:push(values)") end
function events.__len(s)
  local state = internal.state(s, metatable)
  settle(state)
  return total(state)
end
function events.__describe() return "a sketch" end
function events.__tostring(s)
  local state = internal.state(s, metatable)
  settle(state)
  local n = total(state)
  return internal.format("[sketch of %d number%s, accuracy %s]", n, n == 1 and "" or "s",
    internal.spell(state.accuracy))
end
setmetatable(sketch, {__index = function(_, key)
  internal.raise(("a sketch has no '%s'; it has push, merge, quantile, count, sum, mean, min, max, "
    .. "clear and tobytes"):format(declare.shown(key)))
end})

-- sketch{accuracy=0.01, bytes=nil}: a sketch of nothing, or the one that those bytes are. accuracy:
-- the largest error of a quantile, as a share of its value, from 0.0001 to 0.5. Errors: bytes that
-- are none of a sketch, or of another accuracy than a given one.
declare.func("sketch({accuracy:number=nil, bytes:any=nil})", function(accuracy, bytes)
  if accuracy ~= nil and not is_accuracy(accuracy) then
    declare.raise("'accuracy' must be from %s to %s, got %s", internal.spell(FINEST),
      internal.spell(COARSEST), internal.spell(accuracy))
  end
  local state = bytes and read_bytes(bytes) or empty_of(accuracy or 0.01)
  if accuracy and state.accuracy ~= accuracy then
    declare.raise("'bytes' are of a sketch of accuracy %s, not %s", internal.spell(state.accuracy),
      internal.spell(accuracy))
  end
  return internal.object(metatable, state)
end)

return {methods = sketch}
