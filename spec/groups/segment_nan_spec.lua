-- SPDX-License-Identifier: MIT
-- segment of the rows that are not NaN: as the plain answer about these rows alone.
local locus = require "locus"
local support = require "spec.support"

local nan, inf = support.nan, math.huge
local HOWS = {"sum", "mean", "min", "max", "std", "var", "count"}

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

describe("segment without NaN", function()
  it("answers about the rows that are there", function()
    math.randomseed(99)
    for _, n in ipairs {0, 1, 50, 3000} do
      for _, groups in ipairs {1, 4, 700} do
        local x, ids = {}, {}
        for i = 1, n do
          x[i] = math.random(3) == 1 and nan or math.random(10) == 1 and inf or math.random(99) / 4
          ids[i] = math.random(groups)
        end
        ids = locus.tensor(ids, {dtype = "int64"})
        for _, dtype in ipairs {"float64", "float32", "float16", "bfloat16"} do
          local t = locus.tensor(x, {dtype = dtype})
          local there = t:isnan():logical_not()
          local counts = t[there]:segment(ids[there], "count", {groups = groups}):totable()
          local own, own_ids = t[there]:cpu(), ids[there]:cpu()
          for _, how in ipairs(HOWS) do
            local got = t:segment(ids, "nan" .. how, {groups = groups})
            local want
            if how == "min" or how == "max" then
              want = locus.full({groups}, nan, {dtype = dtype, device = "cpu"})
              for g = 1, groups do
                local group = own[own_ids:eq(g)]
                if counts[g] > 0 then want[g] = group[how](group) end
              end
            else
              want = t[there]:segment(ids[there], how, {groups = groups})
            end
            support.same(got, {groups}, support.values(want), want.dtype)
          end
        end
      end
    end
  end)

  -- Each way in which threads share the rows (src/cpu/reduce/segment_plan.h): ids in runs and
  -- mixed, groups that are few and many; answers of two columns from one pass.
  it("has the same bits from one pass for many answers, whoever takes the rows", function()
    math.randomseed(7)
    local asked = locus.get_num_threads()
    for _, n in ipairs {2500, 40000} do
      for _, groups in ipairs {3, 900} do
        for _, sorted in ipairs {false, true} do
          local ids = locus.randint(1, groups + 1, {n}, {dtype = "int64"})
          if sorted then ids = (ids:sort()) end
          local function column(share)
            local x = locus.rand(n) * 8 - 4
            return x:masked_fill(locus.rand(n):lt(share), nan)
          end
          local f = locus.frame{{"k", ids}, {"x", column(0.3):float()}, {"y", column(0.9)}}
          local function find(threads)
            locus.set_num_threads(threads)
            local g = f:group("k")
            return g:agg {
              {"a", "nansum", "x"}, {"b", "sum", "x"}, {"c", "nanmean", "y"}, {"d", "mean", "y"},
              {"e", "nancount", "x"}, {"f", "count"}, {"g", "nanmin", "y"}, {"h", "nanstd", "x"},
              {"i", "nanvar", "y", correction = 0}, {"j", "nanmax", "x"}, {"l", "std", "y"},
              {"m", "nancount", "y"}, {"n", "nanquantile", "y", 0.3}, {"o", "nansum", "y"},
            }, g
          end
          local got, g = find(1)
          for _, threads in ipairs {2, 5} do
            local found = find(threads)
            for name in ("k a b c d e f g h i j l m n o"):gmatch "%S" do
              local c = got:column(name)
              support.same(found:column(name), {#got}, support.values(c), c.dtype)
            end
          end
          for name, how in pairs {a = "nansum", e = "nancount", h = "nanstd", j = "nanmax"} do
            support.same(g[how](g, "x"), {#got}, support.values(got[name]), got[name].dtype)
            local there = f.x:isnan():logical_not()
            local own = locus.frame{{"k", ids[there]}, {"x", f.x[there]}}:group("k")
            local plain = how:sub(4) == "count" and own:count() or own[how:sub(4)](own, "x")
            local rows = got.k:lookup(own:agg({}).k)
            support.same(got[name][rows], {#plain}, support.values(plain), plain.dtype)
          end
        end
      end
    end
    locus.set_num_threads(asked)
  end)

  it("says which answers there are, and which ids are too great", function()
    local x = locus.tensor {1, nan}
    for _, how in ipairs {"median", "nanmedian", "nanprod", "nan", "nanfirst"} do
      raises("segment: 'how' must be one of sum prod min max mean std var first last any all count "
        .. ("nansum nanmin nanmax nanmean nanstd nanvar nancount, got \"%s\""):format(how),
        x.segment, x, {1, 2}, how)
    end
    for _, how in ipairs {"sum", "nanmin"} do
      raises("segment: 'ids' must hold numbers of groups, up to 4294967295, got 1099511627776; "
        .. "unique with return_inverse = true numbers other keys", x.segment, x, {1, 2 ^ 40}, how)
    end
  end)

  it("is the plain answer of integers, bool and floats without NaN", function()
    local ids = locus.tensor({1, 2, 1, 2}, {dtype = "int64"})
    for _, dtype in ipairs {"int8", "int64", "bool", "float32"} do
      local t = locus.tensor({1, 0, 1, 1}, {dtype = dtype})
      for _, how in ipairs(HOWS) do
        local want = t:segment(ids, how)
        support.same(t:segment(ids, "nan" .. how), {2}, support.values(want), want.dtype)
      end
    end
    local far = locus.tensor({"9007199254740993", "1", "-5"}, {dtype = "int64"})
    assert.is_true(far:segment({1, 1, 1}, "nanmax"):eq(far:max()):all())
  end)

  it("takes base, out, named arguments and strides", function()
    local x = locus.tensor({{1, 9}, {nan, 9}, {3, 9}}):select(2, 1)
    local out = locus.empty(2)
    assert.equal(out, x:segment({0, 1, 0}, "nansum", {base = 0, groups = 2, out = out}))
    support.same(out, {2}, {4, 0})
    support.same(locus.segment{input = x, ids = {1, 3, 1}, how = "nanmin"}, {3}, {1, nan, nan})
  end)

  it("checks what it is given, as the plain one does", function()
    local x = locus.tensor {1, nan}
    for _, how in ipairs {"sum", "nansum", "nanmin"} do
      raises(support.message(x.segment, x, {1, 3}, "sum", {groups = 2}), x.segment, x, {1, 3}, how,
        {groups = 2})
      raises(support.message(x.segment, x, {1}, "sum"), x.segment, x, {1}, how)
    end
    local out = locus.empty(3)
    local said = support.message(x.segment, x, {1, 1}, "nansum", {out = out})
    assert.truthy(said:find("'out'", 1, true))
    raises("segment: 'out' overlaps 'input' in memory; give a separate tensor", x.segment, x,
      {1, 2}, "nansum", {out = x})
    local z = locus.zeros(2, {dtype = "complex64"})
    raises(support.message(z.segment, z, {1, 1}, "sum"), z.segment, z, {1, 1}, "nansum")
  end)
end)
