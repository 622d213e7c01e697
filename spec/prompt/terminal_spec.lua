-- SPDX-License-Identifier: MIT
-- The prompt in a real terminal: keys, what is on the screen, Ctrl-C, the history, line editors.
-- A line is typed once the prompt has been seen: before, the terminal shows it by itself.
local instructions = require "spec.support.programs.instructions"
local terminal = require "spec.support.programs.terminal"

local LOCUS = "lua/locus.sh"
local P = "locus>"
local BUILD = os.getenv "LOCUS_BUILD" or "build"

-- A line editor's libraries are there, or the machine lacks one.
local function has_editor(name)
  if name == "plain" then return true end
  local ffi = require "ffi"
  local libraries = {readline = {"libreadline.so.8", "libreadline.so.7", "readline"},
                     libedit = {"libedit.so.2", "libedit.so.0", "edit"}}
  for _, library in ipairs(libraries[name]) do
    if pcall(ffi.load, library) then return true end
  end
  return false
end

-- it, where the terminal and the editor are there.
local function in_terminal(editor, title, f, variables)
  it(title .. " (" .. editor .. ") #native", function()
    if not terminal.is_there() then return pending("no tmux here") end
    if not has_editor(editor) then return pending("no " .. editor .. " here") end
    local environment = {LOCUS_EDITOR = editor, LOCUS_BUILD = BUILD}
    for name, value in pairs(variables or {}) do environment[name] = value end
    terminal.with(LOCUS, environment, function(t, root)
      t:sees(P)
      f(t, root)
    end)
  end)
end

describe("the prompt in a terminal #host #once #program", function()
  for _, editor in ipairs {"readline", "libedit", "plain"} do
    in_terminal(editor, "shows values and ends at Ctrl-D", function(t)
      t:has(("locus %s, LuaJIT 2.1"):format(require("locus").version))
      t:type("locus.arange(3)", "Enter")
      t:sees("locus> locus.arange(3)\n 0  1  2\n[float64 tensor of size 3]\n" .. P)
      t:type("for i = 1, 2 do", "Enter")
      t:sees("     >")
      t:type("print(i) end", "Enter")
      t:sees("     > print(i) end\n1\n2\n" .. P)
      t:type("no.such", "Enter")
      t:sees("attempt to index global 'no' (a nil value)\n" .. P)
      t:type("", "C-d")
      t:sees("ended 0")
    end)

    in_terminal(editor, "drops a line at Ctrl-C and keeps the session", function(t)
      t:type("local x = 40", "Enter")
      t:sees("locus> local x = 40\n" .. P)
      t:type("no such line")
      t:has("no such line")
      t:type("", "C-c")
      t:sees("locus> no such line^C\n" .. P)
      t:type("f(", "Enter")
      t:sees("     >")
      t:type("1,", "C-c")
      t:sees("     > 1,^C\n" .. P)
      t:type("", "C-c")
      t:sees("locus> ^C\n" .. P)
      t:type("x + 2", "Enter")
      t:sees("locus> x + 2\n42\n" .. P)
    end)

    in_terminal(editor, "stops what runs at Ctrl-C, again and again", function(t)
      local running = {
        "io.write('go\\n') while true do end",
        "io.write('go\\n') repeat until false",
        "local function f() for i = 1, 1e300 do end end io.write('go\\n') f()",
        "io.write('go\\n') locus.ones(1):expand(2^50):sum()",
        "io.write('go\\n') io.read()",
      }
      t:type("local x = 40", "Enter")
      t:sees("locus> local x = 40\n" .. P)
      for _, line in ipairs(running) do
        t:type("", "C-l")
        t:type(line, "Enter")
        t:sees("go")
        t:type("", "C-c")
        t:sees("go\n^Cinterrupted!\n" .. P)
      end
      t:type("pcall(function() io.write('go\\n') while true do end end)", "Enter")
      t:sees("go")
      t:type("", "C-c")
      t:sees("^Cfalse\n\"interrupted!\"\n" .. P)
      t:type("x + 2", "Enter")
      t:sees("locus> x + 2\n42\n" .. P)
    end)
  end

  in_terminal("readline", "takes two Ctrl-C at once for one", function(t, root)
    t:type("require('ffi').cdef 'int getpid();' file = io.open('" .. root .. "/pid', 'w') "
      .. "file:write(require('ffi').C.getpid()) file:close() print 'kept'", "Enter")
    t:sees("kept\n" .. P)
    local file = assert(io.open(root .. "/pid"))
    local pid = file:read("*a")
    file:close()
    for i = 1, 5 do
      t:type("", "C-l")
      t:type("io.write('go\\n') locus.ones(1):expand(2^50):sum()", "Enter")
      t:sees("go")
      os.execute(("kill -INT %s; sleep .00%d; kill -INT %s"):format(pid, i - 1, pid))
      t:sees("go\ninterrupted!\n" .. P)
    end
  end)

  in_terminal("readline", "lives on where a pcall has caught a Ctrl-C", function(t)
    -- Some of thirty thousand times round a loop make ready for the next Ctrl-C.
    t:type("pcall(function() io.write('go\\n') repeat until false end) for i = 1, 3e4 do end "
      .. "io.write('caught\\n') while true do end", "Enter")
    t:sees("go")
    t:type("", "C-c")
    t:sees("go\n^Ccaught")
    t:type("", "C-c")
    t:sees("go\n^Ccaught\n^Cinterrupted!\n" .. P)
  end)

  for _, editor in ipairs {"readline", "libedit"} do
    in_terminal(editor, "completes at Tab", function(t)
      t:type("x, f = locus.zeros(2), locus.frame{{'price', {1}}}", "Enter")
      t:sees("locus> x, f = locus.zeros(2), locus.frame{{'price', {1}}}\n" .. P)
      t:type("x:searchs", "Tab")
      t:sees("locus> x:searchsorted")
      t:type("(1, {si", "Tab")
      t:sees("locus> x:searchsorted(1, {side =")
      t:type("", "C-c")
      t:sees(P)
      t:type("f.pr", "Tab")
      t:sees("locus> f.price")
      t:type("", "C-c")
      t:sees(P)
      t:type("locus.set_num", "Tab", "Enter")
      t:sees(P)
      t:has("locus> locus.set_num_threads")
      t:type("local z = x:cum", "Tab", "Tab")
      for _, name in ipairs {"cummax", "cummin", "cumprod", "cumprod_", "cumsum", "cumsum_"} do
        t:has(name)
      end
      t:type("s", "Tab", "Tab")
      t:has("local z = x:cumsum")
    end)

    in_terminal(editor, "completes files inside quotes", function(t, root)
      local file = assert(io.open(root .. "/my data.npy", "w"))
      file:close()
      t:type("locus.load('" .. root .. "/my", "Tab")
      local closed = editor == "readline" and "'" or ""
      t:sees("locus> locus.load('" .. root .. "/my data.npy" .. closed)
      t:type("", "C-c")
      t:sees(P)
      t:type("locus.load('lua/locus/repl/hist", "Tab")
      t:has("locus> locus.load('lua/locus/repl/history.lua")
    end)

    in_terminal(editor, "remembers lines, those of several lines as one", function(t, root)
      t:type("for i = 1, 2 do", "Enter")
      t:sees("     >")
      t:type("print(i * 11) end", "Enter")
      t:sees("11\n22\n" .. P)
      t:type("1 + 1", "Enter")
      t:sees("2\n" .. P)
      t:type("", "Up", "Up", "Enter")
      t:sees("11\n22\n" .. P)
      t:type("", "C-d")
      t:sees("ended 0")
      local file = assert(io.open(root .. "/.local/state/locus/history"))
      assert.equal("for i = 1, 2 do\n\tprint(i * 11) end\n1 + 1\nfor i = 1, 2 do\n"
        .. "\tprint(i * 11) end\n", file:read("*a"))
      file:close()
    end)
  end

  it("is there after 30 million instructions #native #lean", function()
    if not terminal.is_there() or not instructions.are_counted() or not has_editor "readline" then
      return pending("no tmux, valgrind or readline here")
    end
    local counted, count = instructions.CALLGRIND .. "--trace-children=yes " .. LOCUS, nil
    local environment = {LOCUS_EDITOR = "readline", LOCUS_BUILD = BUILD, LOCUS_ISA = "scalar"}
    terminal.with(counted, environment, function(t)
      t:sees(P)
      t:type("", "C-d")
      t:has("ended 0")
      count = tonumber(t:screen():match(".*Collected : (%d+)"))
    end)
    assert.is_true(count < 30e6, count)
  end)

  in_terminal("readline", "colours its prompt and errors", function(t)
    t:type("no.such", "Enter")
    t:sees("attempt to index global 'no' (a nil value)\n" .. P)
    local coloured = t:tmux("capture-pane -p -e")
    assert.is_truthy(coloured:find("\27[1mlocus>", 1, true), coloured)
    assert.is_truthy(coloured:find("\27[31mattempt", 1, true), coloured)
  end)

  in_terminal("readline", "colours nothing with NO_COLOR", function(t)
    t:type("no.such", "Enter")
    t:sees("attempt to index global 'no' (a nil value)\n" .. P)
    assert.is_nil(t:tmux("capture-pane -p -e"):find("\27[", 1, true))
  end, {NO_COLOR = "1"})

  in_terminal("readline", "is plain where the terminal is dumb", function(t)
    t:type("1 + 1", "Enter")
    t:sees("locus> 1 + 1\n2\n" .. P)
    t:type("x:s", "Tab")
    t:has("x:s")
    assert.is_nil(t:tmux("capture-pane -p -e"):find("\27[", 1, true))
    t:type("", "C-c")
    t:sees(P)
    t:type("", "C-d")
    t:sees("ended 0")
  end, {TERM = "dumb"})
end)
