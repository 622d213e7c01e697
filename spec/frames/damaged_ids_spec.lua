-- SPDX-License-Identifier: MIT
-- Ids of strings in mapped files that name nothing: every use says which row of which
-- column it is, and asks for no memory by them.
local locus = require "locus"
local support = require "spec.support"

-- The result of f(frame, path) for a mapped frame whose sixth id has become another.
local function damaged(id, f)
  local path = os.tmpname()
  os.remove(path)
  local syms, n = {}, {}
  for i = 1, 9 do syms[i], n[i] = ({"a", "b", ""})[i % 3 + 1], i end
  locus.frame {{"sym", syms}, {"n", n}}:save(path)
  local ids = locus.load(path .. "/sym.npy", {mmap = "r+"})
  ids[6] = id
  ids:free()
  local ok, result = pcall(f, locus.load(path, {mmap = "r"}), path)
  os.execute("rm -r " .. support.quote(path))
  if not ok then error(result, 0) end
  return result
end

local LETTERS = {"a", "b", "a", "b", "a", "b", "a", "b", "a"}

local uses = {
  function(f) return f:describe() end,
  function(f) return f.sym:unique() end,
  function(f) return f.sym:unique{return_counts = true} end,
  function(f) return f.sym:unique_consecutive() end,
  function(f) return f:unique("sym") end,
  function(f) return f:group("sym"):agg{n = {"sum", "n"}} end,
  function(f) return f:group("n"):agg{s = {"first", "sym"}} end,
  function(f) return f:group("n"):agg{s = {"nunique", "sym"}} end,
  function(f) return f:join(locus.frame {{"sym", {"a"}}, {"m", {1}}}, {on = "sym"}) end,
  function(f) return locus.frame {{"sym", {"a"}}, {"m", {1}}}:join(f, {on = "sym"}) end,
  function(f) return f:sort("sym") end,
  function(f) return tostring(f) end,
  function(f) return tostring(f.sym) end,
  function(f) return tostring(f[{{4, 7}}].sym) end,
  function(f) return f:write_csv("/dev/null") end,
  function(f) return f:write_json("/dev/null") end,
  function(f) return f:take({1, 6}) end,
  function(f) return f[f.n:gt(4)] end,
  function(f) return f.sym:eq("a") end,
  function(f) return f.sym:lt("b") end,
  function(f) return f.sym:match("a") end,
  function(f) return f.sym:map(string.upper) end,
  function(f) return f.sym:isin {"a"} end,
  function(f) return f.sym:lookup("a") end,
  function(f) return f.sym:compact() end,
  function(f) return f.sym:argsort() end,
  function(f) return f.sym:totable() end,
  function(f) return f:totable() end,
  function(f) return f.sym[6] end,
  function(f) return f[6] end,
  function(f) return f.sym.ids end,
  function(f) for _ in f.sym:iter() do end end,
  function(f) for _ in f:iter() do end end,
  function(f) return locus.cat {f, f} end,
  function(f) return f.sym:to("cpu") end,
  function(f) return f.sym:to_arrow() end,
  function(f, path) f:save(path .. "/again") end,
}

local RANGE = 14 -- of these: its rows are those of a part

describe("ids that name nothing #host #once", function()
  it("are told by column and row, wherever they are used", function()
    for _, id in ipairs(support.sample({2 ^ 31 - 1, 4, 0, -1, -2 ^ 31}, 2)) do
      for number, use in ipairs(uses) do
        local text = damaged(id, function(f, path) return support.message(use, f, path) end)
        local place, told = text:match("'[^']+' has id (%S+) in row (%d) of column 'sym', but "
          .. "names 1 to 3$")
        assert.same({("%d"):format(id), number == RANGE and "3" or "6"}, {place, told}, number
          .. ": " .. text)
      end
    end
  end)

  it("that came later are told by column and row, since each use looks at what it reads", function()
    local noticed = {
      argsort = function(f) return f.sym:argsort() end, sort = function(f) return f:sort("sym") end,
      equal = function(f) return f.sym:eq("a") end, differ = function(f) return f.sym:ne("?") end,
      ["equal columns"] = function(f) return f.sym:eq(f.sym) end,
      ["other column"] = function(f) return locus.strings(LETTERS):eq(f.sym) end,
      less = function(f) return f.sym:lt("b") end, most = function(f) return f.sym:le("b") end,
      more = function(f) return f.sym:gt("a") end, least = function(f) return f.sym:ge("a") end,
      ["less than a column"] = function(f) return locus.strings(LETTERS):lt(f.sym) end,
      ["more than itself"] = function(f) return f.sym:gt(f.sym) end,
      among = function(f) return f.sym:isin {"a"} end,
      ["among these"] = function(f) return f.sym:isin(f.sym) end,
      ["among others"] = function(f) return locus.strings {"a"}:isin(f.sym) end,
      place = function(f) return f.sym:lookup("a") end,
      places = function(f) return f.sym:lookup(f.sym) end,
      describe = function(f) return f:describe() end, group = function(f) return f:group("sym") end,
      ["two keys"] = function(f) return f:group("sym", "n") end,
      distinct = function(f) return f:unique{"n", "sym"} end,
      nunique = function(f) return f:group("n"):nunique("sym") end,
      ["as of"] = function(f)
        local g = locus.frame {{"sym", {"a"}}, {"n", {1}}, {"m", {1}}}
        return f:asof(g, {on = "n", by = "sym"})
      end,
      arrow = function(f) return f.sym:to_arrow() end, arrows = function(f) return f:to_arrow() end,
      ["sorted column"] = function(f) return f.sym:sort() end,
      cat = function(f) return tostring(locus.cat {f, f}) end,
      ["cat behind others"] = function(f)
        return locus.cat {locus.strings {"x"}, f.sym}:eq("a")
      end,
      ["cat of its own"] = function(f) return locus.cat {f.sym[{{1, 2}}], f.sym}:eq("a") end,
      ["cat of cats"] = function(f)
        return locus.cat {f.sym[{{1, 2}}], locus.cat {f.sym[{{1, 3}}], f.sym}}:eq("a")
      end,
      append = function(f, path)
        local into = path .. "/into"
        locus.frame {{"sym", {"q"}}, {"n", {1}}}:save(into)
        return f:save(into, {append = true})
      end,
      match = function(f) return f.sym:match("a") end,
      map = function(f) return f.sym:map(string.upper) end,
      unique = function(f) return f.sym:unique{return_counts = true} end,
      compact = function(f) return f.sym:compact() end, list = function(f) return f:totable() end,
      csv = function(f) return f:write_csv("/dev/null") end, row = function(f) return f[6] end,
      element = function(f) return f.sym[6] end, text = function(f) return tostring(f) end,
      column = function(f) return tostring(f.sym) end,
      rows = function(f) for _ in f:iter() do end end,
      min = function(f) return f:group("n"):agg{s = {"min", "sym"}} end,
      ["min of a column"] = function(f) return f:group("n"):min("sym") end,
      join = function(f) return f:join(locus.frame {{"sym", {"a"}}, {"m", {1}}}, {on = "sym"}) end,
      save = function(f, path) return f:save(path .. "/again") end,
    }
    local parts = {
      take = function(f) return tostring(f:take {1, 6}) end,
      ["take of strings"] = function(f) return f.sym:take({0, 6}, "a"):eq("a") end,
      ["part of cat"] = function(f) return tostring(locus.cat {f, f}:tail(5)) end,
      consecutive = function(f) return f.sym:unique_consecutive():eq("a") end,
      sorted = function(f) return tostring(f:sort("n")) end,
      masked = function(f) return tostring(f[f.n:gt(4)]) end,
      first = function(f) return tostring(f:group("n"):agg{s = {"first", "sym"}}) end,
    }
    for _, id in ipairs(support.sample({2 ^ 31 - 1, 9, 4, 0, -1, -3, -2 ^ 31}, 2)) do
      for _, calls in ipairs {noticed, parts} do
        for name, call in pairs(calls) do
          local text = damaged(1, function(f, path)
            assert.is_not_nil(f.sym.ids)
            local ids = locus.load(path .. "/sym.npy", {mmap = "r+"})
            ids[6] = id
            ids:free()
            return support.message(call, f, path)
          end)
          local part, own, row = text:match("(%a* ?%a* ?%a*)'[^' ]+' has id (%S+) in row (%d) of "
            .. "column 'sym', but names 1 to 3$")
          assert.equal(("%d"):format(id), own, name .. ": " .. text)
          assert.is_true(calls == parts or row == "6", name .. ": " .. text)
          assert.equal(calls == parts, part:find("part of", 1, true) ~= nil, text)
        end
      end
    end
  end)

  it("never come to name a string that is added", function()
    for _, id in ipairs {4, 9} do
      local text = damaged(1, function(f, path)
        assert.is_not_nil(f.sym.ids)
        local ids = locus.load(path .. "/sym.npy", {mmap = "r+"})
        ids[6] = id
        return support.message(function() return f.sym:take({0, 6}, "?"):eq("a") end)
      end)
      assert.matches(("has id %d in row %%d of column 'sym', but names 1 to [34]$"):format(id),
        text)
    end
  end)

  it("of a folder that is appended to are told before anything is written", function()
    for _, more in ipairs {"a", "new"} do
      local rows = locus.frame {{"sym", {more}}, {"n", {10}}}
      damaged(1, function(_, path)
        rows:save(path, {append = true})
        rows:save(path, {append = true})
        local ids = locus.load(path .. "/sym.npy", {mmap = "r+"})
        ids[6] = 5
        ids:free()
        local handle = assert(io.open(path .. "/frame"))
        local before = handle:read("*a")
        assert.matches("has id 5 in row 6 of column 'sym', but names 1 to " ..
          (more == "a" and "3" or "4"), support.message(rows.save, rows, path, {append = true}))
        handle:seek("set", 0)
        assert.equal(before, handle:read("*a"))
        handle:close()
        ids = locus.load(path .. "/sym.npy", {mmap = "r+"})
        ids[6] = 1
        ids:free()
        rows:save(path, {append = true})
        local list = locus.load(path).sym:totable()
        assert.same({12, more}, {#list, list[12]})
      end)
    end
  end)

  it("harm nothing that needs none of them", function()
    damaged(2 ^ 31 - 1, function(f)
      assert.same({9, 9, "cpu", "string"}, {#f, #f.sym, f.sym.device, f.sym.dtype})
      assert.same({"b", "", "a"}, f[{{1, 3}}].sym:totable())
      assert.matches('"b" +""', tostring(f[{{1, 2}}].sym))
    end)
  end)

  it("that came later ask for no memory in joins, and replace no frame in a folder", function()
    local path = os.tmpname()
    os.remove(path)
    local good = locus.frame {{"sym", {"a", "b"}}, {"n", {1, 2}}}
    good:save(path)
    for _, id in ipairs {9, 2 ^ 31 - 1, 0, -5} do
      local f = locus.frame {{"sym", {"a", "b", "a"}}, {"m", {1, 2, 3}}}
      f.sym.ids[2] = id
      for _, call in ipairs {function() return good:join(f, {on = "sym"}) end,
                             function() return f:join(good, {on = "sym"}) end,
                             function() return f:save(path) end} do
        local ok, text = pcall(call)
        assert.is_false(ok)
        assert.truthy(text:find(("has id %d in row 2"):format(id), 1, true), text)
      end
      assert.same(good:totable(), locus.load(path):totable())
    end
    os.execute("rm -r " .. support.quote(path))
  end)
end)
