-- SPDX-License-Identifier: MIT
-- Where sharded tensors come from, how they are cut again, and how they become tensors.
local core = require "locus.core"
local collective = require "locus.mpi.collective"
local declare = require "locus.call.declare"
local lazy = require "locus.call.lazy"
local sharded = require "locus.sharded.object"
local text = require "locus.mpi.signature".text
local internal, methods = core.internal, core.methods
require "locus.mpi.alltoall"
require "locus.mpi.scatter"

-- is_sharded(value): whether a value is a sharded tensor. No other rank is asked.
declare.add(core.mpi, declare.define("mpi.is_sharded(value:any=nil)", function(value)
  return sharded.state(value) ~= nil
end))

-- -- From tensors and files ----------------------------------------------------------------------

local function check_rows(x, name)
  if not core.is_tensor(x) then
    declare.raise("'%s' must be a tensor or a table, got %s", name, internal.describe(x))
  elseif methods.dim(x) == 0 then
    declare.raise("'%s' must have rows, got a 0-d tensor", name)
  end
end

-- The rows that each rank has, where no root is named; else the root's, in equal blocks.
local function share(x, root)
  if root == nil then
    return ("mpi.shard(%s)"):format(collective.describe_rows(x)), function()
      return sharded.counted(x)
    end
  end
  local rank = collective.ranks()
  local counts = rank == root and sharded.blocks(methods.size(x, 1)) or nil
  return ("mpi.shard(root=%d)"):format(root), function()
    return sharded.counted(core.mpi.scatterv(x, counts, {root = root}))
  end
end

-- shard(x, ...): the sharded tensor of all ranks' x, whose other sizes and dtype are equal. With a
-- root, only the root's x counts, which is cut into equal blocks; the others' may be nil, and only
-- gives the device of their part. Frames without a root give a sharded frame.
collective.define("mpi.shard(x:any=nil, {root:integer=nil})", sharded.steps(function(given, root)
  if type(given) == "userdata" and internal.is_object(given) and root == nil then
    return lazy("locus.sharded.frames").share(given)
  end
  local x = type(given) == "table" and core.tensor(given) or given
  if root then collective.check_rank(root, "root") end
  if root and x == nil then
    if collective.ranks() == root then collective.check_given(x, "x", root) end
  else
    check_rows(x, "x")
  end
  return share(x, root)
end))

-- load(path): the tensor in a file of NumPy's format. Each rank maps its block of rows, which is
-- read when it is touched. All ranks must find the file under that path.
collective.define("mpi.load(path:string)", function(path)
  local whole = core.load(path, {mmap = "r"})
  if not core.is_tensor(whole) or methods.dim(whole) == 0 then
    declare.raise("'path' must name a file of a tensor with rows, got %s", internal.describe(whole))
  end
  local counts = sharded.blocks(methods.size(whole, 1))
  local s = sharded.new(sharded.block(whole, counts), counts)
  local signature = ("mpi.load(%s, %s)"):format(text(path), collective.describe(whole))
  return signature, function() return s end
end)

-- -- Other cuts ----------------------------------------------------------------------------------

-- How many of the rows from `first` to behind `stop`, counted from 0, each rank has by `counts`.
local function overlap(first, stop, counts)
  local ends = core.cumsum(counts, 1)
  return methods.clamp_(core.clamp(ends, nil, stop) - core.clamp(ends - counts, first), 0)
end

-- This rank's part of all rows once each rank has `counts` of them, where it has `part` and they
-- have `cuts`. All ranks call it together.
function sharded.recut(part, cuts, counts)
  if core.equal(counts, cuts) then return part end
  local first = sharded.before(cuts)
  local to_send = overlap(first, first + methods.size(part, 1), counts)
  return (core.mpi.alltoallv(part, to_send))
end

-- rebalance(input): the same rows in equal blocks: each rank has as many, or one less.
sharded.define("mpi.rebalance(input:any)", sharded.steps(function(input)
  local state = sharded.check(input, "input")
  return sharded.signature("rebalance", state), function()
    local counts = sharded.blocks(state.shape[1])
    return sharded.new(sharded.recut(state.part, state.counts, counts), counts)
  end
end))

-- -- To tensors ----------------------------------------------------------------------------------

-- A method whose name mpi has for another function.
local function method(line, prepare)
  declare.add(sharded.methods, collective.wrap(line, prepare))
end

-- gather(input, ...): all rows, as a tensor on the root; nil elsewhere.
method("mpi.gather(input:any, root:integer=0)", sharded.steps(function(input, root)
  local state = sharded.check(input, "input")
  collective.check_rank(root, "root")
  return sharded.signature("gather", state, root), function()
    return (core.mpi.gatherv(state.part, {root = root}))
  end
end))

-- allgather(input): all rows, as a tensor on every rank.
method("mpi.allgather(input:any)", sharded.steps(function(input)
  local state = sharded.check(input, "input")
  return sharded.signature("allgather", state), function()
    return (core.mpi.allgatherv(state.part))
  end
end))

-- -- Other functions -----------------------------------------------------------------------------

-- mpi.map(input, f, other): the sharded tensor of f(rows, other rows) on every rank, which gets
-- this rank's rows of `input` and, where that is given, of another one that is cut alike.
sharded.define("mpi.map(input:any, f:function, other:any=nil)", function(input, f, other)
  local state = sharded.check(input, "input")
  local beside = other ~= nil and sharded.check(other, "other") or nil
  if beside then sharded.check_alike(beside, state, "other", "input") end
  local made = declare.call(f, state.part, beside and beside.part)
  local rows = methods.size(state.part, 1)
  if not core.is_tensor(made) or methods.dim(made) == 0 or methods.size(made, 1) ~= rows then
    declare.raise("'f' must give a tensor of %d rows, as it was given, got %s", rows,
                  internal.describe(made))
  end
  local s = sharded.new(made, state.counts)
  return ("mpi.map(%s)"):format(collective.describe_rows(made)), function() return s end
end)
