-- SPDX-License-Identifier: MIT
-- tidy, keep and free: what is freed and when, what stays, and what a freed tensor says.
local calls = require("spec.ops").calls
local locus = require "locus"
local with_file = require("spec.support.text").with_file
local message = require("spec.support").message

local function has_been(how, f, ...)
  local text = message(f, ...)
  assert.truthy(text:find("has been freed by " .. how, 1, true), text)
end

local function freed_by_tidy(x) has_been("tidy", function() return x + 1 end) end

local function lives(x) assert.is_true(pcall(x.numel, x)) end

-- The answer of f, while the collector frees nothing.
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

  -- The tensors that a pointer or a builder keeps for itself.
  -- sql_chunks collects by itself.
  local outlive = {data = true, from_ptr = true, builder = true, sql_chunks = true}

  -- How many tensors these calls of tidy have not freed, but the collector.
  local function held_by(entries)
    local metatable, inputs, held = getmetatable(locus.ones(1)), {}, 0
    local drop, numel = metatable.__gc, locus.numel
    for i, entry in ipairs(entries) do inputs[i] = entry.make(locus) end
    for _ = 1, 3 do collectgarbage() end
    metatable.__gc = function(x)
      if pcall(numel, x) then held = held + 1 end
      drop(x)
    end
    collectgarbage("stop") -- what it takes meanwhile is not tidy's
    for i, entry in ipairs(entries) do
      pcall(locus.tidy, function() entry.call(locus, inputs[i]) end)
    end
    for _ = 1, 3 do collectgarbage() end
    collectgarbage("restart")
    metatable.__gc = drop
    return held
  end

  -- A trace may let go of what it kept of an earlier call: a fault shows without traces, too.
  -- A collection goes through all that other specs have made, so calls are looked at one by one
  -- only where many together leave something.
  it("frees what every function makes #once", function()
    local faults, batch = {}, {}
    local function look()
      for _, entry in ipairs(held_by(batch) > 0 and batch or {}) do
        jit.flush()
        jit.off()
        local held = held_by {entry}
        jit.on()
        if held > 0 then faults[#faults + 1] = entry.name .. ": " .. held end
      end
      batch = {}
    end
    for _, entry in ipairs(calls) do
      if not outlive[entry.calls:match("^[%w_]+")] then batch[#batch + 1] = entry end
      if #batch == 25 then look() end
    end
    look()
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
    assert.matches("^keep: 'x' must be a tensor, or an object that holds tensors, "
                     .. "got the number 5$",
      message(locus.keep, 5))
    assert.matches("^keep: 'x' must be a tensor, or an object that holds tensors, got nil$",
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
