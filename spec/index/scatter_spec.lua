-- SPDX-License-Identifier: MIT
-- scatter and its family, index_add and put, against a plain loop over every point.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local numbers = require "spec.support.models.numbers"
local points = require "spec.support.data.points"
local support = require "spec.support"

local nan, inf = support.nan, math.huge
local message, same = support.message, support.same
local random = math.random
local copy, each_point, long = points.copy, points.each, points.long
local index_of, random_case, strides = points.index_of, points.case, points.strides

-- The beginning of a sum and a product; an extreme may begin with the first element.
local function start(op, dtype, v)
  local one = op == "mul" and 1 or 0
  if op ~= "add" and op ~= "mul" then return v end
  return dtype == "bool" and one == 1 or dtype ~= "bool" and one
end

-- The result of a scatter: op(sum, v) combined from those of `a`, or with `afresh` from nothing.
local function scattered(a, b, case, dtype, op, afresh)
  local want, met, steps = copy(a.values), {}, strides(case.src)
  local own = strides(case.points)
  each_point(case.points, case.shape, case.dim, case.positions, function(i, place)
    local from, left = 1, i - 1
    for d = 1, #case.points do
      local at = math.floor(left / own[d])
      left, from = left - at * own[d], from + at * steps[d]
    end
    local v = b.values[from]
    local sum = want[place]
    if afresh and not met[place] then sum = start(op, dtype, v) end
    if op then v = numbers.apply(op, sum, v, dtype) end
    want[place], met[place] = v, true
  end)
  return want
end

local OPS = {sum = "add", prod = "mul", amax = "maximum", amin = "minimum"}

local function each_scatter(f)
  for _, dtype in ipairs(support.dtypes) do
    for _, layout in ipairs(support.layouts) do
      local case = random_case(true)
      f(dtype, layout, case, arrays.random(dtype, case.shape), arrays.random(dtype, case.src))
    end
  end
end

describe("scatter", function()
  it("writes, the last of several values staying", function()
    each_scatter(function(dtype, layout, case, a, b)
      local x, index, src = arrays.tensor(a, layout), index_of(case, layout), arrays.tensor(b)
      local want = scattered(a, b, case, dtype)
      arrays.check(x:scatter(case.dim, index, src), case.shape, want, dtype, a, b, layout)
      arrays.check(x, case.shape, a.values, dtype, layout)
      assert.equal(x, x:scatter_(case.dim, index, arrays.tensor(b, layout)))
      arrays.check(x, case.shape, want, dtype, a, b, layout)
    end)
  end)

  it("combines every dtype as + and the like do, in order", function()
    each_scatter(function(dtype, layout, case, a, b)
      for reduce, op in pairs(OPS) do
        local index, src = index_of(case, layout), arrays.tensor(b, layout)
        local complex = numbers.kind(dtype) == "complex"
        for _, include in ipairs(complex and op ~= "add" and {} or {true, false}) do
          local want = scattered(a, b, case, dtype, op, not include)
          local x = arrays.tensor(a, layout)
          local got = x:scatter_reduce(case.dim, index, src, reduce, {include_self = include})
          arrays.check(got, case.shape, want, dtype, a, b, layout, reduce)
          assert.equal(x, x:scatter_reduce_(case.dim, index, src, reduce, {include_self = include}))
          arrays.check(x, case.shape, want, dtype, a, b, layout, reduce)
        end
      end
    end)
  end)

  it("combines rows side by side as it does single elements, of every dtype", function()
    local n = 20 -- more than 16 bytes even of bool
    local rows = long({1, 3, 1}, {3, 1}):expand(3, n)
    for _, dtype in ipairs(support.dtypes) do
      local x = arrays.tensor(arrays.random(dtype, {3, n}), "contiguous")
      local src = arrays.tensor(arrays.random(dtype, {3, n}), "contiguous")
      local complex = numbers.kind(dtype) == "complex"
      for reduce, op in pairs(complex and {sum = "add", prod = "mul"} or OPS) do
        local apply = locus[op]
        local want = locus.stack {apply(apply(x[1], src[1]), src[3]), x[2], apply(x[3], src[2])}
        for _, index in ipairs {rows, rows:contiguous()} do
          local got = x:scatter_reduce(1, index, src, reduce)
          assert.is_true(got:allclose(want, 0, 0, {equal_nan = true}), dtype .. " " .. reduce)
        end
      end
    end
  end)

  it("adds and multiplies under the older names", function()
    each_scatter(function(dtype, layout, case, a, b)
      if numbers.kind(dtype) == "complex" then return end
      local index, src, dim = index_of(case, layout), arrays.tensor(b, layout), case.dim
      local sums = scattered(a, b, case, dtype, "add")
      local products = scattered(a, b, case, dtype, "mul")
      local x, y, z = arrays.tensor(a, layout), arrays.tensor(a, layout), arrays.tensor(a, layout)
      for _, got in ipairs {
        x:scatter_add(dim, index, src), x:scatter_add_(dim, index, src),
        y:scatter(dim, index, src, {reduce = "add"}), y:scatter_(dim, index, src, {reduce = "add"}),
      } do arrays.check(got, case.shape, sums, dtype, a, b, layout) end
      arrays.check(z:scatter(dim, index, src, {reduce = "multiply"}), case.shape, products, dtype)
      arrays.check(z:scatter_(dim, index, src, {reduce = "multiply"}), case.shape, products, dtype)
    end)
  end)

  it("gives means", function()
    local x, index = locus.tensor {1, 2, 3}, {1, 3, 1}
    same(x:scatter_reduce(1, index, {5, 6, 6}, "mean"), {3}, {4, 2, 4.5})
    same(x:scatter_reduce(1, index, {5, 6, 6}, "mean", {include_self = false}), {3}, {5.5, 2, 6})
    local long_x = long {-1, 2, 2}
    same(long_x:scatter_reduce(1, index, {0, 3, 0}, "mean"), {3}, {-1, 2, 2}, "int64")
    assert.equal(long_x, long_x:scatter_reduce_(1, index, {-2, 7, -1}, "mean",
      {include_self = false}))
    same(long_x, {3}, {-2, 2, 7}, "int64")
    local halves = support.tensor("float16", {0, 1})
    local ones = locus.ones(2000, {dtype = "int64"})
    halves:scatter_reduce_(1, ones, 1, "mean", {include_self = false})
    same(halves, {2}, {1, 1}, "float16")
    same(locus.tensor {nan, 1}:scatter_reduce(1, {1, 2}, {1, inf}, "mean"), {2}, {nan, inf})
  end)

  it("gives means of what meets, for every dtype and layout, along every dimension", function()
    math.randomseed(45)
    for _, dtype in ipairs {"float64", "float32", "float16", "bfloat16", "int64", "uint8"} do
      for _, layout in ipairs(support.layouts) do
        for dim = 1, 3 do
          local x = arrays.tensor(arrays.random("uint8", {3, 4, 5}), layout):remainder(16):to(dtype)
          local src = locus.arange(60):remainder(7):view(3, 4, 5):to(dtype)
          local index = locus.randint(1, x:size(dim), {3, 4, 5})
          if random(2) == 1 then index = index:select(3, 1):unsqueeze(3):expand(3, 4, 5) end
          for _, include_self in ipairs {true, false} do
            local options = {include_self = include_self}
            local sums = x:double():scatter_reduce(dim, index, src:double(), "sum", options)
            local counts = locus.zeros(3, 4, 5):scatter_add(dim, index, 1)
            counts = include_self and counts + 1 or counts:maximum(1)
            local want = dtype:find("int") and sums:floor_divide(counts) or sums / counts
            local got = x:scatter_reduce(dim, index, src, "mean", options)
            assert.is_true(got:equal(want:to(dtype)), dtype)
          end
        end
      end
    end
  end)

  it("keeps NaN, and int64 beyond 2^53", function()
    local x = locus.tensor {1, nan, 3}
    same(x:scatter_reduce(1, {1, 2, 3}, {nan, 1, 2}, "amax"), {3}, {nan, nan, 3})
    same(x:scatter_reduce(1, {1, 2, 3}, {nan, 1, 2}, "amin", {include_self = false}), {3},
      {nan, 1, 2})
    local least, most = unpack(support.range.int64)
    local y = support.tensor("int64", {most - 1, least, most})
    same(y:scatter_reduce(1, {1, 2, 3}, support.tensor("int64", {most, least + 1, 1LL}), "amax"),
      {3}, {most, least + 1, most}, "int64")
    same(y:scatter_add(1, {3, 1}, 1LL), {3}, {most, least, least}, "int64")
    same(y:scatter_reduce(1, {2}, {most}, "amin", {include_self = false}), {3},
      {most - 1, most, most}, "int64")
  end)

  it("takes numbers, 0-d tensors, tables, nothing, 0-d input", function()
    local x = locus.zeros(2, 3)
    same(x:scatter(2, {{1, 3}, {2, 2}}, 5), {2, 3}, {5, 0, 5, 0, 5, 0})
    same(x:scatter(2, {{1}}, locus.tensor(5, {dtype = "int32"})), {2, 3}, {5, 0, 0, 0, 0, 0})
    same(x:scatter(2, {{-1, 1}}, {{7, 8}}), {2, 3}, {8, 0, 7, 0, 0, 0})
    same(x:scatter(2, {{0}}, {{7}}, {base = 0}), {2, 3}, {7, 0, 0, 0, 0, 0})
    same(x:scatter(2, long({}, {0, 3}), 5), {2, 3}, {0, 0, 0, 0, 0, 0})
    same(x:scatter(1, long {}, {}), {2, 3}, {0, 0, 0, 0, 0, 0})
    same(x:scatter_reduce(1, long {}, {}, "mean"), {2, 3}, {0, 0, 0, 0, 0, 0})
    same(locus.zeros(0, 3):scatter(2, long({}, {0, 3}), 5), {0, 3}, {})
    same(locus.tensor(5):scatter_add(1, {1, 1}, {1, 2}), {}, {8})
    same(locus.zeros(2):scatter_ {dim = 1, index = {2}, src = 5}, {2}, {0, 5})
    same(locus.scatter({1, 2}, 1, {1}, {9}), {2}, {9, 2})
    same(locus.zeros(1):expand(3):scatter(1, {2}, 5), {3}, {0, 5, 0})
  end)

  it("fills `out`, which may be the input", function()
    local x, out = locus.tensor {1, 2, 3}, locus.zeros(0)
    assert.equal(out, x:scatter(1, {2}, {9}, {out = out}))
    same(out, {3}, {1, 9, 3})
    assert.equal("scatter_add: 'out' overlaps 'input' in memory; give a separate tensor",
      message(x.scatter_add, x, 1, {2}, {9}, {out = x}))
    local index, other = long {1, 2, 3}, locus.tensor {4, 5, 6}
    local function overlaps(name, what, input, ...)
      assert.equal(("%s: 'out' overlaps '%s' in memory; give a separate tensor"):format(name, what),
        message(x[name], input, ...))
    end
    for _, name in ipairs {"scatter", "scatter_add"} do
      overlaps(name, "src", x, 1, index, other, {out = other})
      overlaps(name, "index", x:long(), 1, index, 9, {out = index})
    end
    overlaps("scatter_reduce", "src", x, 1, index, other, "mean", {out = other})
    overlaps("index_add", "source", x, 1, index, other, {out = other})
    overlaps("put", "index", x:long(), index, 9, {out = index})
    same(index, {3}, {1, 2, 3}, "int64")
    same(other, {3}, {4, 5, 6})
    assert.equal("scatter_reduce: 'out' must be float64, got int64",
      message(x.scatter_reduce, x, 1, {2}, {9}, "sum", {out = long {}}))
  end)

  it("reads what shares memory with input as if copied first", function()
    local x = locus.tensor {1, 2, 3}
    same(x:scatter_add_(1, {1, 1, 2}, x), {3}, {4, 5, 3})
    local p = long {1, 2, 1}
    same(p:scatter_add_(1, p, 1LL), {3}, {3, 3, 1}, "int64")
    local q = long {2, 3, 1}
    same(q:scatter_(1, q, q), {3}, {1, 2, 3}, "int64")
  end)

  it("converts src, and says what is wrong, having written nothing", function()
    local x = support.tensor("int32", {1, 2, 3})
    same(x:clone():scatter_(1, {1}, locus.tensor {7.5}), {3}, {7, 2, 3}, "int32")
    local function says(text, name, ...)
      assert.equal(name .. ": " .. text, message(locus[name], x, ...))
      same(x, {3}, {1, 2, 3}, "int32")
    end
    says("'src' holds 3000000000 at [2], which int32 cannot hold", "scatter_", 1, {1, 2},
      locus.tensor {1, 3e9})
    says("'src' is 0.5, which int32 cannot hold", "scatter_add_", 1, {1}, 0.5)
    says("index 4 at [2] is outside 1..3, the positions of dimension 1", "scatter_", 1, {1, 4}, 1)
    says("index 4 at [2] is outside 1..3, the positions of dimension 1", "scatter_reduce_", 1,
      {1, 4}, 1, "mean")
    says("'index' of size 2 is larger than 'src' of size 1 in dimension 1", "scatter_", 1, {1, 2},
      {5})
    says("'index' and 'src' must have the same number of dimensions, got sizes 1 and 1x1",
      "scatter_add", 1, {1}, {{5}})
    says("'reduce' must be \"add\" or \"multiply\", got \"sum\"", "scatter_", 1, {1}, 1,
      {reduce = "sum"})
    says("'reduce' must be one of sum prod mean amax amin, got \"max\"", "scatter_reduce", 1, {1},
      1, "max")
    says("'include_self' must be true or false, got the number 1", "scatter_reduce", 1, {1}, 1,
      "sum", {include_self = 1})
    says("'src' must be a tensor, a table or a number, got the string \"a\"", "scatter_", 1, {1},
      "a")
    assert.equal("scatter_: 'input' must be a tensor, got a table",
      message(locus.scatter_, {1}, 1, {1}, 1))
    assert.equal("scatter_reduce_: 'input' must be a tensor, got a table",
      (message(locus.scatter_reduce_, {1}, 1, {1}, 1, "mean"):gsub("got .*", "got a table")))
    assert.equal("scatter_: the tensor has elements that share memory; write to its contiguous()",
      message(locus.scatter_, locus.zeros(1):expand(3), 1, {1}, 1))
    local z = support.tensor("complex64", {1, 2})
    assert.equal("scatter_reduce: 'input' is complex64, and complex numbers have no order",
      message(locus.scatter_reduce, z, 1, {1}, 1, "amax"))
    assert.equal("scatter_reduce: 'reduce' is \"mean\", which complex64 does not have",
      message(locus.scatter_reduce, z, 1, {1}, 1, "mean"))
  end)
end)

describe("index_add", function()
  it("adds slices, in every dtype and layout, in their order", function()
    each_scatter(function(dtype, layout, case, a)
      local sizes, row = copy(case.shape), {}
      sizes[case.dim] = random(0, 8)
      for i = 1, sizes[case.dim] do row[i] = random(case.shape[case.dim]) end
      local steps, n = strides(sizes)
      local at = {}
      for i = 1, n do
        at[i] = row[math.floor((i - 1) / steps[case.dim]) % sizes[case.dim] + 1]
      end
      local b = arrays.random(dtype, sizes)
      local want = scattered(a, b, {points = sizes, src = sizes, shape = case.shape,
        dim = case.dim, positions = at}, dtype, "add")
      local x, index = arrays.tensor(a, layout), support.laid(long(row), layout)
      local source = arrays.tensor(b, layout)
      arrays.check(x:index_add(case.dim, index, source), case.shape, want, dtype, a, b, layout)
      assert.equal(x, x:index_add_(case.dim, index:sub(1), source, {base = 0}))
      arrays.check(x, case.shape, want, dtype, a, b, layout)
    end)
  end)

  it("multiplies by alpha, takes tables and numbers", function()
    local x = locus.zeros(2, 2)
    same(x:index_add(1, {2, 2}, {{1, 2}, {10, 20}}, {alpha = 2}), {2, 2}, {0, 0, 22, 44})
    same(x:index_add(1, {2, -1}, 3), {2, 2}, {0, 0, 6, 6})
    same(long {1, 2}:index_add_(1, {1}, {5}, {alpha = -1}), {2}, {-4, 2}, "int64")
    same(locus.tensor(1):index_add(1, {1}, {4}), {}, {5})
    local out = locus.zeros(0)
    same(x:index_add(2, {1}, {{1}, {2}}, {out = out}), {2, 2}, {1, 0, 2, 0})
    same(x:index_add_(1, {1}, x[{{2, 2}}] + 1), {2, 2}, {1, 1, 0, 0})
    assert.equal("index_add: 'source' must be of size 1x2, got 2",
      message(x.index_add, x, 1, {1}, {1, 2}))
    for _, alpha in ipairs {-1, 256, 0.5} do
      assert.equal(("index_add: 'alpha' is %g, which uint8 cannot hold"):format(alpha),
        message(x.index_add, x:byte(), 1, {1}, {{1, 2}}, {alpha = alpha}))
    end
    assert.equal("index_add: 'alpha' is 128, which int8 cannot hold",
      message(x.index_add, x:to("int8"), 1, {1}, {{1, 2}}, {alpha = 128}))
    assert.equal("index_add: 'source' must be of size 0x2, got 1x2",
      message(x.index_add, x, 1, {}, {{1, 2}}))
    same(x:index_add(1, {}, {}), {2, 2}, {1, 1, 0, 0})
    same(locus.zeros(0, 3):index_add(2, {1, 2}, {}), {0, 3}, {})
    same(x:index_add(1, {}, locus.zeros(0, 2)), {2, 2}, {1, 1, 0, 0})
    assert.equal("index_add: index 3 at [1] is outside 1..2, the positions of dimension 1",
      message(x.index_add, x, 1, {3}, 1))
  end)

  it("converts the source before alpha multiplies it", function()
    local wide = locus.zeros(1)
    same(wide:index_add(1, {1}, locus.IntTensor {2 ^ 31 - 1}, {alpha = 2}), {1}, {2 ^ 32 - 2})
    same(wide:index_add(1, {1}, locus.HalfTensor {60000}, {alpha = 2}), {1}, {120000})
    same(long {0}:index_add(1, {1}, locus.ByteTensor {2}, {alpha = 300}), {1}, {600}, "int64")
    same(long {0}:index_add(1, {1}, locus.tensor {1.5}, {alpha = 2}), {1}, {2}, "int64")
    local x = long {7}
    assert.equal("index_add_: 'source' holds nan at [1], which int64 cannot hold",
      message(x.index_add_, x, 1, {1}, locus.tensor {nan}, {alpha = 2}))
    same(x, {1}, {7}, "int64")
  end)
end)

describe("put", function()
  it("writes or adds to the flattened tensor, in every dtype and layout", function()
    each_scatter(function(dtype, layout, case, a)
      local _, count = strides(case.shape)
      local n, places, zeros = random(0, 30), {}, {}
      local b, last, sums = arrays.random(dtype, {n}), copy(a.values), copy(a.values)
      for i = 1, n do
        local p = random(count)
        places[i] = random(2) == 1 and p or p - count - 1
        zeros[i] = places[i] > 0 and places[i] - 1 or places[i]
        last[p] = b.values[i]
        sums[p] = numbers.apply("add", sums[p], b.values[i], dtype)
      end
      local x, source = arrays.tensor(a, layout), arrays.tensor(b, layout)
      arrays.check(x:put(long(places), source), case.shape, last, dtype, a, b, layout)
      arrays.check(x:put(long(places):int(), source, true), case.shape, sums, dtype, a, b, layout)
      assert.equal(x, x:put_(long(zeros), source, {accumulate = true, base = 0}))
      arrays.check(x, case.shape, sums, dtype, a, b, layout)
    end)
  end)

  it("takes tables, numbers, positions of any size", function()
    local x = locus.tensor {{1, 2, 3}, {4, 5, 6}}
    same(x:put({{6}, {1}}, {70, 80}), {2, 3}, {80, 2, 3, 4, 5, 70})
    same(x:t():put({6, 2}, 0), {3, 2}, {1, 0, 2, 5, 3, 0})
    same(x:t():put_(long {}, {}), {3, 2}, {1, 4, 2, 5, 3, 6})
    local y = x:clone():t()
    assert.equal(y, y:put_({-1, 2}, {60, 40}))
    same(y, {3, 2}, {1, 40, 2, 5, 3, 60})
    same(locus.tensor(5):put({1}, {6}), {}, {6})
    same(locus.zeros(0, 3):put(long {}, {}), {0, 3}, {})
  end)

  it("says what is wrong", function()
    local x = locus.zeros(2, 3)
    for _, view in ipairs {x, x:t()} do
      assert.equal("put_: index 7 at [2] is outside 1..6, the positions of dimension 1",
        message(view.put_, view, {1, 7}, 1))
      assert.equal("put_: 'source' must have as many elements as 'index', 2, got 3",
        message(view.put_, view, {1, 7}, {1, 2, 3}))
      assert.equal("put_: 'index' must be int64 or int32, got float64; write :long()",
        message(view.put_, view, x, 1))
    end
    same(x, {2, 3}, {0, 0, 0, 0, 0, 0})
  end)
end)
