-- SPDX-License-Identifier: MIT
-- Reductions made of others, all in float64: norm and logsumexp. A kernel finds a norm in one pass;
-- for 1e5 and 1e6 elements x * x, a sum and a root took 3 to 5 times as long. Two extremes take
-- twice the time of one. In other powers, and in logsumexp (1.1 to 1.4 times exp alone), most of
-- the time goes into pow and exp.
local core = require "locus.core"
local declare = require "locus.call.declare"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())
local inf = math.huge

local function kind_of(dtype) return types[dtype].kind end

-- The dtype of the input, which must be real.
local function real_dtype(input)
  local dtype = internal.dtype_of(input)
  if kind_of(dtype) == "COMPLEX" then declare.raise("'input' must be real, got %s", dtype) end
  return dtype
end

-- Answers in float64, with or without the dimensions, as the caller wants them.
local function deliver(input, answers, dtype, dims, keepdim, out)
  answers = methods.to(answers, dtype)
  if not keepdim then
    answers = dims and #dims > 0 and methods.squeeze(answers, dims)
      or methods.reshape(answers, {})
  end
  if out then internal.deliver(input, out, answers) end
  return out or (dims or keepdim) and answers or methods.item(answers)
end

-- The root of the sum of p-th powers. Where the sum is beyond float64, or so small that it has lost
-- digits, powers are those of magnitudes over the one that counts most.
local function by_powers(magnitudes, p, dims)
  local sums = core.sum(core.pow(magnitudes, p), dims, true)
  local answers = core.pow(sums, 1 / p)
  local usual = core.logical_and(core.gt(sums, 2 ^ -960), core.lt(sums, inf))
  if core.all(usual) or methods.numel(magnitudes) == 0 then return answers end
  local most = core[p > 0 and "amax" or "amin"](magnitudes, dims, true)
  local scaled = core.logical_and(core.gt(most, 0), core.lt(most, inf))
  scaled = core.logical_and(scaled, core.logical_not(usual))
  local unit = core.where(scaled, most, 1)
  local shares = core.sum(core.pow(core.div(magnitudes, unit), p), dims, true)
  return core.where(scaled, core.mul(core.pow(shares, 1 / p), unit), answers)
end

-- Powers other than 1 and 2. Negative ones have no answer for nothing, as extremes have none.
local function norms(input, p, dims)
  if p == 0 then return methods.to(core.sum(core.ne(input, 0), dims, true), "float64") end
  if p == inf then
    local least = methods.to(core.amin(input, dims, true), "float64")
    local greatest = methods.to(core.amax(input, dims, true), "float64")
    return core.maximum(core.abs(least), core.abs(greatest))
  end
  local magnitudes = core.abs(methods.to(input, "float64"))
  if p == -inf then return core.amin(magnitudes, dims, true) end
  if p < 0 and methods.numel(input) == 0 then return core.amin(magnitudes, dims, true) end
  return by_powers(magnitudes, p, dims)
end

-- norm(input, p, dim, ...): (sum of |x|^p)^(1/p) over the elements as one vector, or along the
-- dimensions; inf and -inf mean the greatest and the least magnitude, 0 how many are nonzero, "fro"
-- means 2. Floats keep their dtype, integers and bool give the default one; with `dtype` the input
-- is cast to it first. NaN propagates. Powers may lie beyond float64 where the norm does not.
-- Source: https://pytorch.org/docs/stable/generated/torch.norm.html
declare.both("norm(input:tensor, p:any=2, dim:dims=nil, keepdim:boolean=false, "
  .. "{dtype=nil, out=nil})",
  function(input, p, dims, keepdim, dtype, out)
    local own = real_dtype(input)
    if p == "fro" then p = 2 end
    if type(p) ~= "number" or p ~= p then
      declare.raise("'p' must be a number or \"fro\", got %s", internal.describe_number(p))
    end
    if dtype and kind_of(dtype) ~= "FLOAT" then
      declare.raise("'dtype' must be a float dtype, got %s", dtype)
    end
    local answer = dtype or kind_of(own) == "FLOAT" and own or core.get_default_dtype()
    local read = dtype and dtype ~= own and methods.to(input, dtype) or input
    if p == 1 or p == 2 then
      return internal["norm" .. p](read, dims, keepdim, {out = out})
    end
    return deliver(input, norms(read, p, dims), answer, dims, keepdim, out)
  end)

-- The greatest elements, if these are finite, to compare the others with.
local function references(input, dims)
  local greatest = core.amax(input, dims, true)
  return core.masked_fill(greatest, core.isinf(greatest), 0)
end

-- logsumexp(input, dim, ...): log(sum(exp(x))), which neither overflows nor loses small numbers:
-- the greatest element is taken out before, and put back after. An empty input gives -inf. Floats
-- keep their dtype, integers and bool give the default one.
-- Source: https://pytorch.org/docs/stable/generated/torch.logsumexp.html
declare.both("logsumexp(input:tensor, dim:dims=nil, keepdim:boolean=false, {out=nil})",
  function(input, dims, keepdim, out)
    local own = real_dtype(input)
    local answer = kind_of(own) == "FLOAT" and own or core.get_default_dtype()
    local wide = own == "float32" and own or "float64"
    local read = own == wide and input or methods.to(input, wide)
    local taken = methods.numel(read) > 0 and references(read, dims) or 0
    local powers = core.exp_(core.sub(read, taken))
    local logs = core.log(core.sum(powers, dims, true, {dtype = "float64"}))
    return deliver(input, core.add(logs, taken), answer, dims, keepdim, out)
  end)
