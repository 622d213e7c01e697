-- SPDX-License-Identifier: MIT
-- Progress of long reads and writes: to a function, and to a terminal once a second. The clock and
-- the terminal are stand-ins.
local core = require "locus.core"
local locus = require "locus"
local progress = require "locus.progress"
local support = require "spec.support"
local text = require "spec.support.text"

local message = support.message

-- The text that f writes to a terminal, whose clock says one second more whenever it is asked, or
-- `step`.
local function shown(f, is_terminal, step)
  local saved, seconds = {io.stderr, os.time, core.internal.is_terminal}, 0
  local file = io.tmpfile()
  io.stderr = file
  os.time = function()
    seconds = seconds + (step or 1)
    return math.floor(seconds)
  end
  core.internal.is_terminal = function(given) return given == file and is_terminal ~= false end
  local ok, problem = pcall(f)
  io.stderr, os.time, core.internal.is_terminal = unpack(saved)
  file:seek("set", 0)
  local written = file:read("*a")
  file:close()
  if not ok then error(problem, 0) end
  return written
end

-- Calls f with a path in a folder of its own.
local function with_path(f)
  local folder = text.new_folder()
  local ok, problem = pcall(f, folder .. "/x")
  os.execute("rm -rf " .. support.quote(folder))
  if not ok then error(problem, 0) end
end

-- The calls of a function, as "done of length".
local function told_by(f)
  local told = {}
  f(function(done, length) told[#told + 1] = ("%.0f of %.0f"):format(done, length) end)
  return told
end

describe("progress on a terminal #once", function()
  it("is a line that is written over, and gone at the end", function()
    local line = shown(function()
      local tell = progress.begin(nil, "x.csv", 4e6)
      tell(1e6)
      tell(2e6)
      tell(3e6)
      tell()
    end)
    -- begin asks twice, at 1 and 2; nothing is said before the second second
    assert.equal("\r\27[Kx.csv:  25 %, 1 MB\r\27[Kx.csv:  50 %, 2 MB"
      .. "\r\27[Kx.csv:  75 %, 3 MB\r\27[K", line)
    -- of half seconds: 0 and 1 when it begins, then 1, 2, 2, 3, 3
    assert.equal("\r\27[Kx: 2 rows\r\27[Kx: 4 rows\r\27[K", shown(function()
      local tell = progress.begin(nil, "x", nil, progress.ROWS)
      for i = 1, 4 do tell(i) end
      tell()
    end, true, 0.5))
    assert.equal("\r\27[Kx: 5 rows\r\27[K", shown(function()
      local tell = progress.begin(nil, "x", nil, progress.ROWS)
      tell(5)
      tell()
    end))
  end)

  it("says nothing where there is none, or where it is told not to", function()
    local function tell_all(option)
      return function()
        local tell = progress.begin(option, "x", 4e6)
        for i = 1, 4 do tell(i * 1e6) end
        tell()
      end
    end
    assert.equal("", shown(tell_all(nil), false))
    assert.equal("", shown(tell_all(false)))
    assert.equal("", shown(tell_all(function() end)))
  end)

  it("says how far a write is, and leaves no line when that fails #host", function()
    local x = locus.zeros(3 * 2 ^ 21, {device = "cpu"}) -- three pieces
    local f = locus.frame {{"n", locus.arange(40000)}}
    with_path(function(path)
      local line = path:gsub("%p", "%%%0")
      assert.matches("^\r\27%[K" .. line .. ":  33 %%, 17 MB.*100 %%, 50 MB\r\27%[K$",
        shown(function() x:save(path) end))
      assert.matches("^\r\27%[K" .. line .. ": .* 40000 rows\r\27%[K$",
        shown(function() f:write_csv(path) end))
      assert.matches("\r\27%[K$", shown(function()
        pcall(f.write_csv, f, path, {formats = {n = function(i)
          if i == 35000 then error "enough" end
          return "x"
        end}})
      end))
      assert.equal("", shown(function() f:write_csv(path, {progress = false}) end))
      assert.equal("", shown(function() f:write_csv(io.stderr) end):match("\27.*") or "")
    end)
  end)
end)

describe("progress of writes #once", function()
  it("is told to a function, of elements in bytes #host", function()
    local x = locus.zeros(3 * 2 ^ 21, {device = "cpu"})
    local pieces = {"16777216 of 50331648", "33554432 of 50331648", "50331648 of 50331648"}
    with_path(function(path)
      assert.same(pieces, told_by(function(tell) x:save(path, {progress = tell}) end))
      assert.is_true(locus.load(path):equal(x))
      assert.same(pieces, told_by(function(tell) x:tofile(path, {progress = tell}) end))
      assert.is_true(locus.from_file(path, "float64"):equal(x))
      local two = {a = locus.ones(2), b = locus.zeros(3, {dtype = "int8"})}
      assert.same({"16 of 19", "19 of 19"}, told_by(function(tell)
        locus.savez(path, two, {progress = tell})
      end))
      assert.is_true(locus.load(path).b:equal(two.b))
      os.remove(path)
      assert.same({"16 of 16", "8 of 8", "2 of 2", "16 of 16"}, told_by(function(tell)
        locus.frame {{"a", {1, 2}}, {"s", {"x", "y"}}}:save(path, {progress = tell})
      end))
    end)
  end)

  it("is told to a function, in rows of a frame", function()
    local f = locus.frame {{"n", locus.arange(40000)}}
    local written
    assert.same({"16384 of 40000", "32768 of 40000", "40000 of 40000"}, told_by(function(tell)
      written = f:write_csv {progress = tell}
    end))
    assert.equal(f:write_csv(), written)
  end)

  it("must be a function or false, or nothing is written", function()
    local x, f = locus.zeros(2), locus.frame {{"a", {1, 2}}}
    local wrong = ": 'progress' must be a function or false, got the number 5"
    with_path(function(path)
      assert.equal("save" .. wrong, message(x.save, x, path, {progress = 5}))
      assert.equal("tofile" .. wrong, message(x.tofile, x, path, {progress = 5}))
      assert.equal("savez" .. wrong, message(locus.savez, path, {x = x}, {progress = 5}))
      assert.equal("save" .. wrong, message(f.save, f, path, {progress = 5}))
      assert.equal("write_csv" .. wrong, message(f.write_csv, f, path, {progress = 5}))
      assert.is_nil(io.open(path))
    end)
  end)

  it("ends a write when it raises", function()
    with_path(function(path)
      local x = locus.zeros(2)
      assert.equal("enough", select(2, pcall(x.save, x, path, {
        progress = function() error("enough", 0) end})))
    end)
  end)
end)
