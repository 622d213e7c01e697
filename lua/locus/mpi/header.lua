-- SPDX-License-Identifier: MIT
-- Dtype and size, which travel ahead of elements to ranks that cannot know them.
local core = require "locus.core"
local collective = require "locus.mpi.collective"
local raw = require "locus.mpi.raw"
local internal, methods = core.internal, core.methods

local header = {}

local dtypes = internal.dtypes()
local numbers = {}
for number, dtype in ipairs(dtypes) do numbers[dtype] = number end

local MOST_DIMS = 32

-- A tensor of int64: the number of the dtype, how many dimensions, their sizes.
function header.blank()
  return core.zeros(2 + MOST_DIMS, {dtype = "int64", device = "cpu"})
end

function header.of(x)
  local told = header.blank()
  told[1], told[2] = numbers[internal.dtype_of(x)], methods.dim(x)
  for d = 1, methods.dim(x) do told[2 + d] = methods.size(x, d) end
  return told
end

function header.read(told)
  local size = {}
  for d = 1, tonumber(told[2]) do size[d] = tonumber(told[2 + d]) end
  return dtypes[tonumber(told[1])], size
end

-- Agrees on the signature; then dtype and size of the root's x, on all ranks.
function header.share(signature, x, root)
  local told = collective.ranks() == root and header.of(x) or header.blank()
  collective.agree(signature)
  raw.bcast(told, root)
  return header.read(told)
end

return header
