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
          local counts = t[there]:segment(ids[there], "count", {groups = groups})
          for _, how in ipairs(HOWS) do
            local got = t:segment(ids, "nan" .. how, {groups = groups})
            local want
            if how == "min" or how == "max" then
              want = locus.full({groups}, nan, {dtype = dtype})
              for g = 1, groups do
                local own = t[there][ids[there]:eq(g)]
                if counts[g] > 0 then want[g] = own[how](own) end
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
