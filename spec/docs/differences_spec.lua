-- SPDX-License-Identifier: MIT
-- Rows of docs/differences.md that no other spec holds up: arguments that are not there, and the
-- answers for bool and complex. PyTorch's own answers were seen in PyTorch 2.13.
local locus = require "locus"
local support = require "spec.support"

local message = support.message

local x, b = locus.tensor({1, 2}), locus.tensor({true, false})
local z = locus.tensor({support.complex(1, 2), support.complex(3, 0)})

describe("an argument of PyTorch's that is not there", function()
  for name, list in pairs {
    alpha = {"add", "add_", "sub", "sub_"}, rounding_mode = {"div", "div_"}, exponent = {"pow"},
    memory_format = {"clone", "contiguous", "to", "zeros_like", "is_contiguous"},
    layout = {"zeros_like", "full_like"}, requires_grad = {"zeros_like"}, copy = {"to"},
    axis = {"sum", "max", "cumsum"}, keepdims = {"sum"}, device = {"is_pinned", "pin_memory"},
  } do
    it("raises: " .. name, function()
      for _, op in ipairs(list) do
        local f, arguments = x[op], {[name] = 1}
        local text = message(f, x, arguments)
        assert.matches("^" .. op .. ": there is no argument '" .. name .. "'", text)
      end
    end)
  end

  it("raises in functions of the module", function()
    for _, case in ipairs {
      {"tensor", "requires_grad"}, {"tensor", "pin_memory"}, {"zeros", "layout"},
      {"arange", "pin_memory"}, {"where", "other"},
    } do
      local text = message(locus[case[1]], {1, [case[2]] = 1})
      assert.matches("^" .. case[1] .. ": there is no argument '" .. case[2] .. "'", text)
    end
  end)
end)

describe("bool", function()
  it("has no % and no -, but with a number that makes floats of both", function()
    for _, other in ipairs {b, true} do
      assert.equal("remainder: not defined for bool; convert with x:long()",
                   message(locus.remainder, b, other))
    end
    support.same(b % 2, {2}, {1, 0}, "float64")
    support.same(b % 2LL, {2}, {1, 0}, "int64")
    support.same(b - 1, {2}, {0, -1}, "float64")
    assert.matches("^sub: not defined for bool", message(locus.sub, b, b))
    assert.matches("^neg: not defined for bool", message(locus.neg, b))
  end)

  it("is clamped, searched and has extremes: false is before true", function()
    support.same(b:clamp(false, false), {2}, {false, false}, "bool")
    support.same(b:clamp(true), {2}, {true, true}, "bool")
    assert.same({1, 2}, {b:argmax(), b:argmin()})
    support.same(b:sort():searchsorted(b), {2}, {2, 1}, "int64")
  end)
end)

describe("complex", function()
  it("has no abs, / and ^, and no order", function()
    assert.matches("^abs: not defined for complex128", message(z.abs, z))
    for _, op in ipairs {"div", "pow", "div_", "pow_"} do
      assert.matches(op .. ": not defined for complex128", message(z[op], z, z))
    end
    assert.matches("^linspace: 'dtype' must be", message(locus.linspace, 0, 1, 3,
                                                         {dtype = "complex64"}))
    for _, op in ipairs {"max", "argmin", "sort"} do
      assert.equal(op .. ": 'input' is complex128, and complex numbers have no order",
                   message(z[op], z))
    end
    for _, op in ipairs {"minimum", "clamp", "remainder"} do
      assert.matches("^" .. op .. ": not defined for complex128", message(z[op], z, z))
    end
    assert.matches("^lt: complex values have no order", message(z.lt, z, z))
  end)

  it("answers all else #native", function()
    support.same(-z, {2}, {support.complex(-1, -2), support.complex(-3, -0.0)})
    support.same(z - z, {2}, {support.complex(0, 0), support.complex(0, 0)})
    assert.is_true(z:equal(z) and z:allclose(z) and z:any() and z:all())
    for op, want in pairs {isnan = false, isinf = false, isfinite = true, logical_not = false} do
      support.same(z[op](z), {2}, {want, want}, "bool")
    end
    assert.equal(2, z:count_nonzero())
    support.same(z:cumsum(1), {2}, {support.complex(1, 2), support.complex(4, 2)}, "complex128")
    support.same(z:masked_fill(b, 0), {2}, {support.complex(0, 0), support.complex(3, 0)})
    support.same(locus.cat({z, x}):nonzero(), {4, 1}, {1, 2, 3, 4})
    support.same(b:where(z, 0), {2}, {support.complex(1, 2), support.complex(0, 0)})
  end)

  it("has no product with a factor of 1, and needs no order to be equal", function()
    local one, far = support.complex(1, 0), support.complex(math.huge, 0)
    local w = locus.tensor{one, far}
    support.same(w:cumprod(1), {2}, {one, far}, "complex128")
    assert.is_true(support.same_value(far, w:prod()))
    support.same(w[{{1}}] * w[{{2}}], {1}, {support.complex(math.huge, support.nan)})
    support.same(w:unique{sorted = false}, {2}, {one, far})
    support.same(w:unique_consecutive(), {2}, {one, far})
    support.same(w:isin(w), {2}, {true, true}, "bool")
    assert.equal("logsumexp: 'input' must be real, got complex128", message(w.logsumexp, w))
  end)

  it("becomes real where no imaginary part is lost", function()
    support.same(z[{{2}}]:float(), {1}, {3}, "float32")
    for _, f in ipairs {
      function() return z:float() end, function() return x:clone():copy_(z) end,
      function() return z:sum{dtype = "float64"} end,
      function() local y = x:clone(); y[{{}}] = z; return y end,
    } do
      assert.matches("holds 1%+2i at %[1%], which float%d+ cannot hold", message(f))
    end
  end)
end)

describe("bool and nothing", function()
  it("have running sums and medians where PyTorch has none, and none where it has", function()
    support.same(b:clone():cumsum_(1), {2}, {true, true}, "bool")
    support.same(b:clone():cumprod_(1), {2}, {true, false}, "bool")
    assert.is_false(b:nanmedian())
    for _, name in ipairs {"median", "nanmedian"} do
      assert.equal(name .. ": 'input' has no elements", message(locus[name], locus.zeros(0)))
    end
  end)
end)

describe("a result", function()
  it("goes to an out of its own dtype alone", function()
    for _, case in ipairs {
      {"add", x, x}, {"cat", {x, x}}, {"sum", x, 1}, {"where", b, x, x},
    } do
      local out = locus.FloatTensor(0)
      local op, arguments = case[1], {out = out}
      for i = 2, #case do arguments[i - 1] = case[i] end
      assert.equal(op .. ": 'out' must be float64, got float32", message(locus[op], arguments))
    end
    assert.equal("eq: 'out' must be bool, got float64",
                 message(x.eq, x, x, {out = locus.zeros(2)}))
  end)

  it("is not written to elements that share memory", function()
    local y = locus.zeros(1):expand(3)
    for _, f in ipairs {
      function() y:fill_(1) end, function() y:zero_() end, function() y:add_(1) end,
      function() y:masked_fill_({true, false, true}, 1) end, function() y:copy_({1, 2, 3}) end,
    } do
      assert.matches("has elements that share memory; write ", message(f))
    end
  end)
end)
