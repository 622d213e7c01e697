-- SPDX-License-Identifier: MIT
-- agg finds all its answers in one pass over the rows, and each has the bytes of the answer alone:
-- random frames, any number of threads, ids that ascend and ids that only look as if they did, more
-- columns than one pass takes, what runs out of memory.
local ffi = require "ffi"
local internal = require "locus.core".internal
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local support = require "spec.support"

ffi.cdef "int setenv(const char *, const char *, int); int unsetenv(const char *);"

local threads, small = locus.get_num_threads(), os.getenv "LOCUS_SMALL_PIECES"

local function share(n, pieces)
  if pieces then ffi.C.setenv("LOCUS_SMALL_PIECES", "1", 1)
  else ffi.C.unsetenv "LOCUS_SMALL_PIECES" end
  locus.set_num_threads(n)
end

local function bytes(x)
  if not locus.is_tensor(x) then return table.concat(x:totable(), "\n") end
  x = x:contiguous()
  return x.dtype .. ffi.string(x:data(), x:numel() * x:element_size())
end

local HOWS = {"sum", "prod", "mean", "std", "var", "min", "max", "any", "all", "first", "last",
              "nunique"}

local function int(low, high, size) return locus.randint(low, high, size, {dtype = "int32"}) end

-- Columns of several dtypes, with values that means and spreads have to mend.
local function columns(n)
  local x = locus.rand(n) * 2 ^ 20 - 2 ^ 19
  x[locus.rand(n):lt(.02)] = locus.nan
  local huge = locus.rand(n) * 1e308
  huge[locus.rand(n):lt(.5)] = 1e308
  return {x = x, huge = huge, alike = locus.full({n}, .1), single = locus.rand(n):float(),
          whole = int(-1000, 1000, {n}):short(), truth = locus.rand(n):lt(.5),
          far = locus.arange(n) * 2 ^ 53}
end

local NAMES = {"x", "huge", "alike", "single", "whole", "truth", "far"}

-- Answers that are asked for: {name, how, column, ...}.
local function random_asks(cs, count)
  local asks = {}
  for i = 1, count do
    local c, how = cs[NAMES[math.random(#NAMES)]], HOWS[math.random(#HOWS)]
    if i % 7 == 0 then asks[i] = {"a" .. i, "count"}
    elseif i % 5 == 0 then asks[i] = {"a" .. i, "quantile", c, math.random()}
    elseif i % 11 == 0 then asks[i] = {"a" .. i, "std", c, correction = 0}
    else asks[i] = {"a" .. i, how, c} end
  end
  return asks
end

local function alone(g, ask)
  if ask[2] == "count" then return g:count() end
  if ask[2] == "quantile" then return g:quantile(ask[3], ask[4]) end
  return g[ask[2]](g, ask[3], {correction = ask.correction})
end

-- The answers, one after the other, with one thread.
local function wanted_of(g, asks, pieces)
  share(1, pieces)
  local list = {}
  for i, ask in ipairs(asks) do list[i] = bytes(alone(g, ask)) end
  return list
end

local function check(ids, asks, pieces)
  local g = locus.group_by(ids)
  local wanted = wanted_of(g, asks, pieces)
  for _, n in ipairs {1, 2, 3, 5, 16} do
    share(n, pieces)
    local made = g:agg(asks)
    for i, ask in ipairs(asks) do
      if bytes(made:column(ask[1])) ~= wanted[i] then
        error(("the %s of %d rows, answer %d of %d, differs with %d threads"):format(ask[2], #ids,
          i, #asks, n))
      end
    end
  end
end

local kinds = {
  mixed = function(n, groups) return int(1, groups + 1, {n}) end,
  ascending = function(n, groups) return (locus.sort(int(1, groups + 1, {n}))) end,
  clustered = function(n, groups)
    return (locus.sort(int(1, groups + 1, {n}))):remainder(7) * 1000 + groups
  end,
}

describe("agg, in one pass, #host", function()
  after_each(function()
    share(threads, small)
    collectgarbage()
  end)

  for kind, ids_of in pairs(kinds) do
    it("answers as each method alone for " .. kind .. " ids", function()
      locus.manual_seed(17)
      math.randomseed(17)
      for _, case in ipairs {{1, 1}, {130, 2}, {700, 3}, {2100, 40}, {2100, 700}, {6000, 3000}} do
        local n, groups = case[1], case[2]
        local cs = columns(n)
        for _, count in ipairs {2, 5, 12} do
          check(ids_of(n, groups), random_asks(cs, count), true)
        end
      end
    end)
  end

  it("answers as each method alone for long columns", function()
    locus.manual_seed(19)
    math.randomseed(19)
    local n = 90000
    local cs = columns(n)
    for _, groups in ipairs {20, 30000} do
      check(kinds.mixed(n, groups), random_asks(cs, 6), false)
      check(kinds.ascending(n, groups), random_asks(cs, 6), false)
    end
  end)

  it("takes more columns than fit into one pass", function()
    locus.manual_seed(23)
    local asks, ids = {}, kinds.mixed(3000, 50)
    for i = 1, 40 do
      asks[#asks + 1] = {"m" .. i, "mean", locus.rand(3000)}
      asks[#asks + 1] = {"s" .. i, "sum", asks[#asks][3]}
    end
    check(ids, asks, true)
  end)

  it("takes tables that are too large together one after the other", function()
    locus.manual_seed(29)
    local n = 300000
    local ids, asks = locus.randperm(n):int(), {}
    for i = 1, 5 do
      asks[2 * i - 1] = {"m" .. i, "mean", locus.rand(n)}
      asks[2 * i] = {"n" .. i, "min", asks[2 * i - 1][3]}
    end
    check(ids, asks, false)
  end)

  it("finds ids out that only look as if they ascended", function()
    locus.manual_seed(31)
    local n = 6400
    local x, sorted = locus.rand(n), kinds.ascending(n, 40)
    for _, row in ipairs {2, 777, 3333, n - 1} do
      for _, id in ipairs {1, 20, 40} do
        local ids = sorted:clone()
        ids[row] = id
        share(1, true)
        local sums = bytes(x:segment(ids, "sum", {groups = 40}))
        local means = bytes(x:segment(ids, "mean", {groups = 40}))
        for _, t in ipairs {2, 5, 16} do
          share(t, true)
          assert.is_true(sums == bytes(x:segment(ids, "sum", {groups = 40})))
          assert.is_true(means == bytes(x:segment(ids, "mean", {groups = 40})))
        end
      end
    end
    local ids = sorted:clone()
    ids[5000] = 41
    for _, t in ipairs {1, 2, 5} do
      share(t, true)
      assert.equal("segment: 'ids' must hold numbers up to 40, the last of 40 groups, got 41 at "
        .. "[5000]", support.message(locus.segment, x, ids, "sum", {groups = 40}))
    end
  end)

  it("answers each of a list, of every dtype and layout of ids and columns", function()
    math.randomseed(37)
    locus.manual_seed(37)
    for _, dtype in ipairs(support.ordered) do
      local a = arrays.random(dtype, {1500})
      for _, layout in ipairs {"contiguous", "stepped"} do
        local x = arrays.tensor(a, layout)
        local ids = support.laid(kinds.mixed(1500, 90):long(), layout)
        ids[{{1, 90}}] = locus.range(1, 90):long()
        local hows, asks = {"sum", "max", "mean", "min", "count", "last", "std"}, {}
        for i, how in ipairs(hows) do asks[2 * i - 1], asks[2 * i] = x, how end
        for _, t in ipairs {1, 2, 5} do
          share(t, true)
          for i, answer in ipairs(internal.segments(ids, 90, asks)) do
            assert.is_true(bytes(answer) == bytes(x:segment(ids, hows[i], {groups = 90})))
          end
        end
      end
    end
  end)

  it("loses nothing where memory fails", function()
    locus.manual_seed(41)
    local n = 3000
    local g, x, y = locus.group_by(kinds.mixed(n, 60)), locus.rand(n), int(0, 90, {n})
    local asks = {{"a", "sum", x}, {"b", "mean", x}, {"c", "max", y}, {"d", "last", x},
                  {"e", "quantile", x, .9}, {"f", "quantile", x, .1}, {"g", "count"}}
    local wanted = wanted_of(g, asks, true)
    for _, t in ipairs {1, 2, 5} do
      share(t, true)
      local failed, done = 0, false
      for k = 1, 400 do
        locus.fail_allocation(k, true)
        local ok, made = pcall(g.agg, g, asks)
        if locus.fail_allocation(0) == 0 then done = true break end
        failed = failed + (ok and 0 or 1)
        if not ok then assert.matches("out of memory", made) end
      end
      assert.is_true(done and failed > 5)
      local made = g:agg(asks)
      for i, ask in ipairs(asks) do assert.is_true(wanted[i] == bytes(made:column(ask[1]))) end
    end
  end)
end)
