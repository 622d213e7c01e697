-- SPDX-License-Identifier: MIT
-- Where something is, and which of the two: each rank answers for its own rows, and no element
-- moves. Where answers depend on the data, each rank tells the others how many it has.
local core = require "locus.core"
local declare = require "locus.call.declare"
local sharded = require "locus.sharded.object"
local internal, methods = core.internal, core.methods

-- -- Beside a sharded tensor ---------------------------------------------------------------------

-- The part of an operand beside this rank's rows of `first`: its own rows if it is sharded alike;
-- else the operand itself, the same on all ranks, which must be broadcast over the rows.
local function beside(state, first, operand, name)
  local other = sharded.state(operand)
  if other then
    sharded.check_alike(other, state, name, first)
    return other.part
  end
  local x = type(operand) == "table" and core.tensor(operand) or operand
  if not core.is_tensor(x) then return x end
  local ndim = #state.shape
  if methods.dim(x) < ndim then return x end
  if methods.dim(x) == ndim and methods.size(x, 1) == 1 then return x end
  declare.raise("'%s' must be sharded or broadcast over the rows of %s, got %s", name,
                sharded.describe(state), internal.describe(x))
end

-- -- Where ---------------------------------------------------------------------------------------

-- The positions of this rank's rows among those of all: int64 columns.
local function find(state, base)
  local found = core.nonzero(state.part, {base = base})
  methods.select(found, 2, 1):add_(state.offset)
  return found
end

local function nonzero(name)
  return sharded.steps(function(input, as_tuple, base)
    local state = sharded.check(input, "input")
    local found = find(state, base)
    return sharded.signature(name, state, as_tuple, base), function()
      local s = sharded.counted(found)
      if not as_tuple then return s end
      local columns = {}
      for d = 1, #state.shape do
        columns[d] = sharded.new(methods.select(found, 2, d), sharded.state(s).counts)
      end
      return unpack(columns)
    end
  end)
end

-- nonzero(input, ...): as locus.nonzero; each rank has the positions in its own rows.
sharded.define("mpi.nonzero(input:any, {as_tuple:boolean=false, base=1})", nonzero("nonzero"))

local argwhere = nonzero("argwhere")

-- argwhere(input, ...): the same.
sharded.define("mpi.argwhere(input:any, {base=1})", function(input, base)
  return argwhere(input, false, base)
end)

-- -- Which ---------------------------------------------------------------------------------------

local find_columns = nonzero("where")

-- where(condition, x, y, ...): as locus.where. x and y are cut as the condition is, or are the same
-- on all ranks and broadcast over its rows.
sharded.define("mpi.where(condition:any, x:any=nil, y:any=nil, {base=1})",
  function(condition, x, y, base)
    local state = sharded.check(condition, "condition")
    if x == nil and y == nil then return find_columns(condition, true, base) end
    local part = core.where(state.part, beside(state, "condition", x, "x"),
                            beside(state, "condition", y, "y"))
    local s = sharded.new(part, state.counts)
    return sharded.signature("where", state, x, y), function() return s end
  end)

-- masked_select(input, mask): as locus.masked_select; each rank has the elements selected from its
-- rows. The mask is cut as the input is, or is the same on all ranks and broadcast over its rows.
sharded.define("mpi.masked_select(input:any, mask:any)", sharded.steps(function(input, mask)
  local state = sharded.check(input, "input")
  local selected = core.masked_select(state.part, beside(state, "input", mask, "mask"))
  return sharded.signature("masked_select", state, mask), function()
    return sharded.counted(selected)
  end
end))
