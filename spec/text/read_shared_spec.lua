-- SPDX-License-Identifier: MIT
-- Readers that share their text among threads: the same rows, numbers of strings, bad lines and
-- errors as one thread gives, wherever pieces are cut.
local locus = require "locus"
local answers = require "spec.support.answers"
local text = require "spec.support.text"
local same_for_threads, told = answers.same_for_threads, answers.told

local NAMES = {"n", "s", "x", "t"}
local TYPES = {n = "int64", s = "string", x = {"float64", missing = locus.nan}, t = "time"}

-- Rows of random fields, `rows` of them; `odd` changes some lines.
local function make(random, rows, odd)
  local lines = {table.concat(NAMES, ",")}
  local function pick(list) return list[random(#list)] end
  for i = 1, rows do
    local line = ("%d,%s,%s,2026-11-%02dT10:00:%02dZ"):format(i * 7919,
      pick {"ann", "bob", "", "name" .. i, "k" .. i % 300}, pick {"1.5", "", "-2e300", "17"},
      i % 28 + 1, i % 60)
    lines[#lines + 1] = odd and odd(line, i, random) or line
  end
  return table.concat(lines, "\n") .. "\n"
end

local function generator(seed)
  math.randomseed(seed)
  return math.random
end

describe("readers of several threads", function()
  local ROWS = 6000

  local function check(about, odd, options)
    local seed = os.time() % 100000
    local made = make(generator(seed), ROWS, odd)
    options = options or {}
    options.types = options.types or TYPES
    about = about .. ", seed " .. seed
    local all = same_for_threads(about, function()
      return locus.read_csv({text = made}, options)
    end)
    same_for_threads(about .. ", in pieces", function()
      return locus.read_csv(text.pieces(made, 70001), options)
    end)
    text.with_file(made, function(path)
      same_for_threads(about .. ", of a file", function() return locus.read_csv(path, options) end)
    end)
    return all
  end

  it("give the rows of one", function()
    check("plain")
    check("carriage returns", function(line) return line .. "\r" end)
    check("empty lines", function(line, i) return i % 3 == 0 and line .. "\n\n" or line end)
    check("comments", function(line, i) return i % 5 == 0 and "# it's \"\n" .. line or line end,
      {comment = "#"})
  end)

  -- Feeds and quotes are counted in lanes, which hold up to 255 of them.
  it("count all rows where each line is as long as a few lanes", function()
    for _, length in ipairs {2, 4, 16, 32} do
      local digits = ("1"):rep(math.min(length - 1, 15))
      local line = (" "):rep(length - 1 - #digits) .. digits .. "\n"
      for _, more in ipairs {0, 1, 7} do
        local whole = "n\n" .. line:rep(math.floor(3e5 / length) + more)
        local all = same_for_threads("lines of " .. length, function()
          return locus.read_csv({text = whole}, {types = {n = "int64"}})
        end)
        assert.equal(math.floor(3e5 / length) + more, tonumber(all:match "^%d+"))
      end
    end
    local quoted = "s\n" .. ('"\n"\n'):rep(60000) .. ('"0123456789abc"\n'):rep(20000)
    same_for_threads("quotes in the same lanes", function()
      return locus.read_csv({text = quoted}, {types = {s = "string"}})
    end)
  end)

  it("find quotes that hold line feeds, or do not close", function()
    local quoted = function(line, i, random)
      if random(4) > 1 then return line end
      local words = ("line\n"):rep(random(0, 3)) .. 'and "" ' .. i % 40
      return line:gsub(",[^,]*", ',"' .. words .. '"', 1)
    end
    check("line feeds in quotes", quoted)
    check("long quotes", function(line, i)
      return i % 2500 == 0 and line:gsub(",[^,]*", ',"' .. ("x,y\n"):rep(9000) .. '"', 1) or line
    end)
    check("stray quotes", function(line, i)
      return i % 9 == 0 and line:gsub(",[^,]*", ",5\" pipe" .. i % 8, 1) or line
    end)
    check("a quote that never closes", function(line, i)
      return i == ROWS - 2000 and line:gsub(",[^,]*", ',"open', 1) or line
    end, {bad = 5})
  end)

  it("leave out the same bad lines, and blame the first", function()
    local bad = function(line, i) return i % 1777 == 0 and "x" .. line or line end
    check("bad lines", bad, {bad = 100})
    check("too many bad lines", bad, {bad = 3})
    local said = check("a bad line", bad)
    assert.truthy(said:find(":1778: ", 1, true), said)
    check("too many fields", function(line, i) return i % 999 == 0 and line .. ",1" or line end,
      {bad = 100})
    check("long lines", function(line, i)
      return i % 3000 == 0 and line:gsub(",[^,]*", "," .. ("y"):rep(5000), 1) or line
    end, {bad = 100, limit = 4000})
  end)

  it("guess the same types", function()
    local function guessed(about, odd) check(about, odd, {types = {t = "time"}, rest = nil}) end
    local made = make(generator(11), ROWS, function(line, i)
      return i == ROWS - 10 and line:gsub("^%d+", "1.5", 1) or line
    end)
    guessed("few types")
    same_for_threads("a late guess", function() return locus.read_csv({text = made}) end)
    text.with_file(made, function(path)
      same_for_threads("a late guess of a file", function() return locus.read_csv(path) end)
    end)
  end)

  it("stop at as many rows, and go on from there", function()
    local made = make(generator(5), ROWS, nil)
    text.with_file(made, function(path)
      for _, rows in ipairs {1, 999, 3000, ROWS} do
        same_for_threads("rows " .. rows, function()
          return locus.read_csv(path, {types = TYPES, rows = rows})
        end)
        same_for_threads("chunks of " .. rows, function()
          local parts = {}
          for part in locus.chunks(path, {types = TYPES, rows = rows > 1 and rows or 700}) do
            parts[#parts + 1] = part
          end
          return locus.cat(parts)
        end)
      end
    end)
  end)

  it("read logs and loose dialects, too", function()
    local lines = {}
    for i = 1, ROWS do
      lines[i] = ("%d.1.2.3 - - \"GET /p%d?q HTTP/1.1\" %d"):format(i % 200, i % 50, 200 + i % 9)
    end
    local log = table.concat(lines, "\n")
    same_for_threads("a log", function()
      return locus.read_log({text = log}, {format = '$ip - - "$request" $status',
        types = {ip = "ipv4", request = "path", status = "int16"}})
    end)
    local blanks = {}
    for i = 1, ROWS do blanks[i] = ("  %d   %s  "):format(i, "w" .. i % 77) end
    same_for_threads("blanks", function()
      return locus.read_csv({text = table.concat(blanks, "\n")}, {separator = "blanks",
        header = {"a", "b"}, types = {a = "int32", b = "string"}})
    end)
  end)

  it("read on in a file meanwhile, which tells that they share", function()
    local internal = require("locus.core").internal
    local threads = locus.get_num_threads()
    finally(function() locus.set_num_threads(threads) end)
    text.with_file(("12345\n"):rep(200000), function(path)
      for _, n in ipairs {1, 2} do
        locus.set_num_threads(n)
        local file = io.open(path)
        local reader = internal.new_reader({separator = ",", quote = '"', limit = 100}, file)
        internal.reader_program(reader, {{column = {type = "integer", dtype = "int64",
          point = "."}}})
        assert.equal("read", internal.reader_fill(reader, path))
        local filled = internal.reader_position(reader)
        assert.equal("read", internal.reader_run(reader))
        assert.equal(n > 1, internal.reader_position(reader) > filled)
        assert.equal(math.floor(filled / 6), #internal.reader_columns(reader)[1])
        internal.reader_close(reader)
        file:close()
      end
    end)
  end)

  it("join what a function gives, and wait for nothing that a frame does not need", function()
    local made = make(generator(21), ROWS)
    local function source(size, count)
      local pull, ended = text.pieces(made, size), false
      return function()
        assert(not ended, "called again")
        count.calls = count.calls + 1
        local piece = pull()
        ended = piece == nil
        return piece
      end
    end
    for _, size in ipairs {1, 900, 5000, 40000} do
      if size > 1 or locus.get_num_threads() < 3 then
        same_for_threads("pieces of " .. size, function()
          return locus.read_csv(source(size, {calls = 0}), {types = TYPES})
        end)
      end
      for _, rows in ipairs {1, 37, 2000} do
        local alone = same_for_threads("calls for rows " .. rows, function()
          local count = {calls = 0}
          local f = locus.read_csv(source(size, count), {types = TYPES, rows = rows})
          error(#f .. " rows of calls: " .. count.calls, 0)
        end)
        assert.truthy(alone:find("^error: " .. rows .. " rows of calls: %d+$"), alone)
      end
      local calls = same_for_threads("calls for chunks", function()
        local count, seen = {calls = 0}, {}
        for part in locus.chunks(source(size, count), {types = TYPES, rows = 1700}) do
          seen[#seen + 1] = #part .. " " .. count.calls
        end
        error(table.concat(seen, ", "), 0)
      end)
      assert.truthy(calls:find("1700 %d+, 1700 %d+, 1700 %d+, 900 %d+$"), calls)
    end
  end)

  it("tell of a bad line before a function's error, and of the latter as it is", function()
    local function failing(line, reason)
      return function()
        local at = 0
        return locus.read_csv(function()
          at = at + 1
          if at == 1 then return "n\n" end
          if at == 40 then error(reason, 0) end
          return at == 20 and line or ("1\n"):rep(300)
        end, {types = {n = "int64"}})
      end
    end
    local said = same_for_threads("a bad line", failing("x\n", "enough"))
    assert.truthy(said:find("read_csv: source:5402: column 'n'", 1, true), said)
    assert.equal("error: enough", same_for_threads("an error", failing("2\n", "enough")))
    local reason = {}
    same_for_threads("a table", function()
      local ok, got = pcall(failing("2\n", reason))
      assert(not ok and got == reason)
      return locus.frame {{"n", {1}}}
    end)
  end)

  it("let pieces wait for each other, which tells that they join #once", function()
    local internal = require("locus.core").internal
    local threads = locus.get_num_threads()
    finally(function() locus.set_num_threads(threads) end)
    for _, n in ipairs {1, 2} do
      locus.set_num_threads(n)
      local reader = internal.new_reader {separator = ",", quote = '"', limit = 100}
      internal.reader_program(reader, {{column = {type = "integer", dtype = "int64", point = "."}}})
      internal.reader_rows(reader, math.huge)
      local rows = {}
      for i, last in ipairs {false, false, true} do
        internal.reader_fill(reader, "source", ("12345\n"):rep(10), last)
        internal.reader_run(reader)
        rows[i] = #internal.reader_columns(reader)[1]
      end
      assert.same(n == 1 and {10, 10, 10} or {0, 0, 0}, rows)
      internal.reader_fill(reader, "source")
      internal.reader_run(reader)
      assert.equal(n == 1 and 0 or 30, #internal.reader_columns(reader)[1])
      internal.reader_close(reader)
    end
  end)

  it("can fail at each allocation, and come through", function()
    local made = make(generator(3), 3000)
    local threads, failed = locus.get_num_threads(), 0
    finally(function()
      locus.fail_allocation(0)
      locus.set_num_threads(threads)
    end)
    locus.set_num_threads(2)
    local expected = told(locus.read_csv({text = made}, {types = TYPES}))
    for k = 1, 200 do
      locus.fail_allocation(k)
      local ok, frame = pcall(locus.read_csv, {text = made}, {types = TYPES})
      failed = failed + locus.fail_allocation(0)
      assert.equal(expected, ok and told(frame) or frame)
    end
    assert.truthy(failed > 10, failed)
  end)
end)
