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

-- An index that was damaged, by whatever program or disk: names that are there get second numbers.
describe("names whose index is damaged #host #once", function()
  local HEAD, ELEMENTS = 14, 128 -- words of an index; bytes before the elements of a file

  local function word(n)
    local bytes = {}
    for i = 1, 4 do bytes[i] = math.floor(n / 256 ^ (i - 1)) % 256 end
    return string.char(unpack(bytes))
  end

  local function damage(path, at, bytes)
    local text = files.read(path)
    files.write(path, text:sub(1, at) .. bytes .. text:sub(at + #bytes + 1))
  end

  local function read_all(path)
    local all = {}
    for _, name in ipairs {"frame", "k.npy", "k.names.npy", "k.ends.npy", "k.index.npy"} do
      all[name] = files.read(path .. "/" .. name)
    end
    return all
  end

  -- The frame of a folder is whole: every name stands there once, and equal ones are one.
  local function check(path, expected)
    local different = {}
    for _, name in ipairs(expected) do different[name] = true end
    local count = 0
    for _ in pairs(different) do count = count + 1 end
    for _, options in ipairs {{}, {mmap = "r"}} do
      local k = locus.load(path, options).k
      assert.same(expected, k:totable())
      assert.equal(count, #k.names)
      assert.equal(count, #k:unique())
      for name in pairs(different) do
        local equal = 0
        for _, other in ipairs(expected) do equal = equal + (other == name and 1 or 0) end
        assert.equal(equal, tonumber(locus.sum(k:eq(name))))
      end
    end
  end

  it("of which each word is damaged in turn are added to as if it were not", function()
    with_folder(function(path)
      local f, g = locus.frame{{"k", {"a", "b", "a", ""}}}, locus.frame{{"k", {"c", "b", "", "a"}}}
      f:save(path)
      local words, whole = #locus.load(path .. "/k.index.npy"), read_all(path)
      assert.equal(HEAD + 64, words)
      for at = 1, words do
        for _, value in ipairs {0x7fffffff, -1, 0, 2, 0x3158494C} do
          for name, text in pairs(whole) do files.write(path .. "/" .. name, text) end
          damage(path .. "/k.index.npy", ELEMENTS + 4 * (at - 1), word(value))
          f:save(path, {append = true})
          g:save(path, {append = true})
          check(path, {"a", "b", "a", "", "a", "b", "a", "", "c", "b", "", "a"})
        end
      end
    end)
  end)

  it("are numbered once where the head or a wild slot shows the damage", function()
    with_folder(function(path)
      local f = locus.frame{{"k", {"a", "b"}}}
      f:save(path)
      local whole = read_all(path)
      for at = 1, HEAD + 64 do
        for name, text in pairs(whole) do files.write(path .. "/" .. name, text) end
        damage(path .. "/k.index.npy", ELEMENTS + 4 * (at - 1), word(0x7fffffff))
        f:save(path, {append = true})
        assert.matches("string 2\n", files.read(path .. "/frame"), 1, true)
      end
      for name, text in pairs(whole) do files.write(path .. "/" .. name, text) end
      damage(path .. "/k.index.npy", ELEMENTS, "LIX1") -- one of before the check
      f:save(path, {append = true})
      assert.not_equal("LIX1", files.read(path .. "/k.index.npy"):sub(ELEMENTS + 1, ELEMENTS + 4))
      assert.equal(2, #locus.load(path).k.names)
    end)
  end)

  it("and have second numbers are one name to groups, joins and whatever is written", function()
    with_folder(function(path)
      local f = locus.frame{{"k", {"a", "b", "a"}}, {"x", {1, 2, 3}}}
      f:save(path)
      local index = files.read(path .. "/k.index.npy")
      files.write(path .. "/k.index.npy", -- no slot holds a name
        index:sub(1, ELEMENTS + 4 * HEAD) .. ("\0"):rep(4 * 64))
      f:save(path, {append = true})
      assert.matches("string 4\n", files.read(path .. "/frame"), 1, true)
      locus.frame{{"k", {"c", "a"}}, {"x", {7, 8}}}:save(path, {append = true})
      local g = locus.load(path)
      assert.same({"a", "b", "a", "a", "b", "a", "c", "a"}, g.k:totable())
      assert.same({"a", "b", "c"}, g.k.names)
      assert.same({1, 2, 1, 1, 2, 1, 3, 1}, g.k.ids:totable())
      local sums = g:group("k"):agg{sum = {"sum", "x"}}
      assert.same({"a", "b", "c"}, sums.k:totable())
      assert.same({16, 4, 7}, sums.sum:totable())
      assert.equal(8, #g:join(locus.frame{{"k", {"a", "b", "c"}}, {"y", {1, 2, 3}}}, {on = "k"}))
      assert.equal("load: '" .. path .. "' has duplicate names in column 'k', whose ids cannot "
        .. "be mapped for writing; load it without mmap, and save that",
        message(locus.load, path, {mmap = "r+"}))
      g:save(path)
      assert.same(g.k:totable(), locus.load(path, {mmap = "r+"}).k:totable())
    end)
  end)

  it("with ids that name nothing raise where names have second numbers, too", function()
    with_folder(function(path)
      local f = locus.frame{{"k", {"a", "b"}}}
      f:save(path)
      local index = files.read(path .. "/k.index.npy")
      files.write(path .. "/k.index.npy",
        index:sub(1, ELEMENTS + 4 * HEAD) .. ("\0"):rep(4 * 64))
      f:save(path, {append = true})
      for _, wrong in ipairs {5, 0, -1, 2 ^ 31 - 1} do
        damage(path .. "/k.npy", ELEMENTS + 4, word(wrong))
        assert.equal(("load: '%s' has id %d in row 2 of column 'k', but names 1 to 2"):format(path,
          wrong), message(locus.load, path))
      end
    end)
  end)

  it("and whose ends are damaged raise as load does, and nothing is written", function()
    with_folder(function(path)
      local f = locus.frame{{"x", {1, 2, 3}}, {"k", {"a", "b", "a"}}}
      local g = locus.frame{{"x", {4}}, {"k", {"c"}}}
      for at = 0, 1 do
        for _, value in ipairs {"\255\255\255\127", "\0\0\0\0\255\255\255\127",
                                "\0\0\0\0\0\0\0\128", ("\255"):rep(8), "\3\0\0\0"} do
          os.execute("rm -rf " .. quote(path))
          f:save(path)
          damage(path .. "/k.ends.npy", ELEMENTS + 8 * at, value)
          local before = read_all(path)
          before["x.npy"] = files.read(path .. "/x.npy")
          local said = "' holds damaged names of column 'k'$"
          assert.matches(said, message(locus.load, path))
          for _, more in ipairs {f, g} do
            assert.matches(said, message(more.save, more, path, {append = true}))
            for name, text in pairs(before) do
              assert.equal(text, files.read(path .. "/" .. name), name)
            end
          end
        end
      end
      os.execute("rm -rf " .. quote(path))
      f:save(path)
      damage(path .. "/k.ends.npy", ELEMENTS + 8, "\0") -- the last name ends before it begins
      assert.matches("damaged names", message(g.save, g, path, {append = true}))
      assert.equal("ab", files.read(path .. "/k.names.npy"):sub(-2))
    end)
  end)
end)
