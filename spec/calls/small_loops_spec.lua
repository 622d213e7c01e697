-- SPDX-License-Identifier: MIT
-- The parts that make small calls small: new results in userdata made many at a time, options and
-- keys that are read in compiled Lua. Whose they are, what becomes of them when memory is short,
-- and that loops stay compiled.
local locus = require "locus"
local support = require "spec.support"

local message = support.message

describe("a small call's new result", function()
  it("belongs to the call of tidy that runs", function()
    local x, seen = locus.tensor({1, 2, 3}), {}
    local kept = locus.tidy(function()
      seen.outer = x + 1
      local inner = locus.tidy(function()
        seen.inner = x * 2
        return x[{{1, 2}}]
      end)
      seen.passed = inner
      local step = coroutine.wrap(function()
        seen.resumed = x - 1
        coroutine.yield()
        seen.later = x:gt(2)
      end)
      step()
      seen.between = x:nonzero()
      step()
      return x[x:gt(1)]
    end)
    assert.same({2, 3}, kept:totable())
    for name, tensor in pairs(seen) do
      assert.truthy(message(tensor.sum, tensor):find("has been freed by tidy", 1, true), name)
    end
    local other = coroutine.wrap(function()
      locus.tidy(function()
        seen.own = x + 5
        coroutine.yield()
      end)
    end)
    other()
    seen.free = x + 6
    other()
    assert.same({7, 8, 9}, seen.free:totable())
    assert.truthy(message(seen.own.sum, seen.own):find("has been freed by tidy", 1, true))
  end)

  -- The bytes that are in use once the collector has nothing left to do.
  local function settled()
    local live
    repeat
      live = locus.live_bytes()
      for _ = 1, 3 do collectgarbage() end
    until locus.live_bytes() == live
    return live
  end

  it("loses nothing when memory is short", function()
    local x, c = locus.tensor({1, 2, 3}), locus.tensor({true, false, true})
    local places = locus.tensor({3, 1}, {dtype = "int64"})
    local calls = {
      function() return x + 1 end, function() return c:where(x, 0) end,
      function() return c:nonzero() end, function() return x:searchsorted(x, {right = true}) end,
      function() return x[{{2, 3}}] end, function() return x[places] end,
      function() return x[c] end, function() return x:neg() end, function() return x:int() end,
      function() return x:clone() end, function() return locus.ones(5) end,
    }
    for i, call in ipairs(calls) do
      local expected = call():totable()
      for k = 1, 6 do
        local live = settled()
        locus.fail_allocation(k, true)
        local ok, value = pcall(call)
        local refused = locus.fail_allocation(0)
        if ok then
          assert.same(expected, value:totable())
        else
          assert.truthy(value:find("out of memory", 1, true), value)
          assert.is_true(refused > 0)
        end
        value = nil -- luacheck: ignore
        assert.equal(live, settled(), i)
      end
    end
    assert.same({2, 3, 4}, (x + 1):totable())
  end)

  it("is made while finalizers of others make tensors #native", function()
    local x, count = locus.arange(10), 0
    local function finalizer()
      count = count + (x + 1):sum() - x:sum()
    end
    local sum = 0
    for i = 1, 3000 do
      local proxy = newproxy(true)
      getmetatable(proxy).__gc = finalizer
      sum = sum + (x * i)[{{2, 3}}]:sum()
    end
    collectgarbage()
    assert.equal(30000, count)
    assert.equal(3 * 3000 * 3001 / 2, sum)
  end)
end)

describe("searchsorted and bucketize with options", function()
  local sides = {{}, {right = true}, {right = false}, {side = "left"}, {side = "right"},
                 {side = "both"}, {side = "right", right = false}, {side = "both", right = true},
                 {side = "left", right = true}, {side = "middle"}, {right = 1}, {side = false}}
  local others = {{}, {base = 0}, {base = 1}, {out_int32 = true}, {base = 0, out_int32 = true},
                  {base = 2}, {base = "x"}, {out_int32 = 1}, {check = true}, {descending = true},
                  {sorter = false}, {bsae = 0}}

  -- A message without its line; which of two unknown names it tells is left to chance.
  local function bare(text)
    return (text:gsub("^[^:]*:%d+: ", ""):gsub("no argument '.*", "no argument"))
  end

  -- The results of a call, with tensors as their dtype and elements.
  local function listed(results)
    local found = {}
    for i, item in ipairs(results) do
      found[i] = locus.is_tensor(item) and {item.dtype, item:totable()} or item
    end
    return found
  end

  it("answer as the core does", function()
    local seq = locus.tensor({1, 2, 2, 2, 5, 7})
    local values = locus.tensor({0, 2, 7, 8})
    local compared = 0
    for _, side in ipairs(sides) do
      for _, other in ipairs(others) do
        local options, all = {}, {}
        for _, part in ipairs {side, other} do
          for name, value in pairs(part) do options[name], all[name] = value, value end
        end
        for _, name in ipairs {"searchsorted", "bucketize"} do
          all.sorted_sequence, all.values, all.input, all.boundaries = nil, nil, nil, nil
          for _, value in ipairs {values, 2, 2.5, 9} do
            local a, b = seq, value
            if name == "searchsorted" then
              all.sorted_sequence, all.values = a, b
            else
              a, b = b, a
              all.input, all.boundaries = a, b
            end
            local got, want = {pcall(locus[name], a, b, options)}, {pcall(locus[name], all)}
            assert.equal(want[1], got[1])
            if want[1] then
              assert.same(listed(want), listed(got))
            else
              assert.equal(bare(want[2]), bare(got[2]))
            end
            compared = compared + 1
          end
        end
      end
    end
    assert.equal(#sides * #others * 8, compared)
  end)

  it("write into out", function()
    local seq, values = locus.tensor({1, 2, 2, 3}), locus.tensor({2, 4})
    for _, options in ipairs {{right = true}, {base = 0}, {out_int32 = true, side = "right"}} do
      local dtype = options.out_int32 and "int32" or "int64"
      options.out = locus.zeros({2}, {dtype = dtype})
      assert.is_true(rawequal(options.out, seq:searchsorted(values, options)))
      local all = {sorted_sequence = seq, values = values, out = locus.zeros({2}, {dtype = dtype})}
      for name, value in pairs(options) do if name ~= "out" then all[name] = value end end
      assert.same(locus.searchsorted(all):totable(), options.out:totable())
    end
    assert.equal("searchsorted: 'out' must be int32, got int64", message(locus.searchsorted, seq,
      values, {out_int32 = true, out = locus.zeros({2}, {dtype = "int64"})}))
  end)
end)

describe("small loops", function()
  it("stay compiled, except the blanks, made many at a time #native #host", function()
    local output, status = support.run([[
      local locus, traces_of = require "locus", require "spec.support.programs.traces"
      local x, y = locus.arange(10):float(), locus.arange(10):float()
      local places = locus.tensor({3, 1}, {dtype = "int64"})
      local mask, rows, range = x:gt(5), locus.ones(3, 4), {{2, 5}}
      local right, zero = {right = true}, {base = 0, side = "right"}
      local int32 = {dtype = "int32"}
      local calls = {
        add = function(n) for _ = 1, n do local _ = x + y end end,
        number = function(n) for _ = 1, n do local _ = 1 - x end end,
        abs = function(n) for _ = 1, n do local _ = x:abs() end end,
        clone = function(n) for _ = 1, n do local _ = x:clone() end end,
        double = function(n) for _ = 1, n do local _ = x:double() end end,
        zeros = function(n) for _ = 1, n do local _ = locus.zeros(10) end end,
        ones = function(n) for _ = 1, n do local _ = locus.ones(10, int32) end end,
        where = function(n) for _ = 1, n do local _ = mask:where(x, 0) end end,
        nonzero = function(n) for _ = 1, n do local _ = mask:nonzero() end end,
        search = function(n) for _ = 1, n do local _ = x:searchsorted(y, right) end end,
        range = function(n) for _ = 1, n do local _ = x[range] end end,
        row = function(n) for i = 1, n do local _ = rows[i % 3 + 1] end end,
        places = function(n) for _ = 1, n do local _ = x[places] end end,
        mask = function(n) for _ = 1, n do local _ = x[mask] end end,
        one = function(n) local s = 0 for i = 1, n do s = s + x:searchsorted(i % 9, zero) end end,
        length = function(n) local s = 0 for _ = 1, n do s = s + #x end end,
      }
      for name, loop in pairs(calls) do
        local words = traces_of(function() for _ = 1, 20 do loop(200) end end, "loop")
        collectgarbage() collectgarbage() collectgarbage("stop")
        local heap = collectgarbage("count")
        loop(6400)
        local each = (collectgarbage("count") - heap) * 1024 / 6400
        collectgarbage("restart")
        print(name, words:match("loop") or words, each < 80 and "small" or each)
      end
    ]])
    assert.equal(0, status, output)
    local lines = 0
    for line in output:gmatch("[^\n]+") do
      assert.truthy(line:find("\tloop\tsmall$"), line)
      lines = lines + 1
    end
    assert.equal(16, lines)
  end)
end)
