-- SPDX-License-Identifier: MIT
-- agg of groups: what it is asked for, which is what the methods of groups take; their options.
local locus = require "locus"
local support = require "spec.support"

local same = support.same

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

describe("agg", function()
  local f = locus.frame {{"sym", {"b", "a", "b"}}, {"n", {1, 2, 4}}}
  local g = f:group("sym")

  it("makes a frame of keys and answers, by name or in the order of a list", function()
    local made = g:agg{total = {"sum", "n"}, count = "count", half = {"quantile", "n", 0.5}}
    assert.same({"sym", "count", "half", "total"}, made:columns())
    assert.same({"b", "a"}, made.sym:totable())
    same(made.total, {2}, {5, 2}, "float64")
    same(made.half, {2}, {2.5, 2}, "float64")
    made = g:agg{{"z", "last", "n"}, {"y", "count"}, x = {"max", {3, 2, 1}}}
    assert.same({"sym", "z", "y", "x"}, made:columns())
    same(made.x, {2}, {3, 2}, "float64")
    assert.same({"sym"}, g:agg{}:columns())
  end)

  it("takes what the methods of groups take", function()
    local made = g:agg{
      {"a", "quantile", "n", 0.9, interpolation = "higher"}, {"b", "std", "n", correction = 0},
      {"c", "sum", "n", dtype = "int64"}, {"d", "mean", "n", dtype = "float32"},
      e = {"var", "n", correction = 2},
    }
    local f32 = locus.tensor({2.5, 2}, {dtype = "float32"})
    same(made.a, {2}, {4, 2}, "float64")
    same(made.b, {2}, {1.5, 0}, "float64")
    same(made.c, {2}, {5, 2}, "int64")
    same(made.d, {2}, f32:totable(), "float32")
    assert.equal(1 / 0, made.e[1])
    assert.is_true(made.e[2] ~= made.e[2])
    for _, q in ipairs {0, 0.25, 1} do
      for _, how in ipairs {"lower", "higher", "nearest", "midpoint", "linear"} do
        local one = g:agg{q = {"quantile", "n", q, interpolation = how}}.q
        assert.equal(locus.tensor{1, 4}:quantile(q, {interpolation = how}), one[1])
        assert.is_true(locus.equal(g:quantile("n", q, {interpolation = how}), one))
      end
    end
  end)

  it("takes no more than that", function()
    local function says(sentence, columns) raises("agg: " .. sentence, g.agg, g, columns) end
    says([['p' must be {"std", column, correction = ...}, and has the number 0 behind that]],
      {p = {"std", "n", 0}})
    says([['p' must be {"std", column, correction = ...}, and has the number 0 behind that]],
      {{"p", "std", "n", 0}})
    says([['p' must be {"sum", column, dtype = ...}, and has the string "sym" behind that]],
      {p = {"sum", "n", "sym"}})
    says([['p' must be {"sum", column, dtype = ...}, and has the number 1 behind that]],
      {p = {"sum", "n", [9] = 1}})
    says([['p' must be {"max", column}, and has the Lua boolean true behind that]],
      {p = {"max", "n", true}})
    says([['p' must be {"count"}, and has a bool tensor of size 3 behind that]],
      {p = {"count", f.n:gt(1)}})
    says([['p' must be {"count"}, and has the string "nowhere" behind that]],
      {p = {"count", "nowhere"}})
    says([['p' must be {"quantile", column, q, interpolation = ...}, and has the number 1 behind ]]
      .. "that", {p = {"quantile", "n", 0.5, 1}})
    says([['p' must be {"mean", column, dtype = ...}, there is no 'skipna'; NaN is let through: ]]
      .. "write nan before the name, as in nanmean",
      {p = {"mean", "n", skipna = true}})
    says([['p' must be {"quantile", column, q, interpolation = ...}, there is no ]]
      .. "'interpolaton'; did you mean 'interpolation'?",
      {{"p", "quantile", "n", 0.5, interpolaton = "higher"}})
    says([['p' must be {"last", column}, there is no 'dtype']], {p = {"last", "n", dtype = "int8"}})
    says([['p' must be {"count"}, there is no 'true']], {p = {"count", [true] = 1}})
    says("'columns' has the Lua boolean true for a key, which names no column", {[true] = "count"})
    says("'columns' has the number 3 for a key, which names no column", {[3] = {"p", "count"}})
    raises("agg: takes one table of columns, got a table behind it", g.agg, g, {n = "count"}, {})
  end)

  it("checks options as the methods do", function()
    local function says(sentence, columns) raises("agg: " .. sentence, g.agg, g, columns) end
    says("'correction' must be a number, got the string \"x\"",
      {p = {"std", "n", correction = "x"}})
    says("'correction' must not be NaN", {p = {"std", "n", correction = 0 / 0}})
    says("'dtype' must be a float or complex dtype, got int8", {p = {"mean", "n", dtype = "int8"}})
    says("'dtype' must be real, got complex64", {p = {"sum", "n", dtype = "complex64"}})
    says("'interpolation' must be one of linear, lower, higher, nearest or midpoint, got the "
      .. "string \"up\"", {p = {"quantile", "n", 0.5, interpolation = "up"}})
    raises("sum: there is no argument 'dtyp'; did you mean 'dtype'?", g.sum, g, "n", {dtyp = 1})
    raises("max: there is no argument 'dtype'; the arguments are 'group', 'column'", g.max, g, "n",
      {dtype = "int8"})
  end)

  it("says what is wrong", function()
    raises("agg: 'columns' must be a table {name = {how, column}}, got the number 5", g.agg, g, 5)
    raises("agg: 'a' must be {how, column}, and how one of count, sum, prod, mean, std, var, "
      .. "min, max, any, all, first, last, nunique, quantile, or nansum, nanmean, "
      .. "nanstd, nanvar, nanmin, "
      .. "nanmax, nancount, nanmedian or nanquantile, got the string \"sun\"", g.agg, g,
      {a = {"sun", "n"}})
    raises("agg: 'a' must be {\"sum\", column}, the column is missing", g.agg, g, {a = "sum"})
    raises("agg: 'a' must be {how, column}, got the number 1", g.agg, g, {a = 1})
    raises("agg: 'columns' must hold {name, how, column}, got the string \"a\"", g.agg, g, {"a"})
    for _, list in ipairs {{}, {.5}, {.5, .9}, locus.tensor{.5}} do
      raises("agg: 'a' must be {\"quantile\", column, q}, q is one number from 0 to 1, got "
        .. (type(list) == "table" and "a table" or "a float64 tensor of size 1")
        .. "; write an entry for each, or g:quantile(column, q) for all in one tensor", g.agg, g,
        {a = {"quantile", "price", list}})
    end
    raises("agg: 'a' must be {\"quantile\", column, q}, q is one number from 0 to 1, got the "
      .. "number 2", g.agg, g, {a = {"quantile", "price", 2}})
    raises("agg: 'a' must be {\"std\", column, correction = ...}, there is no 'ddof'; write "
      .. "correction = n", g.agg, g, {a = {"std", "price", ddof = 0}})
    raises("agg: 'a' must be {\"quantile\", column, q}, q is nil", g.agg, g,
      {a = {"quantile", "n"}})
    raises("agg: the column 'sym' is there twice", g.agg, g, {sym = "count"})
    raises("agg: the name of a column must be a string that is not empty, got an empty one", g.agg,
      g, {[""] = "count"})
    raises("agg: 'group' must be the groups of a frame, got a frame of 3 rows and 2 columns; "
      .. "write g:agg(...)", g.agg, f, {})
  end)
end)

describe("sums and deviations of groups", function()
  local ids = locus.LongTensor{1, 2, 2, 3, 3, 3}
  local g = locus.group_by(ids)
  local values = {3, 5, 8, 1, 2, 6}

  -- The answers of each group's elements alone.
  local function of_each(x, how, options)
    local list = {}
    for i = 1, 3 do list[i] = x[ids:eq(i)][how](x[ids:eq(i)], 1, options) end
    return locus.stack(list)
  end

  it("are those of the elements, in every dtype and with every correction", function()
    for _, dtype in ipairs(support.real) do
      local x = locus.tensor(values, {dtype = dtype})
      for _, how in ipairs {"std", "var"} do
        for _, correction in ipairs {0, 0.5, 1, 2, 3, 4, -1} do
          local options = {correction = correction}
          local expected, got = of_each(x, how, options), g[how](g, x, options)
          assert.equal(expected.dtype, got.dtype)
          if correction == 0 then assert.is_true(locus.allclose(expected, got)) end
          for i = 1, 3 do
            local a, b = expected[i], got[i]
            assert.is_true(a == b or a ~= a and b ~= b or math.abs(a - b) < 1e-2 * a, how)
          end
        end
      end
    end
    for _, odd in ipairs {1 / 0, 0 / 0} do
      local made = g:var({odd, 1, odd, 1, 2, 3}, {correction = 0})
      assert.is_true(made[1] ~= made[1] and made[2] ~= made[2] and made[3] == made[3])
    end
  end)

  it("have the dtype that is asked for, in which integers wrap", function()
    local x = locus.tensor({200, 100, 100, 120, 120, 120}, {dtype = "uint8"})
    for _, how in ipairs {"sum", "prod"} do
      for _, dtype in ipairs {"uint8", "int16", "int32", "int64", "float32", "float64", "bool"} do
        local expected = of_each(x, how, {dtype = dtype})
        same(g[how](g, x, {dtype = dtype}), {3}, expected:totable(), dtype)
      end
    end
    same(g:sum(x - 100, {dtype = "int8"}), {3}, {100, 0, 60}, "int8")
    same(g:mean(x, {dtype = "float32"}), {3}, {200, 100, 120}, "float32")
    raises("sum: 'input' holds 200 at [1], which int8 cannot hold", g.sum, g, x, {dtype = "int8"})
  end)
end)
