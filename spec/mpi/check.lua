-- SPDX-License-Identifier: MIT
-- Checks of a script that several ranks run. Every rank knows what the others hold, so that each
-- can work out alone what a collective must answer.
local locus = require "locus"
local internal = require "locus.core".internal

local check = {rank = locus.mpi.rank(), size = locus.mpi.size()}
local held = 0

local dtypes = internal.dtypes()
check.dtypes = dtypes
local kinds = select(2, internal.dtypes())
function check.kind(dtype) return kinds[dtype].kind end
function check.low(dtype) return kinds[dtype].low end

-- The elements of rank r: small whole numbers, which all sums of a few ranks keep exactly. With
-- `odd`, floats hold NaN, -0 and infinities among them.
function check.data(r, dtype, size, odd)
  local numel = 1
  for _, n in ipairs(size) do numel = numel * n end
  local x = locus.arange(numel, {dtype = "int64"}) * 7 + 13 * r
  x = (locus.remainder(x, 23) - (kinds[dtype].low == 0 and 0 or 9)):to(
    dtype == "bool" and "int64" or dtype)
  if dtype == "bool" then x = x:lt(12) end
  if odd and check.kind(dtype) == "FLOAT" then
    for i = 1, numel do
      local which = (i * 5 + r * 2) % 11
      if which == 0 then x[i] = 0 / 0 elseif which == 1 then x[i] = -0.0
      elseif which == 2 then x[i] = 1 / 0 elseif which == 3 then x[i] = 0 end
    end
  end
  return x:reshape(size)
end

-- f(r) for every rank, in a list.
function check.all_ranks(f)
  local list = {}
  for r = 0, check.size - 1 do list[r + 1] = f(r) end
  return list
end

-- The same elements in memory that is not dense.
function check.strided(x)
  if x:dim() == 0 then return x end
  local wide = locus.stack({x, x}, x:dim() + 1)
  return wide:select(x:dim() + 1, 1)
end

local function text(x)
  return locus.is_tensor(x) and ("%s %s\n%s"):format(x.dtype, tostring(x.shape), tostring(x))
    or tostring(x)
end

-- Bit for bit, except the signs of complex zeros, which depend on how products are nested.
local function same(a, b)
  if not (locus.is_tensor(a) and locus.is_tensor(b)) then return a == b end
  if a.dtype ~= b.dtype or a.shape ~= b.shape then return false end
  return a:tobytes() == b:tobytes() or check.kind(a.dtype) == "COMPLEX" and a:equal(b)
end

function check.equal(expected, got, what)
  if not same(expected, got) then
    error(("rank %d of %d: %s: expected %s, got %s"):format(check.rank, check.size, what,
                                                            text(expected), text(got)), 2)
  end
  held = held + 1
end

-- f(...) raises a sentence that ends with this one.
function check.raises(sentence, f, ...)
  local ok, raised = pcall(f, ...)
  check.equal("false", tostring(ok), sentence)
  check.equal(sentence, tostring(raised):sub(-#sentence), "what was raised, " .. tostring(raised))
end

-- How many checks held, by rank 0.
function check.finish()
  local all = locus.mpi.allreduce(held)
  if check.rank == 0 then print(("%d checks on %d ranks: all hold"):format(all, check.size)) end
end

return check
