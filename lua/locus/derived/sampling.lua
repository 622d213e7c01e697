-- SPDX-License-Identifier: MIT
-- What is drawn with the numbers of a generator: orders, coins, and elements by their weights. All
-- of it is Lua over ops. A permutation sorts random numbers, 16 ns for each of a million; swaps one
-- after the other take 8 to 12 in the peers, but neither threads nor a device could share them. A
-- coin compares a uniform number with its probability. With one probability a million coins take
-- 1.2 to 1.9 times their numbers; with a tensor of probabilities, which is checked first, 2 to 3
-- times. A kernel could halve the latter. Weighted draws search the running sums.
local core = require "locus.core"
local declare = require "locus.call.declare"
local draws = require "locus.derived.generator"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())

local function kind_of(x) return types[internal.dtype_of(x)].kind end

-- The positions 1..n, or 0..n-1, in an order of chance: those that sort n numbers of 64 bits.
local function permutation(n, generator, device, base)
  local keys = draws.into(core.empty({n}, {dtype = "int64", device = device}), generator, "bits")
  return internal.argsort_tensor(keys, 1, false, {base = base}), keys
end

-- randperm(n, {...}): the positions 1..n in an order of chance.
-- Source: https://pytorch.org/docs/stable/generated/torch.randperm.html
declare.func("randperm(n:integer, {generator:any=nil, dtype=nil, device=nil, out=nil, base=1})",
  function(n, generator, dtype, device, out, base)
    draws.check(generator)
    if n < 0 then declare.raise("'n' must not be negative, got %d", n) end
    dtype = dtype or out and internal.dtype_of(out) or "int64"
    draws.check_dtype(dtype, "integer", 0, n > 0 and n - 1 + base or 0)
    local order, keys = permutation(n, generator, device or out and internal.device_of(out), base)
    return declare.deliver(keys, out, methods.to(order, dtype))
  end)

-- The elements at positions, counted from 1, along a dimension.
local function along(input, dim, positions)
  local key = {}
  for d = 1, dim - 1 do key[d] = {} end
  key[dim] = positions
  return input[key]
end

local function shuffled(input, dim, generator)
  if methods.dim(input) == 0 then declare.raise("'input' must have a dimension") end
  return along(input, dim, (permutation(methods.size(input, dim), generator,
    internal.device_of(input), 1)))
end

-- shuffle(input, dim, ...): a copy, what stands along a dimension in an order of chance.
-- Source: numpy.random.Generator.permuted, https://numpy.org/doc/stable/reference/random/
declare.both("shuffle(input:tensor, dim=1, {generator:any=nil, out=nil})",
  function(input, dim, generator, out)
    return declare.deliver(input, out, shuffled(input, dim, generator))
  end)

-- shuffle_(dim): in place.
-- Source: numpy.random.Generator.shuffle, https://numpy.org/doc/stable/reference/random/
declare.method("shuffle_(input:tensor, dim=1, {generator:any=nil})",
  function(input, dim, generator)
    return methods.copy_(input, shuffled(input, dim, generator))
  end)

-- Raises where a tensor has elements that do not lie between two numbers, both included.
local function check_between(x, least, most, name, what)
  if kind_of(x) == "COMPLEX" then declare.raise("'%s' must be real", name) end
  if methods.numel(x) == 0 then return end
  if core.ge(core.amin(x), least) and core.le(core.amax(x), most) then return end
  local right = core.logical_and(core.ge(x, least), core.le(x, most))
  local wrong = methods.masked_select(x, core.logical_not(right))[1]
  declare.raise("'%s' must hold %s, but holds %s", name, what,
    internal.spell(wrong, internal.dtype_of(x)))
end

local function check_probability(p, name)
  if core.is_tensor(p) then
    check_between(p, 0, 1, name, "probabilities from 0 to 1")
  elseif not (p >= 0 and p <= 1) then
    declare.raise("'%s' must be a probability from 0 to 1, got %s", name, p)
  end
end

-- Coins of a size and device: true with a probability, a number or a tensor.
local function coins(size, device, p, generator)
  local uniform = core.empty(size, {dtype = "float64", device = device})
  return core.lt(draws.into(uniform, generator, "uniform", 0, 1), p)
end

-- bernoulli(input, ...): 1 with the probability that stands in input, else 0; with `p` of that
-- probability everywhere.
-- Source: https://pytorch.org/docs/stable/generated/torch.bernoulli.html
declare.both("bernoulli(input:tensor, p:number=nil, {generator:any=nil, out=nil})",
  function(input, p, generator, out)
    draws.check(generator)
    check_probability(p or input, p and "p" or "input")
    if not p and kind_of(input) ~= "FLOAT" then
      declare.raise("'input' must be of a float dtype, got %s; write bernoulli(input, p)",
        internal.dtype_of(input))
    end
    local tossed = coins(methods.size(input), internal.device_of(input), p or input, generator)
    return declare.deliver(input, out, methods.to(tossed, internal.dtype_of(input)))
  end)

-- bernoulli_(p): every element becomes 1 with that probability, else 0; `p` may be a tensor.
-- Source: https://pytorch.org/docs/stable/generated/torch.Tensor.bernoulli_.html
declare.method("bernoulli_(input:tensor, p:value=0.5, {generator:any=nil})",
  function(input, p, generator)
    draws.check(generator)
    if type(p) ~= "number" and not core.is_tensor(p) then
      declare.raise("'p' must be a number or a tensor, got %s", internal.describe_number(p))
    end
    check_probability(p, "p")
    return methods.copy_(input, coins(methods.size(input), internal.device_of(input), p, generator))
  end)

local GREATEST = (2 - 2 ^ -52) * 2 ^ 1023

-- The weights as rows of float64, the greatest of each 1, and as they are; an error where a row has
-- none.
local function check_weights(input, name)
  if kind_of(input) == "COMPLEX" then declare.raise("'%s' must be real", name) end
  local ndim, n = methods.dim(input), methods.size(input, -1)
  if n == 0 then declare.raise("'%s' must have an element to draw", name) end
  local rows = methods.reshape(methods.double(input), ndim == 1 and 1 or methods.size(input, 1), n)
  if methods.size(rows, 1) == 0 then return rows, rows end
  check_between(rows, 0, GREATEST, name, "finite weights of at least 0")
  local most = core.amax(rows, 2, true)
  if core.amin(most) == 0 then
    declare.raise("'%s' must have a weight above 0%s", name, ndim == 1 and "" or " in every row")
  end
  return rows / most, rows
end

-- With replacement: the first running sum not below a fraction of the whole. The fraction is above
-- 0, so a position without weight is never drawn. The sums are those of the CPU: a device adds in
-- another order, so that they need not ascend.
local function with_replacement(rows, count, generator, base)
  local device = internal.device_of(rows)
  local sums = methods.to(core.cumsum(methods.cpu(rows), 2), device)
  local share = core.empty({methods.size(rows, 1), count}, {dtype = "float64", device = device})
  share = core.sub(1, draws.into(share, generator, "uniform", 0, 1))
  local whole = methods.narrow(sums, 2, methods.size(rows, 2), 1)
  return core.searchsorted(sums, core.mul(share, whole), {base = base})
end

-- Without: each waits for as long as its weight makes likely, and the first ones are taken. Weights
-- that are nothing beside the greatest one still come before those that are 0: there waiting times
-- are logarithms.
local function without_replacement(rows, weights, count, generator, base, name)
  local positive = core.count_nonzero(weights, 2)
  if methods.numel(positive) > 0 and core.amin(positive) < count then
    declare.raise("%d draws without replacement are more than the weights above 0 in '%s'", count,
      name)
  end
  local times = draws.into(core.empty_like(rows), generator, "exponential", 0, 1)
  local lost = core.logical_and(core.lt(rows, 2 ^ -1022), core.gt(weights, 0))
  if core.any(lost) then times = core.log(times) - core.log(weights)
  else times = core.div_(times, rows) end
  local _, first = core.topk(times, count, 2, false, true, {base = base})
  return first
end

-- Positions of weights, [rows, count].
local function weighted(input, count, replacement, generator, base, name)
  if count < 0 then
    declare.raise("'num_samples' must not be negative, got %d", count)
  end
  local rows, weights = check_weights(input, name)
  if methods.size(rows, 1) == 0 then
    return core.zeros({0, count}, {dtype = "int64", device = internal.device_of(rows)})
  end
  if replacement then return with_replacement(rows, count, generator, base) end
  return without_replacement(rows, weights, count, generator, base, name)
end

-- multinomial(input, num_samples, replacement, ...): positions, each drawn as often as its weight
-- says; of a 2-D input for every row.
-- Source: https://pytorch.org/docs/stable/generated/torch.multinomial.html
declare.both("multinomial(input:tensor, num_samples:integer, replacement:boolean=false, "
  .. "{generator:any=nil, out=nil, base=1})",
  function(input, num_samples, replacement, generator, out, base)
    draws.check(generator)
    local ndim = methods.dim(input)
    if ndim ~= 1 and ndim ~= 2 then
      declare.raise("'input' must be 1-D or 2-D, got %s", internal.describe(input))
    end
    local drawn = weighted(input, num_samples, replacement, generator, base, "input")
    return declare.deliver(input, out, ndim == 1 and methods.select(drawn, 1, 1) or drawn)
  end)

-- `count` positions, counted from 1, among n, by weights if there are some.
local function chosen(n, count, replace, p, generator, device)
  if p then
    if methods.dim(p) ~= 1 or methods.size(p, 1) ~= n then
      declare.raise("'p' must have a probability for each of the %d elements, got %s", n,
        internal.describe(p))
    end
    local sum = core.sum(p, {dtype = "float64"})
    if math.abs(sum - 1) > 1e-6 then
      declare.raise("'p' must add up to 1, got a sum of %s", sum)
    end
    return methods.select(weighted(p, count, replace, generator, 1, "p"), 1, 1)
  end
  if n == 0 and count > 0 then declare.raise("'input' must have an element to draw") end
  if replace then
    local drawn = core.empty({count}, {dtype = "int64", device = device})
    return draws.into(drawn, generator, "integer", 1, math.max(n, 1))
  end
  if count > n then
    declare.raise("%d draws without replacement are more than the %d elements", count, n)
  end
  return methods.narrow((permutation(n, generator, device, 1)), 1, 1, count)
end

-- The size of a draw from a tensor: `size` in place of a dimension.
local function drawn_size(input, dim, size)
  local whole = {}
  for d = 1, dim - 1 do whole[d] = methods.size(input, d) end
  for _, n in ipairs(size) do whole[#whole + 1] = n end
  for d = dim + 1, methods.dim(input) do whole[#whole + 1] = methods.size(input, d) end
  return whole
end

-- choice(input, size, {...}): elements of a tensor along a dimension, or of the positions 1..input,
-- drawn by chance.
-- Source: numpy.random.Generator.choice, https://numpy.org/doc/stable/reference/random/
declare.both("choice(input:value, size:sizes=nil, {replace:boolean=true, p:tensor=nil, dim=1, "
  .. "generator:any=nil, out=nil, base=1})",
  function(input, size, replace, p, dim, generator, out, base)
    draws.check(generator)
    if out then internal.apart(out, p, "p") end
    local is_tensor = core.is_tensor(input)
    if is_tensor and methods.dim(input) == 0 then declare.raise("'input' must have a dimension") end
    if not is_tensor and (type(input) ~= "number" or input % 1 ~= 0 or input < 0
      or input > 2 ^ 53) then
      declare.raise("'input' must be a tensor or a whole number from 0 to 2^53, got %s",
        internal.describe_number(input))
    end
    local count = 1
    for _, n in ipairs(size or {}) do count = count * n end
    local device = is_tensor and internal.device_of(input) or p and internal.device_of(p)
      or core.get_default_device()
    local n = is_tensor and methods.size(input, dim) or input
    local positions = chosen(n, count, replace, p, generator, device)
    local drawn = is_tensor and along(input, dim, positions) or positions + (base - 1)
    drawn = methods.reshape(drawn, is_tensor and drawn_size(input, dim, size or {}) or size or {})
    if out then return declare.deliver(is_tensor and input or positions, out, drawn) end
    return not size and methods.dim(drawn) == 0 and methods.item(drawn) or drawn
  end)
