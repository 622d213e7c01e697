-- SPDX-License-Identifier: MIT
-- Answers of groups have the same bytes with any number of threads, whichever strategy they choose:
-- few and many groups, ascending ids, one group of most rows, groups without rows, NaN, all dtypes.
-- So have quantiles of groups, which are those of rows sorted by group.
local ffi = require "ffi"
local internal = require "locus.core".internal
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local support = require "spec.support"

ffi.cdef "int setenv(const char *, const char *, int); int unsetenv(const char *);"

local threads, small = locus.get_num_threads(), os.getenv "LOCUS_SMALL_PIECES"

-- The number of threads, and whether they share whatever has more than a few elements.
local function share(n, pieces)
  if pieces then ffi.C.setenv("LOCUS_SMALL_PIECES", "1", 1)
  else ffi.C.unsetenv "LOCUS_SMALL_PIECES" end
  locus.set_num_threads(n)
end

local function bytes(x)
  x = x:contiguous()
  return x.dtype .. ffi.string(x:data(), x:numel() * x:element_size())
end

-- The answer, or the error.
local function outcome(f)
  local ok, answer = pcall(f)
  return ok and bytes(answer) or answer:gsub("^.-:%d+: ", "")
end

local HOWS = {"sum", "prod", "mean", "std", "var", "min", "max", "first", "last", "any", "all",
              "count"}

-- Raises if an answer differs from one thread's.
local function check(x, ids, groups, pieces)
  for _, how in ipairs(HOWS) do
    local function answer() return x:segment(ids, how, {groups = groups}) end
    share(1, pieces)
    local alone = outcome(answer)
    for _, n in ipairs {2, 3, 4, 5, 16} do
      share(n, pieces)
      if outcome(answer) ~= alone then
        error(("the %s of %d rows in %d groups differs with %d threads"):format(how, #x, groups, n))
      end
    end
  end
end

local function int(low, high, size) return locus.randint(low, high, size, {dtype = "int32"}) end

-- n ids of each kind.
local kinds = {
  mixed = function(n, groups) return int(1, groups + 1, {n}) end,
  ascending = function(n, groups) return (locus.sort(int(1, groups + 1, {n}))) end,
  gaps = function(n, groups) return int(1, math.ceil(groups / 2) + 1, {n}) * 2 - 1 end,
  uneven = function(n, groups)
    return locus.where(locus.rand(n):lt(.7), int(1, 2, {n}), int(1, groups + 1, {n}))
  end,
}

local function float(n)
  local x = locus.rand(n) * 2 ^ 20 - 2 ^ 19
  x[locus.rand(n):lt(.01)] = locus.nan
  return x
end

describe("groups, shared among threads, #host #native", function()
  after_each(function()
    share(threads, small)
    collectgarbage()
  end)

  for kind, ids_of in pairs(kinds) do
    it("give the same bytes for " .. kind .. " ids", function()
      locus.manual_seed(7)
      for _, case in ipairs {{2, 2}, {65, 1}, {700, 3}, {2100, 40}, {2100, 700}, {5000, 6000}} do
        local n, groups = case[1], case[2]
        local ids = ids_of(n, groups)
        check(float(n), ids:clamp(1, groups), groups, true)
        check(float(n), ids:clamp(1, groups):long(), groups, true)
      end
    end)
  end

  it("give the same bytes for every dtype and layout", function()
    math.randomseed(5)
    locus.manual_seed(5)
    for _, dtype in ipairs(support.ordered) do
      local a = arrays.random(dtype, {1500})
      local ids = kinds.mixed(1500, 90)
      for _, layout in ipairs {"contiguous", "stepped"} do
        check(arrays.tensor(a, layout), support.laid(ids, layout), 90, true)
      end
    end
  end)

  it("give the same bytes for long columns", function()
    locus.manual_seed(11)
    local n = 150000
    local x = float(n)
    for _, groups in ipairs {20, 3000, 70000} do check(x, kinds.mixed(n, groups), groups, false) end
    check(x, kinds.ascending(n, 50), 50, false)
  end)

  it("mend means and spreads of groups that need it, and of no others", function()
    locus.manual_seed(3)
    local n, groups = 3000, 60
    local ids = kinds.mixed(n, groups)
    local x = float(n)
    x[ids:le(5)] = 1e308          -- the sum overflows
    x[ids:eq(7)] = 0.1            -- all are equal
    x[ids:eq(9)] = 1e-200 * (locus.arange(n)[ids:eq(9)] % 7) -- squares underflow
    check(x, ids, groups, true)
    share(5, true)
    local means = x:segment(ids, "mean", {groups = groups})
    assert.equal(1e308, means[3])
    assert.equal(0.1, means[7])
  end)

  it("select the elements that they select of rows sorted by group", function()
    math.randomseed(9)
    locus.manual_seed(9)
    for _, dtype in ipairs(support.ordered) do
      for _, case in ipairs {{1, 1}, {1500, 7}, {3000, 700}, {3000, 3000}} do
        local n, groups = case[1], case[2]
        local x = arrays.tensor(arrays.random(dtype, {n}), "contiguous")
        local ids = kinds.mixed(n, groups)
        ids[{{1, groups}}] = locus.range(1, groups):int()
        local counts = locus.bincount(ids, nil, groups)
        local offsets = locus.cat{locus.LongTensor{0}, locus.cumsum(counts, 1)}
        local ranks = ((counts - 1) * .5):long():unsqueeze(2)
        share(1, true)
        local wanted = bytes(internal.kth(x[locus.argsort(ids)], ranks, offsets))
        for _, t in ipairs {1, 2, 3, 5, 16} do
          share(t, true)
          assert.is_true(wanted == bytes(internal.kth(x, ranks, offsets, ids)))
        end
      end
    end
  end)

  it("select nothing by ids that are not those of the offsets", function()
    local x, ranks = locus.zeros(3000), locus.LongTensor{0}
    local offsets = locus.LongTensor{0, 1000, 3000}
    for _, t in ipairs {1, 5} do
      share(t, true)
      for _, row in ipairs {1, 1500, 3000} do
        for _, id in ipairs {0, 3, -5, 1} do
          local ids = locus.cat{int(1, 2, {1000}), int(2, 3, {2000})}
          ids[row] = row == 1 and id == 1 and 2 or id
          assert.matches("^kth: ids changed while they were read",
            support.message(internal.kth, x, ranks, offsets, ids))
        end
      end
    end
    local ids = locus.ones(3000)
    assert.equal("kth: 'ids' must be int32 of the CPU, contiguous, beside offsets",
      support.message(internal.kth, x, ranks, offsets, ids))
  end)

  it("give the same quantiles of long columns", function()
    locus.manual_seed(13)
    local n = 300000
    local x = float(n)
    for _, groups in ipairs {3, 5000} do
      local ids = kinds.mixed(n, groups)
      share(1, false)
      local wanted = bytes(locus.group_by(ids):quantile(x, {.05, .5, .95}))
      for _, t in ipairs {2, 5} do
        share(t, false)
        assert.is_true(wanted == bytes(locus.group_by(ids):quantile(x, {.05, .5, .95})))
      end
    end
  end)

  it("name the id that is no group, whichever thread meets it", function()
    local n = 1000
    local x, out = locus.ones(n), locus.zeros(20)
    for _, t in ipairs {1, 2, 5} do
      share(t, true)
      for _, how in ipairs {"sum", "max", "mean"} do
        local ids = kinds.mixed(n, 20)
        ids[700], ids[900] = 21, 0
        assert.equal("segment: 'ids' must hold numbers up to 20, the last of 20 groups, got 21 at "
          .. "[700]", support.message(locus.segment, x, ids, how, {groups = 20, out = out}))
      end
    end
    assert.equal(0, out:sum())
    assert.matches("got 21 at %[700%]$",
      support.message(locus.segment, x, locus.ones(n, {dtype = "int32"}) * 21, "sum", {groups = 0})
        :gsub("at %[1%]", "at [700]"))
  end)
end)
