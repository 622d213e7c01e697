-- SPDX-License-Identifier: MIT
-- bucketize: searchsorted with the arguments and names that its page documents.

local locus = require "locus"
local support = require "spec.support"

local same, tensor, nan, inf = support.same, support.tensor, support.nan, math.huge

describe("bucketize", function()
  local boundaries = tensor("int64", { 1, 3, 5, 7, 9 })
  local input = tensor("int64", { 3, 6, 9, 3, 6, 9 }, { 2, 3 })

  it("gives the numbers of the page with base = 0, one more without", function()
    same(locus.bucketize(input, boundaries), { 2, 3 }, { 2, 4, 5, 2, 4, 5 }, "int64")
    same(locus.bucketize(input, boundaries, { base = 0 }), { 2, 3 }, { 1, 3, 4, 1, 3, 4 }, "int64")
    local o = { right = true }
    same(locus.bucketize(input, boundaries, o), { 2, 3 }, { 3, 4, 6, 3, 4, 6 }, "int64")
    o.base, o.out_int32 = 0, true
    same(locus.bucketize(input, boundaries, o), { 2, 3 }, { 2, 3, 5, 2, 3, 5 }, "int32")
  end)

  it("is a method of its input, takes names, tables and numbers", function()
    same(input:bucketize(boundaries), { 2, 3 }, { 2, 4, 5, 2, 4, 5 }, "int64")
    same(locus.bucketize { input = input, boundaries = boundaries }, { 2, 3 }, { 2, 4, 5, 2, 4, 5 },
      "int64")
    same(input:bucketize { boundaries = { 4 } }, { 2, 3 }, { 1, 2, 2, 1, 2, 2 }, "int64")
    same(locus.bucketize({ 0, 2.5 }, { 1, 2, 3 }), { 2 }, { 1, 3 }, "int64")
    assert.are.equal(3, locus.bucketize(4, boundaries))
    assert.are.equal(2, locus.bucketize(3LL, boundaries, { base = 0, right = true }))
    same(locus.bucketize(locus.tensor(4), boundaries), {}, { 3 }, "int64")
  end)

  it("compares exactly and has a place for NaN, for every dtype", function()
    for _, dtype in ipairs(support.real) do
      local b = tensor(dtype, { 0, 2, 3 })
      local values = { -1, 2.5, 300, inf, nan, -0.0 }
      same(locus.bucketize(values, b), { 6 }, { 1, 3, 4, 4, 4, 1 }, "int64")
      for _, other in ipairs(support.real) do
        same(tensor(other, { 0, 1, 2, 3, 4 }):bucketize(b), { 5 }, { 1, 2, 2, 3, 4 }, "int64")
      end
    end
    same(locus.bucketize({ 1, nan }, { 0, nan }, { right = true }), { 2 }, { 2, 3 }, "int64")
  end)

  it("writes to out", function()
    local out = tensor("int64", {}, { 0 })
    assert(rawequal(out, locus.bucketize(input, boundaries, { out = out })))
    same(out, { 2, 3 }, { 2, 4, 5, 2, 4, 5 }, "int64")
    locus.bucketize(input:t(), boundaries, { out = out:t() })
    same(out, { 2, 3 }, { 2, 4, 5, 2, 4, 5 }, "int64")
    out = locus.tensor(0LL)
    assert(rawequal(out, locus.bucketize(4, boundaries, { out = out })))
    same(out, {}, { 3 }, "int64")
  end)

  it("empty sizes", function()
    same(locus.bucketize(locus.zeros(2, 0), boundaries), { 2, 0 }, {}, "int64")
    same(locus.bucketize({ 1, 2 }, locus.zeros(0)), { 2 }, { 1, 1 }, "int64")
  end)

  it("strided input and boundaries", function()
    for _, layout in ipairs(support.layouts) do
      same(support.laid(input, layout):bucketize(support.laid(boundaries, layout)), { 2, 3 },
        { 2, 4, 5, 2, 4, 5 }, "int64")
    end
  end)
end)

describe("the errors of bucketize", function()
  local line = tensor("float32", { 1, 3, 5 })

  local function says(expected, ...)
    assert.are.equal("bucketize: " .. expected, support.message(locus.bucketize, ...))
  end

  it("say what is wrong in its own words", function()
    says("'input' is missing")
    says("'boundaries' is missing", { 1 })
    says("'boundaries' must be of one dimension, got a float32 tensor of size 1x3", { 1 },
      line:view(1, 3))
    says("'boundaries' must be of one dimension, got a 0-d float64 tensor", { 1 }, locus.tensor(1))
    says("'boundaries' must be a tensor or a table, got the number 3", { 1 }, 3)
    says("there is no argument 'side'; the arguments are "
      .. "'input', 'boundaries', 'out_int32', 'right', 'out', 'base'",
      { 1 }, line, { side = "left" })
    says("'out' must be int64, got int32", { 1 }, line, { out = tensor("int32", { 0 }) })
    local z = tensor("complex64", { 1 })
    says("'input' is complex64, and complex numbers have no order", z, line)
    says("'boundaries' is complex128, and complex numbers have no order", {},
      tensor("complex128", { 1 }))
    local x = tensor("int64", { 1, 2 })
    says("'out' overlaps 'input' in memory; give a separate tensor", x, line, { out = x })
    says("'out' overlaps 'boundaries' in memory; give a separate tensor", { 1, 2 }, x, { out = x })
  end)
end)
