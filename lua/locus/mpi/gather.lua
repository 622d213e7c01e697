-- SPDX-License-Identifier: MIT
-- The rows of all ranks, joined along the first dimension in the order of ranks.
local core = require "locus.core"
local collective = require "locus.mpi.collective"
local counting = require "locus.mpi.counting"
local memory = require "locus.mpi.memory"
local raw = require "locus.mpi.raw"
local methods = core.methods

-- The function that joins rows[r + 1] rows of each rank, on the root, or without one on all ranks.
local function join(x, rows, root, out)
  local answer, landing
  if root == nil or root == collective.ranks() then
    local total = tonumber(core.sum(rows))
    answer, landing = memory.like(x, collective.rows_size(x, total), out)
  end
  local from, counts = memory.outgoing(x), counting.elements(methods.size(x), rows)
  return function()
    raw.gather(from, landing, counts, root)
    return answer and memory.deliver(answer, landing)
  end
end

local function gather(name, x, root, out)
  local _, size = collective.ranks()
  if root then collective.check_rank(root, "root") end
  local signature = ("%s(%s%s)"):format(name, collective.describe(x),
                                        root and (", root=%d"):format(root) or "")
  return signature, join(x, counting.equal(collective.rows(x), size), root, out)
end

-- mpi.gather(x, ...): on the root x of all ranks, nil elsewhere. All are of one size and dtype. A
-- 0-d tensor gives one element.
collective.define("mpi.gather(x:tensor, {root:integer=0, out=nil})", function(x, root, out)
  return gather("mpi.gather", x, root, out)
end)

-- mpi.allgather(x, ...): the same on all ranks.
collective.define("mpi.allgather(x:tensor, {out=nil})", function(x, out)
  return gather("mpi.allgather", x, nil, out)
end)

local function gatherv(name, x, root, out)
  if root then collective.check_rank(root, "root") end
  local signature = ("%s(%s%s)"):format(name, collective.describe_rows(x),
                                        root and (", root=%d"):format(root) or "")
  local rows = counting.share(signature, collective.rows(x))
  local move = join(x, rows, root, out)
  return name .. ", once the rows are counted", function() return move(), rows end
end

-- mpi.gatherv(x, ...): as gather, of any number of rows each, also none; the second answer, on all
-- ranks, is how many of them are whose: int64, by rank.
collective.define("mpi.gatherv(x:tensor, {root:integer=0, out=nil})", function(x, root, out)
  return gatherv("mpi.gatherv", x, root, out)
end)

-- mpi.allgatherv(x, ...): the same on all ranks.
collective.define("mpi.allgatherv(x:tensor, {out=nil})", function(x, out)
  return gatherv("mpi.allgatherv", x, nil, out)
end)
