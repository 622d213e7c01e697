-- SPDX-License-Identifier: MIT
-- Every function of sharded tensors on random tensors, beside one process's. LOCUS_ROUNDS says how
-- many rounds there are.
local locus = require "locus"
local shards = require "spec.mpi.shards"
local check = require "spec.mpi.check"
local thresholds = require "locus.sharded.search"
local splitters = require "locus.sharded.splitters"
local mpi = locus.mpi
local random, choose = shards.random, shards.choose

local function flag() return random(1, 2) == 1 end
local function base() return random(0, 1) end

-- A random tensor: whole, and sharded.
local function input(dtypes, ndim)
  local rows = choose {0, 1, 5, 40, 300}
  if rows > 1 then rows = random(math.floor(rows / 2), rows) end
  local sizes = {rows, random(0, 4), random(1, 2)}
  for d = #sizes, ndim + 1, -1 do sizes[d] = nil end
  local dtype = choose(dtypes)
  local whole = shards.values(dtype, sizes, flag())
  local cuts = shards.cuts(sizes[1])
  return whole, shards.shard(whole, cuts), cuts
end

local function pick_dim(ndim)
  local dim = random(1, ndim)
  return flag() and dim or dim - ndim - 1
end

-- f(...) on one process, and on all.
local function both(name, what, whole, s, ...)
  local expected, got = {pcall(locus[name], whole, ...)}, {pcall(mpi[name], s, ...)}
  if expected[1] ~= got[1] then
    error(("%s: expected %s, got %s"):format(what, tostring(expected[2]), tostring(got[2])))
  end
  if expected[1] then shards.alike(what, expected, got) end
end

local cases = {}

function cases.sort()
  local whole, s = input(shards.real, random(1, 3))
  local dim, descending = pick_dim(whole:dim()), flag()
  local options = {indices = random(1, 4) > 1, base = base()}
  both("sort", "sort " .. whole.dtype, whole, s, dim, descending, options)
  both("argsort", "argsort " .. whole.dtype, whole, s, dim, descending, {base = base()})
end

-- A sequence in order, cut at random.
local function sequence(descending)
  local whole = input(shards.real, 1):sort(1, descending)
  local cuts = shards.cuts(#whole)
  return whole, shards.shard(whole, cuts)
end

-- Values of a dtype that goes with the sequence, some of them its own.
local function queries(whole, sizes)
  if flag() and #whole > 0 and #sizes > 0 then
    local places = locus.randint(1, #whole + 1, sizes)
    return locus.take(whole, places)
  end
  return shards.values(choose(shards.real), sizes, flag())
end

local function search_options()
  return {side = choose {"left", "right", "both"}, base = base(), out_int32 = flag()}
end

function cases.searchsorted()
  local descending = flag()
  local whole, s = sequence(descending)
  thresholds.short, thresholds.few = choose {0, 0, 0, 2 ^ 20}, choose {0, 0, 0, 50, 1024}
  thresholds.hot = choose {0.3, 1e9}
  local options = search_options()
  options.descending, options.check = descending, flag()
  local sizes = {random(0, 60)}
  if flag() then sizes[2] = random(0, 3) end
  local values = queries(whole, sizes)
  local what = ("searchsorted %s in %s, %s, short %d, few %d, hot %.1f"):format(values.dtype,
    whole.dtype, options.side, thresholds.short, thresholds.few, thresholds.hot)
  local expected = {locus.searchsorted(whole, values, options)}
  local cuts = shards.cuts(sizes[1])
  shards.alike(what, expected, {mpi.searchsorted(s, shards.shard(values, cuts), options)})
  local mine = {s:searchsorted(shards.rows(values, cuts), options)}
  for i, answer in ipairs(expected) do
    shards.equal(shards.rows(answer, cuts), mine[i], what .. ", each rank's own")
  end
end

function cases.searchsorted_values()
  local whole, s = sequence(false)
  thresholds.short, thresholds.few = choose {0, 2 ^ 20}, choose {0, 1024}
  local options = search_options()
  local value = choose {0.1, -3, 0, locus.nan, locus.inf, 300, 9007199254740993LL}
  local function search(v)
    shards.alike("searchsorted " .. tostring(v), {locus.searchsorted(whole, v, options)},
                 {mpi.searchsorted(s, v, options)})
  end
  search(value)
  search(locus.tensor(value))
  search({0.1, 2})
end

function cases.bucketize()
  local whole, s = sequence(false)
  local values, sharded = input(shards.real, random(1, 2))
  local options = {right = flag(), base = base(), out_int32 = flag()}
  shards.alike("bucketize", {locus.bucketize(values, whole, options)},
               {mpi.bucketize(sharded, whole, options)})
  thresholds.short, thresholds.few = choose {0, 2 ^ 20}, choose {0, 1024}
  shards.alike("bucketize in sharded", {locus.bucketize(values, whole, options)},
               {mpi.bucketize(sharded, s, options)})
end

function cases.nonzero()
  local whole, s = input(check.dtypes, random(1, 3))
  both("nonzero", "nonzero", whole, s, {base = base()})
  both("argwhere", "argwhere", whole, s, {base = base()})
  both("where", "where of a condition alone", whole, s, {base = base()})
  both("nonzero", "nonzero as a tuple", whole, s, {as_tuple = true, base = base()})
end

function cases.where()
  local whole, s, cuts = input({"bool"}, random(1, 2))
  local x = shards.values(choose(check.dtypes), whole.shape, flag())
  local row = shards.values(choose(check.dtypes), {1, whole.shape[2]}, flag())
  local y = choose {shards.values(choose(check.dtypes), whole.shape, flag()), locus.tensor(2), 3,
                    row}
  local is_cut = locus.is_tensor(y) and y:dim() > 0 and not rawequal(y, row)
  local y_shards = is_cut and shards.shard(y, cuts) or y
  shards.equal(locus.where(whole, x, y), s:where(shards.shard(x, cuts), y_shards), "where")
  shards.equal(locus.masked_select(x, whole),
               mpi.masked_select(shards.shard(x, cuts), s), "masked_select")
  if whole:dim() == 2 then
    local mask = locus.randint(0, 2, {whole:size(2)}):to("bool")
    shards.equal(locus.masked_select(x, mask), shards.shard(x, cuts):masked_select(mask),
                 "masked_select of a mask for every row")
  end
end

function cases.unique()
  local whole, s = input(shards.real, random(1, 2))
  both("unique", "unique " .. whole.dtype, whole, s, {sorted = flag(), base = base(),
    return_inverse = flag(), return_counts = flag(), return_index = flag()})
end

function cases.extremes()
  local whole, s = input(shards.real, random(1, 3))
  local name = choose {"min", "max"}
  both(name, name, whole, s)
  both(name, name .. " with dimensions", whole, s, nil, true)
  both(name, name .. " along one", whole, s, pick_dim(whole:dim()), flag(), {base = base()})
  if whole:dim() > 1 then both(name, name .. " of two", whole, s, {1, 2}, flag()) end
end

function cases.some()
  local whole, s = input(check.dtypes, random(1, 3))
  local dim = choose {pick_dim(whole:dim()), {}}
  for _, name in ipairs {"any", "all"} do
    both(name, name, whole, s)
    both(name, name .. " along one", whole, s, dim, flag())
  end
  both("count_nonzero", "count_nonzero", whole, s)
  both("count_nonzero", "count_nonzero along one", whole, s, pick_dim(whole:dim()))
end

-- Whole numbers, whose sums floats hold exactly, so that they are the same however they are added.
function cases.sums()
  local dtype = choose(check.dtypes)
  local sizes = {random(0, 60), random(0, 3)}
  if flag() then sizes[2] = nil end
  local whole = check.kind(dtype) == "INTEGER" and shards.values(dtype, sizes, false)
    or locus.randint(0, 5, sizes):to(dtype)
  local s = shards.shard(whole, shards.cuts(sizes[1]))
  both("sum", "sum " .. dtype, whole, s)
  both("sum", "sum along one", whole, s, pick_dim(whole:dim()), flag())
  both("sum", "sum in int64", whole, s, 1, false, {dtype = "int64"})
  both("sum", "sum in float32", whole, s, 1, true, {dtype = "float32"})
  if dtype ~= "int64" and check.kind(dtype) ~= "COMPLEX" then
    both("mean", "mean " .. dtype, whole, s)
    both("mean", "mean along one", whole, s, pick_dim(whole:dim()), flag())
    both("mean", "mean in float64", whole, s, 1, true, {dtype = "float64"})
  end
end

-- The sums of other floats differ by as much as adding in another order may, as docs/mpi.md has it.
function cases.float_sums()
  local whole = locus.randn(random(1, 300))
  local s = shards.shard(whole, shards.cuts(#whole))
  local bound = 2 ^ -52 * (#whole + check.size) * whole:abs():sum()
  assert(math.abs(s:sum() - whole:sum()) <= bound and math.abs(s:mean() - whole:mean()) <= bound)
  shards.answers = shards.answers + 2
  local parts = locus.randint(-9, 10, #whole):to("complex128")
  local expected, got = parts:mean(), shards.shard(parts, shards.cuts(#whole)):mean()
  assert(locus.allclose(locus.tensor{expected.re, expected.im}, {got.re, got.im}, 1e-15, 0))
end

function cases.bins()
  local dtype = choose {"float64", "float32", "int64", "int32", "uint8"}
  local whole = locus.randint(0, 50, random(0, 200)):to(dtype)
  if dtype == "int64" and flag() then whole = whole + 9007199254740993LL end
  local cuts = shards.cuts(#whole)
  local s = shards.shard(whole, cuts)
  local weight = locus.randint(0, 9, #whole):double()
  both("histogram", "histogram", whole, s, random(1, 12))
  both("histogram", "histogram over a range", whole, s, 5, {range = {3, 17.5}, density = flag()})
  both("histogram", "histogram between edges", whole, s, locus.tensor{0, 1.5, 20, 21})
  if pcall(locus.histogram, whole, 7) then -- float64 has room for the edges
    shards.alike("weighted histogram", {locus.histogram(whole, 7, {weight = weight})},
                 {mpi.histogram(s, 7, {weight = shards.shard(weight, cuts)})})
  end
  local numbers = locus.randint(1, 30, #whole)
  local sharded = shards.shard(numbers, cuts)
  both("bincount", "bincount", numbers, sharded, nil, random(0, 40), {base = base()})
  shards.alike("weighted bincount", {locus.bincount(numbers, weight)},
               {mpi.bincount(sharded, shards.shard(weight, cuts))})
end

function cases.cuts()
  local whole, s = input(check.dtypes, random(1, 3))
  shards.equal(whole, s, "shard")
  local even = s:rebalance()
  shards.equal(whole, even, "rebalance")
  assert(math.abs(even.part:size(1) - whole:size(1) / check.size) < 1)
  shards.equal(whole:contiguous(), s:allgather(), "allgather")
  local root = random(0, check.size - 1)
  local all = s:gather(root)
  if check.rank == root then shards.equal(whole:contiguous(), all, "gather")
  else assert(all == nil) end
  shards.equal(whole, mpi.shard(check.rank == root and whole or nil, {root = root}), "a root's")
  shards.equal(whole:eq(0), s:map(function(x) return x:eq(0) end), "map")
end

local names = {}
for name in pairs(cases) do names[#names + 1] = name end
table.sort(names)

local first = tonumber(os.getenv("LOCUS_FIRST_ROUND") or 1)
for round = first, first + tonumber(os.getenv("LOCUS_ROUNDS") or 10) - 1 do
  for i, name in ipairs(names) do
    shards.seed(round * 100 + i + check.size * 100000)
    splitters.samples = choose {1, 4}
    local ok, raised = pcall(cases[name])
    if not ok then error(("%s, round %d: %s"):format(name, round, tostring(raised)), 0) end
  end
end
shards.finish()
