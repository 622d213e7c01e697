-- SPDX-License-Identifier: MIT
-- No terminal obeys names and strings that come from data: whatever prints them, and every message,
-- shows control characters as \x1b.
local core = require "locus.core"
local has_jit = rawget(_G, "jit")
local locus = require "locus"
local support = require "spec.support"
local show = has_jit and require "locus.repl.show"
local typed = has_jit and require "spec.support.programs.prompt"

local visible = core.internal.visible

-- The contents of a name, and how they are shown.
local ODD = {{"\27[31m", "\\x1b[31m"}, {"\127", "\\x7f"}, {"\194\155", "\\xc2\\x9b"},
             {"\226\128\174", "\\xe2\\x80\\xae"},
             {"\n", "\\n"}, {"\r", "\\r"}, {"\7", "\\x07"}, {"\155", "\\x9b"}, {"\t", "\\t"}}

-- Whether a terminal would obey something of a text: lines alone end as they do.
local function obeyed(text)
  for line in text:gmatch("[^\n]+") do
    if visible(line) ~= line then return true end
  end
  return false
end

describe("what is visible #host #once", function()
  it("is every character, and nothing else", function()
    for _, text in ipairs {"", "plain", "größe", "日本", "\240\159\146\154", " ~", "\194\160",
                           "\237\159\191", "\244\143\191\191"} do
      assert.equal(text, visible(text))
    end
    for _, odd in ipairs(ODD) do
      assert.equal("a" .. odd[2] .. "é", visible("a" .. odd[1] .. "é"))
    end
    for text, shown in pairs {["a\0b"] = "a\\x00b", ["\192\128"] = "\\xc0\\x80",
      ["\237\160\128"] = "\\xed\\xa0\\x80", ["\244\144\128\128"] = "\\xf4\\x90\\x80\\x80",
      ["\226\130"] = "\\xe2\\x82", ["\194\128"] = "\\xc2\\x80", ["\194\159x"] = "\\xc2\\x9fx",
      ["\240\143\191\191"] = "\\xf0\\x8f\\xbf\\xbf", ["é\226"] = "é\\xe2"} do
      assert.equal(shown, visible(text))
    end
    -- Marks that turn the direction of what follows, end lines, or are not seen at all.
    for _, odd in ipairs {"\216\156", "\226\128\142", "\226\128\143", "\226\128\168",
      "\226\128\169", "\226\128\170", "\226\128\174", "\226\129\166", "\226\129\169",
      "\226\129\175", "\239\187\191", "\239\191\185", "\239\191\187"} do
      local shown = odd:gsub(".", function(c) return ("\\x%02x"):format(c:byte()) end)
      assert.equal("a" .. shown .. "b", visible("a" .. odd .. "b"))
    end
    for _, plain in ipairs {"\216\155", "\216\157", "\226\128\141", "\226\128\144",
      "\226\128\167", "\226\128\175", "\226\129\165", "\226\129\176", "\239\187\190",
      "\239\191\184", "\239\191\188"} do
      assert.equal(plain, visible(plain))
    end
    assert.equal('a\\"b\\\\', visible('a"b\\', true))
    assert.equal('a"b\\', visible('a"b\\'))
  end)
end)

-- All that shows names and strings of a frame: a list of {what, text}.
local function shown_of(odd)
  local name, list = "a" .. odd, {}
  local f = locus.frame {{name, {"x" .. odd, odd, "c"}}, {"n", {1, 2, 3}}, {"y" .. odd, {3, 2, 1}}}
  local g, c = f:group(name), f:column(name)
  local function add(what, text) list[#list + 1] = {what, tostring(text)} end
  local function raises(what, call, ...)
    local ok, message = pcall(call, ...)
    assert.is_false(ok, what)
    assert.is_nil(message:find("\n"), what)
    add(what, message)
  end
  add("frame", f) add("strings", c) add("group", g) add("keys", g.keys) add("row", f[1])
  add("agg", g:agg {{"s" .. odd, "sum", "n"}}) add("describe", f:describe())
  add("types", f:types()) add("builder", locus.builder {{name, "int64"}})
  add("plot", f:plot("n", "y" .. odd)) add("svg", f:plot("n", "y" .. odd):svg())
  add("names", locus.ones(3, 2):plot {names = {name, "b", "c"}})
  add("names in svg", locus.ones(3, 2):plot {names = {name, "b", "c"}}:svg())
  add("tensor names", core.internal.describe(name))
  raises("index", function() return f[name .. "?"] end)
  raises("sort", f.sort, f, "no" .. odd)
  raises("agg how", g.agg, g, {{"q", name, "n"}})
  raises("agg column", g.agg, g, {{"q", "sum", "no" .. odd}})
  raises("how", f.join, f, f, {on = "n", how = name})
  raises("unknown", f.join, f, f, {[name] = 1})
  raises("surplus", f.join, f, f, name, {1}, {2})
  raises("twice", f.select, f, name, name)
  raises("length", f.with, f, name, {1, 2})
  raises("by", f.asof, f, f, {on = "n", by = name .. "?"})
  raises("dtype", locus.tensor, {1}, {dtype = name})
  raises("device", locus.tensor, {1}, {device = name})
  raises("element", locus.tensor, {name}, {dtype = "int64"})
  raises("long", locus.tensor, {name:rep(40)}, {dtype = "int64"})
  raises("load", locus.load, "/nowhere" .. odd)
  raises("read_csv", locus.read_csv, "/nowhere" .. odd)
  raises("save", f.save, f, "/nowhere" .. odd .. "/x")
  raises("write", f.write_csv, f, "/nowhere" .. odd .. "/x")
  raises("module", function() return locus["x" .. odd] end)
  raises("method", function() return locus.ones(2)["x" .. odd] end)
  raises("string method", function() return c["x" .. odd] end)
  raises("group method", function() return g["x" .. odd] end)
  raises("cat", locus.cat, {f, f:rename("n", "m" .. odd)})
  raises("push", locus.builder {{name, "int64"}}.push, locus.builder {{name, "int64"}}, name)
  raises("nil", locus.read_csv, nil, "why" .. odd)
  local flat = odd:gsub("[\r\n]", "\27") -- what a line of a file can hold
  local text = "a" .. flat .. "\n1\n2" .. flat .. "x\n"
  raises("field", locus.read_csv, {text = text}, {types = {["a" .. flat] = "int64"}})
  raises("column", locus.read_csv, {text = text}, {types = {["b" .. flat] = "int64"}})
  add("bad", locus.read_csv({text = text}, {types = {["a" .. flat] = "int64"}, bad = 5}).bad)
  return list, f, name
end

describe("names and strings of any bytes #host #once", function()
  for _, odd in ipairs(ODD) do
    it("are shown as " .. odd[2], function()
      for _, entry in ipairs((shown_of(odd[1]))) do
        assert.is_false(obeyed(entry[2]), entry[1] .. ": " .. visible(entry[2]))
      end
    end)

    if has_jit then
      it("are shown so at the prompt: " .. odd[2], function()
        local _, f, name = shown_of(odd[1])
        local run, session = typed()
        rawset(session.variables, "f", f)
        rawset(session.variables, "s", name)
        for _, line in ipairs {"f", "s", "{s, [s] = 1}", "f[1]", "f:group(s)", "error(s)",
          "error(s, 0)", "error({s})", "f[s]()", "s.x.y", "%trace", "%time s", "%bench error(s)",
          "?" .. name, "%" .. name, "x = " .. name, "x = '" .. name, '??"' .. name .. '"'} do
          local said = run(line):gsub("\t", " ")
          assert.is_false(obeyed(said), visible(line) .. ": " .. visible(said))
        end
        assert.is_false(obeyed(show.text {[name] = {name}}))
      end)
    end
  end

  it("are shown to the end of a character where they are cut", function()
    local said = support.message(locus.tensor, {("é"):rep(40)}, {dtype = "int64"})
    assert.is_nil(said:find("\\x", 1, true), said)
    said = support.message(locus.ones, ("aé"):rep(40))
    assert.is_nil(said:find("\\x", 1, true), said)
  end)
end)
