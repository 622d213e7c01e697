-- SPDX-License-Identifier: MIT
-- Ctrl-C at the prompt when it comes more than once: while a long call runs, while its error is on
-- its way, and where nothing answers. In a terminal: terminal_spec.lua.
local support = require "spec.support"

-- The output of a program in which call(f) runs f as the prompt does, with signal() and
-- sleep(seconds); and how it ended.
local function program(text)
  local prelude = [[
    io.stdout:setvbuf("no")
    local ffi, locus = require "ffi", require "locus"
    local interrupts, session = require "locus.repl.interrupts", nil
    ffi.cdef "int raise(int); int usleep(unsigned); int getpid();"
    local function signal() ffi.C.raise(2) end
    local function sleep(seconds) ffi.C.usleep(seconds * 1e6) end
    local function wait(seconds) local t = os.clock() while os.clock() - t < seconds do end end
    local long = locus.ones(1):expand(2 ^ 50)
    local evaluate = require "locus.repl.evaluate"
    local function call(f)
      local _, problem = evaluate.session():call(f)
      return (tostring(problem):gsub("^.*: ", ""))
    end
  ]]
  local path = os.tmpname()
  local file = io.open(path, "w")
  file:write(prelude, text)
  file:close()
  local command = ("env -u LD_PRELOAD LUA_PATH=%s LUA_CPATH=%s timeout -s KILL 60 luajit %s 2>&1; "
    .. "echo $?"):format(support.quote(package.path), support.quote(package.cpath), path)
  local pipe = io.popen(command)
  local said = pipe:read "*a"
  pipe:close()
  os.remove(path)
  return said
end

describe("Ctrl-C at the prompt #host #once #program #native", function()
  if os.getenv "LD_PRELOAD" then return pending "a sanitizer's library is for luajit alone" end

  it("twice before a long call answers is one interrupt", function()
    assert.equal("interrupted!\nnil\nthere\n0\n", program [[
      interrupts.over(function()
        print(call(function() signal() signal() signal() long:sum() end))
        print((debug.gethook()))
        sleep(.1)
        print(call(function() error("there", 0) end))
      end)
    ]])
  end)

  it("while the error of the first is on its way is the same one", function()
    assert.equal("interrupted!\nnil\ninterrupted!\ninterrupted!\n0\n", program [[
      interrupts.over(function()
        print(call(function() signal() long:sum() end))
        for _ = 1, 10 do signal() sleep(.001) end
        print((debug.gethook()))
        sleep(.06)
        print(call(function() signal() long:sum() end)) -- another one
        sleep(.06)
        print(call(function() signal() end)) -- in Lua alone
      end)
    ]])
  end)

  it("at any distance stops the call and leaves the session", function()
    local said = program [[
      interrupts.over(function()
        local pid = ffi.C.getpid()
        for i = 0, 24 do
          interrupts.arm()
          sleep(.06)
          os.execute(("(sleep .02; kill -INT %d; sleep %.4f; kill -INT %d) &"):format(pid, i / 4000,
            pid))
          local said = call(function() long:sum() end)
          if said ~= "interrupted!" then print(said) end
          wait(.03)
        end
        print "there"
      end)
    ]]
    assert.equal("there\n0\n", said)
  end)

  it("ends the program where nothing has answered for a second", function()
    assert.equal("130\n", program [[
      interrupts.over(function()
        os.execute(("(sleep .3; kill -INT %d; sleep .2; kill -INT %d; sleep 1.2; kill -INT %d) &")
          :format(ffi.C.getpid(), ffi.C.getpid(), ffi.C.getpid()))
        local n = 0
        while true do n = n + 1 end
      end)
    ]])
  end)

  it("goes back to LuaJIT's handler at the end", function()
    assert.equal("interrupted!\n130\n", program [[
      interrupts.over(function() end)
      print(call(function() signal() for i = 1, 10 do tostring(i) end end))
      signal()
    ]])
  end)
end)
