-- SPDX-License-Identifier: MIT
-- tidy, keep and free: what is freed and when, what stays, and what a freed tensor says.
local calls = require "spec.support.calls"
local locus = require "locus"
local support = require "spec.support"
local with_file = require("spec.support.text").with_file
local message = support.message

local function has_been(how, f, ...)
  local text = message(f, ...)
  assert.truthy(text:find("has been freed by " .. how, 1, true), text)
end

local function freed_by_tidy(x) has_been("tidy", function() return x + 1 end) end

local function lives(x) assert.is_true(pcall(x.numel, x)) end

-- How many bytes a collection would free.
local function garbage()
  local before = locus.live_bytes()
  for _ = 1, 3 do collectgarbage() end
  return before - locus.live_bytes()
end

-- What f answers, while the collector frees nothing.
local function uncollected(f)
  for _ = 1, 3 do collectgarbage() end
  collectgarbage("stop")
  local ok, answer = pcall(f)
  collectgarbage("restart")
  assert(ok, answer)
  return answer
end

describe("tidy", function()
  it("frees what the call made, and keeps its results", function()
    local x, inside = locus.tensor({1, 2, 3}), {}
    local y, five, none, z = locus.tidy(function(a, b)
      inside.double = a * 2
      inside.view = inside.double[{{1, 2}}]
      return inside.double + b, 5, nil, a
    end, x, 1)
    assert.same({3, 5, 7}, y:totable())
    assert.same({5, nil}, {five, none})
    assert.equal(x, z)
    freed_by_tidy(inside.double)
    freed_by_tidy(inside.view)
    assert.equal(6, x:sum())
  end)

  it("leaves nothing to the collector", function()
    assert.equal(0, uncollected(function()
      local before = locus.live_bytes()
      locus.tidy(function()
        local x = locus.arange(1000)
        for _ = 1, 10 do x = (x * 2 + 1):gt(5):where(x, 0) end
      end)
      return locus.live_bytes() - before
    end))
  end)

  -- What a pointer or a builder keeps for itself.
  local outlive = {data = true, from_ptr = true, builder = true}

  it("frees what every function makes", function()
    local faults, metatable = {}, getmetatable(locus.ones(1))
    local drop, held = metatable.__gc, 0
    local numel = locus.numel
    for _, entry in ipairs(calls) do
      local inputs = entry.make(locus)
      for _ = 1, 3 do collectgarbage() end
      held = 0
      metatable.__gc = function(x)
        if pcall(numel, x) then held = held + 1 end
        drop(x)
      end
      pcall(locus.tidy, function() entry.call(locus, inputs) end)
      for _ = 1, 3 do collectgarbage() end
      metatable.__gc = drop
      if held > 0 and not outlive[entry.calls:match("^%w+")] then
        faults[#faults + 1] = entry.name .. ": " .. held
      end
    end
    assert.same({}, faults)
  end)

  it("frees them after an error, too, and raises it as it is", function()
    local inside
    local wrong = {}
    local ok, raised = pcall(locus.tidy, function()
      inside = locus.ones(3)
      error(wrong)
    end)
    assert.is_false(ok)
    assert.equal(wrong, raised)
    freed_by_tidy(inside)
    assert.equal("here", message(locus.tidy, function() error("here", 0) end))
    ok, raised = pcall(locus.tidy, function() error() end)
    assert.is_false(ok)
    assert.is_nil(raised)
    local after = locus.ones(3)
    collectgarbage()
    lives(after)
  end)

  it("keeps what result tables hold, at any depth, as keys and in circles", function()
    local lost
    local results = locus.tidy(function()
      local t = {locus.ones(1), deep = {{locus.ones(2)}}, [locus.ones(3)] = true}
      t.again = t
      lost = locus.ones(4)
      return t
    end)
    lives(results[1])
    lives(results.deep[1][1])
    for key in pairs(results) do if locus.is_tensor(key) then lives(key) end end
    freed_by_tidy(lost)
  end)

  it("keeps the storage of a view that is a result", function()
    local whole
    local part = locus.tidy(function()
      whole = locus.arange(1e5)
      return whole[{{11, 12}}]
    end)
    freed_by_tidy(whole)
    assert.same({10, 11}, part:totable())
    locus.tidy(function() return locus.ones(1e5) end)
    assert.same({10, 11}, part:totable())
  end)

  it("frees a view of what was there before, and not that", function()
    local x, view = locus.arange(10), nil
    locus.tidy(function() view = x[{{2, 3}}] end)
    freed_by_tidy(view)
    assert.equal(45, x:sum())
  end)

  it("leaves an out that was there before, with new storage", function()
    local out = locus.zeros(0)
    locus.tidy(function() locus.add(locus.ones(1000), 1, {out = out}) end)
    assert.equal(2000, out:sum())
  end)

  it("nests: results of the inner belong to the outer", function()
    local a, b, c
    local result = locus.tidy(function()
      a = locus.tidy(function()
        b = locus.ones(2)
        return locus.ones(1)
      end)
      freed_by_tidy(b)
      lives(a)
      c = locus.tidy(function() return a end)
      lives(a)
      return locus.tidy(function() return locus.ones(3) end)
    end)
    freed_by_tidy(a)
    freed_by_tidy(c)
    assert.equal(3, result:sum())
  end)

  it("leaves what belongs further out, when an inner call answers with it", function()
    local outer
    locus.tidy(function()
      outer = locus.ones(2)
      locus.tidy(function()
        locus.tidy(function() return outer end)
        lives(outer)
      end)
      lives(outer)
    end)
    freed_by_tidy(outer)
  end)

  it("keeps what keep was given", function()
    local x, y, listed
    locus.tidy(function()
      locus.tidy(function()
        x = locus.keep(locus.ones(2))
        listed = {locus.ones(1), {locus.ones(1)}}
        assert.equal(listed, locus.keep(listed))
        y = locus.ones(2)
      end)
    end)
    lives(x)
    lives(listed[1])
    lives(listed[2][1])
    freed_by_tidy(y)
    assert.equal(x, locus.keep(x))
  end)

  it("keeps what frames, string columns, groups and search indexes hold", function()
    local function frame()
      return locus.frame{{"a", locus.tensor({3, 1, 3})}, {"s", locus.strings{"x", "y", "x"}}}
    end
    local f, g, s, index, rows = locus.tidy(function()
      local grouped = frame():group("s")
      return frame(), grouped, locus.strings{"u", "v", "u"},
        locus.search_index(locus.arange(1000), {sorter = locus.arange(1, 1001, {dtype = "int64"})}),
        {deep = {frame()}}
    end)
    assert.equal(7, f.a:sum())
    assert.same({"x", "y", "x"}, f.s:totable())
    assert.same({6, 1}, g:sum("a"):totable())
    assert.same({1, 3}, g:rows(1):totable())
    assert.same({"x", "y"}, g.keys.s:totable())
    assert.same({true, false, true}, s:eq("u"):totable())
    assert.equal(501, index:searchsorted(500))
    assert.equal(7, rows.deep[1].a:sum())
    local kept
    locus.tidy(function() kept = locus.keep(frame()) end)
    assert.equal(7, kept.a:sum())
  end)

  it("frees the columns of frames that are no results", function()
    local column, ids
    locus.tidy(function()
      local f = locus.frame{{"a", locus.ones(3)}, {"s", locus.strings{"x", "y", "x"}}}
      column, ids = f.a, f.s.ids
      return f[1]
    end)
    freed_by_tidy(column)
    freed_by_tidy(ids)
  end)

  it("leaves what an object of before keeps for itself", function()
    local f = locus.frame{{"a", locus.tensor({3, 1, 3})}, {"k", locus.tensor({5, 6, 5})}}
    local g = f:group("k")
    local b = locus.builder("float64")
    locus.tidy(function()
      g:quantile("a", 0.5)
      g:rows(1)
      assert.equal(2, #g.keys)
      for i = 1, 100 do b:push(i) end
    end)
    assert.same({3, 1}, g:quantile("a", 0.5):totable())
    assert.same({5, 6}, g.keys.k:totable())
    assert.equal(5050, b:tensor():sum())
    local made
    locus.tidy(function() made = locus.builder{{"x", "int64"}, {"s", "string"}} end)
    made:push(1, "a")
    assert.equal(1, #made:frame())
  end)

  it("frees what an object keeps for itself together with it", function()
    local left = uncollected(function()
      local before = locus.live_bytes()
      locus.tidy(function()
        local g = locus.group_by(locus.tensor({5, 6, 5}))
        g:rows(1)
        g:quantile(locus.ones(3), 0.5)
        return g.keys == nil
      end)
      return locus.live_bytes() - before
    end)
    assert.equal(0, left)
  end)

  it("goes round each chunk, whose columns live as long as the chunk", function()
    local lines = {"a,b"}
    for i = 1, 1000 do lines[#lines + 1] = i .. "," .. i % 7 end
    local types, total, last = {a = "float64", b = "int32"}, 0, nil
    with_file(table.concat(lines, "\n") .. "\n", function(path)
      for chunk in locus.chunks(path, {types = types, rows = 100}) do
        total = total + locus.tidy(function() return (chunk.a * 2):sum() end)
        total = total - locus.tidy(function() return chunk.a:sum() end)
      end
      locus.tidy(function()
        for chunk in locus.chunks(path, {types = types, rows = 100}) do last = chunk.a end
      end)
    end)
    assert.equal(500500, total)
    freed_by_tidy(last)
  end)

  it("holds no reference: what is garbage goes before the call ends", function()
    locus.tidy(function()
      for _ = 1, 3 do collectgarbage() end
      local before = locus.live_bytes()
      for _ = 1, 100 do locus.ones(1000) end
      for _ = 1, 3 do collectgarbage() end
      assert.equal(before, locus.live_bytes())
    end)
  end)

  it("costs no memory when nothing is made", function()
    local nothing = function() end
    locus.tidy(nothing)
    local heap = uncollected(function()
      local before = collectgarbage("count")
      for _ = 1, 100 do locus.tidy(nothing) end
      return collectgarbage("count") - before
    end)
    assert.is_true(heap < 4, heap .. " KB")
  end)

  it("takes a function", function()
    assert.matches("^tidy: 'f' must be a function, got the number 5$", message(locus.tidy, 5))
    assert.matches("^tidy: 'f' must be a function, got nil$", message(locus.tidy))
    assert.matches("^keep: 'x' must be a tensor, or what holds tensors, got the number 5$",
      message(locus.keep, 5))
    assert.matches("^keep: 'x' must be a tensor, or what holds tensors, got nil$",
      message(locus.keep))
    local x = locus.ones(1)
    x:free()
    assert.matches("^keep: 'x' has been freed by free$", message(locus.keep, x))
  end)

  it("gives back results of any number, and more than fit raise", function()
    local function many(n) return unpack(locus.arange(n):totable()) end
    assert.equal(0, select("#", locus.tidy(many, 0)))
    assert.equal(5000, select("#", locus.tidy(many, 5000)))
    pcall(locus.tidy, function() return many(1e6) end)
    local after = locus.ones(2)
    collectgarbage()
    lives(after)
  end)
end)

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

  -- Random calls, yields and resumptions against a stack of what runs inside what.
  it("frees what a stack of the running calls says, at random", function()
    math.randomseed(7)
    local random = math.random
    local running, made = {}, {} -- the innermost open call of each coroutine that runs, in order

    local function owner()
      for i = #running, 1, -1 do
        local open = running[i].open
        if open[#open] then return open[#open] end
      end
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
            else
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
      worker.co = coroutine.create(function() while true do act(worker, 0) coroutine.yield() end end)
      workers[i] = worker
    end
    local main = {open = {}}
    running[1] = main
    for _ = 1, 150 do act(main, 0) end
    assert.is_true(#made > 100)
  end)
end)

describe("free", function()
  it("frees now", function()
    local freed = uncollected(function()
      local x = locus.ones(1e5)
      local before = locus.live_bytes()
      x:free()
      return before - locus.live_bytes()
    end)
    assert.is_true(freed >= 8e5)
    assert.is_true(garbage() < 8e5)
  end)

  it("takes a tensor from those that a call would free", function()
    local x
    locus.tidy(function()
      x = locus.ones(3)
      x:free()
    end)
    has_been("free", x.numel, x)
  end)

  it("leaves views, data and what was made of it", function()
    local x = locus.arange(5)
    local view, index = x[{{2, 3}}], locus.search_index(x)
    x:free()
    assert.same({1, 2}, view:totable())
    assert.equal(4, index:searchsorted(3))
    if jit then
      local y = locus.arange(5)
      local pointer = y:data()
      y:free()
      assert.equal(3, pointer[3])
      local inside
      local of_call = locus.tidy(function()
        inside = locus.arange(5)
        return inside:data()
      end)
      freed_by_tidy(inside)
      assert.equal(3, of_call[3])
    end
  end)

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
