-- SPDX-License-Identifier: MIT
-- Tensors cut into parts, and grids of coordinates. All of them are views, so that no kernel would
-- be faster: split and the like take a microsecond for each part.
local core = require "locus.core"
local declare = require "locus.call.declare"
local methods = core.methods

-- The size of the dimension that is cut.
local function size_along(input, dim)
  if methods.dim(input) == 0 then
    declare.raise("'input' must have dimensions, got a 0-d tensor")
  end
  return methods.size(input, dim)
end

-- A list of more parts would fill the memory long before it ends.
local MOST_PARTS = 2 ^ 24

local function check_count(count)
  if count > MOST_PARTS then
    declare.raise("there would be %d parts; a list has at most %d", count, MOST_PARTS)
  end
end

-- Parts of that many positions, the last one smaller where they leave a rest; one at least.
local function even_parts(input, dim, length, size)
  local parts = {}
  length = math.max(length, 1)
  check_count(size / length)
  for start = 0, math.max(size - 1, 0), length do
    parts[#parts + 1] = core.narrow(input, dim, start, math.min(length, size - start), {base = 0})
  end
  return parts
end

-- Parts of those sizes, which are all of the dimension.
local function listed_parts(input, dim, sizes, size)
  local parts, start = {}, 0
  for i, length in ipairs(sizes) do
    if length < 0 then
      declare.raise("'split_size_or_sections[%d]' must not be negative, got %d", i,
        length)
    end
    start = start + length
  end
  if start ~= size then
    declare.raise("'split_size_or_sections' must add up to %d, the size of dimension %d, got "
      .. "%d", size, dim, start)
  end
  start = 0
  for i, length in ipairs(sizes) do
    parts[i] = core.narrow(input, dim, start, length, {base = 0})
    start = start + length
  end
  return parts
end

-- split(input, split_size_or_sections, dim): a list of views, of that many positions of the
-- dimension each, the last one smaller where they leave a rest, or of the sizes in a list.
-- Source: https://pytorch.org/docs/stable/generated/torch.split.html
declare.both("split(input:tensor, split_size_or_sections:integers, dim=1)",
  function(input, sections, dim)
    local size = size_along(input, dim)
    if type(sections) == "table" then return listed_parts(input, dim, sections, size) end
    if sections < (size > 0 and 1 or 0) then
      declare.raise("'split_size_or_sections' must be positive, got %d", sections)
    end
    return even_parts(input, dim, tonumber(sections), size)
  end)

-- chunk(input, chunks, dim): the same in that many parts, or fewer: all but the last have the size
-- of the first one, which is rounded up.
-- Source: https://pytorch.org/docs/stable/generated/torch.chunk.html
declare.both("chunk(input:tensor, chunks:integer, dim=1)", function(input, chunks, dim)
  local size = size_along(input, dim)
  if chunks < 1 then
    declare.raise("'chunks' must be positive, got %d", chunks)
  end
  if size > 0 then
    return even_parts(input, dim, math.ceil(size / tonumber(chunks)), size)
  end
  local parts = {}
  check_count(chunks)
  for i = 1, tonumber(chunks) do parts[i] = core.narrow(input, dim, 1, 0) end
  return parts
end)

-- unbind(input, dim): a list of the results of select at each position of the dimension. Source:
-- https://pytorch.org/docs/stable/generated/torch.unbind.html
declare.both("unbind(input:tensor, dim=1)", function(input, dim)
  local parts, size = {}, size_along(input, dim)
  check_count(size)
  for i = 1, size do parts[i] = core.select(input, dim, i) end
  return parts
end)

-- meshgrid(tensors..., {indexing=}): for each of the 1-D or 0-d tensors a view with its elements
-- along a dimension of its own: the i-th tensor along dimension i. With "xy" the first one lies
-- along the second dimension and the second one along the first. They share their size. Source:
-- https://pytorch.org/docs/stable/generated/torch.meshgrid.html
declare.func('meshgrid(tensors..., {indexing:string="ij"})', function(tensors, indexing)
  local count, sizes, grids = #tensors, {}, {}
  local swapped = indexing == "xy" and count > 1
  if count == 0 then declare.raise("'tensors' is empty") end
  if count > 32 then declare.raise("takes at most 32 tensors, got %d", count) end
  if indexing ~= "ij" and indexing ~= "xy" then
    declare.raise("'indexing' must be \"ij\" or \"xy\", got \"%s\"", indexing)
  end
  for i, tensor in ipairs(tensors) do
    if methods.dim(tensor) > 1 then
      declare.raise("'tensors[%d]' must have at most 1 dimension, got size %s", i,
        tostring(tensor.shape))
    end
    sizes[swapped and i < 3 and 3 - i or i] = methods.numel(tensor)
  end
  for i, tensor in ipairs(tensors) do
    local own = {}
    for d = 1, count do own[d] = 1 end
    own[swapped and i < 3 and 3 - i or i] = methods.numel(tensor)
    grids[i] = methods.expand(core.reshape(tensor, own), sizes)
  end
  return unpack(grids)
end)
