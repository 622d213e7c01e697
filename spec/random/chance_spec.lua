-- SPDX-License-Identifier: MIT
-- Functions that draw numbers: sizes, dtypes, generators, errors, and whether the numbers are
-- distributed as they should be. Which bits they are is in philox_spec.
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local MAKERS = {"rand", "randn", "exponential"}

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

local function seeded(seed) return locus.generator(seed or 5) end

-- The greatest distance between the share of the numbers up to x and its probability, over a grid,
-- in units that make 1.95 a chance of one in a thousand (Kolmogorov and Smirnov).
local function distance(x, from, to, probability)
  local n, grid = x:numel(), locus.linspace(from, to, 500)
  local shares = support.values(x:sort{indices = false}:searchsorted(grid, {right = true}) / n)
  local worst = 0
  for i, p in ipairs(support.values(grid)) do
    worst = math.max(worst, math.abs(shares[i] - probability(p)))
  end
  return worst * math.sqrt(n)
end

-- The normal distribution, by its series.
local function normal(x)
  local term, sum = x, x
  for k = 3, 201, 2 do
    term = term * x * x / k
    sum = sum + term
  end
  return 0.5 + sum * math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
end

-- Pearson's chi square of counts that should be equal.
local function chi_square(counts, wanted)
  local sum = 0
  for _, count in ipairs(support.values(counts)) do sum = sum + (count - wanted) ^ 2 / wanted end
  return sum
end

describe("rand, randn and exponential", function()
  it("make tensors as zeros does", function()
    for _, name in ipairs(MAKERS) do
      local f = locus[name]
      local x = f(2, 3)
      assert.equal("float64", x.dtype)
      assert.equal(support.device, x.device)
      assert.same({2, 3}, support.shape(x))
      assert.same({4}, support.shape(f({4})))
      assert.same({}, support.shape(f({})))
      assert.same({0, 5}, support.shape(f(0, 5)))
      assert.same({3}, support.shape(f{size = {3}, dtype = "float32"}))
      for _, dtype in ipairs(support.floats) do assert.equal(dtype, f(3, {dtype = dtype}).dtype) end
    end
    assert.equal("complex64", locus.rand(2, {dtype = "complex64"}).dtype)
  end)

  it("write into out, of any layout", function()
    for _, name in ipairs(MAKERS) do
      local plain = locus[name](4, 3, {generator = seeded(), dtype = "float32"})
      local out = locus.zeros(3, 8, {dtype = "float32"}):t()[{ {1, 8, 2} }]
      assert.equal(out, locus[name](4, 3, {generator = seeded(), out = out}))
      assert.is_true(out:equal(plain))
      local fresh = locus.zeros(0, {dtype = "float32"})
      locus[name](4, 3, {generator = seeded(), out = fresh})
      assert.is_true(fresh:equal(plain))
    end
  end)

  it("of a tensor have its size and dtype", function()
    for name, like in pairs {rand = locus.rand_like, randn = locus.randn_like} do
      local x = locus.zeros(2, 3, {dtype = "float16"}):t()
      local made = like(x, {generator = seeded()})
      assert.equal("float16", made.dtype)
      assert.is_true(made:equal(locus[name](3, 2, {dtype = "float16", generator = seeded()})))
      local wide = like(x:long(), {dtype = "float64"})
      assert.equal("float64", wide.dtype)
    end
  end)

  it("are numbers of the default dtype", function()
    locus.set_default_dtype("float32")
    local dtype = locus.rand(2).dtype
    locus.set_default_dtype("float64")
    assert.equal("float32", dtype)
  end)

  it("say what is wrong, and leave out as it was", function()
    for _, name in ipairs {"rand", "randn"} do
      raises(name .. ": needs a float or a complex dtype, got int64", locus[name], 3,
        {dtype = "int64"})
    end
    raises("exponential: needs a float dtype, got complex64", locus.exponential, 3,
      {dtype = "complex64"})
    raises("exponential: 'rate' must be a finite number above 0, got 0", locus.exponential, 3,
      {rate = 0})
    raises("rand: 'generator' must be made by locus.generator, got the number 5", locus.rand, 3,
      {generator = 5})
    raises("rand: 'out' must be of size 3, got 2", locus.rand, 3, {out = locus.zeros(2)})
    local empty = locus.zeros(0, {dtype = "int64"})
    raises("rand: needs a float or a complex dtype, got int64", locus.rand, 3, {out = empty})
    assert.equal(0, empty:numel())
    raises("rand: 'out' has elements that share memory; write out:contiguous()", locus.rand, 3,
      {out = locus.zeros(1):expand(3)})
  end)
end)

describe("randint", function()
  it("takes one bound or two, and a size", function()
    for _, x in ipairs {locus.randint(10, {2, 3}), locus.randint(0, 10, {2, 3}),
                        locus.randint{high = 10, size = {2, 3}},
                        locus.randint(10, {2, 3}, {dtype = "int64"})} do
      assert.equal("int64", x.dtype)
      assert.same({2, 3}, support.shape(x))
      assert.is_true(x:amin() >= 0 and x:amax() <= 9)
    end
    assert.is_true(locus.randint(7, 8, {5}):eq(7):all())
    assert.same({0}, support.shape(locus.randint(7, {0})))
    assert.same({3}, support.shape(locus.randint(1, 4, 3)))
  end)

  it("has every dtype, and every number of it", function()
    for _, dtype in ipairs(support.ordered) do
      local x = locus.randint(0, 2, {100}, {dtype = dtype, generator = seeded()})
      assert.equal(dtype, x.dtype)
      assert.equal(2, #x:unique())
    end
    local all = locus.randint(-128, 128, {5000}, {dtype = "int8", generator = seeded()})
    assert.equal(256, #all:unique())
    local out = locus.zeros(3, {dtype = "uint8"})
    assert.equal(out, locus.randint(200, 256, {3}, {out = out}))
  end)

  it("reaches past 2^53", function()
    local low, high = ffi.new("int64_t", -2 ^ 63), ffi.new("int64_t", 2 ^ 62) * 2 - 1
    local x = locus.randint(low, high, {1000}, {generator = seeded()})
    local near = locus.randint(high - 3, high, {1000}, {generator = seeded()})
    assert.is_true(x:lt(0):any() and x:gt(2 ^ 62):any() and x:lt(-2 ^ 62):any())
    assert.is_true(near:ge(high - 3):all() and near:lt(high):all())
    assert.equal(3, #near:unique())
    assert.is_true(x:remainder(2):sum() > 400) -- the last bit is one of chance, too
  end)

  it("says what is wrong", function()
    raises("randint: 'high' must be greater than 'low', got 3 and 3", locus.randint, 3, 3, {2})
    raises("randint: 'high' must be greater than 'low', got 0 and 0", locus.randint, 0, {2})
    raises("randint: numbers up to 299 are asked for, but uint8 cannot hold 299", locus.randint,
      300, {2}, {dtype = "uint8"})
    raises("randint: numbers up to 4 are asked for, but uint8 cannot hold -1", locus.randint,
      -1, 5, {2}, {dtype = "uint8"})
    raises("randint: needs a real dtype, got complex64", locus.randint, 3, {2},
      {dtype = "complex64"})
    raises("randint: 'high' must be a whole number, got the number 1.5", locus.randint, 1.5, {2})
    raises("randint: 'size' is missing", locus.randint, 3)
  end)
end)

describe("in place", function()
  it("uniform_, normal_, exponential_, random_ write every element", function()
    for _, name in ipairs {"uniform_", "normal_", "exponential_", "random_"} do
      for _, dtype in ipairs(support.floats) do
        local x = locus.full({50, 2}, -7, {dtype = dtype})
        local turned = x:t()
        assert.equal(turned, turned[name](turned, {generator = seeded()}))
        assert.is_false(x:eq(-7):any())
      end
    end
    local z, sum = locus.zeros(1000, {dtype = "complex128"}), 0
    z:normal_{std = 2, generator = seeded()}
    for _, v in ipairs(support.values(z)) do sum = sum + v.re ^ 2 + v.im ^ 2 end
    assert.is_true(math.abs(sum / 1000 - 4) < 0.5)
  end)

  it("take the parameters of PyTorch", function()
    local x = locus.zeros(2000)
    x:uniform_(-3, -1)
    assert.is_true(x:amin() >= -3 and x:amax() < -1)
    x:normal_(100, 0.5, {generator = seeded()})
    assert.is_true(math.abs(x:mean() - 100) < 0.1 and math.abs(x:std() - 0.5) < 0.05)
    x:exponential_(4, {generator = seeded()})
    assert.is_true(x:amin() > 0 and math.abs(x:mean() - 0.25) < 0.03)
    x:random_(5)
    assert.same({0, 1, 2, 3, 4}, support.values(x:unique()))
    x:random_(-2, 1)
    assert.same({-2, -1, 0}, support.values(x:unique()))
    x:normal_(3, 0)
    assert.is_true(x:eq(3):all())
  end)

  it("random_ without bounds takes all that a dtype has, starting at 0", function()
    local MOST = support.known("its greatest", {bool = 1, uint8 = 255, int8 = 127, int16 = 32767,
      int32 = 2 ^ 31 - 1, int64 = 2 ^ 63, float16 = 2 ^ 11, bfloat16 = 2 ^ 8, float32 = 2 ^ 24,
      float64 = 2 ^ 53})
    for _, dtype in ipairs(support.ordered) do
      local x = locus.zeros(3000, {dtype = dtype}):random_{generator = seeded()}:double()
      assert.is_true(x:amin() >= 0 and x:amax() <= MOST[dtype], dtype)
      assert.is_true(x:amax() > 0.98 * MOST[dtype], dtype)
      assert.is_true(math.abs(x:mean() / MOST[dtype] - 0.5) < 0.03, dtype)
    end
  end)

  it("say what is wrong", function()
    local x, i = locus.zeros(3), locus.zeros(3, {dtype = "int64"})
    raises("uniform_: needs a float or a complex dtype, got int64", i.uniform_, i)
    raises("uniform_: 'from' must not be greater than 'to', got 2 and 1", x.uniform_, x, 2, 1)
    raises("uniform_: the distance from 0 to 1000000 is more than float16 holds", x.uniform_,
      x:half(), 0,
      1e6)
    raises("uniform_: 'from' must not be greater than 'to', got 0 and nan", x.uniform_, x, 0,
      support.nan)
    raises("normal_: 'std' must be a number of at least 0, got -1", x.normal_, x, 0, -1)
    raises("exponential_: 'lambd' must be a finite number above 0, got -1", x.exponential_, x, -1)
    raises("random_: 'to' must be greater than 'from', got 3 and 5", x.random_, x, 5, 3)
    raises("uniform_: 'input' must be a tensor, got a table", x.uniform_, {1, 2})
    raises("normal_: 'input' has elements that share memory; write input:contiguous()",
      x.normal_, locus.zeros(1):expand(3))
  end)
end)

describe("generators", function()
  it("of one seed give the same numbers, of others not", function()
    local a, b, c = seeded(7), seeded(7), seeded(8)
    for _ = 1, 3 do
      local x = locus.rand(100, {generator = a})
      assert.is_true(x:equal(locus.rand(100, {generator = b})))
      assert.is_false(x:equal(locus.rand(100, {generator = c})))
    end
  end)

  it("never give the same words twice", function()
    local g = seeded()
    local parts = {}
    for i = 1, 20 do parts[i] = locus.rand(i, {generator = g}) end
    local x = locus.cat(parts)
    assert.equal(x:numel(), #x:unique())
  end)

  it("go on where a state says", function()
    local g = seeded()
    locus.randn(17, {generator = g})
    local state = g:get_state()
    assert.equal("int64", state.dtype)
    local x, y = locus.rand(5, {generator = g}), locus.randint(9, {4}, {generator = g})
    assert.equal(g, g:set_state(state))
    assert.is_true(locus.rand(5, {generator = g}):equal(x))
    local other = locus.generator(1):set_state(locus.LongTensor{0, 5, 9 + 3})
    assert.is_true(locus.randint(9, {4}, {generator = other}):equal(y))
    assert.equal(5, other:initial_seed())
  end)

  it("use the blocks that the docs say", function()
    local g = seeded()
    local function used(f, ...)
      local before = g:get_state()[3]
      f(...)
      return g:get_state()[3] - before
    end
    for _, n in ipairs {0, 1, 2, 3, 4, 5, 100} do
      local options = {generator = g}
      local short = {generator = g, dtype = "float32"}
      assert.equal(math.ceil(n / 2), used(locus.rand, n, options))
      assert.equal(math.ceil(n / 4), used(locus.rand, n, short))
      assert.equal(math.ceil(n / 4), used(locus.randn, n, short))
      assert.equal(math.ceil(n / 2), used(locus.exponential, n, options))
      assert.equal(math.ceil(n / 2), used(locus.randint, 2 ^ 31, {n}, options))
      assert.equal(n, used(locus.randint, 2 ^ 32, {n}, options))
    end
  end)

  it("take any int64 as a seed, and tell it", function()
    for _, seed in ipairs {0, 1, -1, 2 ^ 52 + 1, -2 ^ 53 + 1} do
      assert.equal(seed, locus.generator(seed):initial_seed())
    end
    local wide = ffi.new("int64_t", -2 ^ 63) + 1
    local g = locus.generator(wide)
    assert.equal(wide, g:initial_seed())
    assert.equal("[generator of seed -9223372036854775807, 0 blocks used]", tostring(g))
    local halves = locus.generator(ffi.new("int64_t", -2 ^ 60) - 1):get_state()
    support.same(halves, {3}, {0xEFFFFFFF, 0xFFFFFFFF, 0})
    assert.equal(g, g:manual_seed(3))
    assert.equal(3, g:initial_seed())
    local new = g:seed()
    assert.equal(new, g:initial_seed())
    assert.are_not.equal(new, locus.generator():initial_seed())
  end)

  it("have a default, which the functions of the module seed and tell of", function()
    local g = locus.manual_seed(11)
    assert.equal(11, locus.initial_seed())
    local state, x = locus.get_rng_state(), locus.rand(3)
    assert.is_true(x:equal(locus.rand(3, {generator = seeded(11)})))
    locus.set_rng_state(state)
    assert.is_true(x:equal(locus.rand(3, {generator = g})))
    local new = locus.seed()
    assert.equal(new, locus.initial_seed())
    assert.are_not.equal(new, locus.seed())
  end)

  it("begin with another seed in every process #native #host", function()
    local program = [[print(("%.0f"):format(require("locus").initial_seed()))]]
    assert.are_not.equal(support.run(program), support.run(program))
  end)

  it("say what is wrong", function()
    local g = seeded()
    raises("manual_seed: 'seed' must be a whole number, got the number 1.5", locus.manual_seed, 1.5)
    raises("manual_seed: 'generator' must be made by locus.generator, got the "
      .. "number 5",
      g.manual_seed, 5, 5)
    raises("set_state: 'state' must come from get_state", g.set_state, g, {1, 2})
    raises("set_state: 'state' must come from get_state", g.set_state, g,
      locus.LongTensor{-1, 0, 0})
    raises("a generator has no 'next'; it has manual_seed, seed, initial_seed, get_state and "
      .. "set_state", function() return g.next end)
    raises("a generator has no fields; write g:manual_seed(seed)", function() g.seed = 5 end)
  end)
end)

describe("the numbers are distributed as they should be:", function()
  local N = 100000

  it("uniform", function()
    for _, dtype in ipairs {"float32", "float64"} do
      local x = locus.rand(N, {dtype = dtype, generator = seeded(1)}):double()
      assert.is_true(math.abs(x:mean() - 1 / 2) < 0.003)
      assert.is_true(math.abs(x:var() - 1 / 12) < 0.001)
      assert.is_true(distance(x, 0, 1, function(p) return p end) < 1.95)
      assert.is_true(chi_square((x * 100):long():bincount{base = 0}, N / 100) < 149) -- 0.001
    end
  end)

  it("uniform, halves", function()
    for dtype, numbers in pairs {float16 = 2 ^ 11, bfloat16 = 2 ^ 8} do
      local x = locus.rand(N, {dtype = dtype, generator = seeded(1)}):double() * numbers
      assert.is_true(x:equal(x:floor()))
      local counts = x:long():bincount{base = 0}
      assert.equal(numbers, counts:numel())
      assert.is_true(chi_square(counts, N / numbers) < numbers + 4 * math.sqrt(2 * numbers))
    end
  end)

  it("normal", function()
    for _, dtype in ipairs {"float32", "float64"} do
      local x = locus.randn(N, {dtype = dtype, generator = seeded(2)}):double()
      assert.is_true(math.abs(x:mean()) < 0.01)
      assert.is_true(math.abs(x:var() - 1) < 0.02)
      assert.is_true(math.abs((x ^ 3):mean()) < 0.03)
      assert.is_true(math.abs((x ^ 4):mean() - 3) < 0.1)
      assert.is_true(distance(x, -4, 4, normal) < 1.95)
      -- the two of a pair do not depend on each other
      local pairs_of = x:reshape(N / 2, 2)
      local first, second = pairs_of:select(2, 1), pairs_of:select(2, 2)
      assert.is_true(math.abs((first * second):mean()) < 0.02)
      assert.is_true(math.abs((first ^ 2 * second ^ 2):mean() - 1) < 0.05)
    end
  end)

  it("normal, complex", function()
    local z = locus.randn(N, {dtype = "complex128", generator = seeded(3)})
    local sum = 0
    for _, v in ipairs(support.values(z[{ {1, 20000} }])) do sum = sum + v.re ^ 2 + v.im ^ 2 end
    assert.is_true(math.abs(sum / 20000 - 1) < 0.03)
  end)

  it("exponential", function()
    for _, dtype in ipairs {"float32", "float64"} do
      local x = locus.exponential(N, {rate = 2, dtype = dtype, generator = seeded(4)}):double()
      assert.is_true(math.abs(x:mean() - 1 / 2) < 0.006)
      assert.is_true(math.abs(x:var() - 1 / 4) < 0.01)
      assert.is_true(distance(x, 0, 5, function(t) return 1 - math.exp(-2 * t) end) < 1.95)
    end
  end)

  it("integers", function()
    for _, high in ipairs {2, 7, 100} do
      local x = locus.randint(high, {N}, {generator = seeded(5)})
      assert.is_true(chi_square(x:bincount{base = 0}, N / high) < high + 5 * math.sqrt(2 * high))
    end
    -- a range for which 64 bits would not do: thirds of 3 * 2^61
    local x = locus.randint(3 * 2 ^ 61, {N}, {generator = seeded(6)})
    assert.is_true(chi_square((x / 2 ^ 61):floor():long():bincount{base = 0}, N / 3) < 14)
  end)
end)
