-- SPDX-License-Identifier: MIT
-- tidy and coroutines: what is made while a call is suspended, resumed, interleaved or never ends.
local locus = require "locus"
local message = require("spec.support").message

local function freed_by_tidy(x)
  local text = message(function() return x + 1 end)
  assert.truthy(text:find("has been freed by tidy", 1, true), text)
end

local function lives(x) assert.is_true(pcall(x.numel, x)) end

describe("tidy in coroutines #native", function()
  if not jit then
    it("raises one sentence when f yields on plain Lua", function()
      local co = coroutine.create(function() locus.tidy(coroutine.yield) end)
      local _, text = coroutine.resume(co)
      assert.equal("tidy: 'f' cannot yield on plain Lua 5.1, only on LuaJIT", text)
    end)
    return
  end

  it("owns nothing new while f is suspended", function()
    local inside, later
    local co = coroutine.wrap(function()
      return locus.tidy(function()
        inside = locus.ones(1)
        coroutine.yield()
        lives(inside)
        later = locus.ones(2)
        return "done"
      end)
    end)
    co()
    local outside = locus.ones(3)
    lives(inside)
    assert.equal("done", co())
    freed_by_tidy(inside)
    freed_by_tidy(later)
    lives(outside)
  end)

  it("owns what coroutines make that f resumes", function()
    local inside
    locus.tidy(function()
      coroutine.wrap(function() inside = locus.ones(1) end)()
    end)
    freed_by_tidy(inside)
  end)

  -- A producer yields in a tidy of its own, a consumer resumes it in another.
  it("tells calls apart that run interleaved", function()
    local of_producer, of_helper, of_consumer
    local producer = coroutine.wrap(function()
      locus.tidy(function()
        coroutine.yield()
        of_producer = locus.ones(1)
        coroutine.wrap(function() of_helper = locus.ones(2) end)()
        coroutine.yield()
        lives(of_producer)
        lives(of_helper)
      end)
    end)
    producer()
    locus.tidy(function()
      of_consumer = locus.ones(3)
      producer()
      of_consumer = locus.ones(3)
    end)
    freed_by_tidy(of_consumer)
    lives(of_producer)
    lives(of_helper)
    producer()
    freed_by_tidy(of_producer)
    freed_by_tidy(of_helper)
  end)

  it("gives a nested producer's tensors to its innermost call", function()
    local a, b
    local producer = coroutine.wrap(function()
      locus.tidy(function()
        locus.tidy(function()
          coroutine.yield()
          a = locus.ones(1)
          coroutine.wrap(function() b = locus.ones(1) end)()
        end)
        freed_by_tidy(a)
        freed_by_tidy(b)
        a = locus.ones(1)
        coroutine.yield()
      end)
    end)
    producer()
    locus.tidy(producer)
    lives(a)
    producer()
    freed_by_tidy(a)
  end)

  it("forgets a call whose coroutine is garbage", function()
    local inside
    do
      local co = coroutine.create(function()
        locus.tidy(function()
          inside = locus.ones(1)
          coroutine.yield()
        end)
      end)
      coroutine.resume(co)
    end
    for _ = 1, 5 do
      for _ = 1, 20 do coroutine.wrap(function() return locus.ones(1) end)() end
      collectgarbage()
    end
    lives(inside)
    local x = locus.tidy(function() return locus.ones(2) end)
    lives(x)
  end)

  it("goes through an error in a coroutine", function()
    local inside
    local co = coroutine.create(function()
      locus.tidy(function()
        inside = locus.ones(1)
        coroutine.yield()
        error("late", 0)
      end)
    end)
    coroutine.resume(co)
    local _, text = coroutine.resume(co)
    assert.equal("late", text)
    freed_by_tidy(inside)
  end)

  -- Random calls, yields and resumptions: what a coroutine makes while it has an open call is that
  -- call's.
  it("frees what each coroutine made in its own calls, at random", function()
    math.randomseed(7)
    local random = math.random
    local running, made = {}, {} -- the innermost open call of each coroutine that runs, in order

    local function owner()
      local open = running[#running].open
      return open[#open]
    end

    local workers = {}

    local function act(worker, depth)
      for _ = 1, random(1, 6) do
        local what = random(1, 10)
        if what <= 5 then
          local x = locus.ones(1)
          made[#made + 1] = {x = x, owner = owner()}
        elseif what <= 7 and depth < 4 then
          local call = {}
          locus.tidy(function()
            worker.open[#worker.open + 1] = call
            act(worker, depth + 1)
            worker.open[#worker.open] = nil
            for _, entry in ipairs(made) do if entry.owner then lives(entry.x) end end
          end)
          for i = #made, 1, -1 do
            local entry = made[i]
            if entry.owner == call then
              freed_by_tidy(entry.x)
              table.remove(made, i)
            elseif entry.owner then
              lives(entry.x)
            end
          end
        elseif what <= 9 and #running < 5 then
          local other = workers[random(1, #workers)]
          if coroutine.status(other.co) == "suspended" then
            running[#running + 1] = other
            assert(coroutine.resume(other.co))
            running[#running] = nil
          end
        elseif #running > 1 then
          coroutine.yield()
        end
      end
    end

    for i = 1, 4 do
      local worker = {open = {}}
      worker.co = coroutine.create(function()
        while true do
          act(worker, 0)
          coroutine.yield()
        end
      end)
      workers[i] = worker
    end
    local main = {open = {}}
    running[1] = main
    for _ = 1, 150 do act(main, 0) end
    assert.is_true(#made > 20)
  end)
end)
