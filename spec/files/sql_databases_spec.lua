-- SPDX-License-Identifier: MIT
-- read_sql and write_sql beside SQLite, PostgreSQL and DuckDB themselves, where their drivers are
-- installed: `./bootstrap.sh drivers` puts them into a folder. PostgreSQL's server is started here.
local locus = require "locus"
local pages = require "spec.support.docs.pages"
local support = require "spec.support"

local message = support.message

-- By database: what opens it, how a place is written, and a type of texts.
local databases = {
  {name = "SQLite", uri = "sqlite:", place = function() return "?" end},
  {name = "DuckDB", uri = "duckdb:", place = function() return "?" end},
  {name = "PostgreSQL", place = function(i) return "$" .. i end},
}

local stop
teardown(function() if stop then stop() end end)

-- Starts a server where its driver is there: its uri, or nil and the reason.
local function start_postgres()
  local ok, why = pcall(require("locus.sql.drivers").get, "postgresql")
  if not ok then return nil, why end
  local uri, found = require("spec.support.programs.postgres").start()
  if not uri then return nil, found end
  stop = found
  return uri
end

-- A connection, or the reason why there is none, for pending.
local function open(database)
  if database.why then return nil, database.why end
  if not database.uri then database.uri, database.why = start_postgres() end
  if database.why then return nil, database.why end
  local ok, c = pcall(locus.connect, database.uri)
  if ok then return c end
  database.why = c
  return nil, c
end

-- The rows as a table of lists.
local function lists(f)
  local all = {}
  for _, name in ipairs(f:columns()) do all[name] = f:column(name):totable() end
  return all
end

local function sample()
  return locus.frame {
    {"i", locus.tensor({1, 2, 9007199254740993LL}, {dtype = "int64"})},
    {"n", locus.tensor({-1, 0, 7}, {dtype = "int32"})}, {"x", locus.tensor {1.5, 0 / 0, -3}},
    {"s", {"a", "", "hé"}}, {"b", locus.tensor {true, false, true}},
    {"t", locus.times {"2026-11-22T10:00:00.5Z", "1969-12-31", "2026-01-01"}},
    {"d", locus.dates {"2026-11-22", "1969-12-31", "2026-01-01"}},
    {"u", locus.tensor({255, 0, 1}, {dtype = "uint8"})},
    {"took", locus.durations {5, -1, 0}}, {"h", locus.tensor({0.5, 1, 2}, {dtype = "float16"})},
  }
end

for _, database in ipairs(databases) do
  describe(database.name .. " #host #once #native", function()
    local c

    local function test(what, body)
      it(what, function()
        local why
        c, why = open(database)
        if not c then return pending(why) end
        finally(function() if not tostring(c):find "closed" then c:close() end end)
        pcall(c.execute, c, "drop table t")
        body()
      end)
    end

    local function places(text)
      local n = 0
      return (text:gsub("%?", function()
        n = n + 1
        return database.place(n)
      end))
    end

    test("gives back what was written", function()
      local f = sample()
      assert.equal(3, f:write_sql(c, "t"))
      local back = locus.read_sql(c, "select * from t")
      assert.same(f:columns(), back:columns())
      for _, name in ipairs {"i", "n", "s", "u"} do
        assert.same(f:column(name):totable(), back:column(name):totable(), name)
      end
      for _, name in ipairs {"x", "h"} do
        support.same(back[name]:double(), {3}, f[name]:double():totable())
      end
      assert.same({5, -1, 0}, back.took:totable())
      if database.name == "SQLite" then -- which has neither bools nor times
        assert.same({1, 0, 1}, back.b:totable())
        assert.same({"2026-11-22T10:00:00.500000", "1969-12-31T00:00:00.000000",
          "2026-01-01T00:00:00.000000"}, back.t:totable())
        assert.same({"2026-11-22", "1969-12-31", "2026-01-01"}, back.d:totable())
      else
        assert.same({true, false, true}, back.b:totable())
        assert.is_true(back.t:equal(f.t) and back.t.kind == "time")
        assert.is_true(back.d:equal(f.d) and back.d.kind == "date")
      end
    end)

    test("has NULL for NaN, and for the values that `missing` names", function()
      sample():write_sql(c, "t", {missing = {s = "", i = 2}})
      local n = locus.read_sql(c, "select count(*) n, count(x) x, count(s) s, count(i) i, "
        .. "count(b) b from t")
      assert.same({n = {3}, x = {2}, s = {2}, i = {2}, b = {3}}, lists(n))
      local back = locus.read_sql(c, "select i, x, s from t order by s", {missing = {i = -1}})
      assert.equal(1, back.x:isnan():sum())
      assert.equal(1, back.s:eq(""):sum())
      assert.equal(1, back.i:eq(-1):sum())
      assert.equal("read_sql: the column 'i' lacks 1 value; give a value for missing ones: "
        .. "missing = {i = value}", message(locus.read_sql, c, "select i from t"))
    end)

    test("makes a table, adds to it, and replaces it", function()
      local f = sample()[{{1, 2}}]
      f:write_sql(c, "t")
      assert.matches("^write_sql: " .. database.name .. " says: .*already exists",
        message(f.write_sql, f, c, "t"))
      local function count() return locus.read_sql(c, "select count(*) n from t").n[1] end
      f:write_sql(c, "t", {mode = "append"})
      assert.equal(4, count())
      f:write_sql(c, "t", {mode = "replace"})
      assert.equal(2, count())
      assert.matches("^write_sql: " .. database.name .. " says: ",
        message(f.write_sql, f, c, "none", {mode = "append"}))
      f[{{1, 0}}]:write_sql(c, "t", {mode = "replace"})
      local none = locus.read_sql(c, "select * from t")
      assert.same({0, f:columns()}, {#none, none:columns()})
    end)

    test("takes values for the places of a query", function()
      sample():write_sql(c, "t")
      local function found(where, ...)
        return #locus.read_sql(c, places("select i from t where " .. where), {params = {...}})
      end
      assert.equal(1, found("i = ?", 9007199254740993LL))
      assert.equal(2, found("i < ?", 3))
      assert.equal(1, found("x = ?", 1.5))
      assert.equal(1, found("s = ?", "hé"))
      assert.equal(1, found("s = ? and n = ?", "a", -1))
      assert.equal(0, found("s = ?", "' or 1 = 1 --"))
      if database.name ~= "SQLite" then
        assert.equal(2, found("b = ?", true))
        assert.equal(1, found("t = ?", locus.time "2026-11-22T10:00:00.5Z"))
        assert.equal(1, found("d = ?", locus.date "1969-12-31"))
      end
      assert.equal(1, c:execute(places "update t set x = ? where i = ?", {params = {nil, 1}}))
      assert.equal(2, #locus.read_sql(c, "select i from t where x is null"))
    end)

    test("says what is wrong in its own words", function()
      local said = message(locus.read_sql, c, "select * from nowhere")
      assert.matches("^read_sql: " .. database.name .. " says: .*nowhere", said)
      assert.is_nil(said:find "\n")
      assert.matches("^execute: " .. database.name .. " says: .*syntax", message(c.execute, c,
        "selec 1"))
    end)

    test("takes a transaction back", function()
      sample():write_sql(c, "t")
      assert.equal("alas", message(c.transaction, c, function()
        c:execute "delete from t"
        sample():write_sql(c, "t", {mode = "append"})
        assert.equal(3, #locus.read_sql(c, "select i from t"))
        error("alas", 0)
      end))
      c:transaction(function() c:execute(places "delete from t where i = ?", {params = {2}}) end)
      assert.equal(2, #locus.read_sql(c, "select i from t"))
    end)

    test("gives long results in chunks, and takes long frames", function()
      local n = 200000
      local f = locus.frame {{"i", locus.arange(n):long()},
        {"s", locus.strings {"aa", "b", "", "cccc"}:take(locus.arange(n):remainder(4):long() + 1)}}
      f:write_sql(c, "t")
      local rows, sum = 0, 0
      for part in locus.sql_chunks(c, "select * from t", {rows = 70000}) do
        assert.is_true(#part <= 70000)
        rows, sum = rows + #part, sum + part.i:sum()
      end
      assert.same({n, n * (n - 1) / 2}, {rows, sum})
      local back = locus.read_sql(c, "select * from t order by i")
      assert.is_true(back.i:equal(f.i) and back.s:eq(f.s):all())
      assert.equal(5, #locus.read_sql(c, "select * from t", {rows = 5}))
    end)

    test("is closed while its rows live", function()
      sample():write_sql(c, "t")
      local f = locus.read_sql(c, "select i, s from t where i < 3")
      c:close()
      collectgarbage()
      assert.same({i = {1, 2}, s = {"a", ""}}, lists(f))
    end)
  end)
end

describe("files #host #once #native", function()
  it("of SQLite and DuckDB are made, and read by name", function()
    for i = 1, 2 do
      local database = databases[i]
      local c, why = open(database)
      if not c then return pending(why) end
      c:close()
      support.in_folder({["/x"] = ""}, function(root)
        local uri = database.uri .. root .. "/a b.db"
        sample():write_sql(uri, "t")
        assert.same({1, 2}, locus.read_sql(uri, "select i from t where i < 5").i:totable())
        assert.matches("^read_sql: there is no file",
          message(locus.read_sql, database.uri .. root .. "/c.db", "select 1"))
      end)
    end
  end)

  it("have decimals in DuckDB, which are int64 or, if asked for, float64", function()
    local c, why = open(databases[2])
    if not c then return pending(why) end
    finally(function() c:close() end)
    assert.equal(6, locus.read_sql(c, "select sum(i) s from range(1, 4) t(i)").s[1])
    assert.matches("write decimal = \"float64\"", message(locus.read_sql, c, "select 1.5 x"))
    local query = "select case when i < 5000 then i else i + .5 end x from range(10000) t(i)"
    local f = locus.read_sql(c, query, {decimal = "float64"})
    assert.same({"float64", 4999, 5000.5}, {f.x.dtype, f.x[5000], f.x[5001]})
    for part in locus.sql_chunks(c, query, {decimal = "float64", rows = 6000}) do
      assert.equal("float64", part.x.dtype)
    end
  end)

  it("of Parquet are read by DuckDB", function()
    local c, why = open(databases[2])
    if not c then return pending(why) end
    support.in_folder({["/x"] = ""}, function(root)
      sample():write_sql(c, "t")
      c:execute(("copy (select i, x, s, t from t) to '%s/x.parquet' (format parquet)"):format(root))
      local f = locus.read_sql("duckdb:", ("select * from '%s/x.parquet'"):format(root))
      assert.same({"a", "", "hé"}, f.s:totable())
      assert.is_true(f.t:equal(sample().t))
    end)
    c:close()
  end)
end)

describe("the page of databases #host #once #native", function()
  it("does what it says", function()
    for i = 1, 2 do
      local c, why = open(databases[i])
      if not c then return pending(why) end
      c:close()
    end
    support.in_folder({["/x"] = ""}, function(root)
      local blocks = 0
      for _, block in ipairs(pages.blocks(pages.read "docs/databases.md")) do
        if block.tag == "lua" then
          local text = table.concat(block.lines, "\n")
          text = text:gsub("sqlite:shop", "sqlite:" .. root .. "/shop")
            :gsub("trades%.parquet", root .. "/trades.parquet")
          local env, printed = pages.environment()
          pages.run(text, "docs/databases.md", env)
          for i, line in ipairs(printed) do printed[i] = pages.trim(line) end
          assert.same(pages.said(block), printed, block.line)
          blocks = blocks + 1
        end
      end
      assert.equal(9, blocks)
    end)
  end)
end)
