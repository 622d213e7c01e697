-- SPDX-License-Identifier: MIT
-- Positions along one dimension, for specs of gather, scatter and their like.
local support = require "spec.support"

local random = math.random
local points = {}

function points.long(list, shape) return support.tensor("int64", list, shape) end

-- How far apart neighbours along each dimension are in C order, and the number of elements.
function points.strides(shape)
  local steps, n = {}, 1
  for d = #shape, 1, -1 do steps[d], n = n, n * shape[d] end
  return steps, n
end

-- Calls f(i, place) for each point of `sizes`, in C order: its number from 1, and that of the
-- element of an array of size `shape` with the same coordinates, but for positions[i] in `dim`.
function points.each(sizes, shape, dim, positions, f)
  local own, n = points.strides(sizes)
  local steps = points.strides(shape)
  for i = 1, n do
    local place, left = 1, i - 1
    for d = 1, #sizes do
      local at = math.floor(left / own[d])
      left = left - at * own[d]
      if d == dim then
        local p = positions[i]
        at = p < 0 and p + shape[d] or p - 1
      end
      place = place + at * steps[d]
    end
    f(i, place)
  end
end

function points.copy(list)
  local values = {}
  for i, v in ipairs(list) do values[i] = v end
  return values
end

-- A random shape, one that index tensors of it may have, and random positions.
function points.case(larger)
  local ndim = random(3)
  local dim, shape, sizes, src = random(ndim), {}, {}, {}
  for d = 1, ndim do
    shape[d] = random(6)
    sizes[d] = d == dim and random(0, 9) or random(shape[d])
    src[d] = sizes[d] + (larger and random(0, 2) or 0)
  end
  local _, n = points.strides(sizes)
  local positions = {}
  for i = 1, n do
    local p = random(shape[dim])
    positions[i] = random(3) == 1 and p - 1 - shape[dim] or p
  end
  return {dim = dim, shape = shape, points = sizes, src = src, positions = positions}
end

--- The positions of a case as a tensor, int64 or int32.
function points.index_of(case, layout)
  local index = support.laid(points.long(case.positions, case.points), layout)
  return random(2) == 1 and index:int() or index
end

return points
