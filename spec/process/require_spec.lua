-- SPDX-License-Identifier: MIT
-- Where the module cannot be loaded, require says why in one sentence.
local support = require "spec.support"

-- The output of a command, outside of the sanitizers that the specs may run under.
local function output_of(command)
  local pipe = io.popen("env -u LD_PRELOAD " .. command .. " 2>&1")
  local text = pipe:read("*a")
  pipe:close()
  return text
end

local function holds(text, part)
  assert.is_truthy(text:find(part, 1, true), text)
end

describe("require 'locus' #native #host #once", function()
  local refusal = "(command line):1: locus is for LuaJIT and Lua 5.1, and this is Lua "

  it("refuses another Lua before it loads the core", function()
    local output, status = support.run("_VERSION = 'Lua 5.4' package.preload['locus.core'] = "
      .. "function() print 'loaded' end require 'locus'", nil, "luajit")
    assert.equal(1, status)
    assert.equal("luajit: " .. refusal .. "5.4", output:match("^[^\n]*"))
    assert.is_nil(output:find("loaded", 1, true))
  end)

  for _, version in ipairs { "5.2", "5.3", "5.4" } do
    local interpreter = "lua" .. version
    if output_of("sh -c 'command -v " .. interpreter .. "'") ~= "" then
      it("refuses " .. interpreter, function()
        local output, status = support.run('require "locus"', nil, interpreter)
        assert.equal(1, status)
        assert.equal(interpreter .. ": " .. refusal .. version, output:match("^[^\n]*"))
      end)
    end
  end

  it("tells a program that hides Lua's symbols what to do", function()
    local library = output_of("cc -print-file-name=libluajit-5.1.so"):gsub("%s+$", "")
    if not library:find("/", 1, true) then return pending("no shared library of LuaJIT") end
    local program = os.tmpname()
    assert.equal("", output_of("cc -std=gnu11 spec/support/programs/host.c -ldl -o " .. program))
    local output = support.run('require "locus"',
      {ASAN_OPTIONS = "detect_leaks=0"}, -- its search stumbles over such a library
      program .. " " .. library)
    os.remove(program)
    assert.matches("1: locus finds no luaL?_%w+: this program hides Lua's symbols; it must load "
      .. "Lua's library with RTLD_GLOBAL, or be linked with %-Wl,%-E\n$", output)
  end)

  it("passes on why else the core is not loaded", function()
    local output, status = support.run("package.preload['locus.core'] = "
      .. "function() error('no core today', 0) end require 'locus'", nil, "luajit")
    assert.equal(1, status)
    holds(output, "no core today\n")
  end)
end)
