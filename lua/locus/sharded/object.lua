-- SPDX-License-Identifier: MIT
-- A sharded tensor: each rank has some rows of the first dimension, which follow each other in the
-- order of ranks. It never changes. Every rank knows how many rows all others have, so answers that
-- only depend on that cost no message.
local core = require "locus.core"
local collective = require "locus.mpi.collective"
local counting = require "locus.mpi.counting"
local declare = require "locus.call.declare"
local lazy = require "locus.call.lazy"
local registry = require "locus.call.registry"
local text = require "locus.mpi.signature".text
local internal, methods = core.internal, core.methods
require "locus.mpi.gather"

local metatable = {__metatable = "sharded tensor"}
local events = registry.once(metatable)
local sharded = {methods = {}}

-- -- Making --------------------------------------------------------------------------------------

-- The sharded tensor whose rows on this rank are `part`; rank r has counts[r + 1] rows.
function sharded.new(part, counts)
  local shape = methods.size(part)
  shape[1] = tonumber(core.sum(counts))
  return internal.object(metatable, {
    part = part, counts = counts, shape = shape, offset = sharded.before(counts),
  })
end

-- How many rows all ranks have, where each knows its own alone. All ranks call it together.
function sharded.count(part)
  return core.mpi.allgather(counting.equal(methods.size(part, 1), 1))
end

-- The sharded tensor of those rows.
function sharded.counted(part) return sharded.new(part, sharded.count(part)) end

-- How many of n rows each rank has where all have as many, or one less.
function sharded.blocks(rows)
  local _, size = collective.ranks()
  local ends = core.arange(size + 1, {dtype = "int64", device = "cpu"})
  ends = core.floor_divide(ends * rows, size)
  return methods.narrow(ends, 1, 2, size) - methods.narrow(ends, 1, 1, size)
end

-- How many rows lower ranks have.
function sharded.before(counts, rank)
  return tonumber(core.sum(methods.narrow(counts, 1, 1, rank or collective.ranks())))
end

-- This rank's part of a tensor with all rows.
function sharded.block(whole, counts)
  local rank = collective.ranks()
  return methods.narrow(whole, 1, sharded.before(counts) + 1, tonumber(counts[rank + 1]))
end

-- -- Arguments -----------------------------------------------------------------------------------

-- {part, counts, shape, offset} of a sharded tensor; nil for other values.
function sharded.state(value) return internal.state(value, metatable) end

-- The same; raises where the argument of that name is none.
function sharded.check(value, name)
  local state = sharded.state(value)
  if state then return state end
  declare.raise("'%s' must be a sharded tensor, as mpi.shard gives, got %s", name,
                internal.describe(value))
end

-- Raises where the one of that name does not have the rows that `as` has, on every rank.
function sharded.check_alike(state, other, name, as)
  if #state.shape == #other.shape and core.equal(state.counts, other.counts) then return end
  declare.raise("'%s' must have as many dimensions as '%s', and as many rows on every rank; "
    .. "mpi.rebalance cuts both the same way", name, as)
end

-- "float64 100x3"
function sharded.describe(state)
  return ("%s %s"):format(internal.dtype_of(state.part), tostring(state.shape))
end

-- "mpi.sum(float64 100x3, 1, false)": the signature on which all ranks must agree. Entries that are
-- nil are left out.
function sharded.signature(name, state, ...)
  local list = {sharded.describe(state)}
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    local other = sharded.state(value)
    if value ~= nil then list[#list + 1] = other and sharded.describe(other) or text(value) end
  end
  return ("mpi.%s(%s)"):format(name, table.concat(list, ", "))
end

-- -- Functions -----------------------------------------------------------------------------------

-- A function and method that is done once all agree: as collective.define has it.
function sharded.define(line, prepare)
  declare.add(sharded.methods, collective.define(line, prepare))
end

local function pack(...) return {n = select("#", ...), ...} end

-- The preparation of a function of several steps. `prepare` gives the signature and the function
-- that does the rest after all have agreed. That function uses functions that all ranks call
-- together; the first one that fails on a rank tells the others. In the end all agree that all have
-- their answers.
function sharded.steps(prepare)
  return function(...)
    local signature, run = prepare(...)
    collective.agree(signature)
    local answers = pack(run())
    return signature .. ", at its end", function() return unpack(answers, 1, answers.n) end
  end
end

-- -- The object ----------------------------------------------------------------------------------

local fields = {}
local known = registry.once(fields)

-- The sizes of all rows together, as a new table.
local function size_of(state)
  local shape = methods.size(state.part)
  shape[1] = state.shape[1]
  return shape
end

function known.part(state) return state.part end
function known.offset(state) return state.offset end
function known.counts(state) return methods.clone(state.counts) end
known.shape = size_of
function known.ndim(state) return #state.shape end
function known.dtype(state) return internal.dtype_of(state.part) end
function known.device(state) return internal.device_of(state.part) end

-- A method that asks no other rank.
local function ask(line, body)
  declare.add(sharded.methods, declare.define(line, function(s, ...)
    return body(sharded.check(s, "input"), ...)
  end))
end

-- size(), size(dim), dim(), numel(): as a tensor's, of all rows together.
ask("size(input:any, dim:integer=nil)", function(state, dim)
  local ndim = #state.shape
  if not dim then return size_of(state) end
  local at = dim < 0 and dim + ndim + 1 or dim
  if at >= 1 and at <= ndim then return state.shape[at] end
  declare.raise("'dim' must be in 1..%d or -%d..-1, got %d", ndim, ndim, dim)
end)

ask("dim(input:any)", function(state) return #state.shape end)

ask("numel(input:any)", function(state)
  local numel = 1
  for _, size in ipairs(state.shape) do numel = numel * size end
  return numel
end)

function events.__index(s, key)
  if sharded.methods[key] then return sharded.methods[key] end
  if fields[key] then return fields[key](sharded.state(s)) end
  if type(key) ~= "string" then
    internal.raise("a sharded tensor has no brackets; write s.part[...] for this rank's rows")
  end
  local hint = methods[key] and ("; write s:map(function(x) return x:%s(...) end)"):format(key)
  hint = hint or lazy("locus.names.advice").did_you_mean(key, {sharded.methods, fields})
  internal.raise(("a sharded tensor has no '%s'%s"):format(key:sub(1, 60), hint))
end

function events.__newindex() internal.raise("a sharded tensor cannot be changed") end

function events.__len(s) return sharded.state(s).shape[1] end

function events.__describe(s)
  local state = sharded.state(s)
  return ("a sharded %s tensor of size %s"):format(internal.dtype_of(state.part),
                                                   tostring(state.shape))
end

-- This rank's rows, and which of all they are.
function events.__tostring(s)
  local rank, size = collective.ranks()
  local state = sharded.state(s)
  local rows = methods.size(state.part, 1)
  local which = rows == 0 and "none"
    or internal.format("%d to %d", state.offset + 1, state.offset + rows)
  return ("%s\n[rows of rank %d of %d: %s of a %s tensor of size %s]"):format(
    tostring(state.part), rank, size, which, internal.dtype_of(state.part), tostring(state.shape))
end

return sharded
