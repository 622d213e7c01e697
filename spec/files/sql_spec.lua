-- SPDX-License-Identifier: MIT
-- read_sql, write_sql and connections, beside a driver of ADBC that counts: what it is asked for,
-- in which order all is released, after every failure, too; what they refuse.
local has_ffi = pcall(require, "ffi")
local locus = require "locus"
local support = require "spec.support"
local fake = has_ffi and require "spec.support.data.adbc"

local message = support.message

-- Everything that is garbage is released by then.
local function collected()
  collectgarbage()
  collectgarbage()
  return fake.living()
end

local function open() return locus.connect(fake.uri, {driver = fake.driver}) end
local function read(query, options)
  options = options or {}
  options.driver = fake.driver
  return locus.read_sql(fake.uri, query, options)
end

local function frame()
  return locus.frame {{"i", locus.tensor({1, 2, 3}, {dtype = "int64"})}, {"s", {"a", "", "b"}}}
end

describe("databases #host #once #native", function()
  before_each(function()
    fake.fail()
    fake.notes()
  end)
  after_each(function()
    fake.fail()
    assert.equal("", collected())
  end)

  it("give the rows of a query, of any number of batches", function()
    assert.same({1, 2, 3, 4, 5, 6}, read("rows 3 2").i:totable())
    assert.same({1, 2}, read("rows 2 1").i:totable())
    local none = read "rows 3 0"
    assert.same({0, "i", "int64"}, {#none, none:columns()[1], none.i.dtype})
    assert.equal(0, #read("rows 0 3"))
    assert.equal(200000, #read("rows 1000 200"))
  end)

  it("give the first rows alone", function()
    for _, rows in ipairs {0, 1, 2, 3, 4, 6, 9} do
      local expected = {}
      for i = 1, math.min(rows, 6) do expected[i] = i end
      assert.same(expected, read("rows 3 2", {rows = rows}).i:totable())
    end
    assert.equal("read_sql: 'rows' must be a whole number of at least 0, got -1",
      message(read, "rows 3 2", {rows = -1}))
  end)

  it("give chunks of at most so many rows", function()
    local function sizes(query, rows)
      local found, next_row = {}, 1
      for part in locus.sql_chunks(fake.uri, query, {rows = rows, driver = fake.driver}) do
        found[#found + 1] = #part
        for _, value in ipairs(part.i:totable()) do
          assert.equal(next_row, value)
          next_row = next_row + 1
        end
      end
      return found
    end
    assert.same({2, 2, 2}, sizes("rows 3 2", 2))
    assert.same({4, 2}, sizes("rows 3 2", 4))
    assert.same({6}, sizes("rows 3 2"))
    assert.same({6}, sizes("rows 3 2", 6))
    assert.same({0}, sizes("rows 3 0"))
    assert.equal("sql_chunks: 'rows' must be a whole number of at least 1, got 0",
      message(sizes, "rows 3 2", 0))
  end)

  it("end with a loop over chunks that is left", function()
    local c = open()
    for _, given in ipairs {fake.uri, c} do
      local options = {rows = 2, driver = given ~= c and fake.driver or nil}
      assert.equal(2, #locus.sql_chunks(given, "rows 3 2", options)())
    end
    assert.equal("1 databases, 1 connections", collected())
    c:close()
  end)

  it("are closed while chunks are read, which says so", function()
    local c = open()
    local chunks = locus.sql_chunks(c, "rows 3 5", {rows = 2})
    assert.equal(2, #chunks())
    c:close()
    assert.equal("the connection was closed while its rows were read",
      (message(chunks):gsub("^%S+: ", "")))
    assert.is_nil(chunks())
  end)

  it("read rows that outlive their connection", function()
    local c = open()
    local f = locus.read_sql(c, "rows 3 2")
    local one = locus.read_sql(c, "rows 3 1")
    c:close()
    collectgarbage()
    assert.same({1, 2, 3, 4, 5, 6}, f.i:totable())
    assert.same({1, 2, 3}, one.i:totable())
    assert.not_equal("", fake.living()) -- the memory of `one`
  end)

  it("get the values of a query's places, each of its type", function()
    local time = locus.time("2026-11-22T10:00:00Z")
    local f = read("bound", {params = {5, 2.5, "hé", true, 2LL ^ 0 * 9007199254740993LL, time,
      locus.date("2026-11-22"), -0.5, "", false}})
    assert.equal(1, #f)
    assert.same({"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}, f:columns())
    local types = f:types()
    assert.same({"int64", "float64", "string", "int64", "time", "date", "float64", "string"},
      {types["1"], types["2"], types["3"], types["5"], types["6"], types["7"], types["8"],
       types["9"]})
    assert.same({"bool", "true", "false"}, types["4"])
    assert.same({5, 2.5, "hé", true, -0.5, "", false},
      {f["1"][1], f["2"][1], f["3"][1], f["4"][1], f["8"][1], f["9"][1], f["10"][1]})
    assert.is_true(f["5"][1] == 9007199254740993LL)
    assert.is_true(f["6"][1] == time)
    assert.equal("2026-11-22", tostring(f["7"][1]))
    assert.equal("\0\255", read("bound", {params = {"\0\255"}})["1"][1])
    assert.equal(3, #read("bound", {params = frame()}))
    assert.same({"a", "", "b"}, read("bound", {params = frame()}).s:totable())
    assert.equal(2, #read("rows 2 1", {params = {}}))
  end)

  it("refuse other values", function()
    local function refuses(sentence, params)
      assert.equal("read_sql: " .. sentence, message(read, "bound", {params = params}))
    end
    refuses("'params' must be a list of values or a frame, got the number 5; write params = "
      .. "{value}", 5)
    refuses("'params[2]' must be a number, string, boolean, time or nil, got a table",
      {1, {1, 2}})
    refuses("'params[1]' must be a number, string, boolean, time or nil, got a function", {print})
    refuses("'params' must be a list of values for the places of the query, and has a key 'id'; "
      .. "write ? for each place in SQLite and DuckDB, $1 in PostgreSQL and DuckDB", {id = 5})
    refuses("'params.n' must be the number of values, at least 2, got the number 1", {1, 2, n = 1})
    assert.equal("read_sql: 'query' must be a string without zero bytes, got the string \"a\"",
      message(read, "a\0b"))
    assert.equal("read_sql: 'query' must be UTF-8", message(read, "a\255"))
  end)

  it("get a nil as a null, also at the end", function()
    fake.fail "StatementExecuteQuery"
    for _, params in ipairs {{1, nil, 3}, {nil, 2}, {1, n = 2}, {n = 1}} do
      assert.equal("read_sql: fake says: alas, StatementExecuteQuery failed (SQLSTATE 42P01)",
        message(read, "bound", {params = params}))
    end
  end)

  it("say how many rows a statement changed", function()
    local c = open()
    assert.equal(3, c:execute "update")
    assert.is_nil(c:execute "unknown")
    assert.equal(3, c:execute("update", {params = {1}}))
    c:close()
  end)

  it("get rows in a table, all or none", function()
    local c = open()
    fake.notes()
    assert.equal(3, frame():write_sql(c, "t"))
    local notes = fake.notes()
    assert.matches("adbc.connection.autocommit false;.*adbc.ingest.target_table t;.*"
      .. "adbc.ingest.mode adbc.ingest.mode.create;.*ingested 3;.*ConnectionCommit;"
      .. "adbc.connection.autocommit true;", notes)
    local long = locus.frame {{"i", locus.arange(70000)}}
    assert.equal(70000, long:write_sql(c, "t", {mode = "replace", schema = "s"}))
    notes = fake.notes()
    assert.matches("mode.replace;.*db_schema s;.*ingested 65536;.*mode.append;.*ingested 4464;",
      notes)
    assert.equal(0, frame()[{{1, 0}}]:write_sql(c, "t"))
    assert.matches("mode.create;.*ingested 0;", fake.notes())
    fake.fail("StatementExecuteQuery", 2)
    assert.equal("write_sql: fake says: alas, StatementExecuteQuery failed (SQLSTATE 42P01)",
      message(long.write_sql, long, c, "t"))
    notes = fake.notes()
    assert.matches("ingested 65536;.*ConnectionRollback;.*autocommit true;", notes)
    assert.is_nil(notes:find "Commit")
    c:close()
  end)

  it("refuse frames and tables that cannot be written, before anything is opened", function()
    local function refuses(sentence, f, name, options)
      fake.notes()
      options = options or {}
      options.driver = fake.driver
      assert.equal("write_sql: " .. sentence, message(f.write_sql, f, fake.uri, name, options))
      assert.equal("", fake.notes())
    end
    refuses("'mode' must be \"create\", \"append\" or \"replace\", got the string \"fail\"",
      frame(), "t", {mode = "fail"})
    refuses("'table' must be a name in UTF-8, got the string \"\"", frame(), "")
    refuses("the frame has no columns", locus.frame {}, "t")
    refuses("the column 'z' is complex128, which databases do not have",
      locus.frame {{"z", locus.zeros({2}, {dtype = "complex128"})}}, "t")
    refuses("there is no column 'no' for 'missing'", frame(), "t", {missing = {no = 1}})
    refuses("'missing' is the string \"x\" for the column 'i', which is int64", frame(), "t",
      {missing = {i = "x"}})
    refuses("'missing' must be a table of values by column, got the number 1", frame(), "t",
      {missing = 1})
  end)

  it("commit what a function did, or take it back", function()
    local c = open()
    fake.notes()
    assert.same({1, "b"}, {c:transaction(function(own)
      assert.is_true(rawequal(own, c))
      own:execute "update"
      frame():write_sql(own, "t")
      assert.equal(6, #locus.read_sql(own, "rows 3 2"))
      return 1, "b"
    end)})
    local notes = fake.notes()
    assert.equal(1, select(2, notes:gsub("ConnectionCommit", "")))
    assert.equal(1, select(2, notes:gsub("autocommit false", "")))
    assert.equal("alas", message(c.transaction, c, function() error("alas", 0) end))
    assert.matches("ConnectionRollback;.*autocommit true;", fake.notes())
    fake.fail "ConnectionCommit"
    assert.equal("transaction: fake says: alas, ConnectionCommit failed (SQLSTATE 42P01)",
      message(c.transaction, c, function() end))
    assert.matches("ConnectionCommit;.*ConnectionRollback;.*autocommit true;", fake.notes())
    fake.fail()
    assert.equal("transaction: the connection is in a transaction already",
      message(c.transaction, c, function() c:transaction(print) end))
    assert.equal("transaction: the connection was closed inside its transaction, which is lost",
      message(c.transaction, c, function() c:close() end))
  end)

  it("say that they are closed", function()
    local c = open()
    assert.equal("[connection to fake]", tostring(c))
    c:close()
    assert.equal("[closed connection to fake]", tostring(c))
    assert.equal("read_sql: the connection is closed", message(locus.read_sql, c, "rows 1 1"))
    assert.equal("close: the connection is closed", message(c.close, c))
    assert.equal("write_sql: the connection is closed", message(frame().write_sql, frame(), c, "t"))
    assert.equal("execute: 'connection' must be made by locus.connect, got a table",
      message(c.execute, {}, "x"))
    assert.matches("^a connection has no 'query'; it has execute, transaction and close",
      message(function() return c.query end))
  end)

  it("take options, and refuse what is none", function()
    locus.connect(fake.uri, {driver = fake.driver, options = {username = "me", retries = 3,
      readonly = true}}):close()
    local notes = fake.notes()
    for _, text in ipairs {"uri fake:;", "username me;", "retries 3;", "readonly true;"} do
      assert.is_truthy(notes:find(text, 1, true), text)
    end
    assert.equal("connect: 'options' must be a table of texts by name, got a table for 'a'",
      message(locus.connect, fake.uri, {driver = fake.driver, options = {a = {}}}))
    local c = open()
    assert.equal("read_sql: 'driver' is for a database that is opened, and 'database' is a "
      .. "connection", message(locus.read_sql, c, "rows 1 1", {driver = fake.driver}))
    c:close()
  end)
end)

-- Every function that the driver is asked for, and what calls it.
local STEPS = {
  DatabaseNew = "read", DatabaseSetOption = "read", DatabaseInit = "read", ConnectionNew = "read",
  ConnectionInit = "read", StatementNew = "read", StatementSetSqlQuery = "read",
  StatementPrepare = "bound", StatementBind = "bound", StatementExecuteQuery = "read",
  StatementRelease = "read", ConnectionRelease = "read", DatabaseRelease = "read",
  StatementSetOption = "write", ConnectionSetOption = "write", ConnectionCommit = "write",
  get_schema = "read", get_next = "read",
}

describe("a call that fails in a driver #host #once #native", function()
  local calls = {
    read = function() return read "rows 3 2" end,
    bound = function() return read("bound", {params = {1}}) end,
    write = function()
      return frame():write_sql(fake.uri, "t", {driver = fake.driver})
    end,
    chunks = function()
      for _ in locus.sql_chunks(fake.uri, "rows 3 2", {rows = 2, driver = fake.driver}) do end
    end,
  }

  it("raises the driver's words, and leaves nothing open", function()
    local function fails(step, call, name)
      fake.fail(step)
      local said = message(call)
      fake.fail()
      local words = step:find "^get" and "the rows are gone"
        or ("alas, %s failed (SQLSTATE 42P01)"):format(step)
      assert.equal(("%s: fake says: %s"):format(name, words), said)
      assert.equal("", collected(), step)
    end
    for step, kind in pairs(STEPS) do
      fails(step, calls[kind], kind == "write" and "write_sql" or "read_sql")
      if kind == "read" then fails(step, calls.chunks, "sql_chunks") end
    end
  end)

  it("in a later batch, or at the n-th call of anything", function()
    for step in pairs(STEPS) do
      for _, call in pairs(calls) do
        for n = 1, 4 do
          fake.fail(step, n)
          pcall(call)
          fake.fail()
          assert.equal("", collected(), step .. n)
        end
      end
    end
  end)

  it("for want of memory leaves nothing open", function()
    finally(function() locus.fail_allocation(0) end)
    for name, call in pairs(calls) do
      local n, ok = 0, false
      while not ok and n < 400 do
        n = n + 1
        locus.fail_allocation(n)
        ok = pcall(call)
        locus.fail_allocation(0)
        assert.equal("", collected(), name .. n)
      end
      assert.is_true(ok, name)
    end
  end)
end)

describe("a process #program #once #native", function()
  it("keeps a driver until its arrays are released, whatever ends first", function()
    local path = os.tmpname()
    fake.compile(path)
    local output, status = support.run(([[
      local locus = require "locus"
      local options = {driver = %q}
      local open = locus.connect("fake:", options)
      kept = {open, locus.read_sql(open, "rows 5 2"), locus.read_sql("fake:", "rows 4 1", options),
              locus.sql_chunks(open, "rows 5 2", {rows = 1})}
      kept[4]()
      package.loaded["locus.sql.drivers"] = nil
      collectgarbage()
      print(#kept[2], kept[3].i:sum())
    ]]):format(path))
    os.remove(path)
    assert.equal("10\t10\n", output)
    assert.equal(0, status)
  end)
end)
