-- SPDX-License-Identifier: MIT
-- Targets of the text of frames: paths, files, functions; every error; disks that are full.
local locus = require "locus"
local support = require "spec.support"
local text = require "spec.support.text"

local function message(columns, ...)
  local f = locus.frame(columns)
  return support.message(f.write_csv, f, ...)
end

describe("write_csv gives the text to #once", function()
  local path
  before_each(function() path = os.tmpname() end)
  after_each(function() os.remove(path) end)

  local function content() return text.read(path) end

  local n = 60000
  local function long()
    return locus.frame{{"a", locus.arange(0, n):long() * 1000003}, {"b", locus.arange(0, n) / 7}}
  end

  it("a path, whose file it replaces", function()
    local f = long()
    assert.is_nil(f:write_csv(path))
    assert.is_true(f:write_csv() == content())
    locus.frame{{"x", locus.tensor{1}}}:write_csv(path)
    assert.equal("x\n1.0\n", content())
  end)

  it("an open file, where that is", function()
    local file = assert(io.open(path, "wb"))
    file:write("before\n")
    locus.frame{{"x", locus.tensor{1}}}:write_csv(file)
    assert.equal("before\nx\n1.0\n", content())
    file:write("after\n")
    file:close()
    assert.equal("before\nx\n1.0\nafter\n", content())
  end)

  it("stdout", function()
    local output, status = support.run([[
      local locus = require "locus"
      io.write("before\n")
      locus.frame{{"x", locus.tensor{1}}}:write_csv("-")
      io.write("after\n")
    ]])
    assert.equal(0, status, output)
    assert.equal("before\nx\n1.0\nafter\n", output)
  end)

  it("a function, in pieces", function()
    local pieces, f = {}, long()
    f:write_csv(function(piece) pieces[#pieces + 1] = piece end)
    assert.is_true(table.concat(pieces) == f:write_csv())
    assert.is_true(#pieces > 1)
    for i = 1, #pieces - 1 do
      assert.is_true(#pieces[i] >= 2 ^ 16 and #pieces[i] <= 2 ^ 20, #pieces[i])
    end
    locus.frame{{"x", locus.zeros(0)}}:write_csv(function() error("called") end, {header = false})
  end)

  it("a coroutine's caller", function()
    local f = long()
    local pieces = {}
    for piece in coroutine.wrap(function() f:write_csv(coroutine.yield) end) do
      pieces[#pieces + 1] = piece
    end
    assert.is_true(table.concat(pieces) == f:write_csv())
  end)

  it("a function, where rows are longer than a piece", function()
    local huge = ("x"):rep(2 ^ 20)
    local pieces = {}
    locus.frame{{"s", locus.strings{huge, ('"'):rep(2 ^ 19), huge}}}:write_csv(function(piece)
      pieces[#pieces + 1] = piece
    end)
    assert.is_true(table.concat(pieces) ==
      "s\n" .. huge .. '\n"' .. ('"'):rep(2 ^ 20) .. '"\n' .. huge .. "\n")
  end)
end)

describe("write_csv raises #once", function()
  local columns
  before_each(function()
    columns = {
      {"n", locus.tensor({1}, {dtype = "int32"})}, {"p", locus.tensor{1.5}},
      {"ok", locus.tensor{true}}, {"s", locus.strings{"a"}},
      {"t", locus.tensor({0}, {dtype = "int64"}), "time"},
      {"ip", locus.tensor({0}, {dtype = "int64"}), "ipv4"},
    }
  end)

  it("for formats that do not fit", function()
    local integers = "must be a format of integers, as '%d', '%05d' or '%x', got "
    local floats = "must be a format of floats, from '%.0f' to '%.20f', got "
    local cases = {
      {"n", "%.2f", "'formats.n' " .. integers .. "'%.2f'"},
      {"n", "", "'formats.n' " .. integers .. "''"},
      {"n", "%100d", "'formats.n' " .. integers .. "'%100d'"},
      {"n", "%d ", "'formats.n' " .. integers .. "'%d '"},
      {"p", "%d", "'formats.p' " .. floats .. "'%d'"},
      {"p", "%.21f", "'formats.p' " .. floats .. "'%.21f'"},
      {"p", "%.f", "'formats.p' " .. floats .. "'%.f'"},
      {"p", "%.2g", "'formats.p' " .. floats .. "'%.2g'"},
      {"p", "%.2f%", "'formats.p' " .. floats .. "'%.2f%'"},
      {"p", "%.200f", "'formats.p' " .. floats .. "'%.200f'"},
      {"ok", "%d",
        "'formats.ok' must be two words, as {\"yes\", \"no\"}, of a bool column, got '%d'"},
      {"s", "%s", "'formats.s' must be a function, got '%s'"},
      {"ip", "%d", "'formats.ip' must be a function, got '%d'"},
      {"t", "%Q", "'formats.t' must be a pattern as '%Y-%m-%d', but '%Q' has a directive that is "
        .. "none of %Y %y %m %b %B %d %e %j %a %A %H %k %I %l %p %M %S %f %z %s %F %D %T %%"},
      {"n", {"a", "b"}, "'formats.n' has two words, and the column is not bool"},
      {"s", {"a", "b"}, "'formats.s' has two words, and the column is not bool"},
      {"ok", {"a"}, "'formats.ok' must be a string, two words or a function, got a table"},
      {"ok", {"a\0", "b"}, "'formats.ok' must be a string, two words or a function, got a table"},
      {"n", 3, "'formats.n' must be a string, two words or a function, got the number 3"},
      {"n", function() return 3 end,
        "the function 'formats.n' must return a string, got the number 3 for row 1"},
      {"q", "%d", "the frame has no column 'q'; it has 'ip', 'n', 'ok', 'p', 's', 't'"},
    }
    for _, case in ipairs(cases) do
      assert.equal("write_csv: " .. case[3], message(columns, {formats = {[case[1]] = case[2]}}))
    end
    assert.equal("write_csv: 'formats' must be a table of formats by column, got the string \"%d\"",
      message(columns, {formats = "%d"}))
    assert.equal("write_csv: 'formats' must have columns' names as keys, got the number 1",
      message(columns, {formats = {"%d"}}))
  end)

  it("for columns that are no text", function()
    local z = {{"z", locus.zeros(1, {dtype = "complex64"})}}
    assert.equal("write_csv: column 'z' is complex64, which only a function in 'formats' can write",
      message(z))
    assert.equal("write_csv: the frame has no columns", message{})
    local s = locus.strings{"a", "b"}
    s.ids[2] = 3
    assert.equal("write_csv: column 's' has the id 3, and there are 2 names", message{{"s", s}})
    s.ids[2] = 0
    assert.equal("write_csv: column 's' has the id 0, and there are 2 names", message{{"s", s}})
  end)

  -- A program that reads a name which promises compressed bytes would find text.
  it("where the name promises compressed bytes", function()
    local folder = text.new_folder()
    local f = locus.frame {{"a", {1}}}
    for ending, command in pairs {bz2 = "bzip2", BZ2 = "bzip2", xz = "xz", lz4 = "lz4"} do
      local path = folder .. "/x.csv." .. ending
      assert.equal(("write_csv: '%s' would be plain text, since only gzip and zstd are written "
        .. "here; write p = io.popen(\"%s > file\", \"w\"), f:write_csv(p), p:close()"):format(path,
        command), support.message(f.write_csv, f, path))
      assert.is_nil(io.open(path))
    end
    assert.equal(("write_csv: '%s/x.zip' would be plain text, since only gzip and zstd are "
      .. "written here; write it to another name, and have zip take that"):format(folder),
      support.message(f.write_csv, f, folder .. "/x.zip"))
    os.execute("ln -s /dev/null " .. support.quote(folder .. "/null.gz"))
    f:write_csv(folder .. "/null.gz") -- which is no file
    f:write_csv(folder .. "/gz")
    os.execute("rm -r " .. support.quote(folder))
  end)

  it("for options that cannot work", function()
    local cases = {
      {{separator = ""}, "'separator' must be one byte that ends no line, got the string \"\""},
      {{separator = "\\t"}, "'separator' must be one byte that ends no line, got the string "
        .. '"\\\\t"; write separator = "\\t" for a tab'},
      {{separator = "ab"}, "'separator' must be one byte that ends no line, got the string \"ab\""},
      {{separator = "\n"},
       "'separator' must be one byte that ends no line, got the string \"\\n\""},
      {{separator = 1}, "'separator' must be a string, got the number 1"},
      {{quote = ""}, "'quote' must be one byte that ends no line, got the string \"\""},
      {{quote = ","}, "'separator' and 'quote' must differ, got ',' for both"},
      {{decimal = ","}, "'separator' must differ from the decimal point, got ',' for both"},
      {{decimal = "x"}, "'decimal' must be \".\" or \",\", got the string \"x\""},
      {{newline = "x"}, "'newline' must be \"\\n\" or \"\\r\\n\", got the string \"x\""},
      {{header = 1}, "'header' must be true or false, got the number 1"},
      {{missing = false}, "'missing' must be a string, got the Lua boolean false"},
    }
    for _, case in ipairs(cases) do
      local told = message(columns, case[1])
      assert.equal("write_csv: " .. case[2], (told:gsub("\n", "?")))
    end
  end)

  it("for targets that take no text", function()
    local expected = "write_csv: 'target' must be a path, an open file or a function, got "
    assert.equal(expected .. "the number 3", message(columns, 3))
    assert.equal(expected .. "the Lua boolean true", message(columns, true))
    local file = io.tmpfile()
    file:close()
    assert.equal(expected .. "a closed file", message(columns, file))
    assert.truthy(message(columns, "a\0b"):find(expected .. "the string", 1, true))
    assert.equal("write_csv: cannot open '/': Is a directory", message(columns, "/"))
    assert.equal("write_csv: cannot open '/no/such/x.csv': No such file or directory",
      message(columns, "/no/such/x.csv"))
  end)

  it("when the disk is full, and closes the file", function()
    local function open_files()
      local count = 0
      for fd = 0, 63 do
        local file = io.open("/proc/self/fd/" .. fd)
        if file then
          count = count + 1
          file:close()
        end
      end
      return count
    end
    local long = {{"x", locus.arange(0, 60000)}}
    local before = open_files()
    for _, list in ipairs{columns, long} do
      assert.equal("write_csv: cannot write to '/dev/full': No space left on device",
        message(list, "/dev/full"))
      local file = assert(io.open("/dev/full", "wb"))
      assert.equal("write_csv: cannot write to the file: No space left on device",
        message(list, file))
      assert.equal("file", io.type(file))
      file:close()
    end
    assert.equal(before, open_files())
  end)

  -- LuaJIT compiles file:flush() so that its failure is lost; whether it does is left to chance.
  it("when the disk is full, from compiled code too #native", function()
    for _ = 1, 4 do
      local output, status = support.run [[
        local locus = require "locus"
        local f, path, silent = locus.frame{{"x", locus.arange(0, 6)}}, os.tmpname(), 0
        for _ = 1, 400 do f:write_csv(path) end
        for _ = 1, 20 do
          if pcall(f.write_csv, f, "/dev/full") then silent = silent + 1 end
          if pcall(f.x.save, f.x, "/dev/full") then silent = silent + 1 end
        end
        os.remove(path)
        print(silent)]]
      assert.equal("0\n", output)
      assert.equal(0, status)
    end
  end)

  it("before it opens the file, where something is wrong with a column", function()
    text.with_file("kept", function(path)
      assert.is_string(message(columns, path, {formats = {n = "%f"}}))
      assert.equal("kept", text.read(path))
    end)
  end)

  it("what a function raises, as it is, and frees what it held", function()
    local wrong = {}
    local f = locus.frame{{"x", locus.arange(0, 60000)}}
    local function raise() error(wrong) end
    for _ = 1, 3 do collectgarbage() end
    local live = locus.live_bytes()
    for _, call in ipairs{
      function() f:write_csv(raise) end,
      function() f:write_csv{formats = {x = raise}} end,
      function() f:write_csv(os.tmpname(), {formats = {x = raise}}) end,
    } do
      local ok, raised = pcall(call)
      assert.is_false(ok)
      assert.is_true(raised == wrong)
    end
    for _ = 1, 3 do collectgarbage() end
    assert.equal(live, locus.live_bytes())
  end)
end)

describe("write_csv #once", function()
  it("takes a few MB whatever the frame", function()
    local output, status = support.run([[
      local locus = require "locus"
      local f = locus.frame{{"x", locus.arange(0, 400000)}, {"n", locus.arange(0, 400000):long()}}
      collectgarbage()
      local live = locus.memory.stats().live_bytes
      local limit = live + 3e6
      locus.memory.set_limit(limit)
      f:write_csv("/dev/null")
      print("written")
    ]])
    assert.equal("written\n", output)
    assert.equal(0, status)
  end)
end)
