-- SPDX-License-Identifier: MIT
-- Several files read as one: lists, patterns, the column of their names, their headers, errors in
-- the file and on the line where they are; and the rows of several .npy files.
local locus = require "locus"
local support = require "spec.support"

local folder

local function write(name, bytes)
  local path = folder .. "/" .. name
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
  return path
end

local function rows_of(f)
  local rows = {}
  for i, row in f:iter() do
    local fields = {}
    for k, name in ipairs(f:columns()) do fields[k] = tostring(row[name]) end
    rows[i] = table.concat(fields, " ")
  end
  return table.concat(rows, "; ")
end

local function told(...) return (support.message(...):gsub(folder:gsub("%p", "%%%0"), "DIR")) end

before_each(function()
  folder = os.tmpname()
  os.remove(folder)
  assert(os.execute("mkdir " .. folder) == 0)
end)
after_each(function() os.execute("rm -rf " .. folder) end)

describe("several files #once", function()
  it("are read as one, in a list", function()
    local a, b = write("a.csv", "a,b\n1,x\n2,y"), write("b.csv", "a,b\n3,x\n")
    for _, f in ipairs {
      locus.read_csv {a, b}, locus.read_csv({a, b}), locus.read_csv({a, b}, {skip = 0}),
      locus.read_csv {a, b, types = {a = "int64", b = "string"}},
      locus.read_csv {source = {a, b}, header = true},
      locus.read_csv {folder .. "/[ab].csv", header = true},
      locus.read_csv({{text = "a,b\n1,x\n2,y"}, io.open(b)}),
    } do
      assert.same({"a", "b"}, f:columns())
      assert.equal("1 x; 2 y; 3 x", rows_of(f))
      assert.same({"x", "y"}, f.b.names)
    end
    assert.equal("1 x; 2 y; 1 x; 2 y", rows_of(locus.read_csv {a, a}))
    assert.equal("1 x; 2 y", rows_of(locus.read_csv {a}))
    assert.equal("1 x; 2 y", rows_of(locus.read_csv({a, b}, {rows = 2})))
    assert.equal("3", rows_of(locus.read_csv({b, a}, {columns = {"a"}, rows = 1})))
  end)

  it("match a pattern, sorted by their bytes, without folders and hidden files", function()
    for i, name in ipairs {"b.csv", "B.csv", "a10.csv", "a9.csv", ".h.csv", "é.csv"} do
      write(name, "n\n" .. i .. "\n")
    end
    os.execute("mkdir " .. folder .. "/d.csv")
    local function numbers(pattern)
      return table.concat(locus.read_csv(folder .. "/" .. pattern).n:totable(), " ")
    end
    assert.equal("2 3 4 1 6", numbers("*.csv"))
    assert.equal("4", numbers("[ab]*[!0].csv"))
    assert.equal("4 1", numbers("[ab][.9]*csv"))
    assert.equal("3", numbers("a1?.csv"))
    assert.equal("5", numbers(".*.csv"))
    assert.equal("2 3 4 1 6", table.concat(locus.read_csv {folder .. "/[A-Z].csv", folder ..
      "/[!A-Z]*.csv"}.n:totable(), " "))
    assert.equal("read_csv: no file matches 'DIR/*.tsv', and none has that name",
      told(locus.read_csv, folder .. "/*.tsv"))
    assert.equal("read_csv: no file matches 'DIR/no/*.csv', and none has that name",
      told(locus.read_csv, folder .. "/no/*.csv"))
    assert.equal("read_csv: no file matches 'DIR/d*.csv', and none has that name",
      told(locus.read_csv, folder .. "/d*.csv"))
  end)

  it("give way to a file whose name is the pattern", function()
    write("1.csv", "n\n1\n")
    for _, name in ipairs {"*.csv", "[1].csv", "?.csv"} do
      local path = write(name, "n\n7\n")
      assert.same({7}, locus.read_csv(path).n:totable())
      assert.same({7, 7}, locus.read_csv {path, path}.n:totable())
      os.remove(path)
      assert.same({1}, locus.read_csv(path).n:totable())
    end
  end)

  it("have their names in a column", function()
    local a, b, c = write("a.csv", "n\n1\n2\n"), write("b.csv", "n\n"), write("c.csv", "n\n3\n")
    local f = locus.read_csv({a, b, c, a}, {path = "file"})
    assert.same({"n", "file"}, f:columns())
    assert.same({a, a, c, a, a}, f.file:totable())
    assert.same({c}, locus.read_csv(c, {path = "file", rows = 1}).file:totable())
    assert.equal("", rows_of(locus.read_csv(b, {path = "file"})))
    assert.equal(0, #locus.read_csv({b, b}, {path = "file"}).file)
    assert.equal("text", locus.read_csv({text = "n\n1\n"}, {path = "file"}).file[1])
    assert.equal("read_csv: 'path' is 'n', and DIR/a.csv has a column of that name",
      told(locus.read_csv, {a, b}, {path = "n"}))
    assert.equal("read_csv: 'path' must be the name of a column for the files' names, got the Lua "
      .. "boolean true",
      told(locus.read_csv, {a, b}, {path = true}))
    -- Each chunk has the names of its own rows.
    for rows = 1, 5 do
      local names, sizes = {}, 0
      for part in locus.chunks({a, b, c, a}, {path = "file", rows = rows}) do
        for _, name in ipairs(part.file:totable()) do names[#names + 1] = name end
        assert.equal(#part, #part.file)
        sizes = sizes + #part
      end
      assert.same({a, a, c, a, a}, names)
      assert.equal(5, sizes)
    end
  end)

  it("have the same columns, in any order", function()
    local a = write("a.csv", "a,b,c\n1,x,2.5\n")
    local b = write("b.csv", "c,a,b\n3.5,2,y\n")
    local c = write("c.csv", "b,c,a,\nz,4,3,\n")
    assert.equal("1 x 2.5; 2 y 3.5; 3 z 4; 1 x 2.5; 3 z 4",
      rows_of(locus.read_csv {a, b, c, a, c}))
    assert.equal("x; y; z; x", rows_of(locus.read_csv({a, b, c, a}, {columns = {"b"}})))
    assert.equal("read_csv: DIR/d.csv has no column 'c', which DIR/a.csv has; the files' columns "
      .. "must have the same names, in any order",
      told(locus.read_csv, {a, write("d.csv", "a,b\n1,2\n")}))
    assert.equal("read_csv: DIR/e.csv has a column 'd', which DIR/a.csv does not have; the files' "
      .. "columns must have the same names, in any order",
      told(locus.read_csv, {a, b, write("e.csv", "a,b,c,d\n1,2,3,4\n")}))
    assert.equal("read_csv: DIR/f.csv is empty: there is no header",
      told(locus.read_csv, {a, write("f.csv", "")}))
    assert.equal("read_csv: DIR/b.csv:2: column 'b' (3) is not an int64: \"y\"",
      told(locus.read_csv, {write("g.csv", "b,a,c\n5,1,1\n"), b}, {types = {b = "int64"}}))
  end)

  it("without a header have as many fields", function()
    local a, b = write("a.csv", "1,x\n"), write("b.csv", "2,y\n3,z\n")
    assert.equal("1 x; 2 y; 3 z", rows_of(locus.read_csv({a, b}, {header = false})))
    assert.equal("1 x; 2 y; 3 z", rows_of(locus.read_csv({a, b}, {header = {"n", "s"}})))
    assert.equal("2 y; 3 z; 4 w", rows_of(locus.read_csv({b, write("c.csv", "4,w,\n")},
      {header = {"n", "s"}})))
    assert.equal("read_csv: DIR/d.csv:2: has 1 field and not 2: \"9\"",
      told(locus.read_csv, {a, b, write("d.csv", "8,x\n9\n")}, {header = false}))
    assert.equal("1 x; 2 y", rows_of(locus.read_csv({write("e.csv", "#\n1,x\n"),
      write("f.csv", "#\n2,y\n")}, {header = false, skip = 1})))
  end)

  it("decide the types together", function()
    local a, b = write("a.csv", "n\n1\n2\n"), write("b.csv", "n\n2.5\n")
    local c = write("c.csv", "n\nx\n")
    assert.same({1, 2, 2.5}, locus.read_csv({a, b}).n:totable())
    assert.equal("float64", locus.read_csv({a, b}).n.dtype)
    assert.equal("float64", locus.read_csv({b, a}).n.dtype)
    assert.same({"1", "2", "2.5", "x", "1", "2"}, locus.read_csv({a, b, c, a}).n:totable())
    local dtypes = {}
    for part in locus.chunks({a, b}, {rows = 1}) do dtypes[#dtypes + 1] = part.n.dtype end
    assert.same({"float64", "float64", "float64"}, dtypes)
    -- A source that can be read only once is kept.
    local function once(text)
      return function()
        local piece = text
        text = nil
        return piece
      end
    end
    assert.same({"1", "2", "x"}, locus.read_csv({once "n\n1\n", once "n\n2\n", once "n\nx\n"})
      .n:totable())
    assert.equal("chunks: 'types' must give the type of each column: source[1] cannot be read "
      .. "twice", told(locus.chunks, {once "n\n1\n", a}))
    for part in locus.chunks({once "n\n1\n", a}, {types = {n = "int64"}}) do
      assert.same({1, 1, 2}, part.n:totable())
    end
  end)

  it("leave out bad lines, each told with its file", function()
    local a, b = write("a.csv", "n\n1\nx\n"), write("b.csv", "n\ny\n2\n")
    local f = locus.read_csv({a, b}, {types = {n = "int64"}, bad = 2})
    assert.same({1, 2}, f.n:totable())
    assert.same({"file", "line", "column", "text", "reason"}, f.bad:columns())
    assert.same({a, b}, f.bad.file:totable())
    assert.same({3, 2}, f.bad.line:totable())
    assert.equal("read_csv: DIR/b.csv:2: column 'n' (1) is not an int64: \"y\" (and 1 bad lines "
      .. "before)", told(locus.read_csv, {a, b}, {types = {n = "int64"}, bad = 1}))
    assert.same({"line", "column", "text", "reason"},
      locus.read_csv(a, {types = {n = "int64"}, bad = 1}).bad:columns())
  end)

  it("are logs, too", function()
    local a, b = write("a.log", "1 GET\n2 PUT\n"), write("b.log", "3 GET\n")
    for _, f in ipairs {
      locus.read_log({a, b}, "$n $verb"), locus.read_log(folder .. "/*.log", "$n $verb"),
      locus.read_log {a, b, format = "$n $verb", path = nil, header = nil},
    } do assert.equal("1 GET; 2 PUT; 3 GET", rows_of(f)) end
    local f = locus.read_log(folder .. "/*.log", "$n $verb", {path = "file"})
    assert.same({a, a, b}, f.file:totable())
    for part in locus.chunks {a, b, format = "$n $verb", path = "file"} do
      assert.same({a, a, b}, part.file:totable())
    end
    assert.equal("read_log: DIR/b.log:1: column 'verb' (2) is not an int64: \"GET\"",
      told(locus.read_log, {write("c.log", "1 1\n"), b}, "$n $verb", {types = {verb = "int64"}}))
  end)

  it("report bytes of all", function()
    local a, b = write("a.csv", "n\n1\n"), write("b.csv", "n\n22\n")
    local last, all
    locus.read_csv({a, b}, {types = {n = "int64"}, progress = function(done, length)
      assert.is_true(done >= (last or 0))
      last, all = done, length
    end})
    assert.equal(9, last)
    assert.equal(9, all)
  end)

  it("are missing before anything is read", function()
    local a = write("a.csv", "n\nx\n")
    assert.equal("read_csv: cannot open DIR/no.csv: No such file or directory",
      told(locus.read_csv, {a, folder .. "/no.csv"}, {types = {n = "int64"}}))
    assert.equal("read_csv: 'source[2]' must be one of paths, open files, functions and {text = "
      .. "s}, got the number 7", told(locus.read_csv, {a, 7}))
    assert.equal("read_csv: 'source' must be a list of paths, open files, functions and {text = "
      .. "s}, and has a key 'x'", told(locus.read_csv, {a, x = 1}, {}))
    assert.equal("read_csv: 'source' must be a path, an open file, a function, {text = s} or a "
      .. "list of these, got a table", told(locus.read_csv, {}, {skip = 1}))
  end)

  it("are as many as there are, of any size, for any number of threads", function()
    local paths, sum, names = {}, 0, {}
    for i = 1, 300 do
      local lines = {i % 2 == 0 and "n,s" or "s,n"}
      for k = 1, i % 30 == 0 and 20000 or i % 7 do
        lines[k + 1] = (i % 2 == 0 and "%d,%s" or "%2$s,%1$d"):gsub("%d%$", "")
        lines[k + 1] = i % 2 == 0 and ("%d,v%d"):format(i, k % 50) or ("v%d,%d"):format(k % 50, i)
        sum = sum + i
        names[#names + 1] = "v" .. k % 50
      end
      paths[i] = write(("%03d.csv"):format(i), table.concat(lines, "\n") .. (i % 3 == 0 and "" or
        "\n"))
    end
    local threads = locus.get_num_threads()
    for _, count in ipairs {1, 2, 5} do
      locus.set_num_threads(count)
      for _, source in ipairs {paths, folder .. "/*.csv"} do
        local f = locus.read_csv(source, {types = {n = "int64", s = "string"}, path = "p"})
        assert.equal(sum, tonumber(f.n:sum()))
        assert.same(names, f.s:totable())
        assert.is_true(f.n:diff():ge(0):all())
        assert.same(paths[6], f[f.n:eq(6)].p[1])
      end
    end
    locus.set_num_threads(threads)
  end)
end)

describe("several .npy files #once", function()
  local function save(name, x)
    local path = folder .. "/" .. name
    x:save(path)
    return path
  end

  it("give their rows, along the first dimension", function()
    local x, y = locus.arange(6):view(3, 2), locus.arange(10, 14):view(2, 2)
    local a, b = save("a.npy", x), save("b.npy", y)
    local all = locus.cat({x, y}, 1)
    for _, back in ipairs {
      locus.load({a, b}), locus.load {a, b}, locus.load(folder .. "/*.npy"),
      locus.load {a, b, progress = false},
    } do assert.is_true(back:equal(all)) end
    assert.is_true(locus.load {a}:equal(x))
    assert.is_true(locus.load {b, a, b}:equal(locus.cat({y, x, y}, 1)))
    local c = save("c.npy", locus.zeros(0, 2))
    assert.is_true(locus.load {c, a, c}:equal(x))
    for _, dtype in ipairs {"bool", "int8", "float16", "complex64", "int64"} do
      local v = locus.tensor({1, 0, 1}, {dtype = dtype})
      local p = save("v.npy", v)
      assert.is_true(locus.load {p, p}:equal(locus.cat({v, v}, 1)))
    end
  end)

  it("in Fortran's order and the other order of bytes, too", function()
    local function npy(descr, fortran, shape, bytes)
      local text = ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"):format(descr, fortran,
        shape)
      text = text .. (" "):rep(63 - (#text + 10) % 64) .. "\n"
      return "\147NUMPY\1\0" .. string.char(#text % 256, math.floor(#text / 256)) .. text .. bytes
    end
    local a = write("a.npy", npy("<i2", "False", "(2, 2)", "\1\0\2\0\3\0\4\0"))
    local b = write("b.npy", npy(">i2", "True", "(1, 2)", "\0\5\0\6"))
    local c = write("c.npy", npy("<i2", "True", "(2, 2)", "\7\0\9\0\8\0\10\0"))
    assert.same({{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}}, locus.load {a, b, c}:totable())
  end)

  it("must have the same rows", function()
    local a = save("a.npy", locus.zeros(3, 2))
    assert.equal("load: 'DIR/b.npy' has rows of float64, and 'DIR/a.npy' has rows of float64 of "
      .. "size 2", told(locus.load, {a, save("b.npy", locus.zeros(3))}))
    assert.equal("load: 'DIR/c.npy' has rows of int64 of size 2, and 'DIR/a.npy' has rows of "
      .. "float64 of size 2", told(locus.load, {a, save("c.npy", locus.zeros(3, 2):long())}))
    assert.equal("load: 'DIR/d.npy' has no rows: it holds one element",
      told(locus.load, {save("d.npy", locus.tensor(5)), a}))
    assert.equal("load: 'mmap' is for one file, and 'path' names 2",
      told(locus.load, {a, a, mmap = "r"}))
    assert.equal("load: no file matches 'DIR/*.nope', and none has that name",
      told(locus.load, folder .. "/*.nope"))
    assert.equal("load: 'DIR/no.npy' cannot be opened: No such file or directory",
      told(locus.load, {a, folder .. "/no.npy"}))
    assert.equal("load: 'path' is an empty list", told(locus.load, {}))
    assert.equal("load: 'path[2]' must be one of paths, got the number 3",
      told(locus.load, {a, 3}))
    assert.equal("load: 'DIR' is a folder, which is loaded alone", told(locus.load, {a, folder}))
    locus.savez(folder .. "/z.npz", {x = locus.zeros(1)})
    assert.equal("load: 'DIR/z.npz' is an archive, which is loaded alone",
      told(locus.load, {a, folder .. "/z.npz"}))
    assert.equal("load: 'recover' is for frames in folders", told(locus.load, {a, a},
      {recover = true}))
    write("e.npy", io.open(a):read("*a"):sub(1, -2))
    assert.equal("load: 'DIR/e.npy' is cut off: it has 47 of 48 bytes of elements",
      told(locus.load, {a, folder .. "/e.npy"}))
  end)
end)
