-- SPDX-License-Identifier: MIT
-- Missing values in frames: ffill, bfill and fill_missing of strings, by group and by column,
-- beside plain Lua; and rows without missing values.
local locus = require "locus"
local support = require "spec.support"

local nan = support.nan

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

-- The list filled within each group, by plain Lua.
local function by_group(list, ids, missing, backward, limit)
  local answers, last, age, n = {}, {}, {}, #list
  for k = 1, n do
    local i = backward and n + 1 - k or k
    local g, v = ids[i], list[i]
    local gap = v ~= v or v == missing
    age[g] = gap and (age[g] or 0) + 1 or 0
    if not gap then last[g] = v end
    answers[i] = v
    if gap and last[g] ~= nil and (not limit or age[g] <= limit) then answers[i] = last[g] end
  end
  return answers
end

local function random_frame(n, groups)
  local k, x, s, m = {}, {}, {}, {}
  for i = 1, n do
    k[i] = math.random(groups)
    x[i] = math.random(2) == 1 and nan or math.random(9)
    s[i] = math.random(2) == 1 and "" or "s" .. math.random(9)
    m[i] = math.random(2) == 1 and -1 or math.random(9)
  end
  return locus.frame {{"k", support.tensor("int64", k)}, {"x", locus.tensor(x)},
                      {"s", s}, {"m", support.tensor("int32", m)}}, k, x, s, m
end

describe("ffill and bfill by group", function()
  it("give columns in the order of the rows, as plain Lua does", function()
    math.randomseed(95)
    for _, n in ipairs {0, 1, 2, 40, 3000} do
      for _, groups in ipairs {1, 3, 700} do
        local f, k, x, s, m = random_frame(n, groups)
        local g = f:group "k"
        for name, backward in pairs {ffill = false, bfill = true} do
          for _, limit in ipairs {false, 0, 2} do
            local own = limit or nil
            support.same(g[name](g, "x", {limit = own}), {n}, by_group(x, k, nil, backward, limit))
            support.same(g[name](g, "m", {limit = own, missing = -1}), {n},
              by_group(m, k, -1, backward, limit), "int32")
            assert.same(by_group(s, k, "", backward, limit),
              g[name](g, "s", {limit = own}):totable())
          end
        end
        support.same(g:ffill("m"), {n}, m, "int32")
      end
    end
  end)

  it("take every dtype, and columns that are no frame's", function()
    local g = locus.group_by({"a", "b", "a", "b"})
    for _, dtype in ipairs(support.floats) do
      support.same(g:ffill(support.tensor(dtype, {1, 2, nan, nan})), {4}, {1, 2, 1, 2}, dtype)
    end
    local c = support.tensor("complex64", {support.complex(1, 2), 0, support.complex(nan, 1), 5})
    support.same(g:ffill(c), {4}, {support.complex(1, 2), support.complex(0, 0),
      support.complex(1, 2), support.complex(5, 0)}, "complex64")
    local x = locus.tensor {1, 9, 2, 9, nan, 9, nan, 9}
    support.same(g:bfill(x[{{-1, -1}}]:expand(4)), {4}, {9, 9, 9, 9})
    support.same(g:ffill({1, nan, nan, 4}), {4}, {1, nan, 1, 4})
    raises("ffill: 'limit' must not be negative, got -1", g.ffill, g, {1, 2, 3, 4}, {limit = -1})
    raises("bfill: 'column' must have 4 rows, as the keys, got 1", g.bfill, g, {1})
    raises("ffill: 'missing' is a value of integers, and in strings \"\" is missing", g.ffill, g,
      {"a", "b", "c", ""}, {missing = 1})
  end)
end)

describe("groups without NaN", function()
  it("answer as tensors do about the rows of each group", function()
    math.randomseed(96)
    for _, n in ipairs {1, 7, 3000} do
      for _, groups in ipairs {1, 3, 500} do
        local f = random_frame(n, groups)
        local g = f:group "k"
        for _, dtype in ipairs {"float64", "float32"} do
          local x = f.x:to(dtype)
          for _, how in ipairs {"nansum", "nanmean", "nanmin", "nanmax", "nancount", "nanstd",
                                "nanvar"} do
            local got = g[how](g, x)
            for i = 1, math.min(#g, 20) do
              local part = x[g:rows(i)]
              local want = part[how](part)
              local near = want ~= want and got[i] ~= got[i] or want == got[i]
                or math.abs(got[i] - want) < 1e-6 * math.abs(want)
              assert.is_true(near, how)
            end
          end
          for i = 1, math.min(#g, 20) do
            local want = x[g:rows(i)]:nanvar{correction = 0}
            local got = g:nanvar(x, {correction = 0})[i]
            assert.is_true(want ~= want and got ~= got or math.abs(want - got) < 1e-5)
          end
        end
        support.same(g:nansum("m"), {#g}, g:sum("m"):totable(), "int64")
        support.same(g:nancount("m"), {#g}, g:count():totable(), "int64")
      end
    end
  end)

  it("give quantiles and medians as tensors do of the rows of each group", function()
    math.randomseed(97)
    local qs = {0, 0.1, 0.5, 0.9, 1}
    for _, n in ipairs {1, 7, 3000} do
      for _, groups in ipairs {1, 3, 500} do
        local f = random_frame(n, groups)
        local g = f:group "k"
        for _, how in ipairs {"linear", "lower", "higher", "nearest", "midpoint"} do
          for _, x in ipairs {f.x, f.x:float(), f.x:half(), f.m} do
            local some = g:nanquantile(x, qs, {interpolation = how})
            local one = g:nanquantile(x, 0.9, {interpolation = how})
            assert.is_true(locus.equal(one:fill_missing(0), some[{{}, 4}]:fill_missing(0)))
            local middle = g:nanmedian(x)
            for i = 1, math.min(#g, 20) do
              local part = x[g:rows(i)]
              local want = part:nanquantile(qs, {interpolation = how}):totable()
              support.same(some[i], {5}, want, one.dtype)
              assert.is_true(support.same_value(part:nanmedian(), middle[i]))
            end
            assert.equal(x.dtype, middle.dtype)
          end
        end
        support.same(g:nanquantile("m", 0.3), {#g}, g:quantile("m", 0.3):totable(), "float64")
      end
    end
  end)

  it("give quantiles beside others of the same column in one agg", function()
    local f = locus.frame {{"k", {"a", "b", "a", "a", "c"}}, {"x", {1, nan, nan, 4, 7}}}
    local a = f:group("k"):agg{
      {"p", "nanquantile", "x", 0.5}, {"q", "quantile", "x", 0.5}, {"n", "nancount", "x"},
      {"r", "nanquantile", "x", 1, interpolation = "lower"}, {"m", "nanmedian", "x"},
      {"c", "count"}}
    support.same(a.p, {3}, {2.5, nan, 7})
    support.same(a.q, {3}, {nan, nan, 7})
    support.same(a.n, {3}, {2, 0, 1}, "int64")
    support.same(a.r, {3}, {4, nan, 7})
    support.same(a.m, {3}, {1, nan, 7})
    support.same(a.c, {3}, {3, 1, 1}, "int64")
    local none = f:head(0):group "k"
    support.same(none:nanquantile("x", {0.5, 1}), {0, 2}, {})
    support.same(none:nanmedian("x"), {0}, {})
    local t = locus.frame {{"k", {1, 1, 1}}, {"t", locus.times {"2026-01-03", "2026-01-01",
                                                                "2026-01-02"}}}:group "k"
    assert.equal("2026-01-02T00:00:00Z", tostring(t:nanmedian("t")[1]))
    assert.equal("time", t:agg{m = {"nanmedian", "t"}}:types().m)
    raises("nanmedian: the column 'k' must be of numbers for 'nanmedian', got a string column of "
      .. "size 5", f:group("k").nanmedian, f:group("k"), "k")
    raises("nanquantile: 'q' must be a number from 0 to 1, or a list of such, got the number 2",
      f:group("k").nanquantile, f:group("k"), "x", 2)
    raises("nanquantile: 'interpolation' must be one of linear, lower, higher, nearest or midpoint,"
      .. " got the string \"up\"", f:group("k").nanquantile, f:group("k"), "x", 0.5,
      {interpolation = "up"})
    local agg, g = f:group("k").agg, f:group("k")
    raises("agg: 'a' must be {\"nanquantile\", column, q}, q is one number from 0 to 1, got a table"
      .. "; write an entry for each, or g:nanquantile(column, q) for all in one tensor", agg, g,
      {a = {"nanquantile", "x", {0.1, 0.2}}})
  end)

  it("of no rows have the sum and count 0, and else NaN", function()
    local f = locus.frame {{"t", locus.times {"2026-01-01", "2026-01-03"}}, {"x", {1, nan}}}
    local g = f:group{t = "day", empty = true}
    support.same(g:nansum("x"), {3}, {1, 0, 0})
    support.same(g:nancount("x"), {3}, {1, 0, 0}, "int64")
    support.same(g:nanmean("x"), {3}, {1, nan, nan})
    support.same(g:nanmedian("x"), {3}, {1, nan, nan})
    support.same(g:nanquantile("x", 0.5), {3}, {1, nan, nan})
  end)

  it("stand in agg, and keep the kind of times", function()
    local f = locus.frame {{"k", {"a", "b", "a"}}, {"x", {1, nan, nan}},
                           {"t", support.tensor("int64", {3, 2, 1}), "time"}}
    local a = f:group("k"):agg{{"m", "nanmean", "x"}, {"n", "nancount", "x"}, {"lo", "nanmin", "x"},
                               {"t", "nanmin", "t"}, {"s", "nanstd", "x", correction = 0}}
    support.same(a.m, {2}, {1, nan})
    support.same(a.n, {2}, {1, 0}, "int64")
    support.same(a.lo, {2}, {1, nan})
    support.same(a.s, {2}, {0, nan})
    assert.equal("time", a:types().t)
    raises("nanmean: the column 'k' must be of numbers for 'nanmean', got a string column of size "
      .. "3", f:group("k").nanmean, f:group("k"), "k")
    raises("nanvar: 'correction' must not be NaN", f:group("k").nanvar, f:group("k"), "x",
      {correction = nan})
  end)
end)

describe("missing strings", function()
  it("are filled from before, from behind, and by values", function()
    local c = locus.strings {"", "a", "", "", "b", ""}
    assert.same({"", "a", "a", "a", "b", "b"}, c:ffill():totable())
    assert.same({"a", "a", "b", "b", "b", ""}, c:bfill():totable())
    assert.same({"", "a", "a", "", "b", "b"}, c:ffill{limit = 1}:totable())
    assert.same({"?", "a", "?", "?", "b", "?"}, c:fill_missing("?"):totable())
    assert.same({"b", "a", "b", "b", "b", "b"}, c:fill_missing("b"):totable())
    local d = locus.strings {"u", "v", "", "x", "y", "z"}
    assert.same({"u", "a", "", "x", "b", "z"}, c:fill_missing(d):totable())
    local whole = locus.strings {"a", "b"}
    assert.same({"a", "b"}, whole:fill_missing("?"):totable())
    assert.same({"a", "b"}, whole:ffill():totable())
    assert.same({}, locus.strings{}:fill_missing("?"):totable())
    raises("fill_missing: 'value' must be a string or a string column, got the number 0",
      c.fill_missing, c, 0)
    raises("fill_missing: 'value' must have 6 rows, as the column, got 2", c.fill_missing, c, whole)
    raises("ffill: 'limit' must not be negative, got -2", c.ffill, c, {limit = -2})
  end)
end)

describe("a frame", function()
  local function trades()
    return locus.frame {{"x", {1, nan, 3, nan}}, {"s", {"a", "", "", "d"}},
                        {"n", support.tensor("int64", {1, 2, 3, 4})},
                        {"t", support.tensor("int64", {1, 2, 3, 4}), "time"}}
  end

  it("has missing values filled by column", function()
    local f = trades():fill_missing{x = 0, s = "?", n = 5, t = 7}
    support.same(f.x, {4}, {1, 0, 3, 0})
    assert.same({"a", "?", "?", "d"}, f.s:totable())
    support.same(f.n, {4}, {1, 2, 3, 4}, "int64")
    assert.equal("time", f:types().t)
    f = trades():fill_missing{x = locus.tensor{9, 8, 7, 6}}
    support.same(f.x, {4}, {1, 8, 3, 6})
    assert.same({"a", "", "", "d"}, f.s:totable())
    support.same(trades():fill_missing{x = {9, 8, 7, 6}}.x, {4}, {1, 8, 3, 6})
  end)

  it("drops rows in which something is missing", function()
    local f = trades()
    support.same(f:drop_missing("x").n, {2}, {1, 3}, "int64")
    support.same(f:drop_missing{"x", "s"}.n, {1}, {1}, "int64")
    support.same(f:drop_missing().n, {1}, {1}, "int64")
    support.same(f:drop_missing("n", "t").n, {4}, {1, 2, 3, 4}, "int64")
    assert.equal(0, #trades():head(0):drop_missing())
    assert.equal("time", f:drop_missing().t and f:drop_missing():types().t)
  end)

  it("says what is wrong with the values", function()
    local f = trades()
    local fill = f.fill_missing
    raises("fill_missing: 'values' must be a table {name = value}, got the number 0", fill, f, 0)
    raises("fill_missing: 'values' must name a column, {name = value}", fill, f, {})
    raises("fill_missing: 'values' must be a table {name = value}, and names no "
      .. "column by the number 1", fill, f, {0})
    raises("fill_missing: takes one table {name = value}, got the number 1 behind it", fill, f,
      {x = 0}, 1)
    raises("fill_missing: the value of 'x' must be a value of float64, got the string \"a\"", fill,
      f, {x = "a"})
    raises("fill_missing: the value of 'x' must be one value or a column of 4 rows, got a float64 "
      .. "tensor of size 2", fill, f, {x = locus.ones(2)})
    raises("fill_missing: the frame has no column 'y'; it has 'n', 's', 't', 'x'", fill, f, {y = 1})
    raises("drop_missing: the frame has no column 'y'; it has 'n', 's', 't', 'x'", f.drop_missing,
      f, "y")
    assert.matches("^fill_missing: 'frame' must be a frame, got", support.message(fill, 5, {x = 1}))
  end)
end)
