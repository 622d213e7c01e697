-- SPDX-License-Identifier: MIT
-- Tensors that C and compiled Lua hold while Lua runs in between: finalizers and metamethods may
-- resize or drop a tensor in the middle of a call. A crash would be the child's.
local locus = require "locus"
local support = require "spec.support"

local here = support.message

local function child(chunk)
  local output, status = support.run("local locus = require 'locus' jit.off() " .. chunk)
  assert.equal(0, status, output)
  return output
end

describe("a tensor that is resized amid a call", function()
  it("is written where it is once the value has been read", function()
    assert.equal("done\n", child[[
      for k = 1, 60 do -- resized at the k-th instruction that runs
        local y, n = locus.zeros({100000}, {dtype = "int64"}), 0
        debug.sethook(function()
          n = n + 1
          if n == k then locus.nonzero(locus.ones(200000), {out = y}) end
        end, "", 1)
        pcall(function() y[50000] = 5LL end)
        debug.sethook()
      end
      print "done"
    ]])
  end)

  it("is turned into the table that it was when the call began", function()
    assert.equal("true\t600000\ttrue\n", child[[
      local x, n = locus.full({600000}, 2LL ^ 60), 0
      debug.sethook(function() -- amid the int64_t cdata that totable makes
        n = n + 1
        if n == 1000 then locus.nonzero(locus.ones(700000), {out = x}) end
      end, "", 1)
      local t = x:totable()
      debug.sethook()
      local whole = true
      for i = 1, #t do whole = whole and t[i] == 2LL ^ 60 end
      print(x:size(1) == 700000, #t, whole)
    ]])
  end)
end)

describe("a key", function()
  it("is read without its metamethods", function()
    local x = locus.zeros(3, 3)
    local asked = 0
    local key = setmetatable({}, {__index = function(_, k)
      asked = asked + 1
      return k <= 2 and 2 or nil
    end})
    assert.same({3, 3}, support.shape(x[key]))
    x[key] = 7
    assert.equal(63, x:sum())
    assert.equal(0, asked)
    key = setmetatable({2, 3}, {__index = function() asked = asked + 1 return 1 end})
    assert.equal(7, x[key])
    x[key] = 8
    assert.equal(64, x:sum())
    assert.equal(0, asked)
  end)

  it("keeps its index tensors for the call even when it is weak", function()
    assert.equal("true\n", child[[
      local data = locus.arange(1000):view(10, 100)
      local same, count = true, 0
      for _ = 1, 200 do
        local key = setmetatable({locus.tensor({1, 2, 3}, {dtype = "int64"})}, {__mode = "v"})
        locus.fail_allocation(1, false) -- the call collects garbage
        local y = data[key]
        locus.fail_allocation(0)
        if y:size(1) == 3 then -- not when the key was empty before the call
          count = count + 1
          same = same and y:sum() == 44850
        end
      end
      print(same and count > 0)
    ]])
  end)
end)

describe("totable", function()
  it("refuses a size that no Lua table has, elements or not", function()
    local byte = locus.zeros({1}, {dtype = "uint8"})
    assert.equal("totable: 'input' is of size 4294967298, too large for a Lua table",
      here(function() byte:expand(2 ^ 32 + 2):totable() end))
    assert.equal("totable: 'input' is of size 67108865, too large for a Lua table",
      here(function() byte:expand(2 ^ 26 + 1):totable() end))
    local none = locus.zeros({0, 1}, {dtype = "uint8"}):expand(0, 2 ^ 62)
    assert.equal("totable: 'input' is of size 4611686018427387904x0, too large for a Lua table",
      here(function() none.T:totable() end))
    assert.same({{}, {}}, locus.zeros(2, 0):totable())
  end)
end)

describe("a decimal string", function()
  it("with an embedded NUL is refused", function()
    local options = {dtype = "int64"}
    assert.matches("is no number", here(locus.tensor, {"12\0abc"}, options))
    assert.matches("is no number", here(locus.tensor, {"12\0"}, options))
    assert.equal(12, locus.tensor({"12"}, options)[1])
  end)
end)
