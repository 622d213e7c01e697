-- SPDX-License-Identifier: MIT
-- cat and stack: joining tensors, tables and numbers along a dimension.
local ffi = require "ffi"
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local support = require "spec.support"

local function message(f, ...) return support.message(f, ...) end
local function size(t) return tostring(t:size()) end

-- The flat list of what joining along a 1-based dimension gives, each part being {shape, values}.
local function joined(parts, dim)
  local list, outer = {}, 1
  for d = 1, dim - 1 do outer = outer * parts[1].shape[d] end
  for o = 0, outer - 1 do
    for _, part in ipairs(parts) do
      local run = support.numel(part.shape) / outer
      for i = 1, run do list[#list + 1] = part.values[o * run + i] end
    end
  end
  return list
end

describe("cat", function()
  it("joins along a dimension", function()
    local a, b = locus.tensor {{1, 2}, {3, 4}}, locus.tensor {{5, 6}}
    assert.same({{1, 2}, {3, 4}, {5, 6}}, locus.cat({a, b}):totable())
    assert.same({{1, 2, 1, 2}, {3, 4, 3, 4}}, locus.cat({a, a}, 2):totable())
    assert.same({{1, 2, 1, 2}, {3, 4, 3, 4}}, locus.cat({a, a}, -1):totable())
    assert.same({{1, 2, 1, 2}, {3, 4, 3, 4}}, locus.cat({a, a}, {dim = 2}):totable())
    assert.same({{1, 2}, {3, 4}, {5, 6}}, locus.cat {tensors = {a, b}}:totable())
    assert.same({1, 2, 3}, locus.cat({{1}, {2, 3}}):totable())
    local one = locus.cat({a})
    one[{1, 1}] = 9
    assert.equal(1, a[{1, 1}])
  end)

  it("joins what the model joins, in any dtype and layout", function()
    for case = 1, 300 do
      math.randomseed(case)
      local dtype, shape = arrays.pick(support.dtypes), {}
      for d = 1, math.random(3) do shape[d] = math.random(0, 3) end
      local dim, parts, tensors, total = math.random(#shape), {}, {}, 0
      for i = 1, math.random(4) do
        local own = {unpack(shape)}
        own[dim] = math.random(0, 3)
        total = total + own[dim]
        parts[i] = arrays.random(dtype, own)
        tensors[i] = arrays.tensor(parts[i])
      end
      shape[dim] = total
      arrays.check(locus.cat(tensors, dim), shape, joined(parts, dim), dtype, unpack(parts))
    end
  end)

  it("joins in the dtype that all make together", function()
    local u8, i8 = locus.tensor({200}, {dtype = "uint8"}), locus.tensor({-1}, {dtype = "int8"})
    local f32 = locus.tensor({0.5}, {dtype = "float32"})
    support.same(locus.cat({u8, i8}), {2}, {200, -1}, "int16")
    support.same(locus.cat({u8, f32}), {2}, {200, 0.5}, "float32")
    support.same(locus.cat({u8, {true}}), {2}, {200, 1}, "uint8")
    support.same(locus.cat({u8, {ffi.new("int64_t", 5)}}), {2}, {200, 5}, "int64")
    support.same(locus.cat({f32, {1.5}}), {2}, {0.5, 1.5}, "float64")
    local z = support.complex
    support.same(locus.cat({f32, {z(1, 2)}}), {2}, {z(0.5, 0), z(1, 2)}, "complex128")
    local big = support.integer("9007199254740993")
    support.same(locus.cat({support.tensor("int64", {big}), i8}), {2}, {big, -1}, "int64")
  end)

  it("leaves out 1-D tensors without elements, except for their dtype", function()
    local a = locus.tensor {{1, 2}}
    assert.same({{1, 2}, {1, 2}}, locus.cat({locus.zeros(0), a, {}, a}):totable())
    assert.equal("0", size(locus.cat({{}, locus.zeros(0)})))
    local i32 = locus.tensor({1}, {dtype = "int32"})
    assert.equal("float64", locus.cat({locus.zeros(0), i32}).dtype)
    assert.equal("int32", locus.cat({locus.zeros({0}, {dtype = "int8"}), i32}).dtype)
    assert.equal("2x0", size(locus.cat({locus.zeros(1, 0), locus.zeros(1, 0)})))
  end)

  it("writes into out", function()
    local out = locus.zeros(4, 2):t()
    assert.equal(out, locus.cat({{{1}, {2}}, {{3, 4, 5}, {6, 7, 8}}}, 2, {out = out}))
    assert.same({{1, 3, 4, 5}, {2, 6, 7, 8}}, out:totable())
    local grown = locus.zeros(0)
    locus.cat({{1}, {2}}, {out = grown})
    assert.same({1, 2}, grown:totable())
    local x = locus.tensor {1, 2, 3}
    assert.equal("cat: 'out' overlaps 'tensors[2]' in memory; give a separate tensor",
                 message(locus.cat, {{9}, x:narrow(1, 1, 2)}, {out = x}))
    assert.equal("cat: 'out' must be of size 2, got 3", message(locus.cat, {{1}, {2}}, {out = x}))
    assert.equal("cat: 'out' must be float64, got int8",
                 message(locus.cat, {{1}, {2}}, {out = x:char()}))
    assert.same({1, 2, 3}, x:totable())
  end)

  it("says which entry does not fit", function()
    local a, fits = locus.zeros(2, 3), "'tensors[%d]' of size %s does not fit 'tensors[%d]' of "
    fits = fits .. "size 2x3: only dimension %d may differ"
    for _, case in ipairs {
      {fits:format(2, "3x2", 1, 1), {a, a:t()}},
      {fits:format(3, "3", 2, 2), {{}, a, {1, 2, 3}}, 2},
      {fits:format(2, "0x2", 1, 1), {a, locus.zeros(0, 2)}},
      {fits:format(2, "0-d", 1, 1), {a, 5}},
      {"'tensors[1]' is 0-d and cannot be joined; write stack", {1, 2}},
      {"'tensors' is empty", {}},
      {"'tensors' must be a table of tensors, got a float64 tensor of size 2x3; write "
        .. "cat({x}, ...)", a},
      {"'tensors[2]' must be a tensor, a table or a number, got the string \"x\"", {a, "x"}},
      {"'tensors[2]' must be a tensor, a table or a number, got nil", {a, nil, a}},
      {"'tensors[2]' has a gap at [2]; write locus.nan for a missing number", {a, {1, nil, 2}}},
      {"'dim' must be in 1..2 or -2..-1, got 3", {a}, 3},
      {"'dim' must be in 1..2 or -2..-1, got 0", {a}, 0},
      {"the sizes along dimension 1 add up to more than 2^63",
       {locus.zeros({1}, {dtype = "int8"}):expand(2 ^ 62),
        locus.zeros({1}, {dtype = "int8"}):expand(2 ^ 62)}},
    } do
      assert.equal("cat: " .. case[1], message(locus.cat, case[2], case[3]))
    end
    assert.equal("cat: 'tensors' is missing", message(locus.cat))
    assert.matches("^cat: there is no argument 'axis'", message(locus.cat, {a}, {axis = 1}))
  end)

  it("joins many", function()
    local tensors, want = {}, {}
    for i = 1, 20000 do tensors[i], want[i] = {i}, i end
    support.same(locus.cat(tensors), {20000}, want)
  end)
end)

describe("stack", function()
  it("joins along a new dimension", function()
    local a, b = locus.tensor {1, 2, 3}, locus.tensor {4, 5, 6}
    assert.same({{1, 2, 3}, {4, 5, 6}}, locus.stack({a, b}):totable())
    assert.same({{1, 4}, {2, 5}, {3, 6}}, locus.stack({a, b}, 2):totable())
    assert.same({{1, 4}, {2, 5}, {3, 6}}, locus.stack({a, b}, {dim = -1}):totable())
    assert.same({{{1, 2}}, {{3, 4}}}, locus.stack({{{1, 2}}, {{3, 4}}}):totable())
    assert.equal("2x1x3", size(locus.stack({a:unsqueeze(1), b:unsqueeze(1)})))
    assert.equal("3x0", size(locus.stack({{}, {}, {}})))
    assert.equal("0x2", size(locus.stack({{}, {}}, 2)))
  end)

  it("joins numbers, booleans and 0-d tensors", function()
    support.same(locus.stack({1, 2.5}), {2}, {1, 2.5}, "float64")
    support.same(locus.stack({true, false}), {2}, {true, false}, "bool")
    local one = locus.tensor(7, {dtype = "uint8"})
    support.same(locus.stack({one, 5, true}), {3}, {7, 5, 1}, "uint8")
    support.same(locus.stack({one, ffi.new("int64_t", 5)}), {2}, {7, 5}, "uint8")
    local out = locus.zeros({2}, {dtype = "uint8"})
    assert.equal("stack: 'tensors[2]' is 300, which uint8 cannot hold",
                 message(locus.stack, {one, 300}, {out = out}))
    assert.same({0, 0}, out:totable())
  end)

  it("writes into out", function()
    local out = locus.zeros(3, 2)
    assert.equal(out, locus.stack({{1, 2, 3}, {4, 5, 6}}, 2, {out = out}))
    assert.same({{1, 4}, {2, 5}, {3, 6}}, out:totable())
  end)

  it("says which entry does not fit", function()
    for _, case in ipairs {
      {"'tensors[3]' of size 1 does not fit 'tensors[1]' of size 2: all sizes must be equal",
       {{1, 2}, {3, 4}, {5}}},
      {"'tensors[2]' of size 0-d does not fit 'tensors[1]' of size 0: all sizes must be equal",
       {{}, 5}},
      {"'tensors' is empty", {}},
      {"'tensors' must be a table of tensors, got the number 5", 5},
      {"'dim' must be in 1..2 or -2..-1, got 3", {{1}, {2}}, 3},
    } do
      assert.equal("stack: " .. case[1], message(locus.stack, case[2], case[3]))
    end
    local deep = {}
    for d = 1, 32 do deep[d] = 1 end
    assert.equal("stack: the result has more than 32 dimensions",
                 message(locus.stack, {locus.ones(deep)}))
  end)
end)
