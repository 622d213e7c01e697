-- SPDX-License-Identifier: MIT
-- Rows from every rank to every rank.
local core = require "locus.core"
local collective = require "locus.mpi.collective"
local counting = require "locus.mpi.counting"
local memory = require "locus.mpi.memory"
local raw = require "locus.mpi.raw"
local methods = core.methods

-- mpi.alltoall(x, ...): an equal number of x's rows to each rank, in the order of ranks. The answer
-- is the rows that the ranks sent, in that order, of x's size. All are of one size and dtype.
collective.define("mpi.alltoall(x:tensor, {out=nil})", function(x, out)
  local _, size = collective.ranks()
  collective.check_even(x, size, "alltoallv")
  local answer, landing = memory.like(x, methods.size(x), out)
  local from = memory.outgoing(x)
  return ("mpi.alltoall(%s)"):format(collective.describe(x)), function()
    raw.alltoall(from, landing)
    return memory.deliver(answer, landing)
  end
end)

-- mpi.alltoallv(x, counts, ...): counts[r + 1] of x's rows to rank r, in the order of ranks. The
-- answers are the rows that the ranks sent, in that order, and how many came from each: int64, by
-- rank.
collective.define("mpi.alltoallv(x:tensor, counts:counts, {out=nil})", function(x, counts, out)
  collective.check_rows(x)
  local sent = counting.check(counts, methods.size(x, 1))
  local received = counting.equal(0, methods.size(sent, 1))
  collective.agree(("mpi.alltoallv(%s)"):format(collective.describe_rows(x)))
  raw.alltoall(sent, received)
  local total = tonumber(core.sum(received))
  local answer, landing = memory.like(x, collective.rows_size(x, total), out)
  local from, sizes = memory.outgoing(x), methods.size(x)
  local to_send = counting.elements(sizes, sent)
  local to_receive = counting.elements(sizes, received)
  return "mpi.alltoallv, once the rows are counted", function()
    raw.alltoallv(from, to_send, landing, to_receive)
    return memory.deliver(answer, landing), received
  end
end)
