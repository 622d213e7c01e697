-- SPDX-License-Identifier: MIT
-- Reductions over ranks, compared with the same elementwise ops in one process.
local locus = require "locus"
local check = require "spec.mpi.check"
local mpi, rank, size = locus.mpi, check.rank, check.size

local unordered = {COMPLEX = "complex numbers have no order"}
local without_bits = {FLOAT = "floats have no bits to combine",
                      COMPLEX = "floats have no bits to combine"}
local ops = { -- a list: all ranks must go through it in one order
  {name = "sum", f = locus.add}, {name = "prod", f = locus.mul},
  {name = "min", f = locus.minimum, lacks = unordered},
  {name = "max", f = locus.maximum, lacks = unordered},
  {name = "and", f = locus.band, lacks = without_bits},
  {name = "or", f = locus.bor, lacks = without_bits},
}

local function fold(f, list, count)
  local made = list[1]
  for r = 2, count do made = f(made, list[r]) end
  return made
end

-- The last one takes MPI other ways, on which ranks come in another order where they may.
local function shapes(dtype)
  return {{}, {0}, {5, 3}, {19}, dtype == "float64" and {3001} or nil}
end

for _, dtype in ipairs(check.dtypes) do
  for _, shape in ipairs(shapes(dtype)) do
    for _, op in ipairs(ops) do
      local name, kind = op.name, check.kind(dtype)
      local odd = name == "min" or name == "max"
      local function of(r)
        local x = check.data(r, dtype, shape, odd)
        local great = name == "prod" and (kind == "INTEGER" or kind == "FLOAT")
        return great and x:clamp(0, 2) or x
      end
      local what = ("%s %s %s"):format(name, dtype, table.concat(shape, "x"))
      local lacks = op.lacks and op.lacks[kind]
      if lacks then
        check.raises(("rank 0: mpi.allreduce: 'op' is \"%s\", and 'x' is %s: %s"):format(
          name, dtype, lacks), mpi.allreduce, of(rank), name)
      else
        local list = check.all_ranks(of)
        local whole = fold(op.f, list, size)
        check.equal(whole, mpi.allreduce(of(rank), name), "allreduce " .. what)
        check.equal(whole, mpi.allreduce(check.strided(of(rank)), {op = name}), "strided " .. what)
        check.equal(rank == 0 and whole or nil, mpi.reduce(of(rank), name), "reduce " .. what)
        local before = mpi.exscan(of(rank), name)
        if rank > 0 then
          check.equal(fold(op.f, list, rank), before, "exscan " .. what)
        else
          check.equal(list[1], op.f(before, list[1]), "exscan, which changes nothing, " .. what)
        end
      end
    end
  end
end

-- Integers wrap, past 2^53 as well.
local great = locus.full({3}, 2 ^ 62, {dtype = "int64"}) + rank
check.equal(fold(locus.add, check.all_ranks(function(r)
  return locus.full({3}, 2 ^ 62, {dtype = "int64"}) + r
end), size), mpi.allreduce(great), "int64 past 2^63")

-- A number gives a number.
check.equal(size * (size - 1) / 2, mpi.allreduce(rank), "a number")
check.equal(size - 1, mpi.allreduce(rank, "max"), "the greatest number")
check.equal(rank * (rank - 1) / 2, mpi.exscan(rank), "the numbers below")
check.equal(rank == 0 and math.huge or 0, mpi.exscan(rank, "min"), "the least number below")
check.equal(rank == 0 and size or nil, mpi.reduce(1), "a number for the root")
check.equal(0.1, mpi.allreduce(0.1, "min"), "all digits")
