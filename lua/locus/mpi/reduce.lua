-- SPDX-License-Identifier: MIT
-- Elementwise reductions over ranks. The function of core beside `op` below combines two elements.
local core = require "locus.core"
local declare = require "locus.call.declare"
local collective = require "locus.mpi.collective"
local memory = require "locus.mpi.memory"
local kinds = require "locus.tensor.kind"
local raw = require "locus.mpi.raw"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())

-- The answers of no ranks at all.
local identities = {}
function identities.add(x) return methods.zero_(x) end
function identities.mul(x) return methods.fill_(x, 1) end
identities.bor = identities.add
function identities.band(x) return core.bnot(methods.zero_(x)) end
function identities.maximum(x, type)
  return methods.fill_(x, type.kind == "FLOAT" and -math.huge or type.low)
end
function identities.minimum(x, type)
  if type.kind == "FLOAT" then return methods.fill_(x, math.huge) end
  return core.bnot(methods.fill_(x, type.low))
end

local functions = {sum = "add", prod = "mul", min = "minimum", max = "maximum", ["and"] = "band",
                   ["or"] = "bor"}
local lacking = {
  minimum = {COMPLEX = "complex numbers have no order"},
  band = {FLOAT = "floats have no bits to combine", COMPLEX = "floats have no bits to combine"},
}
lacking.maximum, lacking.bor = lacking.minimum, lacking.band

-- The name in core/binary.def of the caller's `op`.
local function function_of(op, x)
  local name = functions[op]
  if not name then
    declare.raise("'op' must be \"sum\", \"prod\", \"min\", \"max\", \"and\" or \"or\", got %s",
                  internal.describe(op))
  end
  local dtype = internal.dtype_of(x)
  local lacks = lacking[name] and lacking[name][types[dtype].kind]
  if lacks then declare.raise("'op' is \"%s\", and 'x' is %s: %s", op, dtype, lacks) end
  return name
end

-- A scalar as a tensor; numbers keep all their digits.
local function tensor_of(x)
  if core.is_tensor(x) then return x end
  return core.full({}, x, {dtype = type(x) == "number" and "float64" or nil, device = "cpu"})
end

-- The kind of the answer: that of elements, and of sums of durations; false: none.
local function kind_of(f, x)
  if f == "minimum" or f == "maximum" then return kinds.of(x) or false end
  return f == "add" and kinds.of_sum(x) or false
end

-- The checks, allocation and names of a reduction: its own answer where this rank gets one.
local function reduction(name, value, op, root, out)
  local x = tensor_of(value)
  local f = function_of(op, x)
  local place = root and (", root=%d"):format(root) or ""
  local reduced = {f = f, from = memory.outgoing(x), scalar = not core.is_tensor(value) and not out}
  if root == nil or root == collective.ranks() then
    reduced.answer, reduced.landing = memory.like(x, methods.size(x), out, kind_of(f, x))
  end
  reduced.signature = ("%s(%s, %s%s)"):format(name, collective.describe(x), op, place)
  return reduced
end

local function deliver(reduced)
  local answer = memory.deliver(reduced.answer, reduced.landing)
  return reduced.scalar and methods.view(answer, 1)[1] or answer
end

local function reduce(name, x, op, root, out)
  if root then collective.check_rank(root, "root") end
  local reduced = reduction(name, x, op, root, out)
  return reduced.signature, function()
    raw.reduce(reduced.from, reduced.landing, reduced.f, root)
    return reduced.answer and deliver(reduced)
  end
end

-- mpi.allreduce(x, op, ...): x of all ranks made into one, element by element, by "sum", "prod",
-- "min", "max", "and" or "or". All are of one size and dtype, which is the answer's. A number gives
-- a number.
collective.define("mpi.allreduce(x:value, op:string=\"sum\", {out=nil})", function(x, op, out)
  return reduce("mpi.allreduce", x, op, nil, out)
end)

-- mpi.reduce(x, op, ...): the same on the root, nil elsewhere.
collective.define("mpi.reduce(x:value, op:string=\"sum\", {root:integer=0, out=nil})",
  function(x, op, root, out) return reduce("mpi.reduce", x, op, root, out) end)

-- mpi.exscan(x, op, ...): the same for the ranks below this one; rank 0 gets the value that changes
-- nothing: 0, 1, the greatest or the least value that there is, all bits or none.
collective.define("mpi.exscan(x:value, op:string=\"sum\", {out=nil})", function(x, op, out)
  local reduced = reduction("mpi.exscan", x, op, nil, out)
  if collective.ranks() == 0 then
    local start = core.empty_like(reduced.from)
    methods.copy_(reduced.landing, identities[reduced.f](start, types[internal.dtype_of(start)]))
  end
  return reduced.signature, function()
    raw.exscan(reduced.from, reduced.landing, reduced.f)
    return deliver(reduced)
  end
end)
