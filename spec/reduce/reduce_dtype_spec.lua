-- SPDX-License-Identifier: MIT
-- The argument dtype of sum, mean and cumsum: the input is cast to it first, the answer has it.
local locus = require "locus"
local support = require "spec.support"

local inf = math.huge

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

-- The answer of each op that takes dtype along dimension 2; and the dtypes for which it is an
-- error.
local ALONG = {
  sum = function(x, options) return x:sum(2, options) end,
  mean = function(x, options) return x:mean(2, options) end,
  cumsum = function(x, options) return x:cumsum(2, options) end,
}

local function is_whole(dtype)
  return dtype == "bool" or dtype:find("int") ~= nil
end

describe("dtype =", function()
  for op, along in pairs(ALONG) do
    it("casts what " .. op .. " reads and is what it answers with", function()
      for _, from in ipairs(support.dtypes) do
        for _, to in ipairs(support.dtypes) do
          if op ~= "mean" or not is_whole(to) then
            for _, layout in ipairs(support.layouts) do
              local x = support.tensor(from, {0, 2, 1, 3, 0, 1, 0, 0, 0}, {3, 3})
              x = support.laid(x, layout)
              local want = along(x:to(to)):to(to) -- so small that nothing wraps
              support.same(along(x, {dtype = to}), support.shape(want), support.values(want), to)
              if op ~= "cumsum" then
                want = x:to(to)[op](x:to(to))
                if to == "bool" then want = true end
                assert.is_true(support.same_value(want, x[op](x, {dtype = to})))
              end
            end
          end
        end
      end
    end)
  end

  it("wraps integer sums in that dtype", function()
    for _, from in ipairs {"int8", "int64", "float32"} do
      local x = support.tensor(from, {100, 100, 100, -1})
      assert.equal(43, x:sum{dtype = "int8"})
      support.same(x:sum(1, {dtype = "int8"}), {}, {43}, "int8")
      support.same(x:sum(1, true, {dtype = "int16"}), {1}, {299}, "int16")
      support.same(x:cumsum(1, {dtype = "int8"}), {4}, {100, -56, 44, 43}, "int8")
    end
    local most = support.tensor("int64", {support.range.int64[2], 1})
    support.same(most:cumsum(1, {dtype = "int64"}), {2},
                 {support.range.int64[2], support.range.int64[1]}, "int64")
  end)

  it("rounds each element before it is added", function()
    local x = support.tensor("int32", {16777217, 1})
    assert.equal(16777218, x:sum{dtype = "float64"})
    assert.equal(16777216, x:sum{dtype = "float32"})
    assert.equal(8388608, x:mean{dtype = "float32"})
    assert.equal(8388609, x:mean{dtype = "float64"})
    support.same(x:cumsum(1, {dtype = "float32"}), {2}, {16777216, 16777216}, "float32")
    assert.equal(2, locus.sum({1.5, 1.75}, {dtype = "int64"}))
    assert.equal(inf, locus.sum({65520, 1}, {dtype = "float16"}))
    assert.equal(9007199254740992, support.tensor("int64", {
      support.integer("9007199254740993") }):sum{dtype = "float64"})
  end)

  it("keeps what is wider than the input", function()
    local x = locus.full({4096}, 65504, {dtype = "float16"})
    assert.equal(inf, x:sum())
    assert.equal(65504 * 4096, x:sum{dtype = "float32"})
    support.same(x:view(2, -1):sum(2, {dtype = "float64"}), {2}, {65504 * 2048, 65504 * 2048},
                 "float64")
    support.same(locus.FloatTensor{0.5}:sum(1, {dtype = "complex64"}), {},
                 {support.complex(0.5, 0)}, "complex64")
  end)

  it("goes with scalars, tables, several dimensions, keepdim and nothing", function()
    assert.equal(5, locus.sum(5, {dtype = "int32"}))
    support.same(locus.sum(5, 1, {dtype = "int32"}), {}, {5}, "int32")
    assert.equal(7, locus.cumsum(7, 1, {dtype = "int8"}))
    support.same(locus.sum({{1, 2}, {3, 4}}, {1, 2}, true, {dtype = "int16"}), {1, 1}, {10},
                 "int16")
    support.same(locus.tensor({{1, 2}, {3, 4}}):mean{keepdim = true, dtype = "float32"}, {1, 1},
                 {2.5}, "float32")
    support.same(locus.zeros(0, 2):sum(1, {dtype = "uint8"}), {2}, {0, 0}, "uint8")
    support.same(locus.zeros(0, 2):cumsum(2, {dtype = "uint8"}), {0, 2}, {}, "uint8")
    support.same(locus.tensor(3):cumsum(1, {dtype = "bfloat16"}), {}, {3}, "bfloat16")
    support.same(locus.tensor({{1}, {2}}):expand(2, 3):sum(2, {dtype = "int64"}), {2}, {3, 6},
                 "int64")
  end)

  it("is out's dtype", function()
    local x, out = locus.tensor({1, 2}), locus.IntTensor(2)
    assert.equal(out, x:cumsum(1, {dtype = "int32", out = out}))
    support.same(out, {2}, {1, 3}, "int32")
    local total = locus.tensor(0, {dtype = "float32"})
    assert.equal(total, x:sum(1, {dtype = "float32", out = total}))
    assert.equal(3, total:item())
    raises("sum: 'out' must be float32, got float64", x.sum, x, 1,
           {dtype = "float32", out = locus.tensor(0)})
    raises("cumsum: 'out' must be int32, got float64", x.cumsum, x, 1,
           {dtype = "int32", out = locus.zeros(2)})
    for _, dtype in ipairs {"float64", "float32"} do
      local y = locus.tensor({1, 2}, {dtype = dtype})
      raises("cumsum: 'out' overlaps 'input' in memory; give a separate tensor", y.cumsum, y, 1,
             {dtype = dtype, out = y})
    end
  end)

  it("is an error where it cannot be", function()
    local x, out = locus.tensor({1, 300}), locus.ByteTensor()
    for _, dtype in ipairs {"bool", "int64"} do
      raises("mean: 'dtype' must be a float or complex dtype, got " .. dtype, x.mean, x,
             {dtype = dtype})
      raises("mean: 'dtype' must be a float or complex dtype, got " .. dtype, x.mean, x, 1,
             {dtype = dtype})
    end
    raises("sum: 'input' holds 300 at [2], which uint8 cannot hold", x.sum, x, {dtype = "uint8"})
    raises("sum: 'input' holds 300 at [2], which uint8 cannot hold", x.sum, x, 1,
           {dtype = "uint8", out = out})
    raises("cumsum: 'input' holds 300 at [2], which uint8 cannot hold", x.cumsum, x, 1,
           {dtype = "uint8", out = out})
    assert.equal(0, out:numel())
    raises("sum: 'input' is 1.5, which int64 cannot hold", locus.sum, 1.5, {dtype = "int64"})
    raises("sum: 'input' holds 0+1i at [1], which float32 cannot hold", locus.sum,
           locus.tensor({support.complex(0, 1)}), {dtype = "float32"})
    raises("sum: 'dtype' must be one of " .. table.concat(support.dtypes, " ")
           .. ', got the string "float31"', x.sum, x, {dtype = "float31"})
    for _, op in ipairs {"any", "all", "max", "amax", "argmax", "count_nonzero"} do
      assert.matches("^" .. op .. ": there is no argument 'dtype'",
                     support.message(x[op], x, {dtype = "int64"}))
    end
  end)
end)
