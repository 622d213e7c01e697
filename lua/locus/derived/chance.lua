-- SPDX-License-Identifier: MIT
-- Tensors of numbers that look random. The numbers are those of one job, `random`, since the words
-- of a generator can be made by nothing else there is; docs/chance.md is their specification.
local core = require "locus.core"
local declare = require "locus.call.declare"
local draws = require "locus.derived.generator"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())

local function options(dtype, device, out) return {dtype = dtype, device = device, out = out} end

-- A complex number of variance 1 has two parts of half of it each.
local function deviation_of(dtype)
  local complex = dtype and types[dtype].kind == "COMPLEX"
  return complex and math.sqrt(0.5) or 1
end

-- Options of a result that is like a tensor, unless they are given.
local function like(input, dtype, device, out)
  local free = not out
  return options(dtype or free and internal.dtype_of(input) or nil,
    device or free and internal.device_of(input) or nil, out)
end

-- rand(size..., {...}): numbers of a float dtype, at least 0 and below 1; both parts of complex
-- ones. float64 has 53 bits of them, float32 24, float16 11 and bfloat16 8.
-- Source: https://pytorch.org/docs/stable/generated/torch.rand.html
declare.func("rand(size:sizes..., {generator:any=nil, dtype=nil, device=nil, out=nil})",
  function(size, generator, dtype, device, out)
    return draws.new(size, options(dtype, device, out), generator, "uniform", 0, 1)
  end)

-- rand_like(input, {...}): the same, of the size, dtype and device of a tensor.
-- Source: https://pytorch.org/docs/stable/generated/torch.rand_like.html
declare.func("rand_like(input:tensor, {generator:any=nil, dtype=nil, device=nil, out=nil})",
  function(input, generator, dtype, device, out)
    return draws.new(methods.size(input), like(input, dtype, device, out), generator, "uniform", 0,
      1)
  end)

local function normal(size, given, generator)
  local dtype = given.dtype or given.out and internal.dtype_of(given.out)
  return draws.new(size, given, generator, "normal", 0, deviation_of(dtype))
end

-- randn(size..., {...}): normal numbers of mean 0 and variance 1.
-- Source: https://pytorch.org/docs/stable/generated/torch.randn.html
declare.func("randn(size:sizes..., {generator:any=nil, dtype=nil, device=nil, out=nil})",
  function(size, generator, dtype, device, out)
    return normal(size, options(dtype, device, out), generator)
  end)

-- randn_like(input, {...}): the same, of the size, dtype and device of a tensor.
-- Source: https://pytorch.org/docs/stable/generated/torch.randn_like.html
declare.func("randn_like(input:tensor, {generator:any=nil, dtype=nil, device=nil, out=nil})",
  function(input, generator, dtype, device, out)
    return normal(methods.size(input), like(input, dtype, device, out), generator)
  end)

local function check_rate(rate, name)
  if not (rate > 0 and rate < math.huge) then
    declare.raise("'%s' must be a finite number above 0, got %s", name, rate)
  end
end

-- exponential(size..., {rate=1, ...}): waiting times between events that happen `rate` times in a
-- unit of time; above 0.
-- Source: https://pytorch.org/docs/stable/generated/torch.Tensor.exponential_.html
declare.func("exponential(size:sizes..., {rate:number=1, generator:any=nil, dtype=nil, "
  .. "device=nil, out=nil})",
  function(size, rate, generator, dtype, device, out)
    check_rate(rate, "rate")
    return draws.new(size, options(dtype, device, out), generator, "exponential", 0, rate)
  end)

local function check_bounds(low, high, names)
  if low < high then return end
  declare.raise("'%s' must be greater than '%s', got %s and %s", names[2], names[1], high, low)
end

local randint = declare.define(
  "randint(low:integer, high:integer, size:sizes, {generator:any=nil, dtype=nil, device=nil, "
    .. "out=nil})",
  function(low, high, size, generator, dtype, device, out)
    check_bounds(low, high, {"low", "high"})
    if not dtype and not out then dtype = "int64" end
    return draws.new(size, options(dtype, device, out), generator, "integer", low, high - 1)
  end)

-- randint(low, high, size, {...}), randint(high, size, {...}): integers from low, or 0, up to below
-- high, with equal probabilities. They differ by less than a share of 2^-32 for ranges below 2^32,
-- and by less than 2^-64 for others.
-- Source: https://pytorch.org/docs/stable/generated/torch.randint.html
declare.func("randint(low:any=0, high:any=nil, size:any=nil, {generator:any=nil, dtype=nil, "
  .. "device=nil, out=nil})",
  function(low, high, size, generator, dtype, device, out)
    local one = size == nil and (high == nil or type(high) == "table")
    if one then low, high, size = 0, low, high end
    return randint(low, high, size,
      {generator = generator, dtype = dtype, device = device, out = out})
  end)

-- uniform_(from, to): every element becomes a number of at least `from`, below `to`.
-- Source: https://pytorch.org/docs/stable/generated/torch.Tensor.uniform_.html
declare.method("uniform_(input:any, from:number=0, to:number=1, {generator:any=nil})",
  function(input, from, to, generator) return draws.into(input, generator, "uniform", from, to) end)

-- normal_(mean, std): a normal number of that mean and deviation.
-- Source: https://pytorch.org/docs/stable/generated/torch.Tensor.normal_.html
declare.method("normal_(input:any, mean:number=0, std:number=1, {generator:any=nil})",
  function(input, mean, std, generator)
    if std < 0 or std ~= std then
      declare.raise("'std' must be a number of at least 0, got %s", std)
    end
    local dtype = core.is_tensor(input) and internal.dtype_of(input)
    return draws.into(input, generator, "normal", mean, std * deviation_of(dtype))
  end)

-- exponential_(lambd): as exponential with that rate.
-- Source: https://pytorch.org/docs/stable/generated/torch.Tensor.exponential_.html
declare.method("exponential_(input:any, lambd:number=1, {generator:any=nil})",
  function(input, lambd, generator)
    check_rate(lambd, "lambd")
    return draws.into(input, generator, "exponential", 0, lambd)
  end)

-- random_(from, to), random_(to), random_(): integers from `from`, or 0, on, below `to`; without
-- one up to the dtype's greatest, of a float dtype up to where it has all integers.
-- Source: https://pytorch.org/docs/stable/generated/torch.Tensor.random_.html
declare.method("random_(input:any, from:integer=nil, to:integer=nil, {generator:any=nil})",
  function(input, from, to, generator)
    if not from and not to then return draws.into(input, generator, "natural") end
    if not to then from, to = 0, from end
    from = from or 0
    check_bounds(from, to, {"from", "to"})
    return draws.into(input, generator, "integer", from, to - 1)
  end)
