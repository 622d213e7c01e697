-- SPDX-License-Identifier: MIT
-- Ops without an oracle here, whose answers must be the same on every instruction set: only their
-- digests tell, or the sentence of an error. Each function makes one call by chance, on a matrix of
-- any dtype and layout.
local arrays = require "fuzz.callers.known.arrays"
local bit = require "bit"
local compared = require "fuzz.callers.known.compared"
local locus = require "locus"
local plan = require "fuzz.callers.plan"

jit.off(true, true) -- see plan.compile

local pick, chance, random = plan.pick, plan.chance, math.random

-- What calls are made of: matrices x and y of any dtype, `plain` of small numbers, a mask; x as one
-- row; a dimension, and numbers of groups and positions along it.
local function ingredients()
  local n = math.max(arrays.count(), 1)
  local rows = random(math.min(n, 40))
  local shape = {rows, math.floor(n / rows)}
  if chance(2) then shape[1], shape[2] = shape[2], shape[1] end
  local own = {shape = shape, dim = random(2), dtype = pick(arrays.dtypes)}
  local count = shape[1] * shape[2]
  local function tensor(dtype, plain)
    return arrays.tensor(arrays.random(dtype, count, plain), shape)
  end
  own.x, own.y = tensor(own.dtype), tensor(own.dtype)
  own.plain = tensor(pick {"float64", "float32", "int32", "float16"}, true)
  own.mask = tensor "bool"
  local long = shape[own.dim]
  own.places = arrays.tensor(arrays.of("int64", long, function() return random(long) end), {long})
  own.groups = arrays.tensor(arrays.of("int64", long, function() return random(9) end), {long})
  own.flat = own.x:reshape(-1)
  own.count, own.long = count, long
  return own
end

local HOWS = {"sum", "prod", "mean", "std", "var", "min", "max", "first", "last", "any", "all",
              "count"}

local CALLS = {
  quantile = function(e) return e.x:quantile({0, 0.3, 0.5, 1}, e.dim) end,
  nanquantile = function(e) return e.x:nanquantile(0.4, e.dim, true) end,
  median = function(e) return e.x:median(e.dim) end,
  kthvalue = function(e) return e.x:kthvalue(random(e.long), e.dim) end,
  topk = function(e) return e.x:topk(random(e.long), e.dim, chance(2)) end,
  std = function(e) return e.x:std(e.dim) end,
  var = function(e) return e.plain:var {correction = 0} end,
  norm = function(e) return e.x:norm(pick {0, 1, 2, 3, 1 / 0}, e.dim) end,
  logsumexp = function(e) return e.plain:logsumexp(e.dim) end,
  histogram = function(e) return e.plain:histogram(random(20)) end,
  bincount = function(e) return e.groups:bincount() end,
  rank = function(e) return e.x:rank(e.dim, {method = pick {"average", "min", "max", "dense"}}) end,
  is_sorted = function(e) return e.x:is_sorted(e.dim) end,
  clamp = function(e) return e.x:clamp(1, 5) end,
  between = function(e) return e.x:between(e.y, e.x) end,
  diff = function(e) return e.x:diff(1, e.dim) end,
  flip = function(e) return e.x:flip(e.dim) end,
  roll = function(e) return e.x:roll(random(-9, 9), e.dim) end,
  cat = function(e) return locus.cat({e.x, e.y}, e.dim) end,
  stack = function(e) return locus.stack({e.x, e.y}, random(3)) end,
  unique_consecutive = function(e) return e.plain:unique_consecutive {return_counts = true} end,
  unique_rows = function(e) return e.plain:unique {dim = e.dim, return_inverse = true} end,
  rle = function(e) return e.flat:rle() end,
  union = function(e) return e.x:union(e.y) end,
  intersect = function(e) return e.x:intersect(e.y, {return_indices = true}) end,
  setdiff = function(e) return e.x:setdiff(e.y) end,
  setxor = function(e) return e.x:setxor(e.y) end,
  lookup = function(e) return e.flat:lookup(e.y) end,
  segment = function(e)
    return e.x:transpose(1, e.dim):contiguous():select(2, 1):segment(e.groups, pick(HOWS))
  end,
  index_add = function(e) return e.plain:index_add(e.dim, e.places, e.plain) end,
  scatter_reduce = function(e)
    local index = e.places:unsqueeze(3 - e.dim):expand(e.shape)
    local reduce = pick {"sum", "prod", "mean", "amax", "amin"}
    return e.plain:scatter_reduce(e.dim, index, e.plain, reduce)
  end,
  take_along_dim = function(e)
    return e.x:take_along_dim(e.places:unsqueeze(3 - e.dim):expand(e.shape), e.dim)
  end,
  repeat_interleave = function(e) return e.x:repeat_interleave(random(3), e.dim) end,
  sort_values = function(e)
    return e.x:sort {dim = e.dim, indices = false, descending = chance(2)}
  end,
  search_index = function(e)
    return e.flat:sort():search_index():searchsorted(e.y, {side = "both"})
  end,
  interp = function(e) return locus.interp(e.plain, {1, 2, 5}, {0.5, 7, -1}) end,
  allclose = function(e) return e.x:allclose(e.y), e.x:equal(e.x) end,
  index_put = function(e)
    local x = e.x:clone()
    x[e.mask] = 1
    return x
  end,
  with_numbers = function(e) return (e.plain + 1) * 3 - e.plain / 7, e.plain ^ 2, e.plain % 3 end,
  chance = function(e)
    return locus.randn(e.shape, {generator = locus.generator(e.count)}),
      locus.randint(0, 100, e.shape, {generator = locus.generator(e.count)})
  end,
}

local function note(text)
  for i = 1, #text do
    compared.digest = bit.bxor(bit.rol(compared.digest, 5), text:byte(i)) + 1
  end
end

local function outcome(e, answered, ...)
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    if locus.is_tensor(v) then compared.seen(arrays.read(v), 0)
    else note((tostring(v):gsub("^[^:]+:%d+: ", ""))) end
  end
  compared.count = compared.count + (answered and e.count or 0)
end

local ops = {}
for name, f in pairs(CALLS) do
  ops["alike_" .. name] = function()
    local e = ingredients()
    outcome(e, pcall(f, e))
  end
end

return ops
