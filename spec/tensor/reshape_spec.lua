-- SPDX-License-Identifier: MIT
-- view view_as reshape flatten contiguous clone: the same elements in the same order, shared
-- exactly when strides allow it.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local brackets = require "spec.support.models.brackets"
local support = require "spec.support"
local views = require "spec.support.data.views"

local message = support.message
local size, shares = views.size, views.shares
local counted, in_all_forms = views.counted, views.in_all_forms

-- Whether elements at these addresses, in C order, have strides under a shape.
local function has_strides(addresses, shape)
  local strides, step = {}, 1
  for d = #shape, 1, -1 do
    strides[d] = shape[d] > 1 and addresses[step + 1] - addresses[1] or 0
    step = step * shape[d]
  end
  for flat = 0, #addresses - 1 do
    local rest, at = flat, addresses[1]
    for d = #shape, 1, -1 do
      local k = rest % shape[d]
      rest, at = (rest - k) / shape[d], at + k * strides[d]
    end
    if at ~= addresses[flat + 1] then return false end
  end
  return true
end

-- The addresses of a tensor's elements in C order, in elements.
local function addresses_of(t)
  local list = {}
  for flat = 0, t:numel() - 1 do
    local rest, at = flat, 0
    for d = t:dim(), 1, -1 do
      local k = rest % t:size(d)
      rest, at = (rest - k) / t:size(d), at + k * t:stride(d)
    end
    list[flat + 1] = at
  end
  return list
end

describe("view and reshape", function()
  it("give other sizes, one of them open", function()
    local x = counted(2, 6)
    for _, name in ipairs {"view", "reshape"} do
      in_all_forms(name, x, {"shape"}, {{3, -1}}, function(v)
        assert.same({{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, v:totable())
        assert.is_true(shares(v, x))
      end)
      assert.equal("12", size(x[name](x, -1)))
      assert.equal("1x12x1", size(x[name](x, 1, -1, 1)))
      assert.equal("1x1", size(locus.tensor(5)[name](locus.tensor(5), 1, 1)))
      assert.equal(0, locus.ones(1)[name](locus.ones(1), {}):dim())
      assert.equal("0x7", size(locus.zeros(0)[name](locus.zeros(0), -1, 7)))
      assert.equal("5x0", size(locus.zeros(0, 2)[name](locus.zeros(0, 2), 5, 0)))
    end
    assert.equal("3x4", size(x:view_as(locus.zeros(3, 4))))
  end)

  it("hold the same number of elements", function()
    local x, none = counted(2, 6), locus.zeros(0, 3)
    for _, name in ipairs {"view", "reshape"} do
      for _, case in ipairs {
        {"'shape' 5x2 does not hold the 12 elements of size 2x6", x, 5, 2},
        {"'shape' 5x-1 does not hold the 12 elements of size 2x6", x, 5, -1},
        {"'shape' 0x-1 does not hold the 12 elements of size 2x6", x, 0, -1},
        {"'shape' has more than one -1", x, -1, -1},
        {"'shape' must not hold negative sizes, got -2", x, -2, 6},
        {"'shape' 0x-1 leaves its -1 open: any size has 0 elements", none, 0, -1},
        {"'shape' 2x3 does not hold the 0 elements of size 0x3", none, 2, 3},
        {"a float64 tensor of size 4294967296x4294967296 has more bytes than 2^62", x, 2 ^ 32,
         2 ^ 32},
      } do
        assert.equal(name .. ": " .. case[1], message(x[name], case[2], case[3], case[4]))
      end
    end
    assert.equal("view_as: 'shape' 5 does not hold the 12 elements of size 2x6",
                 message(x.view_as, x, locus.zeros(5)))
  end)

  it("view refuses and reshape copies exactly where no strides will do", function()
    local seen, copies = 0, 0
    for case = 1, 1500 do
      math.randomseed(case)
      local t = arrays.tensor(arrays.random("int16", brackets.random_shape()))
      local key, dims = {}, {}
      for d = 1, t:dim() do
        key[d] = math.random(3) == 1 and {1, t:size(d), 2} or {}
        if t:size(d) == 0 then key[d] = {} end
        table.insert(dims, math.random(d), d)
      end
      t = t[key]:permute(dims)
      if math.random(3) == 1 then t = t:unsqueeze(1):expand(math.random(2), unpack(t:size())) end
      local values, rest, shape = support.values(t), t:numel(), {}
      while rest > 1 do
        local part = math.random(rest)
        if rest % part == 0 then shape[#shape + 1], rest = part, rest / part end
      end
      if t:numel() == 0 then shape = {3, 0} end
      local r = t:reshape(shape)
      support.same(r, shape, values, "int16")
      local ok, v = pcall(t.view, t, shape)
      local may = t:numel() == 0 or has_strides(addresses_of(t), shape)
      if ok ~= may then error("case " .. case .. ": " .. tostring(v)) end
      if ok then support.same(v, shape, values, "int16") end
      if t:numel() > 0 then assert.equal(ok, shares(r, t)) end
      seen, copies = seen + (ok and 1 or 0), copies + (ok and 0 or 1)
    end
    assert.is_true(seen > 100 and copies > 100)
    assert.equal("view: the strides of 'input', of size 3x2, allow no view of size 6; write "
                 .. "reshape", message(function() local v = counted(2, 3):t():view(6) return v end))
  end)
end)

describe("flatten", function()
  it("makes one dimension of several", function()
    local x = counted(2, 3, 4)
    assert.equal("24", size(x:flatten()))
    assert.equal("2x12", size(x:flatten(2)))
    in_all_forms("flatten", x, {"start_dim", "end_dim"}, {1, 2}, function(v)
      assert.equal("6x4", size(v))
      assert.is_true(shares(v, x))
    end)
    assert.equal("2x3x4", size(x:flatten(-1)))
    assert.same({5}, locus.tensor(5):flatten():totable())
    assert.equal("0", size(locus.zeros(2, 0):flatten()))
    assert.same({1, 3, 2, 4}, counted(2, 2):t():flatten():totable())
    assert.equal("flatten: 'end_dim' must not come before 'start_dim', got 1 and 2",
                 message(x.flatten, x, 2, 1))
    assert.equal("flatten: 'end_dim' must be in 1..3 or -3..-1, got 4",
                 message(x.flatten, x, 1, 4))
  end)
end)

describe("contiguous and clone", function()
  it("copy when they must, and always", function()
    for _, dtype in ipairs(support.dtypes) do
      for _, layout in ipairs(support.layouts) do
        local a = arrays.random(dtype, {3, 2, 4})
        local t = arrays.tensor(a, layout)
        local c, d = t:contiguous(), t:clone()
        arrays.check(c, a.shape, a.values, dtype, a)
        arrays.check(d, a.shape, a.values, dtype, a)
        assert.is_true(c:is_contiguous() and d:is_contiguous())
        assert.equal(t:is_contiguous(), shares(c, t))
        assert.is_false(shares(d, t))
      end
    end
    assert.same({1, 2}, locus.clone({1, 2}):totable())
    assert.equal("2x0", size(locus.zeros(0, 2):t():clone()))
  end)
end)
