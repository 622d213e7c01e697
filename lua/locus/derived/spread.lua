-- SPDX-License-Identifier: MIT
-- How far elements lie apart: var and std, nanvar and nanstd. A kernel adds the squares of the
-- distances to the mean, which it finds first, both in float64 by the tree of sum.
local core = require "locus.core"
local declare = require "locus.call.declare"
local internal = core.internal

-- The common part of both; std takes the root.
local function spread(name, input, dims, correction, keepdim, out)
  if correction ~= correction then declare.raise("'correction' must not be NaN") end
  return internal[name](input, dims, keepdim, {correction = correction, out = out})
end

-- var(input, dim, ...): the sum of squared distances to the mean, divided by the number of elements
-- less `correction`, or by 0 where that is negative; over all elements as a number. Floats keep
-- their dtype, integers and bool give the default one. Equal elements give 0; beside infinities and
-- NaN it is NaN.
-- Source: https://pytorch.org/docs/stable/generated/torch.var.html
declare.both("var(input:tensor, dim:dims=nil, {correction:number=1, keepdim:boolean=false, "
  .. "out=nil})",
  function(input, dims, correction, keepdim, out)
    return spread("var", input, dims, correction, keepdim, out)
  end)

-- std(input, dim, ...): the root of var.
-- Source: https://pytorch.org/docs/stable/generated/torch.std.html
declare.both("std(input:tensor, dim:dims=nil, {correction:number=1, keepdim:boolean=false, "
  .. "out=nil})",
  function(input, dims, correction, keepdim, out)
    return spread("std", input, dims, correction, keepdim, out)
  end)

-- nanvar(input, dim, ...): var of the elements that are not NaN.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.nanvar.html
declare.both("nanvar(input:tensor, dim:dims=nil, {correction:number=1, keepdim:boolean=false, "
  .. "out=nil})",
  function(input, dims, correction, keepdim, out)
    return spread("nanvar", input, dims, correction, keepdim, out)
  end)

-- nanstd(input, dim, ...): the root of nanvar.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.nanstd.html
declare.both("nanstd(input:tensor, dim:dims=nil, {correction:number=1, keepdim:boolean=false, "
  .. "out=nil})",
  function(input, dims, correction, keepdim, out)
    return spread("nanstd", input, dims, correction, keepdim, out)
  end)
