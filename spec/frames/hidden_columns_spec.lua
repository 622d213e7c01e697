-- SPDX-License-Identifier: MIT
-- A column with the name of a method: f.to is the method. Where a column is meant, the error names
-- the method and f:column("to").
local has_jit = rawget(_G, "jit")
local locus = require "locus"
local support = require "spec.support"
local typed = has_jit and require "spec.support.programs.prompt"

local message = support.message
local COLUMN = 'f:column("to")'

-- All that takes a column, as g(column), where f has the columns 'to', 'sort' and 'n'.
local function takers(f)
  local x, g = f.n, f:group("n")
  return {
    argument = function(c) return locus.searchsorted(c, 1) end,
    ["second argument"] = function(c) return locus.searchsorted(x, c) end,
    method = function(c) return x:lt(c) end,
    operator = function(c) return x + c end,
    ["operator's left side"] = function(c) return locus.add(c, x) end,
    data = function(c) return locus.tensor(c) end,
    ["in data"] = function(c) return locus.tensor{c} end,
    index = function(c) return f[c] end,
    ["index of a tensor"] = function(c) return x[c] end,
    ["index of strings"] = function(c) return locus.strings{"a"}[c] end,
    with = function(c) return f:with("y", c) end,
    frame = function(c) return locus.frame{{"a", c}} end,
    ["sum of groups"] = function(c) return g:sum(c) end,
    ["median of groups"] = function(c) return g:quantile(c, 0.5) end,
    agg = function(c) return g:agg{a = {"sum", c}} end,
    group_by = function(c) return locus.group_by{c} end,
    asof = function(c) return locus.asof(c, x) end,
    cat = function(c) return locus.cat{c, x} end,
    where = function(c) return locus.where(x:gt(1), c, x) end,
    isin = function(c) return x:isin(c) end,
    lookup = function(c) return x:lookup(c) end,
    take = function(c) return f:take(c) end,
    plot = function(c) return locus.plot(c) end,
    hist = function(c) return locus.hist(c) end,
    segment = function(c) return locus.segment(c, x:long(), "sum") end,
    name = function(c) return f:sort(c) end,
    names = function(c) return f:select("n", c) end,
    push = function(c) return locus.builder("float64"):push(c) end,
    extend = function(c) return locus.builder("float64"):extend(c) end,
    assigned = function(c) x[1] = c end,
    dim = function(c) return x:sum(c) end,
    out = function(c) return locus.add(x, x, {out = c}) end,
  }
end

describe("a column with the name of a method #host #once", function()
  local f = locus.frame{{"to", {1, 2}}, {"sort", {1, 2}}, {"n", {1, 2}}}

  it("is named where the method stands in its place", function()
    for place, taker in pairs(takers(f)) do
      local said = message(taker, f.to)
      assert.is_truthy(said and said:find(COLUMN, 1, true), place .. ": " .. tostring(said))
      assert.is_truthy(said:find("the method 'to' of frames", 1, true), said)
      said = message(taker, f.sort)
      assert.is_truthy(said:find('f:column("sort")', 1, true), said)
      said = message(taker, function() end)
      assert.is_truthy(said:find("a function", 1, true), said)
      assert.is_nil(said:find("column(", 1, true), said)
    end
  end)

  it("is named when the method is called as if it were that", function()
    for _, call in ipairs{function() f.to(1) end, function() f.to() end,
                          function() f.to{{1, 2}} end, function() f.to(f.n) end} do
      assert.is_truthy(message(call):find(COLUMN, 1, true), message(call))
    end
    assert.is_truthy(message(function() f.head(3) end):find('f:column("head")', 1, true))
    assert.is_nil(message(f.to, f):find("column(", 1, true)) -- a frame, and no device
  end)

  it("is reached by column", function()
    support.same(f:column("to"), {2}, {1, 2})
    assert.equal("function", type(f.to))
  end)

  it("named 'bad' is f.bad where no reader had lines to leave out", function()
    local g = locus.frame{{"b", {1, 2}}, {"bad", {3, 4}}}
    support.same(g.bad, {2}, {3, 4})
    support.same(locus.cat{g.b, g.bad}, {4}, {1, 2, 3, 4})
    assert.equal("b", locus.frame{{"bad", {"a", "b"}}}.bad[2])
    support.same(g:head(1).bad, {1}, {3})
    assert.is_nil(f.bad)

    local read = {types = {bad = "int64"}, bad = 5}
    support.same(locus.read_csv({text = "bad\n1\n2\n"}, {types = read.types}).bad, {2}, {1, 2})
    local left = locus.read_csv({text = "bad\n1\nx\n2\n"}, read)
    assert.equal("'bad' is a column, and the lines that the reader left out; write "
      .. 'f:column("bad") for the column, f:rename("bad", "name").bad for the lines',
      message(function() return left.bad end))
    support.same(left:column("bad"), {2}, {1, 2})
    local renamed = left:rename("bad", "n")
    support.same(renamed.n, {2}, {1, 2})
    assert.same({3}, renamed.bad.line:totable())
    for part in locus.chunks({text = "bad\n1\nx\n2\n"}, read) do
      assert.matches('f:column("bad")', message(function() return part.bad end), 1, true)
    end
  end)

  it("is named at the prompt, whatever is done with the method", function()
    if not has_jit then return end
    local run = typed()
    run [[f = locus.frame{{"to", {1, 2}}, {"n", {1, 2}}}]]
    for _, line in ipairs{"f.to + 1", "f.to:lt(5)", "f.to[1]", "#f.to", "f.to / 2", "-f.to",
                          "1 + f.to", "f.to:max()", "locus.searchsorted(f.to, 1)"} do
      local said = run(line)
      assert.is_truthy(said:find(COLUMN, 1, true), line .. ": " .. said)
    end
    assert.is_nil(run("locus.add + 1"):find("column(", 1, true))
  end)
end)
