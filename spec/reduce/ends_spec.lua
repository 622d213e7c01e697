-- SPDX-License-Identifier: MIT
-- Means, norms and spreads at the ends of float64, where sums and squares lie beyond it or below;
-- and of equal elements, whose sums are rounded: along every dimension, of every layout, dtype and
-- group. The specs reduce_spec.lua, spread_spec.lua, norm_spec.lua and spec/groups/segment_spec.lua
-- check all other answers, bit for bit.
local locus = require "locus"
local support = require "spec.support"

local inf, nan = math.huge, support.nan
local MOST = (2 - 2 ^ -52) * 2 ^ 1023
local SIZES = {2, 3, 7, 49, 1000, 1025, 3001, 70000}

local function near(want, got, slack)
  if not (got == want or math.abs(got - want) <= (slack or 1e-14) * math.abs(want)) then
    error(("expected %.17g, got %.17g"):format(want, got), 2)
  end
end

-- f(x) for a row of these elements along the last and along the first dimension, among rows of
-- others, and alone; in each layout.
local function each_row(list, f)
  local n = #list
  f(locus.tensor(list), nil)
  for _, layout in ipairs(support.layouts) do
    for _, rows in ipairs {1, 3, 70} do
      if n * rows < 10000 then
        local x = locus.ones(rows, n) * 5
        x[rows] = locus.tensor(list)
        f(support.laid(x, layout), 2, rows)
        f(support.laid(x:t():contiguous(), layout), 1, rows)
      end
    end
  end
end

-- The answer of a reduction for the row that each_row made; and its norm.
local function answer(name, x, dim, rows, options)
  if not dim then return x[name](x, options) end
  return x[name](x, dim, options)[rows]
end

local function norm(p, x, dim, rows)
  if not dim then return x:norm(p) end
  return x:norm(p, dim)[rows]
end

local function repeated(n, ...)
  local given, list = {...}, {}
  for i = 1, n do list[i] = given[(i - 1) % #given + 1] end
  return list
end

describe("the mean at the ends of float64", function()
  it("is finite of finite elements", function()
    each_row({1e308, 1e308}, function(...) assert.equal(1e308, answer("mean", ...)) end)
    each_row({1e308, 1.2e308, 1e308, 1.2e308}, function(...)
      near(1.1e308, answer("mean", ...))
    end)
    each_row({1.7e308, -1.7e308, 1.7e308, -1.7e308}, function(...)
      assert.equal(0, answer("mean", ...))
    end)
    for _, n in ipairs {3, 100, 1025, 5000, 70000} do
      each_row(repeated(n, MOST), function(...)
        assert.equal(MOST, answer("mean", ...))
        assert.equal(0, answer("var", ...))
        assert.equal(MOST, answer("nanmean", ...))
      end)
      each_row(repeated(n, -1.7e308), function(...) assert.equal(-1.7e308, answer("mean", ...)) end)
    end
  end)

  it("is that of infinities and NaN where there are such", function()
    for _, case in ipairs {{{1e308, 1e308, inf}, inf}, {{MOST, MOST, -inf}, -inf},
                           {{inf, -inf}, nan}, {{1e308, nan, 1e308}, nan}} do
      each_row(case[1], function(...)
        assert.is_true(support.same_value(case[2], answer("mean", ...)))
      end)
    end
    each_row({1e308, nan, 1e308}, function(...) assert.equal(1e308, answer("nanmean", ...)) end)
  end)

  it("holds for complex numbers, each part by itself", function()
    local z = locus.tensor{support.complex(1e308, 0.1), support.complex(1e308, 0.1),
                           support.complex(1e308, 0.1)}
    for _, mean in ipairs {z:mean(), z:nanmean(), z:mean(1):item()} do
      assert.is_true(support.same_value(support.complex(1e308, 0.1), mean))
    end
  end)
end)

describe("norms and spreads at the ends of float64", function()
  it("are those of smaller numbers, scaled", function()
    for _, unit in ipairs {1e200, 2 ^ 900, 1e-200, 2 ^ -900, 2 ^ -1050, 1e150, 1e-150} do
      each_row({3 * unit, 0, -4 * unit}, function(...)
        near(5 * unit, norm(2, ...))
        near(7 * unit, norm(1, ...))
        for _, p in ipairs {3, 0.5, 4} do near((3 ^ p + 4 ^ p) ^ (1 / p) * unit, norm(p, ...)) end
      end)
      each_row({unit, 3 * unit, 5 * unit}, function(...)
        if unit > 2 ^ -1000 then
          near(2 * unit, answer("std", ...))
          near(4 * unit * unit, answer("var", ...))
        end
      end)
    end
    near(1e200 / 2 ^ (1 / 3), locus.tensor{1e200, 1e200}:norm(-3))
    near(1e-200 / 2 ^ (1 / 3), locus.tensor{1e-200, 1e-200}:norm(-3))
    assert.equal(0, locus.tensor{0, 1e200}:norm(-3))
    assert.equal(inf, locus.tensor{inf, 1e200}:norm(3))
    assert.equal(0, locus.zeros(3):norm(3))
  end)

  it("have distances that lie beyond float64", function()
    each_row({1.7e308, -1.7e308}, function(x, dim, rows)
      assert.equal(inf, answer("std", x, dim, rows))
      near(1.7e308, answer("std", x, dim, rows, {correction = 0}))
      assert.equal(inf, answer("var", x, dim, rows))
    end)
    each_row(repeated(100, 1e154, 3e154), function(...)
      near(1e154 * math.sqrt(100 / 99), answer("std", ...))
      near(1e154 ^ 2 * (100 / 99), answer("var", ...))
    end)
    each_row({0, 0, 0}, function(...) assert.equal(0, norm(2, ...)) end)
  end)
end)

describe("equal elements", function()
  it("are their own mean, and have no spread, of every dtype and size", function()
    for _, dtype in ipairs(support.real) do
      local values = locus.tensor({0.1}, {dtype = "float64"})
      if dtype:find("int") then values = values:mul(1000):round() end
      local top = dtype == "int64" and locus.full({1}, 9007199254740993LL, {dtype = dtype})
      for _, one in ipairs {values:to(dtype), top or nil} do
        for _, n in ipairs(SIZES) do
          local x = one:expand(n):clone()
          local want = x:double()[1]
          if dtype:find("float") then want = x[1] end
          assert.equal(want, x:mean())
          assert.equal(want, x:nanmean())
          assert.equal(0, x:var())
          assert.equal(0, x:std())
          assert.is_true(support.same_value(nan, x:var{correction = n}))
          local z = (x:double() - x:mean()) / x:std{correction = 0}
          assert.is_true(z:isnan():all())
          for _, layout in ipairs(support.layouts) do
            if n < 4000 then
              local wide = support.laid(one:expand(n, 5):clone(), layout)
              assert.is_true(wide:mean(1):eq(want):all() and wide:var(1):eq(0):all())
              wide = support.laid(one:expand(5, n):clone(), layout)
              assert.is_true(wide:mean(2):eq(want):all() and wide:std(2):eq(0):all())
              assert.is_true(wide:mean({1, 2}):item() == want)
            end
          end
        end
      end
    end
    assert.is_true(support.same_value(nan, locus.tensor{0.1, 0.1, 0.1}:var{correction = 3}))
  end)

  it("are so beside columns that are not, and with NaN where that counts for nothing", function()
    for _, n in ipairs {9, 1000, 3001} do
      local x = locus.rand(n, 70)
      x[{{}, 3}], x[{{}, 70}] = 0.1, 1e308
      assert.equal(0.1, x:mean(1)[3])
      assert.equal(0, x:std(1)[3])
      assert.equal(1e308, x:mean(1)[70])
      local others = x[{{}, {5, 60}}]
      assert.is_true(others:mean(1):equal(others:sum(1) / n))
      x[{1, 3}], x[{n, 3}], x[{1, 70}] = nan, nan, nan
      assert.equal(0.1, x:nanmean(1)[3])
      assert.equal(1e308, x:nanmean(1)[70])
      assert.equal(0.1, x:t():contiguous():nanmean(2)[3])
      assert.equal(0.1, x[{{}, 3}]:nanmean())
      x[{4, 3}] = 0.3
      assert.is_true(x:nanmean(1)[3] > 0.1)
    end
  end)

  it("are so by group and by segment, beside others", function()
    for _, n in ipairs {3, 49, 1000, 30011} do
      for _, sorted in ipairs {true, false} do
        local ids = sorted and locus.arange(0, 4 * n):div(n):floor():long() + 1
          or locus.arange(0, 4 * n):remainder(4):long() + 1
        local x = locus.rand(4 * n)
        x[ids:eq(2)], x[ids:eq(3)], x[ids:eq(4)] = 0.1, 1e308, -MOST
        local mean = x:segment(ids, "mean")
        assert.same({0.1, 1e308, -MOST}, {mean[2], mean[3], mean[4]})
        near(x[ids:eq(1)]:mean(), mean[1], 1e-11) -- groups add one row to the next
        for _, how in ipairs {"std", "var"} do
          local spread = x:segment(ids, how)
          assert.same({0, 0, 0}, {spread[2], spread[3], spread[4]})
        end
        if sorted then
          local lengths = locus.full({4}, n, {dtype = "int64"})
          local by_length = x:segment_reduce("mean", {lengths = lengths})
          assert.same({0.1, 1e308, -MOST}, {by_length[2], by_length[3], by_length[4]})
          by_length = x:view(4 * n, 1):expand(4 * n, 3):segment_reduce("mean", {lengths = lengths})
          assert.same({0.1, 0.1, 1e308}, {by_length[{2, 1}], by_length[{2, 3}], by_length[{3, 2}]})
          by_length = x:segment_reduce("mean", {lengths = lengths, initial = 0})
          near(1e308, by_length[3])
        end
        local f = locus.frame{{"k", ids}, {"x", x}}
        local found = f:group("k"):agg{mean = {"mean", "x"}, std = {"std", "x"}}
        local row = found.k:lookup(2)
        assert.equal(0.1, found.mean[row])
        assert.equal(0, found.std[row])
      end
    end
  end)

  it("of groups at the ends of float64 have the spread that they have", function()
    local x = locus.tensor{1.7e308, -1.7e308, 0, 3e-200, 1e-200, 5e200, 1e200, nan, 1, inf, 2}
    local std = x:segment({1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}, "std")
    near(1.7e308, std[1])
    near(1e-200 * math.sqrt(2), std[2])
    near(4e200 / math.sqrt(2), std[3])
    assert.is_true(std[4] ~= std[4] and std[5] ~= std[5])
    local f = locus.frame{{"k", locus.LongTensor{1, 1, 2, 2, 3, 3, 4}},
                          {"x", locus.tensor{1.7e308, -1.7e308, 3e-200, 1e-200, 0, 0, 5}}}
    local by_key = f:group("k"):std("x", {correction = 0})
    near(1.7e308, by_key[1])
    near(1e-200, by_key[2])
    assert.same({0, 0}, {by_key[3], by_key[4]})
    local mean = x:segment({1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}, "mean")
    assert.is_true(mean[1] == 0 and mean[4] ~= mean[4] and mean[5] == inf)
  end)

  it("give the same bits for any number of threads #host", function()
    local x = locus.full(300000, 0.1)
    local y = locus.full({300000}, 1.1e308)
    y[7] = -1.1e308
    local answers = {}
    local threads = locus.get_num_threads()
    for i, n in ipairs {1, 2, 5} do
      locus.set_num_threads(n)
      answers[i] = {x:mean(), x:std(), y:mean(), y:std(), y:norm(), x:view(300, 1000):mean(1)[7]}
    end
    locus.set_num_threads(threads)
    assert.same(answers[1], answers[2])
    assert.same(answers[1], answers[3])
    assert.equal(0.1, answers[1][1])
  end)
end)
