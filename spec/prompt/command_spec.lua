-- SPDX-License-Identifier: MIT
-- The command locus without a terminal: scripts, lines, programs from a pipe, and what it says; and
-- the history's file.
local support = require "spec.support"

local LOCUS = "lua/locus.sh"
local build = os.getenv("LOCUS_BUILD") or "build"

local function quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- The output of a command on both streams, and its exit status; `input` is its input.
local function run(command, input)
  local pipe = io.popen(("printf %%s %s | LOCUS_BUILD=%s %s 2>&1; echo \"status $?\""):format(
    quote(input or ""), build, command))
  local output, status = pipe:read("*a"):match("^(.*)status (%d+)\n$")
  pipe:close()
  return output, tonumber(status)
end

-- The same in a folder with these files, as f(root).
local function in_folder(files, f)
  return support.in_folder(files, function(root) f(root) end)
end

describe("the command locus #host #native #once #program", function()
  it("runs a script with its arguments", function()
    local script = "local locus = require 'locus' print(locus.ones(3):sum(), arg[0], arg[1], ...)\n"
    in_folder({["/script.lua"] = script, ["/bad.lua"] = "error('no luck')\n"}, function(root)
      assert.same({("3\t%s/script.lua\ta b\ta b\t-e\n"):format(root), 0},
        {run(LOCUS .. (" %s/script.lua 'a b' -e"):format(root))})
      local output, status = run(LOCUS .. (" %s/bad.lua"):format(root))
      assert.equal(1, status)
      assert.equal(("locus: %s/bad.lua:1: no luck\nstack traceback:\n\t[C]: in function 'error'\n"
        .. "\t%s/bad.lua:1: in function 'run'\n"):format(root, root), output)
    end)
    local output, status = run(LOCUS .. " /no/such.lua")
    assert.equal(1, status)
    assert.matches("^locus: cannot open /no/such.lua[^\n]*\n$", output)
  end)

  it("shows an error that is no string, whatever its text does", function()
    in_folder({
      ["/table.lua"] = "error{code = 2}",
      ["/own.lua"] = "error(setmetatable({}, {__tostring = function(t) error(t) end}))",
    }, function(root)
      local output, status = run(LOCUS .. " " .. root .. "/table.lua")
      assert.equal("locus: {code = 2}\n", output)
      assert.equal(1, status)
      output, status = run(LOCUS .. " " .. root .. "/own.lua")
      assert.equal("locus: a table, whose __tostring raises\n", output)
      assert.equal(1, status)
    end)
  end)

  it("runs lines, among the same variables", function()
    assert.same({"7\tnil\n", 0}, {run(LOCUS .. " -e 'x = 7' -e 'local y = 1' -e 'print(x, y)'")})
    assert.same({"3\n\"a\"\n", 0}, {run(LOCUS .. " -e '=1 + 2, [[a]]'")})
    local output, status = run(LOCUS .. " -e 'error(\"no luck\")' -e 'print(1)'")
    assert.equal(1, status)
    assert.matches("^locus: %(command line%):1: no luck\n", output)
    assert.same({"locus: (command line):1: unexpected symbol near '<eof>'\n", 1},
      {run(LOCUS .. " -e 'x ='")})
  end)

  it("requires modules", function()
    assert.same({"table\n", 0}, {run(LOCUS .. " -l jit.util -l bit "
      .. "-e 'print(type(package.loaded[\"jit.util\"]))'")})
    local output, status = run(LOCUS .. " -lno.such -e 'print(1)'")
    assert.equal(1, status)
    assert.matches("^locus: module 'no.such' not found:\n", output)
  end)

  it("runs what comes from a pipe as one program, without a prompt", function()
    assert.same({"2\n3\n", 0}, {run(LOCUS, "#!/usr/bin/env locus\nlocal x = locus.ones(2):sum()\n"
      .. "print(x)\nprint(x + 1)\n")})
    local output, status = run(LOCUS, "print(1)\nerror('no luck')")
    assert.equal(1, status)
    assert.matches("^1\nlocus: stdin:2: no luck\n", output)
    assert.same({"1\n", 0}, {run(LOCUS .. " -", "print(1)")})
  end)

  it("is a prompt with -i, which ends with the input", function()
    in_folder({}, function(root)
      local output, status = run("env HOME=" .. root .. " " .. LOCUS .. " -i", "1 + 1\nx y\n2")
      assert.equal(0, status)
      assert.equal("locus> 2\nlocus> '=' expected near 'y'\nlocus> 2\nlocus> ", output)
    end)
  end)

  it("says what it is and what it takes", function()
    local output, status = run(LOCUS .. " --version")
    assert.equal(0, status)
    local version = run("luajit -e 'io.write(jit.version)'") -- another one may run the specs
    assert.equal(("locus %s, %s\n"):format(require("locus").version, version), output)
    assert.same({output, 0}, {run(LOCUS .. " -v")})
    output, status = run(LOCUS .. " --help")
    assert.equal(0, status)
    assert.matches("^usage: locus %[options%] %[script %[arguments%]%]\n", output)
    assert.same({"locus: there is no option --nosuch; locus --help lists them\n", 2},
      {run(LOCUS .. " --nosuch")})
    assert.same({"locus: -e wants a line\n", 2}, {run(LOCUS .. " -e")})
  end)

  it("is there as a module, too", function()
    local output, status = run(("LUA_PATH=%s LUA_CPATH=%s luajit -llocus.repl"):format(
      quote(package.path), quote(package.cpath)), "print(locus.ones(2):sum())")
    assert.equal("2\n", output)
    assert.equal(0, status)
  end)

  it("finds LuaJIT, or says in a sentence what is missing", function()
    local tools = {["/bin/x"] = "", ["/openresty/luajit/bin/luajit"] =
      "#!/bin/sh\nshift\necho OpenResty \"$@\"\n"}
    in_folder(tools, function(root)
      os.execute(("chmod -R +x %s; ln -s \"$(command -v readlink)\" %s/bin/"):format(root, root))
      local alone = ("env -u LD_PRELOAD PATH=%s/bin OPENRESTY_PREFIX=%s/"):format(root, root)
      assert.same({"OpenResty a b\n", 0}, {run(alone .. "openresty /bin/sh "
        .. LOCUS .. " a b")})
      assert.same({("locus: there is no luajit in PATH, and none of OpenResty's: "
        .. "%s/none/luajit/bin/luajit\n"):format(root), 1},
        {run(alone .. "none /bin/sh " .. LOCUS)})
    end)
    assert.same({"locus: this needs LuaJIT, and lua5.1 is Lua 5.1\n", 1},
      {run("env -u LD_PRELOAD lua5.1 lua/locus/repl/start.lua")})
    local output = run(("env -u LD_PRELOAD LUA_PATH=%s lua5.1 -llocus.repl"):format(
      quote(package.path)))
    assert.matches("^lua5.1: locus.repl needs LuaJIT, and this is Lua 5.1\n", output)
  end)

  it("works through a symbolic link and where it is installed, and not without modules", function()
    in_folder({}, function(root)
      os.execute("cp lua/locus.sh " .. root)
      assert.same({("locus: there are no modules of locus in %s/share/lua/5.1\n"):format(
        (root:gsub("/[^/]*$", ""))), 1}, {run(root .. "/locus.sh")})
      os.execute(("ln -s \"$PWD/lua/locus.sh\" %s/locus"):format(root))
      assert.same({"3\n", 0}, {run(root .. "/locus -e '=locus.ones(3):sum()'")})
      run(("env -u LD_PRELOAD cmake --install %s --prefix %s/there"):format(build, root))
      local output, status = run(("cd / && env -u LUA_PATH -u LUA_CPATH %s/there/bin/locus -e "
        .. "'=locus.ones(3):sum()' -e 'print(package.searchpath(\"locus.core\", package.cpath))'")
        :format(root))
      assert.equal(0, status, output)
      assert.matches("^3\n.*/there/.*lib/lua/5.1/locus/core.so\n$", output)
    end)
  end)
end)

describe("the history #host #native #once #program", function()
  -- The output of a chunk that has the module as `history`, where HOME is the root of a folder.
  local function with_history(root, chunk, variables)
    variables.HOME = root
    chunk = "local history = require 'locus.repl.history' " .. chunk
    return (support.run(chunk, variables, "luajit"))
  end

  it("is in the user's folder for state", function()
    in_folder({}, function(root)
      local function path(variables)
        return with_history(root, "print(history.path())", variables)
      end
      assert.equal(root .. "/.local/state/locus/history\n", path{XDG_STATE_HOME = ""})
      assert.equal("/else/locus/history\n", path{XDG_STATE_HOME = "/else"})
      assert.equal(root .. "/.local/state/locus/history\n", path{XDG_STATE_HOME = "not/absolute"})
    end)
  end)

  it("keeps entries of several lines, in folders that others cannot read", function()
    in_folder({}, function(root)
      local said = with_history(root, [[
        history.add("1 + 1") history.add("for i = 1, 2 do\n\n  print(i)\nend") history.add("   ")
        history.add("  \tlast")
        for _, entry in ipairs(history.read()) do print(("%q"):format(entry)) end
      ]], {XDG_STATE_HOME = root .. "/it's here/state"})
      assert.equal('"1 + 1"\n"for i = 1, 2 do\\\n\\\n  print(i)\\\nend"\n"last"\n', said)
      local pipe = io.popen(("ls -ld '%s/it'\\''s here/state/locus'"):format(root))
      assert.matches("^drwx%-%-%-%-%-%-", pipe:read("*a"))
      pipe:close()
    end)
  end)

  it("is a file that nobody else reads, whatever there was before", function()
    in_folder({}, function(root)
      local variables = {XDG_STATE_HOME = root}
      local function mode()
        local pipe = io.popen(("ls -l '%s/locus/history'"):format(root))
        local text = pipe:read("*a")
        pipe:close()
        return text:sub(1, 10)
      end
      os.execute(("umask 022; mkdir '%s/locus'; chmod 755 '%s/locus'"):format(root, root))
      with_history(root, "history.add('x')", variables)
      assert.equal("-rw-------", mode())
      os.execute(("chmod 644 '%s/locus/history'"):format(root))
      with_history(root, "history.add('y')", variables)
      assert.equal("-rw-------", mode())
      assert.equal("2\n", with_history(root, "print(#history.read())", variables))
      with_history(root, "for i = 1, 2000 do history.add('x' .. i) end history.read()", variables)
      assert.equal("-rw-------", mode())
    end)
  end)

  it("may be a folder, in which nothing is kept, and says so", function()
    in_folder({}, function(root)
      local variables = {XDG_STATE_HOME = root}
      os.execute(("mkdir -p '%s/locus/history'"):format(root))
      assert.equal("0\n", with_history(root, "history.add('x') print(#history.read())", variables))
      assert.equal(("nil\t'%s/locus/history': Is a directory\n"):format(root),
        with_history(root, "print(history.make())", variables))
    end)
  end)

  it("keeps the last thousand of more than two thousand", function()
    in_folder({}, function(root)
      local said = with_history(root, [[
        for i = 1, 2000 do history.add("x" .. i) end
        print(#history.read())
        history.add("x2001\nmore")
        local list = history.read()
        print(#list, list[1], list[1000])
        print(#history.read())
      ]], {XDG_STATE_HOME = root})
      assert.equal("2000\n1000\tx1002\tx2001\nmore\n1000\n", said)
    end)
  end)

  it("loses no entry that a session adds while another one shortens it", function()
    in_folder({}, function(root)
      local adds = support.quote([[
        local history = require "locus.repl.history"
        for i = 1, 6000 do history.add("x" .. i) end]])
      local said = with_history(root, ([[
        local adder = io.popen(%q)
        local list, longest = {}, 0
        repeat
          list = history.read()
          longest = math.max(longest, #list)
          for i = 2, #list do
            local before, now = tonumber(list[i - 1]:sub(2)), tonumber(list[i]:sub(2))
            if now ~= before + 1 then
              print("lost", before, now)
              os.exit()
            end
          end
        until list[#list] == "x6000"
        adder:close()
        print(#list >= 1000, longest <= 2000)
      ]]):format("luajit -e " .. adds), {XDG_STATE_HOME = root})
      assert.equal("true\ttrue\n", said)
    end)
  end)

  it("does without a place to write to", function()
    assert.equal("0\n", with_history("/proc/none", "history.add('x') print(#history.read())",
      {XDG_STATE_HOME = "/proc/none"}))
  end)
end)
