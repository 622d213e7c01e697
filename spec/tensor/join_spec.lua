-- SPDX-License-Identifier: MIT
-- hstack and vstack: cat along the dimension that PyTorch and NumPy mean by these names.
local locus = require "locus"
local support = require "spec.support"

local message, same = support.message, support.same

describe("hstack", function()
  it("puts 1-D tensors end to end, others side by side", function()
    same(locus.hstack({{1, 2}, {3}}), {3}, {1, 2, 3})
    same(locus.hstack({{{1}, {2}}, {{3, 4}, {5, 6}}}), {2, 3}, {1, 3, 4, 2, 5, 6})
    same(locus.hstack({locus.tensor(1), locus.tensor(2)}), {2}, {1, 2})
    same(locus.hstack({locus.zeros(2, 1, 2), locus.ones(2, 1, 2)}), {2, 2, 2},
      {0, 0, 1, 1, 0, 0, 1, 1})
    same(locus.hstack({locus.zeros(0), {1}}), {1}, {1})
    same(locus.hstack({locus.zeros(2, 0), {{1}, {2}}}), {2, 1}, {1, 2})
  end)

  it("promotes, follows strides and writes into out", function()
    local x = locus.tensor({{1, 2}, {3, 4}}, {dtype = "uint8"})
    same(locus.hstack({x:t(), x:char()}), {2, 4}, {1, 3, 1, 2, 2, 4, 3, 4}, "int16")
    local out = locus.zeros(2, 4, {dtype = "uint8"})
    assert.is_true(rawequal(out, locus.hstack{{x, x}, out = out}))
    same(out, {2, 4}, {1, 2, 1, 2, 3, 4, 3, 4}, "uint8")
  end)

  it("says its own name", function()
    assert.equal("hstack: 'tensors' is missing", message(locus.hstack))
    assert.equal("hstack: 'tensors' must be a table of tensors, got the number 5",
      message(locus.hstack, 5))
    assert.equal("hstack: 'tensors' is empty", message(locus.hstack, {}))
    assert.equal("hstack: 'tensors[2]' of size 1x1 does not fit 'tensors[1]' of size 2x2: "
      .. "only dimension 2 may differ", message(locus.hstack, {locus.zeros(2, 2), {{1}}}))
    local x = locus.zeros(2)
    assert.equal("hstack: 'out' overlaps 'tensors[1]' in memory; give a separate tensor",
      message(locus.hstack, {x}, {out = x}))
    assert.equal("hstack: there is no argument 'dim'; the arguments are 'tensors', 'out'",
      message(locus.hstack, {x}, {dim = 1}))
  end)
end)

describe("vstack", function()
  it("puts rows below each other", function()
    same(locus.vstack({{1, 2}, {{3, 4}, {5, 6}}}), {3, 2}, {1, 2, 3, 4, 5, 6})
    same(locus.vstack({locus.tensor(1), locus.tensor({2})}), {2, 1}, {1, 2})
    same(locus.vstack({locus.zeros(1, 1, 2), locus.ones(1, 1, 2)}), {2, 1, 2}, {0, 0, 1, 1})
    same(locus.vstack({locus.zeros(0), locus.zeros(2, 0)}), {3, 0}, {})
    local out = locus.zeros(2, 2)
    assert.is_true(rawequal(out, locus.vstack({{1, 2}, {3, 4}}, {out = out})))
    assert.equal("vstack: 'tensors[2]' of size 1x3 does not fit 'tensors[1]' of size 1x2: "
      .. "only dimension 1 may differ", message(locus.vstack, {{1, 2}, {3, 4, 5}}))
  end)
end)
