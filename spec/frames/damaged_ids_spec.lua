-- SPDX-License-Identifier: MIT
-- Ids of strings in mapped files that name nothing: whatever uses them says which row of which
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
    for _, id in ipairs {2 ^ 31 - 1, 4, 0, -1, -2 ^ 31} do
      for number, use in ipairs(uses) do
        local text = damaged(id, function(f, path) return support.message(use, f, path) end)
        local place, told = text:match("'[^']+' has id (%S+) in row (%d) of column 'sym', but "
          .. "names 1 to 3$")
        assert.same({("%d"):format(id), number == RANGE and "3" or "6"}, {place, told}, number
          .. ": " .. text)
      end
    end
  end)

  it("are looked for once, when a column is first used", function()
    damaged(1, function(f, path)
      assert.equal(2, #f:describe())
      local ids = locus.load(path .. "/sym.npy", {mmap = "r+"})
      ids[6] = 2 ^ 31 - 1 -- behind the check: memory is safe, and the use of a name raises
      assert.is_true((pcall(f.sym.eq, f.sym, "a")))
      assert.is_false((pcall(f.sym.unique, f.sym)))
      assert.is_false((pcall(f.write_csv, f, "/dev/null")))
      assert.is_true((pcall(f.describe, f)))
    end)
  end)

  it("that came behind the check are told by column and row, where they are noticed", function()
    local noticed = {
      argsort = function(f) return f.sym:argsort() end, sort = function(f) return f:sort("sym") end,
      less = function(f) return f.sym:lt("b") end, match = function(f) return f.sym:match("a") end,
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
      masked = function(f) return tostring(f[f.n:gt(4)]) end,
      keys = function(f) return tostring(f:group("sym").keys) end,
      distinct = function(f) return tostring(f:unique("sym")) end,
      first = function(f) return tostring(f:group("n"):agg{s = {"first", "sym"}}) end,
    }
    for _, id in ipairs {2 ^ 31 - 1, 9, 0} do
      for _, calls in ipairs {noticed, parts} do
        for name, call in pairs(calls) do
          local text = damaged(1, function(f, path)
            assert.is_not_nil(f.sym.ids)
            local ids = locus.load(path .. "/sym.npy", {mmap = "r+"})
            ids[6] = id
            ids:free()
            return support.message(call, f, path)
          end)
          local part, own, row = text:match("(%a* ?%a* ?%a*)'[^']+' has id (%S+) in row (%d) of "
            .. "column 'sym', but names 1 to 3$")
          assert.equal(("%d"):format(id), own, name .. ": " .. text)
          assert.is_true(calls == parts or row == "6", name .. ": " .. text)
          assert.equal(calls == parts, part:find("part of", 1, true) ~= nil, text)
        end
      end
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
