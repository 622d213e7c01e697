-- SPDX-License-Identifier: MIT
-- Frames in folders: round trips, rows that are appended, writes that did not end, and files that
-- are not what the list of columns says.
local locus = require "locus"
local support = require "spec.support"
local files = require "spec.support.text"
local frames = require "spec.support.data.frames"

local message, same = support.message, support.same

-- The result of f for the path of a folder that is not there, and is removed afterwards.
local function with_folder(f)
  local root = files.new_folder()
  local ok, result = pcall(f, root .. "/frame one")
  os.execute("rm -rf " .. support.quote(root))
  if not ok then error(result, 0) end
  return result
end

local function trades()
  local all = locus.read_csv({text = table.concat {
    "time,day,ip,price,sym,ok,size\n",
    "2026-11-22T08:30:00.5Z,2026-11-22,10.0.0.1,101.37,IBM,yes,9007199254740993\n",
    "2026-11-22T08:30:01Z,2026-11-23,10.0.0.2,nan,,no,-1\n",
    "2026-11-22T08:30:02Z,1969-12-31,255.255.255.255,-0,IBM,yes,0\n"}},
    {types = {time = {"time", unit = "ms"}, day = "date", ip = "ipv4", price = "float32",
              sym = "string", ok = {"bool", "yes", "no"}, size = "int64"}})
  return all
end

local function equal(a, b)
  local different = frames.difference(a, b)
  assert.is_nil(different, different)
end

describe("a frame in a folder #once", function()
  it("comes back as it was, read or mapped: types, kinds, order, text", function()
    with_folder(function(path)
      local f = trades()
      assert.equal(0, select("#", f:save(path)))
      equal(f, locus.load(path))
      assert.equal(tostring(f), tostring(locus.load(path)))
      equal(f, locus.load(path, {mmap = "r"}))
      assert.same(f:types(), locus.load(path, {mmap = "r"}):types())
    end)
  end)

  it("is a whole one, also where it is the first of a program", function()
    with_folder(function(path)
      trades():save(path)
      local output, status = support.run(([[
        local f = require("locus").load(%q)
        print(#f:group("sym"), #f:unique("ok"), #f:write_csv() > 0)]]):format(path))
      assert.equal("2\t2\ttrue\n", output)
      assert.equal(0, status)
    end)
  end)

  it("has columns of any name, none of which is a path", function()
    with_folder(function(path)
      local names = {"../../x", "/etc/passwd", "a b", ".", "..", "x.names", "x", "\0\n\255", "%41",
                     "CON", "frame", "Ünïcode"}
      local list = {}
      for i, name in ipairs(names) do list[i] = {name, {name, "second"}} end
      local f = locus.frame(list)
      f:save(path)
      local back = locus.load(path)
      assert.same(names, back:columns())
      for _, name in ipairs(names) do assert.equal(name, back:column(name)[1]) end
      local pipe = io.popen("find " .. support.quote(path .. "/..") .. " -type f | wc -l")
      assert.equal(4 * #names + 2, pipe:read "*n")
      pipe:close()
      assert.matches("^save: the name of the column 'xx.*' is too long for a file name$",
        message(f.save, locus.frame{{("x"):rep(201), {1}}}, path .. "2"))
    end)
  end)

  it("may have every dtype, no rows, or rows of a device", function()
    with_folder(function(path)
      local list = {}
      for i, dtype in ipairs(support.dtypes) do
        if dtype ~= "bfloat16" then
          list[#list + 1] = {"c" .. i, support.tensor(dtype, {1, 0, 1}, {3})}
        end
      end
      local f = locus.frame(list)
      f:save(path)
      equal(f, locus.load(path))
      f[{{2, 1}}]:save(path)
      assert.equal(0, #locus.load(path))
      equal(f[{{2, 1}}], locus.load(path, {mmap = "r"}))
      assert.matches("^save: files have no bfloat16: the column 'x'$",
        message(f.save, locus.frame{{"x", locus.zeros(2, {dtype = "bfloat16"})}}, path))
      assert.equal(0, #locus.load(path))
    end)
  end)

  it("is replaced as a whole, and mappings keep what they have", function()
    with_folder(function(path)
      local f = trades()
      f:save(path)
      local mapped = locus.load(path, {mmap = "r"})
      locus.frame{{"price", {1, 2}}, {"new", {"x", "y"}}}:save(path)
      equal(f, mapped)
      assert.same({"price", "new"}, locus.load(path):columns())
      local pipe = io.popen("ls " .. support.quote(path))
      assert.equal("frame\nframe.lock\nnew.1.npy\nnew.ends.1.npy\nnew.index.1.npy\n"
        .. "new.names.1.npy\nprice.1.npy\n", pipe:read "*a")
      pipe:close()
      mapped:with("twice", mapped.price * 2):save(path) -- of its own mapped columns
      same(locus.load(path).size, {3}, support.values(f.size), "int64")
    end)
  end)
end)

describe("rows that are appended #once", function()
  it("stand behind the others, in columns of any order", function()
    with_folder(function(path)
      local f = trades()
      f:save(path, {append = true})
      local mapped = locus.load(path, {mmap = "r"})
      local g = f:with("sym", {"Locus", "IBM", ""})
        :select("size", "ok", "sym", "price", "ip", "day", "time")
      g:save(path, {append = true})
      f[{{1, 0}}]:save(path, {append = true})
      g[{{3, 3}}]:save(path, {append = true})
      local all = locus.load(path)
      local order = {"time", "day", "ip", "price", "sym", "ok", "size"}
      equal(locus.cat{f, g:select(unpack(order)), g[{{3, 3}}]:select(unpack(order))}, all)
      equal(all, locus.load(path, {mmap = "r"}))
      equal(f, mapped)
      assert.same({"IBM", "", "Locus"}, all.sym.names)
    end)
  end)

  it("stay out of copies of the folder by links, of all files or some", function()
    with_folder(function(path)
      local f, copy = trades(), path .. ".copy"
      local first, second = f:with("sym", {"Locus", "IBM", "b"}), f:with("sym", {"a", "b", "IBM"})
      f:save(path)
      os.execute(("cp -al %s %s"):format(support.quote(path), support.quote(copy)))
      local mapped = locus.load(copy, {mmap = "r"})
      first:save(path, {append = true})
      second:save(copy, {append = true})
      first:save(path, {append = true})
      equal(locus.cat{f, first, first}, locus.load(path))
      equal(locus.cat{f, second}, locus.load(copy))
      equal(f, mapped)
      os.execute(("ln -f %s/sym.npy %s/sym.npy"):format(support.quote(copy), support.quote(path)))
      second:save(copy, {append = true})
      equal(locus.cat{f, second, second}, locus.load(copy))
      os.execute("rm -r " .. support.quote(copy))
    end)
  end)

  it("must have the same columns", function()
    with_folder(function(path)
      local f = trades()
      f:save(path)
      local function fails(text, g)
        assert.equal(("save: '%s' %s"):format(path, text),
          message(g.save, g, path, {append = true}))
        equal(f, locus.load(path))
      end
      fails("has a column 'ok' of type bool, which the frame lacks", f:drop("ok"))
      fails("has a column 'price' of type float32, which the frame has as float64",
        f:with("price", f.price:double()))
      fails("has a column 'time' of type {\"time\", unit = \"ms\"}, which the frame has as int64",
        f:with("time", f.time:long()))
      fails("has no column 'more'", f:with("more", {1, 2, 3}))
    end)
  end)
end)

describe("a write that has not ended #once", function()
  -- A folder to which rows were appended, without the last step.
  local function appended(path)
    local f = trades()
    f:save(path)
    local list = files.read(path .. "/frame")
    f:with("sym", {"x", "y", "IBM"}):save(path, {append = true})
    files.write(path .. "/frame", list)
    return f
  end

  it("leaves the rows before it, and gives way to the next one", function()
    with_folder(function(path)
      local f = appended(path)
      equal(f, locus.load(path))
      equal(f, locus.load(path, {mmap = "r"}))
      equal(f, locus.load(path, {recover = true}))
      f:save(path, {append = true})
      equal(locus.cat{f, f}, locus.load(path))
      assert.same({"IBM", ""}, locus.load(path).sym.names)
      f:with("sym", {"y", "z", "x"}):save(path, {append = true})
      assert.same({"IBM", "", "y", "z", "x"}, locus.load(path).sym.names)
      f:save(path)
      equal(f, locus.load(path))
    end)
  end)

  it("of a folder's first frame is told of, and gives way", function()
    with_folder(function(path)
      os.execute("mkdir " .. support.quote(path))
      files.write(path .. "/frame.lock", "")
      files.write(path .. "/frame.0", "locus frame 2\nstamp 0\nfiles 0\nrows 1\nx int64\nend\n")
      files.write(path .. "/x.npy", "half of it")
      assert.equal(("load: '%s' holds a frame whose last write has not ended"):format(path),
        message(locus.load, path))
      local f = trades()
      f:save(path)
      equal(f, locus.load(path))
      assert.is_nil(io.open(path .. "/x.npy"))
      assert.is_nil(io.open(path .. "/frame.0"))
    end)
  end)

  it("by a killed program leaves the rows before it", function()
    with_folder(function(path)
      files.killed(([[
        local locus = require "locus"
        local f = locus.frame{{"n", locus.LongTensor{1}}, {"s", {"s1"}}}
        f:save(%q)
        for i = 2, 1e9 do
          local row = locus.frame{{"n", locus.LongTensor{i}}, {"s", {"s" .. i %% 100}}}
          row:save(%q, {append = true})
          if i == 20 then print "now" end
        end]]):format(path, path))
      local f = locus.load(path)
      assert.is_true(#f >= 20)
      assert.is_true(f.n:equal(locus.range(1, #f):long()))
      assert.equal("s" .. #f % 100, f.s[-1])
      f[{{1, 1}}]:save(path, {append = true})
      assert.equal(#f + 1, #locus.load(path))
    end)
  end)
end)

describe("a folder of version 1 #once", function()
  -- As programs before it wrote one: no stamp, no index of names, no number of files.
  local function old(path)
    local f = trades()
    f:save(path)
    local list = files.read(path .. "/frame")
    files.write(path .. "/frame", (list:gsub("^.-\nrows", "locus frame 1\nrows")))
    os.remove(path .. "/sym.index.npy")
    os.remove(path .. "/frame.lock")
    return f
  end

  it("is read, mapped, added to and replaced", function()
    with_folder(function(path)
      local f = old(path)
      equal(f, locus.load(path))
      equal(f, locus.load(path, {mmap = "r"}))
      f:with("sym", {"x", "y", "IBM"}):save(path, {append = true})
      equal(locus.cat{f, f:with("sym", {"x", "y", "IBM"})}, locus.load(path))
      assert.same({"IBM", "", "x", "y"}, locus.load(path).sym.names)
      assert.matches("^locus frame 2\n", files.read(path .. "/frame"))
    end)
    with_folder(function(path)
      local f = old(path)
      local mapped = locus.load(path, {mmap = "r"})
      f[{{1, 1}}]:save(path)
      equal(f, mapped)
      equal(f[{{1, 1}}], locus.load(path))
      assert.is_nil(io.open(path .. "/sym.npy"))
    end)
  end)

  it("whose last write has not ended says so, until the next one", function()
    with_folder(function(path)
      local f = old(path)
      files.write(path .. "/frame.writing", "")
      for _, mmap in ipairs {"none", "r"} do
        local options = mmap == "r" and {mmap = "r"} or {}
        assert.equal(("load: '%s' holds a frame whose last write has not ended; load it with "
          .. "{recover = true} for the 3 rows before"):format(path),
          message(locus.load, path, options))
        options.recover = true
        equal(f, locus.load(path, options))
      end
      f:save(path, {append = true})
      equal(locus.cat{f, f}, locus.load(path))
      assert.is_nil(io.open(path .. "/frame.writing"))
      old(path)
      files.write(path .. "/frame.writing", "")
      os.remove(path .. "/frame")
      assert.equal(("load: '%s' holds a frame whose last write has not ended"):format(path),
        message(locus.load, path, {recover = true}))
      f:save(path)
      equal(f, locus.load(path))
    end)
  end)
end)

describe("a folder of other files #once", function()
  local function fails(text, path, options)
    assert.equal(("load: '%s%s"):format(path, text), message(locus.load, path, options))
  end

  it("is no frame, and stays as it is", function()
    with_folder(function(path)
      local f = trades()
      os.execute("mkdir " .. support.quote(path))
      fails("' is a folder that holds no frame", path)
      assert.equal(("save: '%s' is a folder that holds no frame: it stays as it is"):format(path),
        message(f.save, f, path))
      assert.equal(("save: '%s/a/b' cannot be made: No such file or directory"):format(path),
        message(f.save, f, path .. "/a/b"))
      assert.equal("save: '/dev/null' is no folder, and a frame is saved in a folder of its own; "
        .. "name one", message(f.save, f, "/dev/null"))
    end)
    with_folder(function(path) -- its list cannot take its place
      local f = trades()
      os.execute("mkdir -p " .. support.quote(path .. "/frame/x"))
      assert.matches("^save: '" .. path:gsub("%p", "%%%0") .. "' cannot be written: ",
        message(f.save, f, path))
    end)
  end)

  it("or of damaged ones raises, whatever is wrong with the list", function()
    with_folder(function(path)
      trades():save(path)
      local list = files.read(path .. "/frame")
      local damaged = "' holds no frame: its file 'frame' is damaged"
      for length = 0, #list - 1 do
        files.write(path .. "/frame", list:sub(1, length))
        fails(damaged, path)
      end
      for _, wrong in ipairs {
        list:gsub("locus frame 2", "locus frame 3"), list:gsub("rows 3", "rows -3"),
        list:gsub("stamp %x+\n", ""), list:gsub("stamp ", "stamp -"), list:gsub("files 0\n", ""),
        list:gsub("files 0", "files -1"), list:gsub("files 0", "files 99999999999999999999"),
        list:gsub("string 2", "string 2147483648"),
        list:gsub("rows 3", "rows 99999999999999999999"), list:gsub("price float32", "price float"),
        list:gsub("price", "../price"), list:gsub("price", "%%70rice"), list:gsub("price", "ok"),
        list:gsub("time ms", "time"), list:gsub("time ms", "time h"),
        list:gsub("sym string 2", "sym"), list:gsub("string 2", "string"),
        list:gsub("day date", "day date us"), "", "\0",
      } do
        files.write(path .. "/frame", wrong)
        fails(damaged, path)
      end
      files.write(path .. "/frame", (list:gsub("rows 3", "rows 4")))
      fails("/time.npy' has 3 rows where the frame has 4; load it with {recover = true} for the "
        .. "rows that all columns have", path)
      files.write(path .. "/frame", (list:gsub("string 2", "string 3")))
      fails("' holds damaged names of column 'sym'", path)
      files.write(path .. "/frame", (list:gsub("string 2", "string 1")))
      fails("' has id 2 in row 2 of column 'sym', but names 1 to 1", path)
    end)
  end)

  it("or of columns that are none raises, and reads nothing beyond them", function()
    with_folder(function(path)
      local f = trades()
      local function spoiled(name, x, text, options)
        os.execute("rm -rf " .. support.quote(path))
        f:save(path)
        if x then x:save(path .. "/" .. name) else os.remove(path .. "/" .. name) end
        fails(text, path, options)
      end
      spoiled("ok.npy", nil, "/ok.npy' cannot be opened: No such file or directory")
      spoiled("ok.npy", locus.tensor{1, 0, 1},
        "/ok.npy' does not match the frame: it is a float64 tensor of size 3")
      spoiled("ok.npy", locus.zeros(1, 3, {dtype = "bool"}),
        "/ok.npy' does not match the frame: it is a bool tensor of size 1x3")
      spoiled("sym.npy", locus.IntTensor{0, 1, 2},
        "' has id 0 in row 1 of column 'sym', but names 1 to 2")
      spoiled("sym.npy", locus.IntTensor{1, 1, 3},
        "' has id 3 in row 3 of column 'sym', but names 1 to 2")
      for _, ends in ipairs {{3}, {4, 3}, {-1, 3}, {3, 2 ^ 40}, {0, 0}} do
        spoiled("sym.ends.npy", locus.LongTensor(ends), "' holds damaged names of column 'sym'")
        fails("' holds damaged names of column 'sym'", path, {mmap = "r"})
      end
      os.execute("rm -rf " .. support.quote(path))
      f:save(path)
      locus.IntTensor{1, 9, -9}:save(path .. "/sym.npy")
      local mapped = locus.load(path, {mmap = "r"}).sym
      assert.equal("IBM", mapped[1])
      local wrong = "' has id 9 in row 2 of column 'sym', but names 1 to 2$"
      for i = 2, 3 do
        assert.matches(wrong, message(function() return mapped[i] end))
      end
      assert.matches(wrong, message(mapped.totable, mapped))
      assert.matches(wrong, message(function() for _ in mapped:iter() do end end))
    end)
  end)
end)
