-- SPDX-License-Identifier: MIT
-- Rows that one rank has, shared out among all in the order of ranks.
local core = require "locus.core"
local collective = require "locus.mpi.collective"
local counting = require "locus.mpi.counting"
local header = require "locus.mpi.header"
local memory = require "locus.mpi.memory"
local raw = require "locus.mpi.raw"
local methods = core.methods

-- The function that moves rows[r + 1] of the root's rows to rank r; `told` is their dtype, sizes
-- and kind.
local function share_out(x, told, rows, root, out)
  local rank = collective.ranks()
  local dtype, sizes, kind = unpack(told, 1, 3)
  local elements = counting.elements(sizes, rows)
  sizes[1] = tonumber(rows[rank + 1])
  local answer, landing = memory.beside(x, dtype, sizes, out, kind)
  local from = rank == root and memory.outgoing(x) or nil
  return function()
    raw.scatter(from, landing, elements, root)
    return memory.deliver(answer, landing)
  end
end

-- mpi.scatter(x, ...): as many of the root's rows to each rank. The others' x, which may be nil,
-- only says on which device the answer lies.
collective.define("mpi.scatter(x:tensor=nil, {root:integer=0, out=nil})", function(x, root, out)
  local rank, size = collective.ranks()
  collective.check_rank(root, "root")
  if rank == root then
    collective.check_given(x, "x", root)
    collective.check_even(x, size, "scatterv")
  end
  local told = {header.share(("mpi.scatter(root=%d)"):format(root), x, root)}
  local rows = counting.equal(told[2][1] / size, size)
  return "mpi.scatter, once the size is known", share_out(x, told, rows, root, out)
end)

-- mpi.scatterv(x, counts, ...): counts[r + 1] of the root's rows to rank r. Only the root must give
-- them.
collective.define("mpi.scatterv(x:tensor=nil, counts:counts=nil, {root:integer=0, out=nil})",
  function(x, counts, root, out)
    local rank, size = collective.ranks()
    local rows = counting.equal(0, size)
    collective.check_rank(root, "root")
    if rank == root then
      collective.check_given(x, "x", root)
      collective.check_rows(x)
      rows = counting.check(counts, methods.size(x, 1))
    end
    local told = {header.share(("mpi.scatterv(root=%d)"):format(root), x, root)}
    raw.bcast(rows, root)
    return "mpi.scatterv, once the size is known", share_out(x, told, rows, root, out)
  end)

