-- SPDX-License-Identifier: MIT
-- x:free(): what goes, what stays, and what a freed tensor says.
local locus = require "locus"
local message = require("spec.support").message

local function has_been(how, f, ...)
  local text = message(f, ...)
  assert.truthy(text:find("has been freed by " .. how, 1, true), text)
end

describe("free", function()
  it("frees now", function()
    local x = locus.ones(1e5, {device = "cpu"})
    local before = locus.live_bytes()
    x:free()
    assert.is_true(before - locus.live_bytes() >= 8e5)
  end)

  it("takes a tensor from those that a call would free", function()
    local x
    locus.tidy(function()
      x = locus.ones(3)
      x:free()
    end)
    has_been("free", x.numel, x)
  end)

  it("leaves views and what was made of it", function()
    local x = locus.arange(5)
    local view, index = x[{{2, 3}}], locus.search_index(x)
    x:free()
    assert.same({1, 2}, view:totable())
    assert.equal(4, index:searchsorted(3))
  end)

  if jit then
    it("leaves what a pointer stands for #host", function()
      local y = locus.arange(5)
      local pointer = y:data()
      y:free()
      assert.equal(3, pointer[3])
      local inside
      local of_call = locus.tidy(function()
        inside = locus.arange(5)
        return inside:data()
      end)
      has_been("tidy", inside.numel, inside)
      assert.equal(3, of_call[3])
    end)
  end

  it("makes every use raise", function()
    local x = locus.tensor({1, 2})
    x:free()
    local uses = {
      function() return x[1] end, function() x[1] = 1 end, function() return #x end,
      function() return x.shape end, function() return x.dtype end, function() return x.T end,
      function() return x + 1 end, function() return 1 + x end, function() return -x end,
      function() return tostring(x) end, function() return x[x] end, function() x:free() end,
      function() for _ in x:iter() do error("reached") end end,
      function() return locus.where(x, 1, 2) end, function() return locus.ones(2)[x] end,
      function() return locus.ones(2):add(x) end, function() return x:totable() end,
      function() return locus.ones(2):add(1, {out = x}) end, function() return x:add_(1) end,
    }
    for _, use in ipairs(uses) do has_been("free", use) end
    assert.is_true(locus.is_tensor(x))
    assert.truthy(message(locus.cat, {x, x}):find("got a tensor freed by free", 1, true))
    assert.truthy(message(function() return locus.ones(2)[{x}] end):find("freed by free", 1, true))
  end)

  it("takes a tensor", function()
    assert.matches("^free: 'input' must be a tensor, got the number 5$",
      message(locus.ones(1).free, 5))
    assert.matches("^free: 'input' must be a tensor, got a table$",
      message(locus.ones(1).free, {1}))
  end)
end)
