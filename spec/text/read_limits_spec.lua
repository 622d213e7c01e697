-- SPDX-License-Identifier: MIT
-- Text in any pieces is read as if it came in one: records at the limit and beyond it, lines that
-- are passed over, quotes that stay open, the buffer's ends.
local locus = require "locus"
local pieces = require("spec.support.text").pieces

-- The read text, as one string: values, and the bad lines.
local function outcome(source, options)
  options.bad, options.types = 100, {a = "string"}
  local ok, f = pcall(locus.read_csv, source, options)
  if not ok then return (f:gsub("^.-read_csv: %w+", "")) end
  local said = {table.concat(f.a:totable(), "|")}
  for _, row in f.bad:iter() do
    said[#said + 1] = ("%d %s: %s"):format(tonumber(row.line), row.reason, row.text)
  end
  return table.concat(said, "\n")
end

local function check(expected, text, options)
  assert.equal(expected, outcome({text = text}, options))
  for size = 1, #text + 1, 1 + math.floor(#text / 40) do
    assert.equal(expected, outcome(pieces(text, size), options), size .. " bytes")
  end
end

describe("limit #once", function()
  it("counts the bytes of a record without its line's end", function()
    for _, feed in ipairs {"\n", "\r\n"} do
      local text = ("a" .. feed .. "1234567890" .. feed .. "b" .. feed)
      check("1234567890|b", text, {limit = 10})
      check("b\n2 is longer than 9 bytes: 123456789", text, {limit = 9})
      check("1234567890", "a" .. feed .. "1234567890", {limit = 10})
      check("\n2 is longer than 9 bytes: 123456789", "a" .. feed .. "1234567890", {limit = 9})
    end
  end)

  it("comes before whatever else is wrong with the record", function()
    check("1\n2 is longer than 5 bytes: 2,345", "a\n2,345678\n1\n", {limit = 5})
    check("1\n2 is longer than 5 bytes: 2\r345", "a\n2\r345678\n1\n", {limit = 5})
  end)

  it("holds for quotes that do not close", function()
    check('x|y\n2 has a quote that never closes: "1', 'a\n"1\nx\ny\n', {limit = 8})
    local lines = ("x\n"):rep(20)
    check(("x|"):rep(19) .. 'x\n2 has a quote that does not close within 8 bytes: "1',
      'a\n"1\n' .. lines, {limit = 8})
    check('1\n2 has a quote that does not close within 4 bytes: "12345',
      'a\n"123456789012345\n1\n', {limit = 4})
  end)

  it("does not hold for what is passed over", function()
    local long = ("x"):rep(100)
    check("1", "a\n#" .. long .. "\n1\n", {limit = 10, comment = "#"})
    check("1", long .. "\n" .. long .. "\na\n1\n", {limit = 10, skip = 2})
    check("1", "\239\187\191" .. long .. "\r\na\n1", {limit = 10, skip = 1})
    check(":1: the header is longer than 10 bytes: \"xxxxxxxxxx\"", long .. "\n1\n", {limit = 10})
  end)

  it("may be as large as a number", function()
    for _, limit in ipairs {2 ^ 31, 2 ^ 62, 2 ^ 63, 1e300, locus.inf} do
      check("1", "a\n1\n", {limit = limit})
    end
  end)
end)

describe("lines that are passed over #once", function()
  it("take no memory, however long they are", function()
    local left, live, most = 100, locus.live_bytes(), 0
    local f = locus.read_csv(function()
      left = left - 1
      most = math.max(most, locus.live_bytes() - live)
      return left > 0 and ("x"):rep(1e6) or left == 0 and "\na\n1\n" or nil
    end, {skip = 1, types = {a = "int64"}})
    assert.equal(1, f.a[1])
    assert.is_true(most < 4e6)
  end)

  it("stand in front of the first line, too", function()
    check(":2: two columns are named 'a'; write header = {names} and skip = 2", "#x\na,a\n1,2\n",
      {comment = "#"})
    local text = "\n\n1\n\n2\n"
    for size = 1, #text do
      local f = locus.read_csv(pieces(text, size), {header = false, types = {"float64"}})
      assert.equal(5, #f)
      assert.equal(1, f.column1[3])
    end
  end)
end)

describe("a record with quotes that comes line by line #once", function()
  it("is copied once each time", function()
    local lines = {'"""'}
    for i = 2, 9000 do lines[i] = ("x"):rep(60) .. '""\n' end
    lines[#lines + 1] = '",b\n1,2\n'
    local at = 0
    local f = locus.read_csv(function()
      at = at + 1
      return lines[at]
    end)
    assert.equal('"' .. (("x"):rep(60) .. '"\n'):rep(8999), f:columns()[1])
    assert.equal(1, #f)
  end)

  it("is copied to the same place when memory was short", function()
    local text = 's\nabcdefgh\n"' .. ("x"):rep(120000) .. '""\n' .. ("y"):rep(120000) .. '\n"\n'
    local expected = locus.read_csv({text = text}, {types = {s = "string"}}).s[2]
    for k = 1, 40 do
      locus.fail_allocation(k)
      local ok, f = pcall(locus.read_csv, pieces(text, 50000), {types = {s = "string"}})
      locus.fail_allocation(0)
      if ok then assert.is_true(expected == f.s[2]) end
    end
  end)
end)

describe("memory that ends #once #host", function()
  local cases = {
    {"quotes within quotes", function()
      return locus.read_csv({text = 'a,b\n"x""y",1\n"z""",2\n'}, {types = {a = "string"}})
    end},
    {"escapes", function()
      return locus.read_log({text = '"a\\x41" 1\n"\\"" 2\n'}, '"$a" $b', {quotes = "apache"})
    end},
    {"a long record", function()
      local text = 'a\n"' .. ("x"):rep(3e6) .. '"\n'
      return locus.read_csv({text = text}, {types = {a = "string"}, limit = 4e6})
    end},
    {"many rows", function()
      return locus.read_csv({text = "a,b\n" .. ("1,2.5\n"):rep(20000)})
    end},
    {"a file compressed by gzip", function(path) return locus.read_csv(path) end},
  }
  for _, case in ipairs(cases) do
    it("raises, and leaves nothing behind: " .. case[1], function()
      local path = os.tmpname()
      assert.equal(0, os.execute("printf 'a\\n1\\n' | gzip -c >" .. path))
      local function collected()
        for _ = 1, 3 do collectgarbage() end
        return locus.live_bytes()
      end
      case[2](path)
      local live, failed = collected(), 0
      for k = 1, 200 do
        locus.fail_allocation(k, true)
        local ok, said = pcall(case[2], path)
        local hits = locus.fail_allocation(0)
        assert.equal(hits > 0, not ok)
        if ok then break end
        assert.truthy(said:find("out of memory", 1, true), said)
        failed = failed + 1
        assert.equal(live, collected())
      end
      os.remove(path)
      assert.is_true(failed > 5 and failed < 200, failed)
    end)
  end
end)
