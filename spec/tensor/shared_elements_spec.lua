-- SPDX-License-Identifier: MIT
-- Tensors whose elements share memory, as those of expand and overlapping windows: nothing writes
-- to them, and everything to a view that shares none itself.
local core = require "locus.core"
local locus = require "locus"

local LONG = locus.LongTensor

-- Arguments that the method of that name takes on a tensor of size 3x4: any others are one tensor,
-- one number, or none.
local function arguments(name, x)
  local ones, mask = locus.ones_like(x), locus.ones(3, 4):to("bool")
  local columns = locus.ones(3, 4):long()
  local lists = {masked_fill_ = {mask, 7}, scatter_ = {2, columns, ones},
    scatter_add_ = {2, columns, ones}, scatter_reduce_ = {2, columns, ones, "sum"},
    index_add_ = {2, LONG{1}, ones:narrow(2, 1, 1)}, put_ = {LONG{1}, 7},
    index_put_ = {{LONG{1}, LONG{1}}, 7}, clamp_ = {1, 2}, cumsum_ = {1}, cumprod_ = {1},
    random_ = {5}, bernoulli_ = {.5}, fill_ = {7}, round_ = {}}
  return lists[name]
end

-- Ways of writing into x, by name.
local function ways(x)
  local list, ones = {}, locus.ones_like(x)
  for name, method in pairs(core.methods) do
    if name:sub(-1) == "_" then
      local given = arguments(name, x)
      list[name] = function()
        if given then return method(x, unpack(given)) end
        local ok, said = pcall(method, x)
        if not ok and said:find "share memory" then error(said, 0) end
        return method(x, ones)
      end
    end
  end
  list["out of add"] = function() locus.add(ones, 1, {out = x}) end
  list["out of where"] = function() locus.where(ones:eq(1), ones, ones, {out = x}) end
  list["out of sum"] = function() locus.sum(ones:unsqueeze(1), 1, {out = x}) end
  list["out of cat"] = function() locus.cat({ones:narrow(1, 1, 1), ones:narrow(1, 2, 2)}, 1,
    {out = x}) end
  list["a position"] = function() x[{1, 1}] = 7 end
  list["many positions"] = function() for i = 1, 200 do x[{i % 3 + 1, 1}] = 7 end end
  list["a row"] = function() x[1] = 7 end
  list["a range"] = function() x[{{}, {1, 2}}] = 7 end
  list["index tensors"] = function() x[{LONG{1}, LONG{1}}] = 7 end
  list["a mask"] = function() x[x:eq(0)] = 7 end
  return list
end

describe("elements that share memory", function()
  it("are not written, in any way", function()
    local refused, others = {}, {}
    -- bits are of integers, and roots of floats
    for _, dtype in ipairs {"int64", "float32"} do
      local x, y = locus.zeros({3, 1}, {dtype = dtype}), locus.zeros({6}, {dtype = dtype})
      for layout, shared in pairs {expand = x:expand(3, 4), unfold = y:unfold(1, 4, 1)} do
        for name, write in pairs(ways(shared)) do
          local ok, said = pcall(write)
          assert.is_false(ok, name)
          local list = said:find "share memory" and refused or others
          list[layout .. ", " .. name] = said
          assert.is_true(x:eq(0):all() and y:eq(0):all(), name)
        end
      end
    end
    for name in pairs(refused) do others[name] = nil end
    assert.same({}, others)
  end)

  it("are written through a view that shares none", function()
    local x = locus.zeros(3, 1)
    local function column() return x:expand(3, 4):select(2, 2) end
    for name, write in pairs {
      fill_ = function(c) c:fill_(7) end, add_ = function(c) c:add_(7) end,
      copy_ = function(c) c:copy_(locus.full(3, 7)) end,
      out = function(c) locus.add(locus.full(3, 6), 1, {out = c}) end,
      positions = function(c) for i = 1, 3 do c[i] = 7 end end,
      index = function(c) c[LONG{3, 1, 2}] = 7 end, mask = function(c) c[c:eq(0)] = 7 end,
      put_ = function(c) c:put_(LONG{1, 2, 3}, 7) end,
      masked_fill_ = function(c) c:masked_fill_(c:eq(0), 7) end,
    } do
      x:zero_()
      write(column())
      assert.same({{7}, {7}, {7}}, x:totable(), name)
    end
  end)
end)
