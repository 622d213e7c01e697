-- SPDX-License-Identifier: MIT
-- Reads the arguments of a case (format: README.md beside this file) into the arrays and scalars of
-- spec/support/models/oracle.lua.

local support = require "spec.support"

local vectors = {}

local WORDS = { nan = support.nan, inf = math.huge, ["-inf"] = -math.huge }

local function float(token)
  return WORDS[token] or tonumber(token)
end

local function value(token, kind)
  if kind == "bool" then
    return token == "1"
  elseif kind:find("complex") then
    local re, im = token:match("^(.*),(.*)$")
    return support.complex(float(re), float(im))
  elseif kind:find("float") then
    return float(token)
  end
  return support.integer(token)
end

local function values(data, dtype)
  local list = {}
  for token in data:gmatch("%S+") do
    list[#list + 1] = value(token, dtype)
  end
  return list
end

--- A scalar, or a tensor by its logical shape and values (a view without `vdata` has no values).
function vectors.array(argument)
  if argument.scalar then
    return { scalar = argument.scalar, values = { value(argument.value, argument.scalar) } }
  elseif argument.view then
    local list = argument.vdata and values(argument.vdata, argument.dtype)
    return { dtype = argument.dtype, shape = argument.vshape, values = list }
  end
  return vectors.base(argument)
end

--- The base tensor of a view, or the tensor itself.
function vectors.base(argument)
  local list = values(argument.data, argument.dtype)
  return { dtype = argument.dtype, shape = argument.shape, values = list }
end

--- The reverse of `base` for expected positions.
function vectors.tensor(dtype, shape, list)
  local words = {}
  for i, element in ipairs(list) do
    words[i] = support.show(element)
  end
  return { dtype = dtype, shape = shape, data = table.concat(words, " ") }
end

return vectors
