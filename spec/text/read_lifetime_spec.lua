-- SPDX-License-Identifier: MIT
-- The files and memory that a read keeps and lets go: after failures, with options and files that
-- change meanwhile, and iterators after their end.
local locus = require "locus"
local text = require "spec.support.text"

local times_open, with_file = text.times_open, text.with_file

describe("an iterator of chunks #once", function()
  it("has ended when it has failed", function()
    with_file("a\n1\nx\n" .. ("2\n"):rep(1000), function(path)
      local next_chunk = locus.chunks(path, {types = {a = "int64"}, rows = 1})
      assert.equal(1, #next_chunk())
      local ok, message = pcall(next_chunk)
      assert.is_false(ok)
      assert.truthy(message:find("column 'a' (1) is not an int64", 1, true))
      assert.is_nil(next_chunk())
      assert.is_nil(next_chunk())
      assert.equal(0, times_open(path))
    end)
  end)

  it("has ended for the functions that it calls", function()
    for rows = 1, 3 do
      local next_chunk, inner
      local list = {"a\n1\n", "2\n", "3\n"}
      next_chunk = locus.chunks(function()
        if next_chunk then inner = inner or next_chunk() end
        return table.remove(list, 1)
      end, {types = {a = "int64"}, rows = rows})
      for first = 1, 3, rows do assert.equal(first, next_chunk().a[1]) end
      assert.is_nil(next_chunk())
      assert.is_nil(inner)
    end
  end)

  it("says so when its file was closed meanwhile", function()
    with_file("a\n" .. ("1\n"):rep(1e6), function(path)
      local file = io.open(path)
      local next_chunk = locus.chunks(file, {types = {a = "int64"}, rows = 1e5})
      next_chunk()
      file:close()
      local ok, message
      repeat ok, message = pcall(next_chunk) until not ok
      assert.truthy(message:find("chunks: file was closed while it was being read", 1, true))
    end)
  end)

  it("does not see what becomes of its options", function()
    local missing, words = {table.concat({"N", "A"}, " ")}, {table.concat({"N", "A!"}, " ")}
    local columns = {"b", "a"}
    local next_chunk = locus.chunks({text = "a,b\n" .. ("N A,N A!\n"):rep(100)}, {rows = 1,
      missing = missing, columns = columns, types = {a = "float64", b = {"bool", words, "no"}}})
    missing[1], words[1], columns[1] = nil, nil, "z"
    collectgarbage()
    local count = 0
    for part in next_chunk do
      count = count + 1
      assert.same({"b", "a"}, part:columns())
      assert.is_true(part.b[1])
    end
    assert.equal(100, count)
  end)

  it("leaves no memory behind when its types were guessed", function()
    local function read()
      for _ in locus.chunks({text = "x,y\n" .. ("1,a\n"):rep(1000) .. "1.5,b\n"}) do end
    end
    assert.is_true(0 >= text.left_by(read))
  end)
end)

describe("a read #once", function()
  it("closes what it has opened when there is no memory to begin with", function()
    with_file("a\n1\n", function(path)
      for k = 1, 3 do
        locus.fail_allocation(k, true)
        local ok = pcall(locus.read_csv, path)
        locus.fail_allocation(0)
        assert.is_false(ok)
        assert.equal(0, times_open(path))
      end
    end)
  end)

  it("closes a pipe that it has opened, and tells of errors there", function()
    local path = os.tmpname()
    os.remove(path)
    os.execute("mkfifo " .. path)
    os.execute("(printf 'a\\n1\\n1.5\\n' > " .. path .. ") &")
    assert.same({1, 1.5}, locus.read_csv(path).a:totable())
    assert.equal(0, times_open(path))
    os.remove(path)
  end)

  it("keeps what cannot be read twice whenever it may guess", function()
    local left = 300000
    local f = locus.read_csv(function()
      left = left - 1
      return left == 299999 and "a,b\n" or left > 0 and "1,2\n" or left == 0 and "1,x\n" or nil
    end, {types = {a = "int64"}, columns = {"a", "b"}})
    assert.equal("string", f:types().b)
    assert.equal("x", f.b[-1])
  end)

  it("begins where its file was, the second time, too", function()
    with_file("before\na,b\n" .. ("1,2\n"):rep(2e5) .. "1,x\n", function(path)
      local file = io.open(path)
      file:read("*l")
      local f = locus.read_csv(file)
      file:close()
      assert.same({"a", "b"}, f:columns())
      assert.same({2e5 + 1, "x"}, {#f, f.b[-1]})
    end)
  end)

  it("takes no more rows the second time than there were the first time", function()
    with_file("a,b\n" .. ("1,2\n"):rep(2e5) .. "1,x\n", function(path)
      local before, grown
      local f = locus.read_csv(path, {progress = function(bytes)
        if bytes == before and not grown then -- at its end
          grown = true
          text.write(path, ("3,4\n"):rep(1000), "ab")
        end
        before = bytes
      end})
      assert.is_true(grown)
      assert.equal(2e5 + 1, #f.b)
      assert.equal(#f.b, #f.a)
    end)
  end)

  it("says so when a file has fewer rows the second time", function()
    with_file("a,b\n" .. ("1,2\n"):rep(2e5) .. "1,x\n", function(path)
      local before, cut
      local function progress(bytes)
        if bytes == before and not cut then
          cut = true
          text.write(path, "a,b\n1,2\n1,x\n")
        end
        before = bytes
      end
      assert.error_matches(function() locus.read_csv(path, {progress = progress}) end,
        "has changed since it was read for its columns' types")
    end)
  end)

  it("says so when a file has changed between its passes", function()
    with_file("a\n" .. ("1\n"):rep(10), function(path)
      local next_chunk = locus.chunks(path, {rows = 1e6})
      text.write(path, ("1\n"):rep(1e6) .. "x\n", "ab")
      assert.equal(1e6, #next_chunk())
      assert.error_matches(function() return #next_chunk() end,
        "has changed since it was read for its columns' types")
    end)
  end)
end)
