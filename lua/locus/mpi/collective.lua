-- SPDX-License-Identifier: MIT
-- Functions that all ranks call together. Such a one first prepares: it checks its arguments and
-- allocates. Then the ranks agree, in one small reduction, that they all do the same and that no
-- one failed; then elements move. So what is wrong on one rank raises the same sentence on all:
--
--   collective.define("mpi.allgather(x:tensor, {out=nil})", function(x, out)
--     ... -- may raise
--     return "mpi.allgather(float64 3x2)", function() ... return answer end
--   end)
--
-- The string is the signature: what must be equal on all ranks, as a sentence calls it. The
-- function runs once all agree, and must not fail but with all of them. One that is made of others
-- calls these while it prepares: a rank that fails between two of them is found by the second.
local core = require "locus.core"
local declare = require "locus.call.declare"
local kinds = require "locus.tensor.kind"
local raw = require "locus.mpi.raw"
local internal, methods = core.internal, core.methods

local collective = {}

local told -- the sentence that all ranks were given last

-- Raises one sentence on all ranks, unless all came here with this signature. A function that
-- learns something from the others before it can go on preparing agrees with them first. Nothing
-- may fail, and so nothing be allocated, between this and the messages that follow.
function collective.agree(signature, complaint)
  told = raw.agree(signature, complaint)
  if told then internal.raise(told) end
end

-- A failure on this rank as the others see it: the sentence, from the function's name on, or from
-- that of the one which the script called.
local function complaint_of(name, raised)
  local sentence = tostring(raised)
  local at = sentence:find(name .. ": ", 1, true) or sentence:find("mpi%.[%w_]+: ")
  return at and sentence:sub(at) or sentence
end

-- A failure that all ranks were told of is no complaint of this one.
local function conclude(name, prepared, signature, move)
  if prepared then
    collective.agree(signature)
    return move()
  end
  if told and tostring(signature):sub(-#told) == told then error(signature, 0) end
  collective.agree(name, complaint_of(name, signature))
end

local function results(...) return ... end -- as in declare.lua

-- The function of that line.
function collective.wrap(line, prepare)
  local params, read = declare.reading(line)
  local name = params.name
  local function prepared(...) return prepare(read(...)) end
  local function declared(...)
    raw.begin()
    return results(conclude(name, pcall(prepared, ...)))
  end
  declare.declared[declared] = params
  return declared
end

-- Puts the function of that line into locus.mpi, and gives it.
function collective.define(line, prepare)
  return declare.add(core.mpi, collective.wrap(line, prepare))
end

-- This rank, and how many there are.
function collective.ranks() return raw.begin() end

-- Raises if that is no rank.
function collective.check_rank(rank, name)
  local _, size = raw.begin()
  if rank >= 0 and rank < size then return end
  declare.raise("'%s' must be a rank from 0 to %d, got %s", name, size - 1, rank)
end

-- Raises where the root has no tensor.
function collective.check_given(x, name, root)
  if x == nil then declare.raise("'%s' must be given on the root, rank %d", name, root) end
end

-- Raises where x cannot be cut into rows.
function collective.check_rows(x)
  if methods.dim(x) == 0 then declare.raise("'x' must have rows, got a 0-d tensor") end
end

-- Raises where that many ranks cannot have as many rows each.
function collective.check_even(x, size, other)
  collective.check_rows(x)
  if methods.size(x, 1) % size == 0 then return end
  declare.raise("'x' has %d rows, which %d ranks cannot share evenly; write mpi.%s",
                methods.size(x, 1), size, other)
end

-- "float64", "int64", or "times in us"
local function type_text(x)
  local kind = kinds.of(x)
  return kind and kind.text or internal.dtype_of(x)
end

-- "float64 2x3"
function collective.describe(x)
  return ("%s %s"):format(type_text(x), tostring(methods.size(x)))
end

-- The sizes of one row: all except the first.
function collective.row_size(x)
  local sizes = {}
  for d = 2, methods.dim(x) do sizes[d - 1] = methods.size(x, d) end
  return sizes
end

-- "float64 rows of 2x3"
function collective.describe_rows(x)
  local sizes = collective.row_size(x)
  return ("%s rows of %s"):format(type_text(x),
                                  #sizes == 0 and "one" or table.concat(sizes, "x"))
end

-- How many rows x has: a 0-d tensor is one.
function collective.rows(x)
  return methods.dim(x) == 0 and 1 or methods.size(x, 1)
end

-- The sizes of that many of x's rows.
function collective.rows_size(x, rows)
  local sizes = collective.row_size(x)
  table.insert(sizes, 1, rows)
  return sizes
end

return collective
