-- SPDX-License-Identifier: MIT
-- A tensor that one rank has, on all.
local core = require "locus.core"
local collective = require "locus.mpi.collective"
local header = require "locus.mpi.header"
local memory = require "locus.mpi.memory"
local raw = require "locus.mpi.raw"
local methods = core.methods

-- mpi.bcast(x, ...): the root's x, on all ranks. The others' x, which may be nil, only gives the
-- device. The root gets x itself if that is dense. Dtype and size are the root's.
collective.define("mpi.bcast(x:tensor=nil, {root:integer=0, out=nil})", function(x, root, out)
  local rank = collective.ranks()
  collective.check_rank(root, "root")
  if rank == root then collective.check_given(x, "x", root) end
  local dtype, size, kind = header.share(("mpi.bcast(root=%d)"):format(root), x, root)
  local answer, landing
  if rank == root and not out then
    answer, landing = methods.contiguous(x), memory.outgoing(x)
  else
    answer, landing = memory.beside(x, dtype, size, out, kind)
    if rank == root then methods.copy_(landing, x) end
  end
  return "mpi.bcast, once the size is known", function()
    raw.bcast(landing, root)
    return rank == root and not out and answer or memory.deliver(answer, landing)
  end
end)

