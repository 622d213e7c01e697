-- SPDX-License-Identifier: MIT
-- help: texts of all names, what a name may look like, unknown names, the search, the pages where
-- they are installed, and pages that are none.
local help = require "locus.help"
local instructions = require "spec.support.programs.instructions"
local locus = require "locus"
local markdown = require "locus.help.markdown"
local pages = require "locus.help.pages"
local public = require "spec.support.calls.public"
local support = require "spec.support"
local terminal = require "locus.help.terminal"

local function first_line(text) return text:match("^[^\n]*") end

-- The lines that are neither code nor an address nor of one word, and longer than that.
local function long_lines(text, width)
  local list = {}
  for line in text:gmatch("[^\n]+") do
    local columns = #line:gsub("[\128-\191]", "")
    local whole = line:sub(1, 2) == "  " or line:find("^Source: %S+$") or not line:find(" ")
    if columns > width and not whole then list[#list + 1] = line end
  end
  return list
end

describe("help.text #host #once", function()
  it("begins with a signature, for every public function and method", function()
    local wrong = {}
    for _, entry in ipairs(public) do
      local name = entry.kind .. ":" .. entry.name
      local text, sentence = help.text(entry.kind == "tensor" and entry.name or name, 72)
      local line = text and first_line(text) or sentence
      local shown = line:find("%f[%w_]" .. entry.name .. "[({]")
      if not shown then wrong[#wrong + 1] = name .. ": " .. line end
    end
    assert.same({}, wrong)
  end)

  it("fits in its width, except code", function()
    for _, width in ipairs {40, 100} do
      for _, name in ipairs(pages.names) do
        assert.same({}, long_lines(help.text(name, width), width))
      end
      for _, section in ipairs(pages.all()) do
        local entry = section.defined[1]
        local name = entry and pages.full_name(entry) or section.page .. "#" .. section.title
        assert.same({}, long_lines(help.text(name, width) or "", width))
      end
    end
  end)

  it("has paragraphs, the example and the place", function()
    local text = help.text("hstack", 60)
    assert.same("hstack(tensors, {out=nil})", first_line(text))
    assert.truthy(text:find("\n\nSide by side, which is end to end for 1-D tensors", 1, true))
    assert.truthy(text:find("\n  print(locus.hstack({{1, 2}, {3}}))\n  -->  1  2  3\n", 1, true))
    assert.truthy(text:find("\n\ndocs/ops.md: Joining$"))
  end)

  it("gives a name that shares a signature its own", function()
    assert.same("sub(input, other, {out=nil})", first_line(help.text("sub")))
    assert.same("c:ne(other)", first_line(help.text("strings:ne")))
  end)

  it("knows names however they are written", function()
    local nonzero = help.text("nonzero")
    for _, name in ipairs {"x:nonzero", "locus.nonzero", "nonzero()", " tensor:nonzero "} do
      assert.same(nonzero, help.text(name))
    end
    assert.same("f:group(names...)", first_line(help.text("frame:group")))
    assert.same(help.text("frame:group"), help.text("f:group"))
    assert.same("memory.trim()", first_line(help.text("locus.memory.trim()")))
    assert.same("x.shape", first_line(help.text("shape")))
    assert.same("f:sort(names...)", first_line(help.text("frame:sort")))
    assert.truthy(help.text("sort"):find("See also strings:sort, frame:sort", 1, true))
  end)

  it("knows pages and headings", function()
    for _, name in ipairs {"chance", "chance.md", "docs/chance.md"} do
      assert.truthy(help.text(name):find("^Chance\n%-%-%-%-%-%-\n"))
    end
    assert.truthy(help.text("chance"):find("\n\nNumbers\n  rand rand_like\n", 1, true))
    assert.truthy(help.text("cuda"):find("See also cuda.md", 1, true))
    assert.truthy(help.text("cuda.md"):find("^CUDA\n"))
    assert.truthy(help.text("promotion"):find("^Promotion\n"))
    assert.truthy(help.text("memory"):find("See also cuda#memory", 1, true))
    assert.truthy(help.text("cuda#memory"):find("docs/cuda.md: Memory", 1, true))
    assert.truthy(help.text("traps"):find("not printed", 1, true))
  end)

  it("says of other names what may have been meant", function()
    local function says(name) return select(2, help.text(name)) end
    assert.same("help: there is no 'cmul'; write x * y", says("cmul"))
    assert.same("help: there is no 'sortt'; did you mean 'sort'?", says("sortt"))
    assert.same("help: there is no 'einsum', which PyTorch and NumPy have; matrix products and "
      .. "decompositions are not here", says("einsum"))
    assert.same("help: there is no 'kaiser', which NumPy has", says("kaiser"))
    assert.same("help: there is no 'frame:selekt'; did you mean 'select'?", says("f:selekt"))
    assert.truthy(says("quotas"):find("^help: there is no 'quotas'; see set_num_threads"))
    assert.same("help: there is no ''", says(""))
    assert.same("help: there is no '" .. ("z"):rep(60) .. "'", says(("z"):rep(5000)))
  end)
end)

describe("help.search #host #once", function()
  it("has the name itself first", function()
    for _, name in ipairs {"searchsorted", "sort", "frame:sort", "quantile", "promotion"} do
      local found = help.search(name)[1].name
      assert.truthy(found == name or found == "ops#" .. name, found)
    end
  end)

  it("has names that begin with the word before those with it inside, and then mentions", function()
    local places = {}
    for i, hit in ipairs(help.search("bin")) do places[hit.name] = i end
    assert.is_true(places.bincount < places.unbind and places.unbind < places.digitize)
  end)

  it("finds words in paragraphs and tables, and gives the sentence", function()
    local found = help.search("cgroup quotas")
    assert.same(1, #found)
    assert.same("set_num_threads", found[1].name)
    assert.truthy(found[1].line:find("cgroup", 1, true))
    for _, hit in ipairs(help.search("cmul")) do assert.truthy(hit.line:find("cmul", 1, true)) end
    for _, words in ipairs {"as-of join", "asof join", "As-of Join"} do
      local names = {}
      for i, hit in ipairs(help.search(words)) do names[hit.name] = i end
      assert.truthy(names["frame:asof"] and names["frame:asof"] <= 2, words)
    end
    assert.truthy(help.search("0-d")[1].line:find("0-d", 1, true))
    assert.same({}, help.search("sorted xyzzy"))
    assert.same({}, help.search("  "))
  end)

  it("names what help.text knows", function()
    for _, words in ipairs {"tensor", "errors", "nan", "row", "%d+", "[", "memory of others"} do
      for _, found in ipairs(help.search(words)) do
        assert.truthy(help.text(found.name), found.name)
        assert.is_string(found.line)
      end
    end
  end)
end)

describe("locus.help #host #once", function()
  local function printed(...)
    local lines, before = {}, print
    _G.print = function(line) lines[#lines + 1] = line end
    local ok, message = pcall(locus.help, ...)
    _G.print = before
    assert(ok, message)
    return table.concat(lines, "\n")
  end

  it("prints the text of a name or of a function", function()
    local sort, nonzero = help.text("sort"), help.text("nonzero")
    assert.same(sort, printed("sort"))
    assert.same(sort, printed(locus.sort))
    assert.same(nonzero, printed(locus.zeros(1).nonzero))
    assert.same(sort, printed{name = "sort"})
    assert.same(help.text("group:agg"), printed(locus.group_by({1}).agg))
    assert.same(help.text("memory.trim"), printed(locus.memory.trim))
  end)

  it("prints what there is", function()
    local text = printed()
    for _, entry in ipairs(public) do assert.truthy(text:find(entry.name, 1, true), entry.name) end
  end)

  it("prints the sentence of an unknown name, and where the word stands", function()
    local text = printed("quotas leave")
    assert.truthy(text:find("^help: there is no 'quotas leave'; see set_num_threads"))
    assert.truthy(text:find("\n  set_num_threads: ", 1, true))
  end)

  it("raises of what is no name", function()
    assert.same("help: 'name' must be a name or a function of locus, got the number 5",
      support.message(locus.help, 5))
    assert.same("help: 'name' must be a name or a function of locus, got a function",
      support.message(locus.help, function() end))
  end)
end)

describe("the pages #host #once", function()
  it("have an example of every function, but of devices and other libraries' pointers", function()
    local without = {}
    for _, section in ipairs(pages.all()) do
      local code = #section.defined == 0 or section.page == "cuda"
      for _, block in ipairs(section.blocks) do code = code or block.kind == "code" end
      if not code then without[#without + 1] = section.title end
    end
    assert.same({"`pin_memory` `is_pinned`", "`from_arrow`", "`from_arrow_stream`"}, without)
  end)

  it("are those of docs/", function()
    local there = {}
    local pipe = io.popen("ls docs/*.md")
    for path in pipe:lines() do there[#there + 1] = path:match("([%w_]+)%.md") end
    pipe:close()
    local names = {unpack(pages.names)}
    table.sort(names)
    table.sort(there)
    assert.same(there, names)
  end)

  it("that are not there are said to be missing", function()
    local folder, read = pages.folder, pages.read
    pages.folder, pages.read = function() return nil end, nil
    local text, sentence = help.text("sort")
    local found = help.search("sort")
    pages.folder, pages.read = folder, read
    assert.is_nil(text)
    assert.same("help: there are no pages: the folder docs of locus is not installed", sentence)
    assert.same({}, found)
  end)

  -- Where CMake and LuaRocks put the Lua files and the pages.
  local rock = "lib/luarocks/rocks-5.1/locus/" .. locus.version .. "-1/doc"
  for name, docs in pairs {CMake = "share/doc/locus", LuaRocks = rock} do
    it("are found where " .. name .. " puts them #host", function()
      local tree = os.tmpname()
      os.remove(tree)
      local core = package.searchpath("locus.core", package.cpath)
      local pipe = io.popen((([[
        lua=TREE/share/lua/5.1
        mkdir -p $lua TREE/DOCS && cp -r lua/locus $lua && cp -r docs TREE/DOCS &&
        LUA_PATH="$lua/?.lua;$lua/?/init.lua" LUA_CPATH="CORE" luajit -e '
          print((require("locus.help").text("sort")))'
        rm -r TREE]]):gsub("%u%u%u%u", {TREE = tree, DOCS = docs,
          CORE = core:gsub("locus/core", "?")})))
      local text = pipe:read("*a")
      pipe:close()
      assert.same("sort(input,", text:match("^%S+"))
    end)
  end
end)

describe("Markdown #host #once", function()
  local function lines(page, width) return terminal.lines(markdown.blocks(page), width) end

  it("becomes lines", function()
    assert.same({
      "Title", "-----", "", "Words and `x * y` and a page, b", "(https://a.b/c).", "", "- one",
      "- two goes on", "1. first", "", "  code  ```", "", "    `a`", "", "x", "--  ---",
      "12  a|b", "", "end",
    }, lines([[
# Title

**Words** and `x * y` and [a page](ops.md#x),
[b](https://a.b/c).

- one
- two
  goes on
1. first
```lua
code  ```

  `a`
```
| x | |
|---|---|
| 12 | a\|b |
end]], 32))
  end)

  it("has tables as wide as there is room", function()
    assert.same({"name   what it is", "-----  ----------", "alpha  some words", "       that wrap"},
      lines("| name | what it is |\n| --- | --- |\n| alpha | some words that wrap |\n", 17))
    assert.same({"a; b; c; d; e; f"}, lines("|a|b|c|d|e|f|", 30))
  end)

  it("counts characters, not bytes", function()
    assert.same({"ääää ää", "ä"}, terminal.wrap("ääää ää ä", 7))
    assert.same({"äää", "ää"}, terminal.wrap("äääää", 3, true))
  end)

  it("has nothing left that moves a cursor", function()
    assert.same({"a[2Jb", "", "  c"}, lines("a\27[2J\r\7b\194\155\n```\n\0c\8\n```", 40))
  end)

  it("makes room beside a column that is empty everywhere", function()
    assert.same({"   wide words and", "   more of them", "-  " .. ("-"):rep(17)},
      lines("| | wide words and more of them |\n", 20))
  end)

  -- Pieces of pages in every order.
  it("of any bytes is lines", function()
    local pieces = {
      "#", "## ", "`", "``", "```\n", "```lua\n", "|", "| a | b |\n", "|---|\n", "*", "**", "[",
      "](", ")", "[a](b)", "- ", "1. ", "\n", "\n\n", " ", "x", "`f(a, {b=1})`", "c:f(x)", "\\|",
      "\0", "\255", "\226\130", "\27[1m", "{", "}", "(", ",", '"', "...", "=", "### `a.b` `c`\n",
      ("w"):rep(90),
    }
    local random = math.random
    math.randomseed(7)
    for _ = 1, 400 do
      local parts = {}
      for i = 1, random(60) do parts[i] = pieces[random(#pieces)] end
      local page = table.concat(parts)
      for _, section in ipairs(pages.sections("page", page)) do
        for _, width in ipairs {20, 71} do
          for _, line in ipairs(terminal.lines(section.blocks, width)) do
            assert.is_nil(line:find("[%z\1-\31]"))
          end
        end
      end
    end
  end)
end)

describe("Markdown of any length #host #once #native #lean", function()
  -- Pages that consist of one piece, of that many signs each.
  local function count(signs)
    return instructions.of(([[
      local markdown, pages = require "locus.help.markdown", require "locus.help.pages"
      local terminal = require "locus.help.terminal"
      for _, piece in ipairs {"`", "[", "``` ", "*", "|", "[](", "`a``", "# ", "- x\n", "{,"} do
        local page = piece:rep(%d / #piece)
        terminal.lines(markdown.blocks(page), 80)
        pages.sections("page", "### `f`\n\n`f(" .. page .. ")`")
      end]]):format(signs), nil, "-joff")
  end

  it("takes instructions in proportion to it", function()
    if not instructions.are_counted() then return pending "no valgrind here, or a sanitizer" end
    local none, few, many = count(0), count(1000), count(4000)
    assert.is_true(many - none < 4.2 * (few - none), (many - none) / (few - none))
  end)
end)
