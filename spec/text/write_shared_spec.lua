-- SPDX-License-Identifier: MIT
-- Frames that several threads write: the same text, pieces, progress and errors as one
-- thread gives, wherever slices are cut.
local locus = require "locus"
local message = require("spec.support").message
local text = require "spec.support.text"

local THREADS = {2, 3, 5, 16}
local seed = os.time() % 100000

local function with_threads(n, f)
  local before = locus.get_num_threads()
  locus.set_num_threads(n)
  local ok, answer = pcall(f)
  locus.set_num_threads(before)
  if not ok then error(answer, 0) end
  return answer
end

-- Asks with one thread and with several.
local function same_for_threads(about, write)
  local alone = with_threads(1, write)
  for _, n in ipairs(THREADS) do
    assert(with_threads(n, write) == alone,
      ("%s, seed %d: %d threads differ from one"):format(about, seed, n))
  end
  return alone
end

local function pick(list) return list[math.random(#list)] end

-- A column of that many texts, most of them short.
local function texts(rows, odd)
  local known, list = {}, {}
  for i = 1, 40 do
    known[i] = pick {"ann", "", "a,b", 'he said "no"', "two\nlines", " blank", "#mark", "-- x",
      "\239\187\191x", "PAR1\2", "k" .. i, ("long"):rep(i)}
  end
  for i = 1, rows do list[i] = pick(known) end
  for _ = 1, odd or 0 do list[math.random(rows)] = ('"x,'):rep(2 ^ 17) end
  return locus.strings(list)
end

local function random_frame(rows, odd)
  local n = locus.arange(0, rows):long()
  local x = (n * 7919 % 1000):double() / 8
  x[math.random(rows)] = locus.nan
  return locus.frame {
    {"s", texts(rows, odd)}, {"n", n * 1000003 - 5}, {"x", x}, {"f", (x / 3):float()},
    {"b", (n % 3):eq(1)}, {"t", n * 86399999777 + 12345, "time"}, {"d", n * 31 - 100000, "date"},
    {"ip", n * 65537, "ipv4"}, {"i", (n % 251):byte()}, {"h", (x / 7):half()},
    {"step", locus.arange(0, 3 * rows):long()[{{1, 3 * rows, 3}}]},
  }
end

local OPTIONS = {
  {}, {separator = ";", decimal = ",", missing = "-"}, {separator = "blanks"}, {header = false},
  {escape = "\\", newline = "\r\n"}, {comment = "1"}, {separator = "1", quote = "'"},
  {formats = {x = "%.3f", n = "%012d", b = {"no, never", "yes"}, t = "%d %b %Y, %T", d = "%j"}},
  {formats = {i = function(i) return ("*"):rep(i % 9) end}},
}

local JSON = {
  {}, {array = true}, {missing = "", nest = true}, {array = true, missing = '"none"'},
  {formats = {x = "%.3f", n = "%012d", b = {"n\"o", "yes"}, t = "%d %b %Y\n%T", d = "%j"}},
  {array = true, formats = {i = function(i) return ("\n"):rep(i % 9) end}},
}

local CASES = {}
for _, options in ipairs(OPTIONS) do CASES[#CASES + 1] = {"write_csv", options} end
for _, options in ipairs(JSON) do CASES[#CASES + 1] = {"write_json", options} end

-- The pieces that a function gets, with their ends.
local function pieces_of(f, options, method)
  local pieces = {}
  f[method or "write_csv"](f, function(piece) pieces[#pieces + 1] = piece end, options)
  return table.concat(pieces, "\0")
end

describe("write_csv and write_json by several threads", function()
  local path
  setup(function()
    math.randomseed(seed)
    path = os.tmpname()
  end)
  teardown(function() os.remove(path) end)

  -- The contents of the file after `write`; before it had those bytes.
  local function written(before, write)
    text.write(path, before)
    write(path)
    return text.read(path)
  end

  it("makes the text of one", function()
    for i, case in ipairs(CASES) do
      local method, options = unpack(case)
      local f = random_frame(math.random(2000, 9000), i % 3 == 0 and 4 or 0)
      local function to(target) f[method](f, target, options) end
      local all = same_for_threads("text " .. i, function() return f[method](f, options) end)
      local joined = same_for_threads("pieces " .. i, function()
        return pieces_of(f, options, method)
      end)
      assert.is_true(joined:gsub("%z", "") == all)
      local function same(about, before, after, write)
        assert.is_true(same_for_threads(about .. " " .. i, function()
          return written(before, write)
        end) == before .. all .. after)
      end
      if i % 5 < 3 then same("path", "", "", function() to(path) end) end
      same("file", "before\n", "after\n", function()
        local file = io.open(path, "ab")
        to(file)
        file:write("after\n")
        file:close()
      end)
    end
  end)

  it("takes few rows, rows that grow and shrink, and rows that are longer than a slice", function()
    for _, rows in ipairs {0, 1, 2, 17, 300} do
      local f = locus.frame {{"n", locus.arange(0, rows):long()}}
      same_for_threads(rows .. " rows", function() return pieces_of(f) end)
    end
    local list = {}
    for i = 1, 3000 do list[i] = ("x"):rep(i % 1000 < 500 and 1 or i % 1500) end
    list[100], list[2900] = ("y"):rep(2 ^ 20), ('"'):rep(2 ^ 19)
    local f = locus.frame {{"s", locus.strings(list)}, {"i", locus.arange(0, 3000):int()}}
    local all = same_for_threads("rows that change", function() return f:write_csv() end)
    local back = locus.read_csv({text = all}, {types = f:types(), limit = 2 ^ 22})
    assert.is_true(back:write_csv() == all)
    same_for_threads("their pieces", function() return pieces_of(f) end)
  end)

  it("ends a piece with the row that makes it long enough", function()
    -- rows of 8 bytes, which end there, and of 7, one of which ends a byte before
    for least, length in pairs {[1000000] = 2 ^ 18, [100000] = 37450 * 7} do
      local f = locus.frame {{"n", locus.arange(0, 80000):long() + least}}
      local pieces = same_for_threads("pieces of " .. length, function()
        return pieces_of(f, {header = false})
      end)
      assert.equal(length + 1, pieces:find("\0", 1, true))
    end
  end)

  it("tells how many rows are written as one does", function()
    local f = locus.frame {{"n", locus.arange(0, 70000):long() * 12345}}
    local told = same_for_threads("progress", function()
      local calls = {}
      f:write_csv(function() end, {progress = function(done) calls[#calls + 1] = done end})
      return table.concat(calls, " ")
    end)
    assert.equal("16384 32768 49152 65536 70000", told)
  end)

  it("raises what one raises", function()
    local f = random_frame(5000)
    for _, at in ipairs {1, 77, 2500, 5000} do
      local kept = f.s.ids[at]
      f.s.ids[at] = 1000 + at
      f.s.ids[5000] = 12345
      local said = same_for_threads("an id", function()
        return message(f.write_csv, f)
      end)
      local id = f.s.ids[at]
      assert.truthy(said:find(("has the id %d,"):format(id), 1, true), said)
      f.s.ids[at] = kept
      f.s.ids[5000] = 1
    end
    for _, at in ipairs {5000, 2500, 77, 1} do
      f.x[at] = -1 / 0
      local said = same_for_threads("infinity", function()
        return message(f.write_json, f, {infinite = "error"})
      end)
      assert.truthy(said:find(("is infinite in row %d,"):format(at), 1, true), said)
    end
    local long = locus.frame {{"n", locus.arange(0, 200000):long() * 1000003}}
    for _, stop in ipairs {1, 2, 5} do
      same_for_threads("a function that raises", function()
        local got = {}
        local ok, reason = pcall(long.write_csv, long, function(piece)
          got[#got + 1] = piece
          if #got == stop then error("enough", 0) end
        end)
        assert.is_false(ok)
        return reason .. table.concat(got, "\0")
      end)
    end
  end)

  it("writes to a file beside the rest, which tells that they share #once #host", function()
    local internal = require("locus.core").internal
    local n = locus.arange(0, 500000):long()
    local function first_rows(threads)
      return with_threads(threads, function()
        local writer = internal.writer {separator = ",", quote = '"', escape = '"', decimal = ".",
          newline = "\n", missing = "", columns = {{name = "n", dtype = "int64"}}}
        local file = io.tmpfile()
        local done = internal.write_rows(writer, {{n}}, 0, 500000, file)
        local more = internal.write_rows(writer, {{n}}, done, 500000 - done, file)
        file:flush()
        local bytes = file:seek("end")
        file:close()
        return {done + more, bytes}
      end)
    end
    local alone, shared = first_rows(1), first_rows(2)
    assert.equal(0, alone[2]) -- which is the caller's to pour
    assert.is_true(shared[2] > 0 and shared[2] < 7 * shared[1], shared[2])
  end)

  it("can fail at each allocation, and come through", function()
    local f = random_frame(3000, 2)
    local failed = 0
    finally(function() locus.fail_allocation(0) end)
    local function outcome(method, target, options)
      if target == "text" then return f[method](f, options) end
      if target == "function" then return (pieces_of(f, options, method):gsub("%z", "")) end
      return written("", function()
        local file = io.open(path, "wb")
        f[method](f, file, options)
        file:close()
      end)
    end
    for method, options in pairs {write_csv = {}, write_json = {array = true}} do
      local expected = outcome(method, "text", options)
      with_threads(3, function()
        for _, target in ipairs {"text", "function", "file"} do
          for k = 1, 60 do
            locus.fail_allocation(k)
            local ok, answer = pcall(outcome, method, target, options)
            failed = failed + locus.fail_allocation(0)
            assert.is_true(ok and answer == expected, ("%s %s %d"):format(method, target, k))
          end
        end
      end)
    end
    assert.is_true(failed > 60, failed)
  end)
end)
