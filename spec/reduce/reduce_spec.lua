-- SPDX-License-Identifier: MIT
-- Every row of src/core/reduce.def beside its oracle, on every dtype that it takes; and sum, prod,
-- mean, nansum, nanmean, any, all, count_nonzero, nancount, which take any dimensions and dtype.
-- (min, max, argmin, argmax: extreme_spec.lua; the others: nan_reduce_spec.lua, norm_spec.lua,
-- spread_spec.lua.)
local core = require "locus.core"
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local reductions = require "spec.support.models.reductions"
local support = require "spec.support"

local nan, inf = support.nan, math.huge
local OPS = {}
for op, class in pairs(core.internal.families().reduce) do
  if class == "SUM" or class == "MEAN" or class == "TRUTH" or class == "COUNT"
      or class == "TALLY" then
    OPS[#OPS + 1] = op
  end
end
table.sort(OPS)
local FLAT, TALL = 1025, 3000 -- rows just past one block, and of several

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

-- Sets of dimensions, as lists.
local SUBSETS = {{1}, {2}, {3}, {1, 2}, {1, 3}, {2, 3}, {1, 2, 3}, {3, 1}}

local function set_of(list)
  local set = {}
  for _, d in ipairs(list) do set[d] = true end
  return set
end

-- By class of row: what calls it and answers with one tensor or value; the dtypes that it takes;
-- and what refuses all others, where functions in Lua look at the input first.
local inner = core.internal
local function by_name(op) return locus[op] end
local function by_inner_name(op) return inner[op] end
local FORMS = support.known("how to call a reduction", {
  SUM = {f = by_name, dtypes = support.dtypes},
  MEAN = {f = by_name, dtypes = support.dtypes},
  TRUTH = {f = by_name, dtypes = support.dtypes},
  COUNT = {f = by_name, dtypes = support.dtypes, has_no_keepdim = true},
  TALLY = {f = by_name, dtypes = support.dtypes},
  ELEMENT = {f = function(op) return locus["a" .. op] end, dtypes = support.ordered},
  PRESENT = {f = by_name, dtypes = support.ordered},
  NORM = {f = by_inner_name, dtypes = support.ordered, refuses = function() return locus.norm end},
  SPREAD = {f = by_inner_name, dtypes = support.ordered, refuses = by_name},
})

-- Compares the answer over all elements with the oracle's.
local function check_whole(op, f, a, x)
  local whole, answer = reductions.ops[op](a.values, a.dtype)
  local got = f(x)
  if not support.same_value(got, whole) then
    error(("%s of %s: expected %s, got %s"):format(op, arrays.show(a), support.show(whole),
                                                   support.show(got)))
  end
  assert.is_false(locus.is_tensor(got))
  assert.equal(answer == "bool" and "boolean", type(got) == "boolean" and "boolean")
end

-- Every pair of two of a dtype's edges, as rows.
local function pairs_of_edges(dtype)
  local edges, values = arrays.edges(dtype), {}
  for _, first in ipairs(edges) do
    for _, second in ipairs(edges) do
      values[#values + 1] = first
      values[#values + 1] = second
    end
  end
  return {dtype = dtype, shape = {#edges * #edges, 2}, values = values}
end

describe("a reduction", function()
  it("has an oracle", function() support.covers("reduce", reductions.ops) end)

  for op, class in pairs(core.internal.families().reduce) do
    local function by_dims(...) return reductions.by_dims(reductions.ops[op], ...) end

    it(op .. " is right for every dtype, layout and set of dimensions", function()
      math.randomseed(11)
      local form = FORMS[class]
      local f = form.f(op)
      for _, dtype in ipairs(form.dtypes) do
        for _, layout in ipairs(support.layouts) do
          local a = arrays.random(dtype, {2, 3, 5})
          local x = arrays.tensor(a, layout)
          for _, dims in ipairs(SUBSETS) do
            for _, keepdim in ipairs {false, not form.has_no_keepdim or nil} do
              local shape, values, answer = by_dims(a, set_of(dims), keepdim)
              local got = f(x, {dim = #dims > 1 and dims or dims[1], keepdim = keepdim or nil})
              arrays.check(got, shape, values, answer, op, layout, a, table.concat(dims, " "))
            end
          end
          check_whole(op, f, a, x)
        end
      end
    end)

    it(op .. " is right of any two values where dtypes part", function()
      local form = FORMS[class]
      local f = form.f(op)
      for _, dtype in ipairs(form.dtypes) do
        local a = pairs_of_edges(dtype)
        local shape, values, answer = by_dims(a, {false, true})
        local got = f(arrays.tensor(a, "contiguous"), 2)
        arrays.check(got, shape, values, answer, op .. " of " .. dtype)
        a.shape, a.values = {2}, {unpack(a.values, #a.values - 1)}
        check_whole(op, f, a, arrays.tensor(a))
      end
    end)

    it(op .. " is refused of other dtypes", function()
      local form, taken = FORMS[class], {}
      for _, dtype in ipairs(form.dtypes) do taken[dtype] = true end
      for _, dtype in ipairs(support.dtypes) do
        local ok = pcall((form.refuses or form.f)(op), locus.ones(3, {dtype = dtype}))
        assert.equal(taken[dtype] == true, ok, dtype)
      end
    end)
  end

  for _, op in ipairs(OPS) do
    local function by_dims(...) return reductions.by_dims(reductions.ops[op], ...) end

    it(op .. " is right along long rows", function()
      math.randomseed(12)
      for _, dtype in ipairs {"bool", "uint8", "int64", "float16", "float64", "complex64"} do
        for _, layout in ipairs(support.layouts) do
          local a = arrays.random(dtype, {3, FLAT})
          local x = arrays.tensor(a, layout)
          arrays.check(x[op](x, 2), by_dims(a, {false, true}))
          a.shape = {FLAT, 3}
          x = arrays.tensor(a, layout)
          arrays.check(x[op](x, 1), by_dims(a, {true}))
        end
      end
    end)

    it(op .. " takes a dimension from the end, 0-d tensors, tables and numbers", function()
      local f = locus[op]
      local x = locus.tensor({{1, 2, 0}, {4, 0, 0}})
      assert.same(f(x, 2):totable(), f(x, -1):totable())
      assert.same(f(x, 1):totable(), f(x, -2):totable())
      assert.same(f(x, {1, 2}):item(), f(x, {-1, -2}):item())
      local zero_d = locus.tensor(7)
      for _, dim in ipairs {1, -1} do
        assert.equal(0, f(zero_d, dim):dim())
        assert.equal(f(zero_d), f(zero_d, dim):item())
      end
      assert.equal(f(zero_d), f(7))
      assert.equal(f(x), f({{1, 2, 0}, {4, 0, 0}}))
      assert.equal(f(x), f{input = x})
      assert.same(f(x, 1):totable(), f({{1, 2, 0}, {4, 0, 0}}, 1):totable())
      assert.same(f(x, 2):totable(), f{x, dim = 2}:totable())
      if op ~= "any" and op ~= "all" then
        assert.equal(f(x), f(x, {dim = {}}):item())
        assert.equal(f(x), f(x, {}))
      end
    end)

    it(op .. " says what is wrong with its arguments", function()
      local x = locus.tensor({{1, 2, 3}})
      local f = locus[op]
      raises(op .. ": 'dim' must be in 1..2 or -2..-1, got 3", f, x, 3)
      raises(op .. ": 'dim' must be in 1..2 or -2..-1, got 0", f, x, 0)
      raises(op .. ": 'dim' must be in 1..1 or -1..-1, got 2", f, locus.tensor(1), 2)
      raises(op .. ": 'dim' must be a dimension, got the string \"x\"", f, x, "x")
      raises(op .. ": 'dim' must be a dimension, got the number 1.5", f, x, 1.5)
      raises(op .. ": 'dim' names a dimension twice", f, x, {1, -2})
      raises(op .. ": 'input' is missing", f)
      raises(op .. ": 'input' must be a tensor, a table or a number, got the string \"x\"", f, "x")
      raises(op .. ": there is no argument 'dm'; did you mean 'dim'?", f, x, {dm = 1})
    end)
  end

  it("takes keepdim by position and by name", function()
    local x = locus.tensor({{1, 2, 3}, {4, 5, 6}})
    support.same(x:sum(1, true), {1, 3}, {5, 7, 9}, "float64")
    support.same(x:sum{dim = 2, keepdim = true}, {2, 1}, {6, 15}, "float64")
    support.same(x:mean({1, 2}, true), {1, 1}, {3.5}, "float64")
    support.same(locus.sum(locus.tensor(3), 1, true), {}, {3}, "float64")
    for _, op in ipairs {"sum", "mean", "any", "all", "max", "min", "amax", "amin"} do
      support.same(x[op](x, {keepdim = true}), {1, 1}, {x[op](x)})
      support.same(x[op](x, nil, true), {1, 1}, {x[op](x)})
      assert.is_false(locus.is_tensor(x[op](x, {keepdim = false})))
      support.same(locus[op](7, {keepdim = true}), {}, {locus[op](7)})
    end
    support.same(locus.ones(2, 0):sum{keepdim = true}, {1, 1}, {0})
    raises("sum: 'keepdim' must be true or false, got the number 1", x.sum, x, 1, 1)
    raises("count_nonzero: takes at most 2 arguments by position, got 3", x.count_nonzero, x, 1,
           true)
  end)

  it("answers for nothing", function()
    for _, dtype in ipairs(support.dtypes) do
      local none = locus.zeros(0, {dtype = dtype})
      assert.is_true(support.same_value(none:sum(), (reductions.ops.sum({}, dtype))))
      local mean = none:mean()
      if type(mean) == "number" then assert.is_true(mean ~= mean)
      else assert.is_true(mean.re ~= mean.re and mean.im ~= mean.im) end
      assert.is_false(none:any())
      assert.is_true(none:all())
      assert.equal(0, none:count_nonzero())
    end
    local x = locus.zeros(2, 0, 3)
    support.same(x:sum(2), {2, 3}, {0, 0, 0, 0, 0, 0}, "float64")
    support.same(x:mean(2, true), {2, 1, 3}, {nan, nan, nan, nan, nan, nan}, "float64")
    support.same(x:all(2), {2, 3}, {true, true, true, true, true, true}, "bool")
    support.same(x:any(1), {0, 3}, {}, "bool")
    support.same(x:count_nonzero({1, 2, 3}), {}, {0}, "int64")
  end)

  it("reads expanded tensors", function()
    local x = locus.tensor({{1}, {2}}):expand(2, 2000)
    support.same(x:sum(2), {2}, {2000, 4000}, "float64")
    support.same(x:sum(1):narrow(1, 1, 3), {3}, {3, 3, 3}, "float64")
    assert.equal(6000, x:sum())
    assert.equal(1.5, x:mean())
  end)
end)

describe("sum", function()
  it("is exact for int64 past 2^53 and wraps modulo 2^64", function()
    local big = support.integer("9007199254740993")
    local x = support.tensor("int64", {big, 1, -3})
    assert.is_true(x:sum() == support.integer("9007199254740991"))
    assert.equal("number", type(x:sum()))
    local got = support.tensor("int64", {big, big}):sum()
    assert.is_true(reductions.is_int64(got))
    assert.is_true(got == support.integer("18014398509481986"))
    local most = support.range.int64[2]
    assert.is_true(support.tensor("int64", {most, 1}):sum() == support.range.int64[1])
    support.same(support.tensor("int64", {most, 1}):sum(1), {}, {support.range.int64[1]}, "int64")
  end)

  it("does not wrap small integers or lose small floats", function()
    assert.equal(255 * TALL, locus.full({TALL}, 255, {dtype = "uint8"}):sum())
    assert.equal(TALL, locus.full({TALL}, true):sum())
    assert.equal(2 ^ 24 + 2, support.tensor("float32", {2 ^ 24, 1, 1}):sum())
    assert.equal(65504, support.tensor("float16", {65504, 65504, -65504}):sum())
    assert.equal(inf, support.tensor("float16", {65504, 65504}):sum())
  end)

  it("means of integers do not overflow", function()
    local most = support.range.int64[2]
    assert.equal(2 ^ 63, support.tensor("int64", {most, most, most}):mean())
    assert.equal(0.5, locus.tensor({true, false}):mean())
    locus.set_default_dtype("float32")
    local mean = support.tensor("int32", {1, 2}):mean(1)
    locus.set_default_dtype("float64")
    support.same(mean, {}, {1.5}, "float32")
  end)

  it("follows one tree, whatever the strides", function()
    math.randomseed(13)
    for _, n in ipairs {1, 2, 31, 32, 33, 63, 1023, 1024, 1025, 2048, 4097, 7000} do
      local values = {}
      for i = 1, n do values[i] = (math.random() - 0.5) * 10 ^ math.random(-8, 8) end
      local want = reductions.ops.sum(values, "float64")
      local x = locus.tensor(values)
      for _, layout in ipairs(support.layouts) do
        assert.equal(want, support.laid(x, layout):sum())
        assert.equal(want, support.laid(x, layout):sum(1):item())
      end
      local rows = locus.stack({x, x, x}, 2) -- n x 3: strides of 3 along dimension 1
      support.same(rows:sum(1), {3}, {want, want, want}, "float64")
      support.same(rows:t():contiguous():sum(2), {3}, {want, want, want}, "float64")
      support.same(rows:mean(1), {3}, {want / n, want / n, want / n}, "float64")
    end
  end)

  it("is the same on every instruction set", function()
    local chunk = [[
      local core = require "locus.core"
local locus = require "locus"
      local seed, values = 1, {}
      for i = 1, 5000 do
        seed = (seed * 16807) % 2147483647
        values[i] = (seed / 2147483647 - 0.5) * 10 ^ (seed % 17 - 8)
      end
      local x = locus.tensor(values)
      print(locus.isa)
      for _, dtype in ipairs {"float64", "float32", "bfloat16", "complex128", "complex64"} do
        local y = x:to(dtype)
        local sum, mean = y:sum(), y:mean()
        if type(sum) == "cdata" then sum, mean = sum.re, mean.re end
        print(dtype, ("%.17g %.17g"):format(sum, mean))
        print(tostring(y:view(10, 500):sum(1)))
        print(tostring(y:view(500, 10):cumsum(1)))
      end]]
    local first
    for _, isa in ipairs(locus.instruction_sets()) do
      local output, status = support.run(chunk, {LOCUS_ISA = isa})
      assert.equal(0, status)
      local name, answers = output:match("^(%w+)\n(.*)$")
      assert.equal(isa, name)
      first = first or answers
      assert.equal(first, answers)
    end
  end)
end)

describe("any and all", function()
  it("reduce no dimension where none is named", function()
    for _, op in ipairs {"any", "all"} do
      for _, dtype in ipairs(support.dtypes) do
        local x = support.tensor(dtype, {0, 3, 1, 0, 0, 1}, {2, 3}):t()
        local want = {false, false, true, false, true, true}
        support.same(x[op](x, {}), {3, 2}, want, "bool")
        support.same(x[op](x, {}, true), {3, 2}, want, "bool")
        support.same(locus[op]{x, dim = {}}, {3, 2}, want, "bool")
      end
      support.same(locus[op](7, {}), {}, {true}, "bool")
      support.same(locus[op](locus.tensor(0), {}), {}, {false}, "bool")
      support.same(locus[op](locus.zeros(2, 0), {}), {2, 0}, {}, "bool")
      support.same(locus[op]({nan, -0.0}, {}), {2}, {true, false}, "bool")
      local out = locus.BoolTensor(2)
      assert.equal(out, locus[op]({0, 2}, {}, {out = out}))
      support.same(out, {2}, {false, true}, "bool")
      assert.equal(op == "all", locus[op]({})) -- the empty table is the data
    end
  end)

  it("count NaN as true and -0.0 as false", function()
    assert.is_true(locus.any({nan}))
    assert.is_true(locus.all({nan, -1, 1e-320}))
    assert.is_false(locus.any({0, -0.0}))
    assert.is_true(support.tensor("complex64", {support.complex(0, 1)}):all())
  end)

  it("look at each row alone when they settle early", function()
    local x = locus.zeros(4, TALL)
    x[2][TALL] = 1
    x[3][1] = 1
    x[3][TALL - 500] = 1
    support.same(x:any(2), {4}, {false, true, true, false}, "bool")
    support.same(x:eq(0):all(2), {4}, {true, false, false, true}, "bool")
    support.same(x:t():any(1), {4}, {false, true, true, false}, "bool")
    assert.is_true(x:any())
    assert.is_false(x:all())
  end)

  it("take any nonzero byte as true", function()
    local bytes = require("ffi").new("uint8_t[3]", 0, 2, 255)
    local mask = locus.from_ptr(bytes, {3}, {dtype = "bool", keep = bytes}):to(support.device)
    assert.equal(2, mask:sum())
    assert.equal(2, mask:count_nonzero())
    assert.is_true(mask:any())
    assert.is_false(mask:all())
    assert.equal(2 / 3, mask:mean())
  end)
end)

describe("out of a reduction", function()
  it("receives the answer, strided or empty", function()
    local x = locus.tensor({{1, 2, 3}, {4, 5, 6}})
    local out = locus.zeros(3)
    assert.equal(out, x:sum(1, {out = out}))
    support.same(out, {3}, {5, 7, 9}, "float64")
    local wide = locus.zeros(3, 2)
    local column = wide:select(2, 1)
    assert.equal(column, x:mean{dim = 1, out = column})
    support.same(wide, {3, 2}, {2.5, 0, 3.5, 0, 4.5, 0})
    local whole = locus.tensor(0)
    assert.equal(whole, x:sum{out = whole})
    support.same(whole, {}, {21}, "float64")
    whole = locus.zeros(1, 1)
    assert.equal(whole, x:mean{out = whole, keepdim = true})
    support.same(whole, {1, 1}, {3.5}, "float64")
    local none = locus.zeros(0, {dtype = "bool"})
    assert.equal(none, x:any(2, true, {out = none}))
    support.same(none, {2, 1}, {true, true}, "bool")
  end)

  it("must be right", function()
    local x = locus.tensor({{1, 2, 3}, {4, 5, 6}})
    local out = locus.zeros(2)
    raises("sum: 'out' must be of size 3, got 2", x.sum, x, 1, {out = out})
    raises("sum: 'out' must be of size 0-d, got 2", x.sum, x, {out = out})
    raises("any: 'out' must be bool, got float64", x.any, x, 2, {out = out})
    raises("sum: 'out' must be a tensor, got the number 1", x.sum, x, 2, {out = 1})
    raises("sum: 'out' overlaps 'input' in memory; give a separate tensor", x.sum, x, 2,
           {out = x:select(2, 1)})
    raises("count_nonzero: there is no argument 'out'; "
      .. "the arguments are 'input', 'dim'", x.count_nonzero, x,
           1, {out = out})
    support.same(out, {2}, {0, 0}, "float64")
    support.same(x, {2, 3}, {1, 2, 3, 4, 5, 6})
  end)
end)
