-- SPDX-License-Identifier: MIT
-- How far elements lie apart: var and std. A kernel adds the squares of the distances to the mean,
-- which it finds first, both in float64 by the tree of sum.
local core = require "locus.core"
local declare = require "locus.declare"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())

-- How many elements each answer is made of.
local function count(input, dims)
  if not dims or #dims == 0 or methods.dim(input) == 0 then return methods.numel(input) end
  local n = 1
  for _, d in ipairs(dims) do n = n * methods.size(input, d) end
  return n
end

-- As float64, the dimensions kept.
local function variances(input, dims, correction)
  local squares = internal.sum_squared_deviations(input, dims, true)
  local n = count(input, dims)
  return core.div(squares, n > 0 and math.max(n - correction, 0) or 0)
end

-- What both answer; of std the root is taken.
local function spread(input, dims, correction, keepdim, out, is_root)
  local dtype = internal.dtype_of(input)
  local kind = types[dtype].kind
  if kind == "COMPLEX" then declare.raise("'input' must be real, got %s", dtype) end
  if correction ~= correction then declare.raise("'correction' must not be NaN") end
  local answers = variances(input, dims, correction)
  if is_root then answers = core.pow(answers, 0.5) end
  answers = methods.to(answers, kind == "FLOAT" and dtype or core.get_default_dtype())
  if not keepdim then
    answers = dims and methods.squeeze(answers, dims) or methods.reshape(answers, {})
  end
  if out then internal.deliver(input, out, answers) end
  return out or (dims or keepdim) and answers or methods.item(answers)
end

-- var(input, dim, ...): the sum of squared distances to the mean, divided by the number of elements
-- less `correction`, or by 0 where that is negative; over all elements as a number. Floats keep
-- their dtype, integers and bool give the default one. Beside infinities and NaN it is NaN.
-- Source: https://pytorch.org/docs/stable/generated/torch.var.html
declare.both("var(input:tensor, dim:dims=nil, {correction:number=1, keepdim:boolean=false, "
  .. "out=nil})",
  function(input, dims, correction, keepdim, out)
    return spread(input, dims, correction, keepdim, out, false)
  end)

-- std(input, dim, ...): the root of var.
-- Source: https://pytorch.org/docs/stable/generated/torch.std.html
declare.both("std(input:tensor, dim:dims=nil, {correction:number=1, keepdim:boolean=false, "
  .. "out=nil})",
  function(input, dims, correction, keepdim, out)
    return spread(input, dims, correction, keepdim, out, true)
  end)
