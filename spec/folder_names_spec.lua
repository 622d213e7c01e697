-- SPDX-License-Identifier: MIT
-- The names of string columns in folders, to which others are added: how they are found, and which
-- numbers they get.
local locus = require "locus"
local support = require "spec.support"
local files = require "spec.support.text"

local message, quote = support.message, support.quote

local function with_folder(f)
  local root = files.new_folder()
  local ok, result = pcall(f, root .. "/frame")
  os.execute("rm -rf " .. quote(root))
  if not ok then error(result, 0) end
  return result
end

describe("names that are appended #host #once", function()
  it("are found among many without a look at the others", function()
    -- Counted in bytes that are read: the files of 200,000 names have 5 MB.
    with_folder(function(path)
      local output = support.run(([[
        local locus = require "locus"
        local names = {}
        for i = 1, 200000 do names[i] = "name-" .. i end
        local f = locus.frame{{"x", locus.arange(200000)}, {"s", names}}
        f:save(%q)
        local function read()
          return tonumber(io.open("/proc/self/io"):read("*a"):match("rchar: (%%d+)"))
        end
        local before, live = read(), locus.memory.stats().live_bytes
        for i = 1, 10 do
          locus.frame{{"x", {i}}, {"s", {i %% 2 == 0 and "name-" .. i or "new-" .. i}}}:save(%q,
            {append = true})
        end
        f[{{7, 8}}]:save(%q, {append = true})
        print(read() - before < 1e6)
        local g = locus.load(%q)
        print(#g, #g.s.names, g.s[-1], g.s[-3], g.s[-4])]]):format(path, path, path, path))
      assert.equal("true\n200012\t200005\tname-8\tname-10\tnew-9\n", output)
    end)
  end)

  it("have the numbers that a dictionary would give, whatever was left by others", function()
    with_folder(function(path)
      local known, count, all = {}, 0, {}
      local seed = 42
      local function random(n)
        seed = seed * 16807 % 2147483647
        return seed % n + 1
      end
      for round = 1, 60 do
        local list = {}
        for i = 1, random(40) do list[i] = ("x"):rep(random(3)) .. random(20 * round) end
        local f = locus.frame{{"s", list}}
        if round % 3 == 0 then -- a write that does not end: what it added counts for nothing
          local text = files.read(path .. "/frame")
          f:save(path, {append = true})
          files.write(path .. "/frame", text)
        elseif round % 7 == 0 then os.remove(path .. "/s.index.npy")
        elseif round % 11 == 0 then files.write(path .. "/s.index.npy", "no index")
        end
        if round % 3 ~= 0 then
          f:save(path, {append = true})
          for _, name in ipairs(list) do
            all[#all + 1] = name
            if not known[name] then count, known[name] = count + 1, count + 1 end
          end
        end
      end
      local s = locus.load(path).s
      assert.equal(count, #s.names)
      assert.same(all, s:totable())
      for i, name in ipairs(s.names) do assert.equal(i, known[name]) end
    end)
  end)

  it("must be the column's own: ids that name nothing raise, and nothing is added", function()
    with_folder(function(path)
      local f = locus.frame{{"s", {"a", "b"}}}
      f:save(path)
      f.s.ids[2] = 9
      assert.equal("save: the frame has id 9 in row 2 of column 's', but names 1 to 2",
        message(f.save, f, path, {append = true}))
      assert.equal(2, #locus.load(path))
    end)
  end)
end)
