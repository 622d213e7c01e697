-- SPDX-License-Identifier: MIT
-- Functions whose files are loaded when they are first called: who lists them sees no difference.
local support = require "spec.support"

-- The output of a chunk in a process of its own.
local function printed(chunk)
  local output, status = support.run(
    'local locus, declare = require "locus", require "locus.call.declare" ' .. chunk)
  assert.equal(0, status, output)
  return output
end

describe("functions whose files are loaded later", function()
  it("stand in the module and in tensors, and give way to the real ones", function()
    assert.equal("0 left, 0 left\n", printed [==[
      local core = require "locus.core"
      local function waiting(t)
        local names = {}
        for name, f in pairs(t) do
          if declare.later[f] then names[#names + 1] = name end
        end
        return names
      end
      local function count(t)
        local n = 0
        for _ in pairs(t) do n = n + 1 end
        return n
      end
      local functions, methods = waiting(locus), waiting(core.methods)
      local known = {count(locus), count(core), count(core.methods)}
      for _, name in ipairs(functions) do
        local waiting = locus[name]
        local load = declare.later[waiting]
        if load then
          assert(load(waiting) == locus[name] and core[name] == locus[name], name)
        end
      end
      for _, name in ipairs(methods) do
        if declare.later[core.methods[name]] then declare.later[core.methods[name]]() end
      end
      assert(known[1] == count(locus) and known[2] == count(core)
             and known[3] == count(core.methods), "a file defines what later.lua does not name")
      assert(#functions >= 30 and #methods >= 17)
      io.write(("%d left, %d left\n"):format(#waiting(locus), #waiting(core.methods)))]==])
  end)

  it("work where they are kept from before, in tidy and in coroutines", function()
    assert.equal("2\t3\t2\t3\n", printed [[
      local quantile, frame = locus.quantile, locus.frame
      local x = locus.tensor({1, 2, 3})
      local median = locus.tidy(function() return quantile(x, 0.5) end)
      local f = coroutine.wrap(function() return locus.tidy(frame, {{"a", x}}) end)()
      print(median, #f, x:median(), #locus.cat{f}.a)]])
  end)

  it("work where a file was required before locus", function()
    for file, call in pairs {
      ["derived.shape"] = "#locus.zeros(3):chunk(3)",
      ["sets.sets"] = "#locus.unique{1, 2, 3}",
      ["frame.strings"] = "#locus.frame{{'s', {'a', 'b', 'c'}}}",
      ["files.raw"] = "#locus.zeros(3, {dtype = 'int8'}):tobytes()",
      ["printoptions"] = "locus.get_printoptions().edgeitems",
    } do
      local output = support.run(("require 'locus.%s' local locus = require 'locus' print(%s)")
        :format(file, call))
      assert.equal("3\n", output, file)
    end
  end)

  it("raise at the caller's line, the first time and later", function()
    assert.equal("false\tchunk:2: quantile: 'q' is missing\n"
              .. "false\tchunk:2: quantile: 'q' is missing\n", printed [[
      local call = loadstring("local l = ...\nlocal _ = l.quantile(l.ones(2))", "=chunk")
      for _ = 1, 2 do print(pcall(call, locus)) end]])
  end)

  it("leave other values of cat and argsort to the core", function()
    assert.equal("cat: 'tensors[1]' must be a tensor, a table or a number, got a userdata\n"
              .. "argsort: 'input' must be a tensor, a table or a number, got a userdata\n"
              .. "2\t1\n", printed [[
      for _, name in ipairs {"cat", "argsort"} do
        local _, text = pcall(locus[name], name == "cat" and {io.stdout} or io.stdout)
        print((text:gsub("^[^:]*:%d+: ", "")))
      end
      local order = locus.argsort{locus.tensor{2, 1}, locus.tensor{1, 2}}
      print(order[1], order[2])]])
  end)

  it("cost no heap until then #native #host", function()
    local before, after = printed [[
      collectgarbage() collectgarbage()
      local before = collectgarbage "count"
      locus.strings {"a"}
      collectgarbage() collectgarbage()
      print(("%.0f %.0f"):format(before, collectgarbage "count"))]]:match("(%d+) (%d+)")
    assert.is_true(tonumber(before) < 340, before)
    assert.is_true(tonumber(after) > 360, after)
  end)
end)
