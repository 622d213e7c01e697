-- SPDX-License-Identifier: MIT
-- Small calls, which go through the FFI: the answers, errors and lines are those of the path
-- through the core, which arguments in one table take; loops stay compiled.
local core = require "locus.core"
local locus = require "locus"
local support = require "spec.support"

local message = support.message

local two = {"searchsorted"}
for _, family in ipairs {"binary", "compare"} do
  for op in pairs(core.internal.families()[family]) do two[#two + 1] = op end
end
table.sort(two)

local methods = {
  bool = "bool", uint8 = "byte", int8 = "char", int16 = "short", int32 = "int", int64 = "long",
  float16 = "half", bfloat16 = "bfloat16", float32 = "float", float64 = "double",
}

local one = {}
for op in pairs(core.internal.families().unary) do one[#one + 1] = op end

-- n elements of that dtype from a number on: with one zero, and with NaN last among floats.
local function some(dtype, n, first)
  local values = {}
  for i = 1, n do values[i] = i == 3 and 0 or i + first - 1 end
  if n > 3 and dtype:find("float") then values[n] = 0 / 0 end
  return support.tensor(dtype, values)
end

-- The result of a call, or the message it raises.
local function result(f, ...)
  local ok, value = pcall(f, ...)
  if not ok then return false, (value:gsub("^[^:]*:%d+: ", "")) end
  local list = support.values(value)
  list[#list + 1] = value.dtype .. " of size " .. tostring(value:size())
  return true, list
end

-- The call into `out` gives what the core gives into another one, and gives back `out`.
local function agree(name, out, ...)
  local f, arguments = locus[name], {...}
  local other = out:clone()
  local by_core = {out = other, unpack(arguments)}
  arguments[#arguments + 1] = {out = out}
  local ok, value = result(f, unpack(arguments))
  local good, expected = result(f, by_core)
  assert.equal(good, ok)
  if ok then
    assert.equal(#expected, #value)
    for i = 1, #value do assert.is_true(support.same_value(expected[i], value[i])) end
    assert.is_true(rawequal(out, f(unpack(arguments))))
  else
    assert.equal(expected, value)
  end
end

local names = {where = {"condition", "x", "y"}, searchsorted = {"sorted_sequence", "values"}}

-- The new result is what the core gives.
local function agree_fresh(name, ...)
  local by_core = {}
  for i = 1, select("#", ...) do
    by_core[(names[name] or {"input", "other"})[i]] = select(i, ...)
  end
  local ok, value = result(locus[name], ...)
  local good, expected = result(locus[name], by_core)
  assert.equal(good, ok)
  if ok then assert.equal(#expected, #value) else assert.equal(expected, value) end
  for i = 1, ok and #value or 0 do
    assert.is_true(support.same_value(expected[i], value[i]), name .. " " .. i)
  end
end

local numbers = {2, 0, -1, 0.5, 300, 2 ^ 53 + 2, -2 ^ 63, 1 / 0, 0 / 0}

describe("small calls into out", function()
  for _, dtype in ipairs(support.dtypes) do
    it("agree with the core: " .. dtype .. " #host", function()
      for _, n in ipairs {0, 1, 10, 100} do
        local x, y, c = some(dtype, n, 1), some(dtype, n, 2), locus.arange(n):remainder(3):eq(0)
        for _, kind in ipairs {dtype, "bool", "int64", "float64"} do
          for _, name in ipairs(two) do agree(name, locus.zeros(n, {dtype = kind}), x, y) end
          agree("where", locus.zeros(n, {dtype = kind}), c, x, y)
          agree("nonzero", locus.zeros({n, 1}, {dtype = kind}), x)
        end
      end
    end)
  end

  it("take numbers for operands", function()
    for _, dtype in ipairs(support.dtypes) do
      local x, c = some(dtype, 10, 1), locus.arange(10):remainder(3):eq(0)
      for _, number in ipairs(numbers) do
        for _, kind in ipairs {dtype, "bool", "float64"} do
          for _, name in ipairs(two) do
            agree(name, locus.zeros(10, {dtype = kind}), x, number)
            if name ~= "searchsorted" then
              agree(name, locus.zeros(10, {dtype = kind}), number, x)
            end
          end
          agree("where", locus.zeros(10, {dtype = kind}), c, x, number)
          agree("where", locus.zeros(10, {dtype = kind}), c, number, x)
          agree("where", locus.zeros(10, {dtype = kind}), c, number, 1)
        end
      end
    end
  end)

  it("broadcast, follow strides and promote", function()
    local x = locus.arange(12):float():view(3, 4)
    local y, column = locus.arange(4):short(), locus.arange(3):view(3, 1)
    agree("add", locus.zeros(3, 4), x, y)
    agree("where", locus.zeros(4, 3):t(), x:gt(4), column, x)
    agree("lt", locus.zeros({3, 4}, {dtype = "bool"}), x, column)
    agree("searchsorted", locus.zeros({4, 3}, {dtype = "int64"}), y, x:t())
    agree("nonzero", locus.zeros({0, 2}, {dtype = "int64"}), x:t())
    agree("div", locus.zeros(4), y, y)
  end)

  it("are as good on either side of what is small", function()
    for _, n in ipairs {16383, 16384, 16385, 40000} do
      local x, c = locus.arange(n), locus.arange(n):remainder(2):eq(0)
      agree("where", locus.zeros(n), c, x, x)
      agree("searchsorted", locus.zeros({1}, {dtype = "int64"}), x, locus.tensor({99}))
      agree("nonzero", locus.zeros({0, 1}, {dtype = "int64"}), x)
    end
  end)

  it("div gives the default dtype", function()
    local x = locus.arange(3):long()
    finally(function() locus.set_default_dtype("float64") end)
    locus.set_default_dtype("float32")
    agree("div", locus.zeros({3}, {dtype = "float32"}), x, x)
    agree("div", locus.zeros({3}, {dtype = "float64"}), x, x)
  end)

  it("leave everything else to the core", function()
    local x, out = locus.tensor({1, 2, 3}), locus.zeros(3)
    local places = locus.zeros({0, 1}, {dtype = "int64"})
    assert.same({2, 3, 4}, x:add(1, {out = out}):totable())
    assert.same({2, 4, 6}, x:add({1, 2, 3}, {out = out}):totable())
    assert.same({{0}, {1}, {2}}, x:nonzero({out = places, base = 0}):totable())
    assert.same({{0}, {1}, {2}}, x:nonzero({base = 0}):totable())
    assert.same({1, 2, 3}, x:nonzero({as_tuple = true}):totable())
    assert.same({2, 4, 6}, x:add(x, setmetatable({}, {__index = {out = out}})):totable())
    assert.is_true(rawequal(out, locus.add{x, x, out = out}))
    assert.is_true(rawequal(out, locus.add(x, {other = x, out = out})))
  end)

  it("raise at the caller's line, with out as it was", function()
    local x, out = locus.tensor({1, 2, 3}), locus.full({3}, 7)
    local freed = locus.zeros(3)
    getmetatable(freed).__gc(freed)
    local cases = {
      {"there is no argument 'ouut'; did you mean 'out'?", x, x, {ouut = out}},
      {"there is no argument 'base'; the arguments are 'input', 'other', 'out'", x, x,
       {out = out, base = 1}},
      {"'out' must be a tensor, got the number 1", x, x, {out = 1}},
      {"'out' must be float64, got int8", x, x, {out = out:char()}},
      {"'out' must be of size 3, got 2", x, x, {out = locus.zeros(2)}},
      {"'other' of size 2 does not broadcast with size 3", x, locus.zeros(2), {out = out}},
      {"'out' overlaps 'input' in memory; give a separate tensor", x:narrow(1, 1, 2),
       locus.zeros(2), {out = x:narrow(1, 2, 2)}},
      {"'out' has been freed", x, x, {out = freed}},
      {"'other' has been freed", x, freed, {out = out}},
      {"takes at most 2 arguments by position, got 3", x, x, x, {out = out}},
      {"'other' is missing", x, {out = out}},
    }
    for _, case in ipairs(cases) do
      local line = debug.getinfo(1, "l").currentline + 1
      local _, text = pcall(function() return (locus.add(unpack(case, 2))) end)
      assert.equal(("spec/calls/small_spec.lua:%d: add: %s"):format(line, case[1]), text)
    end
    assert.equal("where: 'condition' must be bool, got float64; write condition:ne(0)",
      message(locus.where, x, x, x, {out = out}))
    assert.same({7, 7, 7}, out:totable())
    assert.same({1, 2, 3}, x:totable())
  end)

  it("allocate nothing and stay compiled, with options kept or made #native #host", function()
    local output, status = support.run([[
      local locus, support = require "locus", require "spec.support"
      local x, y, out = locus.arange(10), locus.arange(10), locus.zeros(10)
      local mask, places = locus.arange(10):gt(5), locus.zeros({10}, {dtype = "int64"})
      local rows = mask:nonzero()
      local kept, kept_places, kept_rows = {out = out}, {out = places}, {out = rows}
      local function loop(n)
        for _ = 1, n do
          locus.where(mask, x, y, kept)
          x:add(y, kept)
          x:searchsorted(y, kept_places)
          mask:nonzero(kept_rows)
        end
      end
      local function made(n)
        for _ = 1, n do locus.where(mask, x, y, {out = out}) end
      end
      local traces = require("spec.support.programs.traces")(function()
        for _ = 1, 5 do loop(200) end
        for _ = 1, 5 do made(200) end
      end, "loop.* loop")
      collectgarbage() collectgarbage("stop")
      local heap, live = collectgarbage("count"), locus.live_bytes()
      loop(1000)
      print(collectgarbage("count") - heap, locus.live_bytes() - live, traces)
    ]])
    assert.equal(0, status, output)
    assert.truthy(output:find("^0\t0\t[a-z ]*loop[a-z ]* loop"), output)
    assert.falsy(output:find("stitch"), output)
  end)
end)

describe("small calls with a new result", function()
  for _, dtype in ipairs(support.dtypes) do
    it("agree with the core: " .. dtype .. " #host", function()
      for _, n in ipairs {0, 1, 10} do
        local x, y, c = some(dtype, n, 1), some(dtype, n, 2), locus.arange(n):remainder(3):eq(0)
        for _, name in ipairs(two) do
          agree_fresh(name, x, y)
          for _, number in ipairs(numbers) do
            agree_fresh(name, number, x)
            if name ~= "searchsorted" then agree_fresh(name, x, number) end
          end
        end
        agree_fresh("where", c, x, y)
        agree_fresh("where", c, x, 1)
        agree_fresh("where", c, 0.5, y)
        agree_fresh("where", c, 2, 1)
        agree_fresh("where", 1, x, y)
        agree_fresh("where", x, 1, 2)
        agree_fresh("nonzero", x)
        agree_fresh("nonzero", c)
        agree_fresh("clone", x)
        for _, name in ipairs(one) do agree_fresh(name, x) end
      end
    end)

    it("convert as `to` does: " .. dtype, function()
      for _, n in ipairs {16384, 16385} do
        local x = locus.ones(n, {dtype = dtype})
        for to, method in pairs(methods) do
          assert.same({to, n}, {x[method](x).dtype, x[method](x):count_nonzero()})
        end
      end
      for _, n in ipairs {0, 1, 10} do
        local x = some(dtype, n, 1)
        for to, method in pairs(methods) do
          local ok, value = result(x[method], x)
          local good, expected = result(x.to, x, to)
          assert.equal(good, ok)
          if ok then assert.equal(#expected, #value)
          else assert.equal(expected:gsub("^to", method), value) end
          for i = 1, ok and #value or 0 do
            assert.is_true(support.same_value(expected[i], value[i]), to .. " " .. i)
          end
          if to == dtype then assert.is_true(rawequal(x, x[method](x))) end
        end
        local copy = x:clone()
        assert.is_false(rawequal(copy, x))
        if n > 1 then
          copy[2] = 0
          assert.equal(0, copy:count_nonzero() - x:count_nonzero() + 1)
        end
      end
    end)

    it("make tensors of one size: " .. dtype, function()
      for _, n in ipairs {0, 1, 10, 16384, 16385} do
        for _, name in ipairs {"zeros", "ones", "empty"} do
          local made, other = locus[name](n, {dtype = dtype}), locus[name]({n}, {dtype = dtype})
          assert.same({dtype, {n}}, {made.dtype, made.shape})
          if name ~= "empty" and dtype:find("complex") == nil then
            assert.is_true(made:eq(other):all() and made:eq(name == "ones" and 1 or 0):all())
          end
        end
      end
    end)
  end

  it("have no options that the core's have not", function()
    local x = locus.ones(2)
    assert.truthy(message(x.clone, x, {out = x}):find("^clone: there is no argument 'out'"))
    assert.truthy(message(x.float, x, {out = x}):find("^float: there is no argument 'out'"))
    assert.truthy(message(locus.zeros, 2, {type = "int8"}):find("^zeros: "))
    assert.truthy(message(locus.zeros, 2, {dtype = "int"}):find("^zeros: 'dtype' must be one of"))
    for _, size in ipairs {-1, 0.5, 0 / 0, 1 / 0, 1e300} do
      assert.truthy(message(locus.ones, size):find("^ones: 'size' must"))
      assert.truthy(message(locus.empty, size, {dtype = "int8"}):find("^empty: 'size' must"))
    end
  end)

  it("follow the default dtype", function()
    finally(function() locus.set_default_dtype("float64") end)
    for _, dtype in ipairs {"float32", "float64"} do
      locus.set_default_dtype(dtype)
      assert.same({dtype, dtype}, {locus.zeros(3).dtype, locus.ones(3).dtype})
    end
  end)

  it("broadcast, follow strides and promote, as large as they become", function()
    local x = locus.arange(12):float():view(3, 4)
    local y, column = locus.arange(4):short(), locus.arange(3):view(3, 1)
    local long = locus.arange(200)
    agree_fresh("add", x, y)
    agree_fresh("add", x:t(), 1)
    agree_fresh("where", x:gt(4), column, y)
    agree_fresh("searchsorted", y, x:t())
    agree_fresh("nonzero", x:t())
    agree_fresh("lt", locus.tensor(3), y)
    agree_fresh("mul", long:view(200, 1), long)
    agree_fresh("where", long:view(2, 100, 1):gt(3), long:view(1, 1, 200), long:view(2, 100, 1))
    for _, n in ipairs {16384, 16385, 40000} do agree_fresh("add", locus.arange(n), 1) end
  end)

  it("are what operators give", function()
    local x = locus.tensor({1, 2, 3}, {dtype = "int32"})
    assert.same({3, 4, 5}, (x + 2):totable())
    assert.same({9, 8, 7}, (10 - x):totable())
    assert.same({1, 4, 9}, (x * x):totable())
    assert.same({"float64", {0.5, 1, 1.5}}, {(x / 2).dtype, (x / 2):float():totable()})
    assert.same({1, 0, 1}, (x % 2):totable())
    assert.same({1, 4, 9}, (x ^ 2):totable())
    assert.truthy(message(function() return x + locus.zeros(2) end):find("^add: 'other' of size 2"))
    assert.truthy(message(function() return "x" + x end):find("^add: 'input' must be a tensor"))
    assert.truthy(message(function() return x + nil end):find("^add: 'other' is missing"))
  end)

  it("raise at the caller's line", function()
    local x = locus.zeros(3)
    local freed = locus.zeros(3)
    freed:free()
    for i, call in ipairs {
      function() local _ = x:add(locus.zeros(2)) end,
      function() local _ = x + freed end,
      function() local _ = x:where(x, x) end,
      function() local _ = locus.add(1) end,
    } do
      local ok, text = pcall(call)
      assert.is_false(ok)
      assert.equal("spec/calls/small_spec.lua:" .. debug.getinfo(call, "S").linedefined,
                   text:match("^[^:]*:%d+"), i)
    end
  end)
end)
