-- SPDX-License-Identifier: MIT
-- randperm, shuffle, bernoulli, multinomial and choice: what they may answer, how often they answer
-- it, and their errors.
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local nan = support.nan
local N = 20000

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

local function seeded(seed) return locus.generator(seed or 5) end

local function sorted(x) return support.values(x:flatten():sort{indices = false}) end

-- How far counts are from shares of their sum, beside what is usual, as a multiple of its spread.
local function far(counts, shares)
  local sum, total, freedom = 0, 0, -1
  for i in ipairs(shares) do total = total + (counts[i] or 0) end
  for i, share in ipairs(shares) do
    local count, wanted = counts[i] or 0, share * total
    if share == 0 then
      assert.equal(0, count)
    else
      sum, freedom = sum + (count - wanted) ^ 2 / wanted, freedom + 1
    end
  end
  return (sum - freedom) / math.sqrt(2 * math.max(freedom, 1))
end

local function counts_of(x) return support.values(x:flatten():bincount()) end

describe("randperm", function()
  it("is an order of the positions", function()
    for _, n in ipairs {0, 1, 2, 7, 1000, 70001} do
      local x = locus.randperm(n, {generator = seeded()})
      assert.equal("int64", x.dtype)
      assert.equal(support.device, x.device)
      assert.is_true(x:sort{indices = false}:equal(locus.arange(1, n + 1, {dtype = "int64"})))
      local base = locus.randperm(n, {generator = seeded(), base = 0})
      assert.is_true(base:equal(x - 1))
    end
  end)

  it("has every order alike", function()
    local g, counts = seeded(1), {}
    for _ = 1, 6000 do
      local a, b, c = unpack(support.values(locus.randperm(3, {generator = g})))
      local order = a * 100 + b * 10 + c
      counts[order] = (counts[order] or 0) + 1
    end
    local list = {counts[123], counts[132], counts[213], counts[231], counts[312], counts[321]}
    assert.equal(6, #list)
    assert.is_true(far(list, {1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6}) < 4)
  end)

  it("sorts the 64 bits of each", function()
    local random = require("locus.core").internal.random
    local keys = locus.empty(100, {dtype = "int64"})
    random(keys, "bits", 0, 5, 0)
    assert.is_true(locus.randperm(100, {generator = seeded()}):equal(keys:argsort()))
  end)

  it("takes a dtype and out", function()
    for _, dtype in ipairs(support.real) do
      local x = locus.randperm(100, {generator = seeded(), dtype = dtype})
      assert.equal(dtype, x.dtype)
      assert.is_true(x:long():equal(locus.randperm(100, {generator = seeded()})))
    end
    local out = locus.zeros(10, {dtype = "int32"})[{ {1, 9, 2} }]
    assert.equal(out, locus.randperm(5, {out = out}))
    assert.same({1, 2, 3, 4, 5}, sorted(out))
  end)

  it("says what is wrong", function()
    raises("randperm: 'n' must not be negative, got -1", locus.randperm, -1)
    raises("randperm: 'n' must not be negative, got -4611686018427387904", locus.randperm,
      -0x4000000000000000LL)
    raises("randperm: an int64 tensor of size 4611686018427387904 has more bytes than 2^62",
      locus.randperm, 0x4000000000000000LL)
    raises("randperm: numbers up to 256 are asked for, but uint8 cannot hold 256", locus.randperm,
      256, {dtype = "uint8"})
    raises("randperm: 'out' must be of size 3, got 2", locus.randperm, 3,
      {out = locus.zeros(2, {dtype = "int64"})})
  end)
end)

describe("shuffle", function()
  it("changes the order along one dimension", function()
    for _, dtype in ipairs(support.dtypes) do
      local x = locus.arange(24):reshape(4, 3, 2):to(dtype == "bool" and "uint8" or dtype):to(dtype)
      for d = 1, 3 do
        local order = locus.randperm(x:size(d), {generator = seeded()})
        local key = {{}, {}, {}}
        key[d] = order
        assert.is_true(x:shuffle(d, {generator = seeded()}):equal(x[key]))
      end
      assert.is_true(locus.shuffle(x, {generator = seeded()}):equal(
        x:shuffle(1, {generator = seeded()})))
    end
  end)

  it("works in place, into out, on views and on nothing", function()
    local x = locus.arange(20)
    local want = x:shuffle{generator = seeded()}
    local out = locus.zeros(40)[{ {1, 39, 2} }]
    assert.equal(out, x:shuffle{generator = seeded(), out = out})
    assert.is_true(out:equal(want))
    local view = locus.arange(40)[{ {1, 39, 2} }]
    assert.equal(view, view:shuffle_{generator = seeded()})
    assert.is_true(view:equal(want * 2))
    assert.same({0, 3}, support.shape(locus.zeros(0, 3):shuffle()))
    local big = locus.LongTensor{2^53, 1, 2}
    big[1] = big[1] + ffi.new("int64_t", 1)
    assert.is_true(big:shuffle():sort{indices = false}:equal(big:sort{indices = false}))
  end)

  it("says what is wrong", function()
    raises("shuffle: 'input' must have a dimension", locus.shuffle, locus.tensor(5))
    raises("shuffle: 'dim' must be in 1..1 or -1..-1, got 3", locus.shuffle, {1, 2}, 3)
    local x = locus.arange(4)
    raises("shuffle: 'out' overlaps 'input' in memory; "
      .. "give a separate tensor", x.shuffle, x, 1, {out = x})
  end)
end)

describe("bernoulli", function()
  it("is 1 as often as it should be", function()
    local p = locus.tensor{0, 0.1, 0.5, 0.999, 1}
    for _, dtype in ipairs(support.floats) do
      local x = p:to(dtype):expand(N, 5):bernoulli{generator = seeded()}
      assert.equal(dtype, x.dtype)
      local shares = support.values(x:double():mean(1))
      for i, share in ipairs(support.values(p:to(dtype):double())) do
        local spread = math.sqrt(share * (1 - share) / N)
        assert.is_true(math.abs(shares[i] - share) <= 4 * spread)
      end
    end
  end)

  it("compares the uniform numbers of float64", function()
    local u = locus.rand(100, {generator = seeded()})
    assert.is_true(locus.full({100}, 0.3):bernoulli{generator = seeded()}:bool():equal(u:lt(0.3)))
    assert.is_true(locus.zeros(100, {dtype = "int8"}):bernoulli(0.3, {generator = seeded()}):bool()
      :equal(u:lt(0.3)))
    local x = locus.zeros(100, {dtype = "bool"})
    assert.equal(x, x:bernoulli_(0.3, {generator = seeded()}))
    assert.is_true(x:equal(u:lt(0.3)))
    x:bernoulli_(u, {generator = seeded(6)})
    assert.is_true(x:equal(locus.rand(100, {generator = seeded(6)}):lt(u)))
    assert.is_true(locus.zeros(9):bernoulli_(1):eq(1):all())
  end)

  it("takes out, and nothing", function()
    local out = locus.zeros(0, {dtype = "float32"})
    assert.equal(out, locus.FloatTensor{0, 1}:bernoulli{out = out})
    assert.same({0, 1}, support.values(out))
    assert.same({0, 3}, support.shape(locus.zeros(0, 3):bernoulli()))
    assert.same({}, support.shape(locus.tensor(1):bernoulli()))
  end)

  it("says what is wrong", function()
    raises("bernoulli: 'input' must hold probabilities from 0 to 1, but holds 1.5",
      locus.bernoulli, {0, 1.5})
    raises("bernoulli: 'input' must hold probabilities from 0 to 1, but holds nan",
      locus.bernoulli, {0, nan})
    raises("bernoulli: 'p' must be a probability from 0 to 1, got nan", locus.bernoulli, {0}, nan)
    raises("bernoulli_: 'p' must be a probability from 0 to 1, got -1",
      function() locus.zeros(2):bernoulli_(-1) end)
    raises("bernoulli_: 'p' must hold probabilities from 0 to 1, but holds -1",
      function() locus.zeros(2):bernoulli_({-1, 0}) end)
    raises("bernoulli: 'input' must be of a float dtype, got int64; write bernoulli(input, p)",
      locus.bernoulli, locus.LongTensor{1, 0})
  end)
end)

local WEIGHTS = {2, 0, 1, 5, 0, 2}
local SHARES = {0.2, 0, 0.1, 0.5, 0, 0.2}

describe("multinomial", function()
  it("draws with replacement as often as weights say, of every dtype", function()
    for _, dtype in ipairs(support.real) do
      local w = locus.tensor(WEIGHTS):to(dtype)
      local x = w:multinomial(N, true, {generator = seeded(2)})
      assert.equal("int64", x.dtype)
      assert.same({N}, support.shape(x))
      assert.is_true(far(counts_of(x), SHARES) < 4)
    end
  end)

  it("never draws what has no weight, wherever that stands", function()
    for _, weights in ipairs {{0, 1, 0}, {0, 0, 1e-300}, {1e300, 1e300, 0}, {5e-324, 0, 0}} do
      local x = locus.multinomial(weights, 1000, true)
      for i, weight in ipairs(weights) do
        assert.equal(weight > 0, x:eq(i):any())
      end
    end
  end)

  it("draws without replacement, the first ones as often as weights say", function()
    local g, first, second = seeded(3), {}, {}
    for _ = 1, support.slow and 400 or support.hasty and 1000 or 4000 do
      local x = support.values(locus.multinomial(WEIGHTS, 4, {generator = g}))
      assert.equal(4, #locus.tensor(x):unique())
      first[x[1]] = (first[x[1]] or 0) + 1
      if x[1] == 4 then second[x[2]] = (second[x[2]] or 0) + 1 end
    end
    assert.is_true(far(first, SHARES) < 4)
    assert.is_true(far(second, {0.4, 0, 0.2, 0, 0, 0.4}) < 4)
  end)

  it("draws without replacement what is nothing beside the greatest weight", function()
    local first = {}
    for i = 1, 20 do
      local x = locus.multinomial({0, 1e308, 1e-308, 5e-324}, 3, {generator = locus.generator(i)})
      first[x[1]] = true
      local places = x:sort()
      assert.same({2, 3, 4}, {tonumber(places[1]), tonumber(places[2]), tonumber(places[3])})
    end
    assert.is_true(first[2] and not first[3] and not first[4])
    support.same(locus.multinomial({1e308, 1e-308}, 4, true), {4}, {1, 1, 1, 1}, "int64")
    support.same(locus.multinomial({1e308, 1e308}, 2):sort(), {2}, {1, 2}, "int64")
  end)

  it("draws for every row", function()
    local w = locus.tensor{WEIGHTS, {0, 0, 0, 0, 0, 3}, {1, 1, 1, 1, 1, 1}}
    for _, laid in ipairs {w, w:t():contiguous():t(), w:float()} do
      local x = laid:multinomial(N, true, {generator = seeded(4)})
      assert.same({3, N}, support.shape(x))
      assert.is_true(far(counts_of(x[1]), SHARES) < 4)
      assert.is_true(x[2]:eq(6):all())
      assert.is_true(far(counts_of(x[3]), {1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6}) < 4)
    end
    local y = w[{ {1, 3, 2} }]:multinomial(3, false, {base = 0, generator = seeded()})
    assert.same({2, 3}, support.shape(y))
    assert.is_true(y:amin() >= 0 and y:amax() <= 5)
  end)

  it("takes out, and draws nothing", function()
    local out = locus.zeros(0, {dtype = "int64"})
    assert.equal(out, locus.multinomial({1, 0}, 3, true, {out = out}))
    assert.same({1, 1, 1}, support.values(out))
    for _, replacement in ipairs {true, false} do
      assert.same({0}, support.shape(locus.multinomial({1, 2}, 0, replacement)))
      assert.same({0, 2}, support.shape(locus.multinomial(locus.zeros(0, 3), 2, replacement)))
    end
  end)

  it("says what is wrong", function()
    local f = locus.multinomial
    raises("multinomial: 3 draws without replacement are more than the weights above 0 in 'input'",
      f, {1, 0, 3}, 3)
    raises("multinomial: 'input' must hold finite weights of at least 0, but holds -3",
           f, {1, -3}, 3)
    raises("multinomial: 'input' must hold finite weights of at least 0, but holds nan",
           f, {1, nan}, 3)
    raises("multinomial: 'input' must hold finite weights of at least 0, but holds inf", f,
      {1, math.huge}, 3)
    raises("multinomial: 'input' must have a weight above 0", f, {0, 0}, 1)
    raises("multinomial: 'input' must have a weight above 0 in every row", f, {{1, 2}, {0, 0}}, 1)
    raises("multinomial: 'input' must have an element to draw", f, {}, 1)
    raises("multinomial: 'input' must be 1-D or 2-D, got a 0-d float64 tensor", f, locus.tensor(1),
      1)
    raises("multinomial: 'num_samples' must not be negative, got -1", f, {1}, -1)
    raises("multinomial: 'num_samples' must not be negative, got -4611686018427387904", f, {1},
      -0x4000000000000000LL)
    raises("multinomial: 4611686018427387904 draws without replacement are more than the weights "
      .. "above 0 in 'input'", f, {1}, 0x4000000000000000LL)
  end)
end)

describe("choice", function()
  it("draws positions of a number", function()
    local x = locus.choice(6, {N}, {generator = seeded(7)})
    assert.equal("int64", x.dtype)
    assert.is_true(far(counts_of(x), {1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6}) < 4)
    local base = locus.choice(6, {N}, {generator = seeded(7), base = 0})
    assert.is_true(base:equal(x - 1))
    assert.equal("number", type(locus.choice(6)))
    assert.same({2, 3}, support.shape(locus.choice(6, {2, 3})))
    assert.same({}, support.shape(locus.choice{input = 6, size = {}}))
  end)

  it("draws elements, along a dimension", function()
    local x = locus.arange(12, {dtype = "int32"}):reshape(3, 4)
    local rows = x:choice(50)
    assert.same({50, 4}, support.shape(rows))
    assert.is_true(rows:select(2, 2):equal(rows:select(2, 1) + 1))
    local columns = x:choice({5, 2}, {dim = 2})
    assert.same({3, 5, 2}, support.shape(columns))
    assert.is_true(columns[2]:equal(columns[1] + 4))
    assert.same({4}, support.shape(x:choice()))
    local one = locus.choice{10, 20, 30}
    assert.is_true(one == 10 or one == 20 or one == 30)
    local z = locus.tensor({true, false}):choice{size = {200}}
    assert.is_true(z:any() and not z:all())
  end)

  it("draws without replacement", function()
    for _, n in ipairs {1, 5, 300} do
      assert.equal(n, #locus.choice(300, {n}, {replace = false}):unique())
    end
    assert.same({10, 20, 30}, sorted(locus.choice({10, 20, 30}, {3}, {replace = false})))
    assert.same({10, 30}, sorted(locus.choice({10, 20, 30}, {2}, {replace = false,
      p = {0.5, 0, 0.5}})))
  end)

  it("draws by probabilities", function()
    local x = locus.choice(6, {N}, {p = SHARES, generator = seeded(8)})
    assert.is_true(far(counts_of(x), SHARES) < 4)
    assert.is_true(locus.choice({1, 2}, {50}, {p = {0, 1}}):eq(2):all())
  end)

  it("takes out", function()
    local out = locus.zeros(4)
    assert.equal(out, locus.choice({7, 8}, {4}, {out = out}))
    assert.is_true(out:ge(7):all())
    assert.same({0}, support.shape(locus.choice({}, {0})))
  end)

  it("says what is wrong", function()
    local f = locus.choice
    raises("choice: 6 draws without replacement are more than the 5 elements", f, 5, {6},
      {replace = false})
    raises("choice: 2 draws without replacement are more than the weights above 0 in 'p'", f, 2,
      {2}, {replace = false, p = {0, 1}})
    raises("choice: 'p' must have a probability for each of the 5 elements, got a float64 tensor "
      .. "of size 2",
      f, 5, {6}, {p = {0.5, 0.5}})
    raises("choice: 'p' must add up to 1, got a sum of 3", f, 2, {6}, {p = {1, 2}})
    local p = locus.tensor {0.5, 0.5}
    raises("choice: 'out' overlaps 'p' in memory; give a separate tensor", f, locus.zeros(2), {2},
      {p = p, out = p})
    raises("choice: 'input' must be a tensor or a whole number from 0 to 2^53, got the number 2.5",
      f, 2.5, {6})
    raises("choice: 'input' must be a tensor or a whole number from 0 to 2^53, got the number "
      .. "9.223372036854776e+18", f, 2 ^ 63, {6})
    raises("choice: 'input' must have an element to draw", f, 0, {6})
    raises("choice: 'input' must have a dimension", f, locus.tensor(5), {6})
  end)
end)
