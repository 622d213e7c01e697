-- SPDX-License-Identifier: MIT
-- Dtype, kind and size, which travel ahead of elements to ranks that cannot know them.
local core = require "locus.core"
local collective = require "locus.mpi.collective"
local kinds = require "locus.tensor.kind"
local raw = require "locus.mpi.raw"
local internal, methods = core.internal, core.methods

local header = {}

local dtypes = internal.dtypes()
local numbers = {}
for number, dtype in ipairs(dtypes) do numbers[dtype] = number end

local MOST_DIMS, MOST_DTYPES = 32, 256

-- A tensor of int64: the numbers of dtype and kind in one, how many dimensions, their sizes.
function header.blank()
  return core.zeros(2 + MOST_DIMS, {dtype = "int64", device = "cpu"})
end

function header.of(x)
  local told = header.blank()
  told[1] = numbers[internal.dtype_of(x)] + MOST_DTYPES * internal.kind_of(x)
  told[2] = methods.dim(x)
  for d = 1, methods.dim(x) do told[2 + d] = methods.size(x, d) end
  return told
end

function header.read(told)
  local size = {}
  for d = 1, tonumber(told[2]) do size[d] = tonumber(told[2 + d]) end
  local number = tonumber(told[1])
  return dtypes[number % MOST_DTYPES], size, kinds.by_number(math.floor(number / MOST_DTYPES))
end

-- Agrees on the signature; then dtype, size and kind of the root's x, on all ranks.
function header.share(signature, x, root)
  local told = collective.ranks() == root and header.of(x) or header.blank()
  collective.agree(signature)
  raw.bcast(told, root)
  return header.read(told)
end

return header
