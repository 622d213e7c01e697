-- SPDX-License-Identifier: MIT
-- A name is registered once: functions of C, functions and methods of Lua, fields, metamethods.
-- (.ci/recipes plants a name that C registers twice.)
local support = require "spec.support"

-- The error of a chunk that defines something, after locus was loaded.
local function run(chunk)
  local said = support.run([[
    local locus = require "locus"
    local core, declare = require "locus.core", require "locus.call.declare"
    local registry = require "locus.call.registry"
    local function nothing() end
    print(select(2, pcall(function()
      ]] .. chunk .. [[
    end)))]])
  return said
end

describe("a name #host #once", function()
  it("of C is not registered again in Lua", function()
    local twice = "^locus: '%s' is registered twice, the second time at declare.lua:%%d+"
    for name, line in pairs {add = "both('add(input:any)'", range = "func('range(input:any)'",
                             narrow = "method('narrow(input:any)'"} do
      assert.matches(twice:format(name), run("declare." .. line .. ", nothing)"))
    end
  end)

  it("of Lua is not registered again, in whatever file, loaded or not", function()
    for name, define in pairs {
      mine = "declare.func('mine(input:any)', nothing) declare.func('mine(input:any)', nothing)",
      vstack = "locus.vstack({{1}, {2}}) declare.func('vstack(input:any)', nothing)",
      std = "locus.std({1, 2}) declare.method('std(input:any)', nothing)",
      join = "local frame = require('locus.frame.frame') require 'locus.frame.join' "
        .. "frame.method('join(input:any)', nothing)",
      tidy = "declare.add(core, declare.plain('tidy(f)', nothing))",
      search_index = "declare.method('search_index(input:any)', nothing)",
    } do
      assert.matches(("^locus: '%s' is registered twice, the second time at "):format(name),
                     run(define))
    end
  end)

  it("of a field, a method and a metamethod is one", function()
    for name, define in pairs {
      T = "declare.method('T(input:any)', nothing) package.loaded.locus = nil require 'locus'",
      int8 = "declare.func('int8(input:any)', nothing) package.loaded.locus = nil require 'locus'",
      __add = "registry.put(core.metatable, '__add', nothing)",
      __len = "local once = registry.once {__len = nothing} function once.__len() end",
      __lt = "local once = registry.once {} function once.__lt() end function once.__lt() end",
    } do
      assert.matches(("^locus: '%s' is registered twice"):format(name), run(define))
    end
  end)

  it("is registered again where locus is loaded again", function()
    assert.equal("4\n", run [[
      package.loaded.locus = nil
      return require("locus").ones(2, 2):sum()]])
  end)

  -- busted remembers what ffi.typeof and ffi.metatype have given.
  it("is of the last load in elements of times, where one text is one type", function()
    assert.equal("true\ttrue\n", run [[
      local ffi = require "ffi"
      for _, name in ipairs {"typeof", "metatype"} do
        local made, known = ffi[name], {}
        ffi[name] = function(key, ...)
          known[key] = known[key] or made(key, ...)
          return known[key]
        end
      end
      local function is_own()
        for name in pairs(package.loaded) do
          if name:find "^locus" then package.loaded[name] = nil end
        end
        local locus, own = require "locus", {}
        require("locus.core").methods.own = function() return own end
        return locus.time(7):own() == own
      end
      return is_own(), is_own()]])
  end)

  it("is registered again by a file whose loading was interrupted", function()
    for k = 500, 12500, 1000 do
      assert.equal("2\n", run(([[
        jit.off()
        debug.sethook(function() debug.sethook() error("interrupted", 0) end, "", %d)
        pcall(locus.frame, {{"a", {1, 2}}})
        debug.sethook()
        return #locus.frame {{"a", {1, 2}}}]]):format(k)))
    end
  end)

  it("takes the place of what waits for its file, and of nothing else", function()
    assert.equal("3\n", run [[
      local waiting = core.hstack
      assert(declare.later[waiting])
      locus.hstack({{1}, {2}})
      assert(core.hstack ~= waiting)
      return locus.hstack({{1}, {2}}):sum()]])
  end)
end)

-- Files write into these tables by `put`, `once` and the functions of declare.lua alone.
describe("files of lua/locus #host #once", function()
  it("register names, and assign none", function()
    local assigned = {}
    for path in io.popen("find lua/locus -name '*.lua'"):lines() do
      local number = 0
      for line in io.lines(path) do
        number = number + 1
        local names = line:match "^%s*function ([%w_.]*)[.:][%w_]+%("
          or line:match "^%s*([%w_.]*)%.[%w_]+ = declare%."
        if names == "core" or names == "metatable" or names == "core.methods"
            or names == "core.mpi" or names == "fields" and not line:find "fields%.T" then
          assigned[#assigned + 1] = path:match "[^/]+$" .. ": " .. line:match "^%s*(.-)%("
        end
      end
    end
    table.sort(assigned)
    -- Those of C for tensors, which these call.
    assert.same({"later.lua: function core.argsort", "later.lua: function core.cat"}, assigned)
  end)
end)
