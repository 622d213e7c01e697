-- SPDX-License-Identifier: MIT
-- What newcomers from pandas, polars and NumPy write, and what the error tells them to write.
local locus = require "locus"
local support = require "spec.support"
local typed = require "spec.support.programs.prompt"
local message = support.message

local x = locus.tensor{1, 2, 3}
local f = locus.frame{{"sym", {"IBM", "A", "IBM"}}, {"p", x}}

local function ends(tail, said) assert.equal(tail, said and said:sub(-#tail), said) end

describe("what newcomers write #once", function()
  it("as the ends of a range", function()
    for _, name in ipairs {"histogram", "hist"} do
      ends("got 4; write {range = {0, 1}}", message(locus[name], x, 3, 0, 1))
      ends("got 4; write {range = {-0.5, 1}}", message(x[name], x, 3, -0.5, 1))
    end
  end)

  it("as rows and cells of a frame", function()
    ends("; write f[1] for a row, f[mask] for rows, f.name for a column",
      message(function() return f.loc[1] end))
    ends("; write f[1] for a row, f[positions] for rows", message(function() return f.iloc[1] end))
    ends("; write f.name[1]", message(function() return f.iat[1] end))
    ends('== compares identity, write f[f.sym:eq("a")]', message(function()
      return f[f.sym == "IBM"]
    end))
    ends("== compares identity, write f[f.p:eq(3)]", message(function()
      return f:select("p")[x == 2]
    end))
  end)

  it("as one value for all rows", function()
    ends("; write locus.full(#f, 1) for one value in all rows", message(f.with, f, "x", 1))
    ends("; write locus.full(#f, 0.1) for one value in all rows", message(f.with, f, "x", 0.1))
    ends("; write locus.full(#f, true) for one value in all rows", message(f.with, f, "x", true))
    ends('; write locus.strings{"..."}:take(locus.full(#f, 1):long()) for one value in all rows',
      message(f.with, f, "x", "a"))
    assert.same({1, 1, 1}, f:with("x", locus.full(#f, 1)).x:totable())
    assert.same({"a", "a", "a"},
      f:with("x", locus.strings{"a"}:take(locus.full(#f, 1):long())).x:totable())
  end)

  it("as lines that may be bad", function()
    for _, bad in ipairs {true, "skip", "warn"} do
      ends("; write bad = 100, the most lines to leave out",
        message(locus.read_csv, {text = "a\n1\n"}, {bad = bad}))
    end
  end)

  it("as frames and columns that are to be joined", function()
    ends("; write locus.cat{f, g}", message(locus.cat, f, f))
    ends("; write locus.cat{f, g, h}", message(locus.cat, f, f, f))
    ends("; write locus.cat{f, g, h, ...}", message(locus.cat, f, f, f, f))
    ends("; write locus.cat{c, d}", message(locus.cat, f.sym, f.sym))
    ends("; write locus.cat{c, d}", message(function() return f.sym:cat(f.sym) end))
  end)

  it("at the prompt #host", function()
    local run = typed()
    run [[local x, t = locus.zeros(2), locus.frame{{"sym", {"IBM", "b"}}}]]
    if not loadstring("local x = 1; x += 1") then
      ends("; write x[1] = x[1] + 1\n", run "x[1] += 1")
      ends("; write x[1] = x[1] * (2 - 1)\n", run "x[1] *= 2 - 1")
    end
    ends('; here t[t.sym:eq("IBM")]\n', run [[t[t.sym == "IBM"] ]])
    ends("; here x[x:eq(2)]\n", run "x[x == 2]")
  end)
end)
