-- SPDX-License-Identifier: MIT
-- Elements by rank, beside those of sorted segments: every dtype, segments of all lengths, ties,
-- NaN, zeros of both signs, keys that are far apart and that lie close together.
local locus = require "locus"
local core = require "locus.core"
local support = require "spec.support"
local internal = core.internal

local seed = 1
local function random(n)
  seed = (seed * 16807) % 2147483647
  return seed % n
end

local function long(list)
  return #list == 0 and locus.zeros(0, {dtype = "int64"}) or locus.tensor(list, {dtype = "int64"})
end

local kinds = {
  few = function() return random(3) - 1 end,
  many = function() return random(100000) - 50000 end,
  spread = function() return (random(2) * 2 - 1) * 2 ^ (random(200) - 100) end,
  near = function() return 1 + random(100000) * 2 ^ -40 end,
  odd = function() return ({locus.nan, -0.0, 0.0, locus.inf, -locus.inf})[random(5) + 1] end,
}

local function elements(kind, dtype, n)
  local list = {}
  for i = 1, n do
    local v = kinds[kind]()
    if dtype == "bool" then v = v > 0
    elseif dtype == "uint8" then v = v % 256
    elseif dtype == "int8" then v = v % 256 - 128
    elseif dtype == "int16" then v = v % 65536 - 32768
    elseif dtype == "float16" then v = v % 60000 end
    list[i] = v
  end
  return locus.tensor(list, {dtype = dtype})
end

-- Elements and where they stand, as sort has them; without positions a zero is +0.
local function check(x, ranks, descending)
  local sorted, from = x:sort(1, descending)
  local at, row = long(ranks), x:unsqueeze(1)
  local values, index = internal.kth(row, at, {descending = descending, positions = true})
  support.same(values, {1, #ranks}, support.values(sorted[at + 1]), x.dtype)
  support.same(index, {1, #ranks}, support.values(from[at + 1]), "int64")
  local wanted = support.values(sorted[at + 1])
  for i, v in ipairs(wanted) do wanted[i] = v == 0 and 0 or v end
  support.same(internal.kth(row, at, {descending = descending}), {1, #ranks}, wanted, x.dtype)
end

local function some_ranks(n, count)
  local list = {}
  for i = 1, count do list[i] = random(n) end
  table.sort(list)
  return list
end

describe("kth", function()
  for _, dtype in ipairs(support.sample(support.ordered, 4)) do
    it("finds what sort finds in " .. dtype, function()
      local float = support.types[dtype].kind == "FLOAT"
      for kind in pairs(kinds) do
        for _, n in ipairs {1, 2, 39, 40, 41, 500, 1024, 5000} do
          if float or kind == "few" or kind == "many" then
            local x = elements(kind, dtype, n)
            check(x, some_ranks(n, 1), false)
            check(x, some_ranks(n, 7), true)
          end
        end
      end
    end)
  end

  it("finds all ranks at once, and none", function()
    local x, all = elements("many", "float64", 3000), {}
    for i = 1, 3000 do all[i] = i - 1 end
    check(x, all, false)
    check(x, all, true)
    assert.equal("1x0", tostring(internal.kth(x:unsqueeze(1), long {}):size()))
    assert.equal("0x1", tostring(internal.kth(locus.zeros(0, 3), long {1}):size()))
  end)

  it("takes segments that are too long for a workspace", function()
    for kind in pairs(kinds) do
      local piece, parts = elements(kind, "float64", 5000), {}
      for i = 1, 28 do parts[i] = kind == "odd" and piece or piece * (i % 5 + 1) end
      local x = locus.cat(parts)
      check(x, {0, 1, 69999, 70000, 139999}, false)
      check(x, {69999}, true)
    end
  end)

  it("takes segments between offsets, empty ones that are asked for nothing too", function()
    local lengths, offsets, ranks = {}, {0}, {}
    for s = 1, 200 do
      lengths[s] = s % 9 == 0 and 1000 + random(2000) or s == 5 and 140000 or 1 + random(60)
      offsets[s + 1] = offsets[s] + lengths[s]
      ranks[s] = some_ranks(lengths[s], 3)
    end
    local x = locus.cat {elements("many", "float32", 5000):expand(20, 5000):flatten(),
                         elements("many", "float32", offsets[201] - 100000)}
    local got = internal.kth(x, long(ranks), long(offsets)):totable()
    for s = 1, 200 do
      local sorted = x:narrow(1, offsets[s] + 1, lengths[s]):sort():totable()
      for i = 1, 3 do assert.equal(sorted[ranks[s][i] + 1], got[s][i]) end
    end
    local nothing = locus.zeros(2, 0, {dtype = "int64"})
    local none = internal.kth(x, nothing, long {0, 0, offsets[201]})
    assert.equal("2x0", tostring(none:size()))
  end)

  it("keeps int64 exact", function()
    local x = locus.zeros(100, {dtype = "int64"}) + 2 ^ 53
    x[8], x[91] = x[8] - 1, x[91] + 3
    x = x + 1
    check(x, {0, 1, 98, 99}, false)
  end)

  it("refuses ranks that no element has", function()
    local x = locus.tensor {{1, 2, 3}}
    for _, bad in ipairs {{3}, {-1}, {2, 1}} do
      assert.equal(("kth: segment 1 of 3 elements has no rank %d here"):format(bad[2] or bad[1]),
                   support.message(internal.kth, x, long(bad)))
    end
  end)

  it("refuses offsets that do not lead through the input", function()
    local x, none = locus.zeros(3), locus.zeros(2, 0, {dtype = "int64"})
    for _, bad in ipairs {{1, 2, 3}, {0, 2, 2}, {0, 4, 3}} do
      assert.equal("kth: 'offsets' must lead from 0 to 3 and never fall",
                   support.message(internal.kth, x, none, long(bad)))
    end
  end)

  it("survives failing allocations", function()
    local x, ranks = locus.arange(1, 140000):unsqueeze(1), long {10, 70000}
    local failed = 0
    for k = 1, 40 do
      locus.fail_allocation(k, true)
      local ok = pcall(internal.kth, x, ranks)
      if locus.fail_allocation(0) == 0 then break end
      failed = failed + (ok and 0 or 1)
    end
    assert.is_true(failed > 2)
    support.same(internal.kth(x, ranks), {1, 2}, {11, 70001})
  end)

  it("reads a long segment again where its nearest keys have no memory #host", function()
    local scattered = locus.arange(200000) * 7919 % 200003
    local ranks = {0, 1, 77, 99999, 100000, 199998, 199999}
    local asked = long(ranks)
    for _, x in ipairs {scattered, scattered ^ -3, scattered:long() * 1000003,
                        (scattered % 7):float(), locus.where(scattered:lt(5), 0 / 0, -scattered)} do
      local row, short, sorted, from = x:unsqueeze(1), 0, x:sort()
      for k = 1, 14 do
        locus.fail_allocation(math.ceil(k / 2), k % 2 == 0)
        local placed, _, index = pcall(internal.kth, row, asked, {positions = true})
        locus.fail_allocation(k, true)
        local ok, values = pcall(internal.kth, row, asked)
        short = short + (locus.fail_allocation(0) > 0 and ok and 1 or 0)
        for i, rank in ipairs(placed and ranks or {}) do
          assert.equal(from[rank + 1], index[{1, i}])
        end
        for i, rank in ipairs(ok and ranks or {}) do
          assert.equal(support.show(sorted[rank + 1] + 0), support.show(values[{1, i}]))
        end
      end
      assert.is_true(short > 0)
    end
  end)
end)
