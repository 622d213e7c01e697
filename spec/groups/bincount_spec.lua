-- SPDX-License-Identifier: MIT
-- bincount.
local locus = require "locus"
local support = require "spec.support"

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

describe("bincount", function()
  it("counts value v at position v, or from 0 with base = 0", function()
    local x = locus.tensor({1, 3, 3, 5}, {dtype = "int64"})
    support.same(x:bincount(), {5}, {1, 0, 2, 0, 1}, "int64")
    support.same(x:bincount{base = 0}, {6}, {0, 1, 0, 2, 0, 1}, "int64")
    assert.equal(2, x:bincount()[3])
  end)

  it("counts every integer dtype in every layout", function()
    math.randomseed(51)
    for _, dtype in ipairs(support.integers) do
      local values, weights, counts, sums = {}, {}, {}, {}
      for v = 1, 100 do counts[v], sums[v] = 0, 0 end
      for i = 1, 2500 do
        local v = math.random(100)
        values[i], weights[i] = v, math.random(-8, 8) / 4
        counts[v], sums[v] = counts[v] + 1, sums[v] + weights[i]
      end
      for _, layout in ipairs(support.layouts) do
        local x = support.laid(support.tensor(dtype, values), layout)
        support.same(x:bincount(), {100}, counts, "int64")
        for _, of in ipairs {"float32", "float64", "int8"} do
          local w = support.tensor(of, of == "int8" and values or weights)
          local got = x:bincount(support.laid(w, layout))
          if of ~= "int8" then support.same(got, {100}, sums, "float64")
          else assert.equal(7 * counts[7], got[7]) end
        end
      end
    end
  end)

  it("finds counters for values as they come, far ones too", function()
    for _, n in ipairs {3, 1024, 1025, 3000} do
      for _, far in ipairs {1023, 1024, 1025, 2048, 5000, 13024, 13025, 2 ^ 20, 2 ^ 20 + 1} do
        for _, at in ipairs {1, 2, math.floor(n / 2), n} do
          local x = locus.full(n, 7, {dtype = "int64"})
          x[at] = far
          local counts = x:bincount()
          assert.equal(far, counts:numel())
          assert.same({n - 1, 1, n}, {counts[7], counts[far], counts:sum()})
          assert.equal(far + 6, x:bincount{base = 0, minlength = far + 6}:numel())
          x[n] = n == at and 0 or -5
          assert.matches("got %-?%d at %[" .. n .. "%]$", support.message(x.bincount, x))
        end
      end
    end
    local last = support.range.int64[2]
    assert.matches("^bincount: ", support.message(locus.bincount, {1, last}))
  end)

  it("makes the result as long as minlength or the greatest value", function()
    local x = locus.tensor({2, 2}, {dtype = "int32"})
    support.same(x:bincount(nil, 4), {4}, {0, 2, 0, 0}, "int64")
    support.same(x:bincount(nil, 1), {2}, {0, 2}, "int64")
    support.same(x:bincount{minlength = 4, base = 0}, {4}, {0, 0, 2, 0}, "int64")
    support.same(x:bincount({0.5, 0.25}, 3), {3}, {0, 0.75, 0}, "float64")
  end)

  it("takes empty inputs, tables and names", function()
    local none = locus.zeros(0, {dtype = "uint8"})
    support.same(none:bincount(), {0}, {}, "int64")
    support.same(none:bincount(nil, 2), {2}, {0, 0}, "int64")
    support.same(none:bincount({}, 2), {2}, {0, 0}, "float64")
    support.same(locus.bincount({2, 1, 2}), {2}, {1, 2}, "int64")
    support.same(locus.bincount{input = {0, 1}, weights = {true, false}, base = 0}, {2}, {1, 0},
                 "float64")
    support.same(locus.bincount(locus.tensor({3}, {dtype = "int8"}):expand(500)), {3}, {0, 0, 500},
                 "int64")
  end)

  it("names the first value that is too small", function()
    raises("bincount: 'input' must hold numbers of at least 1 (0 with base = 0), got 0 at [2]",
           locus.bincount, {1, 0, -1})
    raises("bincount: 'input' must hold numbers of at least 0, got -1 at [3]", locus.bincount,
           {1, 0, -1}, {base = 0})
    local low = support.range.int64[1]
    raises("bincount: 'input' must hold numbers of at least 1 (0 with base = 0), got "
           .. "-9223372036854775808 at [1]", locus.bincount, {low})
  end)

  it("says what else is wrong", function()
    raises("bincount: 'input' must be of an integer dtype, got float64", locus.bincount,
           locus.tensor({1, 2}))
    raises("bincount: 'input' must be of an integer dtype, got bool", locus.bincount,
           locus.tensor({true}))
    raises("bincount: 'input' must be 1-D, got size 1x1", locus.bincount, {{1}})
    raises("bincount: 'input' must be 1-D, got size 0-d", locus.bincount,
           locus.tensor(1, {dtype = "int64"}))
    raises("bincount: 'input' must be a tensor or a table, got the number 1", locus.bincount, 1)
    raises("bincount: 'weights' must be of size 2, like 'input', got 3", locus.bincount, {1, 2},
           {1, 2, 3})
    raises("bincount: 'weights' must be real, got complex64", locus.bincount, {1},
           locus.zeros(1, {dtype = "complex64"}))
    raises("bincount: 'minlength' must not be negative, got -1", locus.bincount, {1}, nil, -1)
    raises("bincount: 'minlength' must be a whole number, got the number 0.5", locus.bincount, {1},
           nil, 0.5)
    raises("bincount: there is no argument 'min_length'; did you mean 'minlength'?",
           locus.bincount, {1}, {min_length = 1})
    local most = support.range.int64[2]
    raises("bincount: an int64 tensor of size 9223372036854775807 has more bytes than 2^62",
           locus.bincount, {most}, {base = 0})
  end)
end)
