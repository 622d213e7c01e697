-- SPDX-License-Identifier: MIT
-- read_sql, sql_chunks and connection:execute.
local core = require "locus.core"
local adbc = require "locus.sql.adbc"
local connection = require "locus.sql.connection"
local decimals = require "locus.arrow.decimals"
local declare = require "locus.call.declare"
local params = require "locus.sql.params"
local statement = require "locus.sql.statement"
local structs = require "locus.arrow.structs"
local internal = core.internal

-- -- Rows ----------------------------------------------------------------------------------------

-- The next rows of a stream as a frame; nil behind the last ones, where nobody asks again. Ctrl-C
-- ends a reading between two of these.
local function next_rows(reader)
  local own = reader.statement
  local driver, stream = own.state.driver, own.stream
  if not stream then declare.raise("the connection was closed while its rows were read") end
  local array, schema = structs.new "array", structs.new "schema"
  adbc.check_stream(driver, stream, stream.get_schema(stream, schema))
  adbc.check_stream(driver, stream, stream.get_next(stream, array))
  if array.release ~= nil then return core.from_arrow(array, schema, reader.options) end
  reader.ended = true
end

-- At most n rows of the stream, in one frame; nil behind the last ones. The first answer is a frame
-- in any case, if need be the one without rows that from_arrow_stream makes of a stream at its end.
local function take(reader, n)
  local parts, have = {}, 0
  while have < n do
    local part = reader.rest or not reader.ended and next_rows(reader)
    reader.rest = nil
    if not part then break end
    if #part > n - have then
      reader.rest = part[{{n - have + 1, #part}}]
      part = part[{{1, n - have}}]
    end
    parts[#parts + 1], have = part, have + #part
  end
  if #parts == 0 then
    if reader.begun then return nil end
    parts[1] = core.from_arrow_stream(reader.statement.stream, reader.options)
  end
  reader.begun = true
  if #parts == 1 then return parts[1] end
  return core.cat(parts, {promote = reader.options.decimal ~= nil}) -- which gives int64 and float64
end

local function begin(own, query, values, options)
  own:prepare(query, params.read(values))
  own:run(true)
  return {statement = own, options = options}
end

-- -- Functions -----------------------------------------------------------------------------------

local function check_rows(rows, least)
  if rows and rows < least then
    declare.raise("'rows' must be a whole number of at least %d, got %d", least, rows)
  end
end

local function read(own, query, values, options, rows)
  local reader = begin(own, query, values, options)
  local made = take(reader, math.max(rows or math.huge, 1))
  return rows == 0 and made[{{1, 0}}] or made
end

-- read_sql(database, query, {params, rows, missing, decimal, driver}): the rows of a query as a
-- frame. database: a connection, or a text such as "sqlite:shop.db". params: the values of its
-- places. rows: the first ones alone. Missing values are NaN in floats, "" in strings, and else the
-- value in `missing`: one value, or values by column. decimal = "float64" reads decimals that are
-- no int64. driver: the path of a driver's library. Errors: what the driver says; a type without a
-- column; missing values without a replacement.
declare.func("read_sql(database:any, query:string, {params:any=nil, rows:integer=nil, "
  .. "missing:any=nil, decimal:any=nil, driver:string=nil})",
  function(database, query, values, rows, missing, decimal, driver)
    check_rows(rows, 0)
    decimals.check(decimal)
    return connection.with(database, driver, true, statement.with, read, query, values,
      {missing = missing, decimal = decimal}, rows)
  end)

-- Closes the statement of a loop that was left.
local guard = {__metatable = "rows"}
function guard.__gc(value)
  local state = internal.state(value, guard)
  if state then state.reader.statement:close() end
end

-- The next chunk of a loop. What nobody keeps of the chunks before goes first, since the collector
-- does not see the driver's memory.
local function next_chunk(state)
  if state.begun then collectgarbage() end
  state.begun = true
  return take(state.reader, state.rows)
end

local function end_chunks(state)
  state.ended = true
  local said = state.reader.statement:close()
  if state.own then said = connection.close(state.own) or said end
  return said
end

local function step(state)
  if state.ended then return nil end
  local ok, chunk = pcall(next_chunk, state)
  if ok and chunk then return chunk end
  local said = end_chunks(state)
  if not ok then error(chunk, 0) end
  if said then declare.raise("%s says: %s", state.reader.statement.state.driver.title, said) end
end

-- sql_chunks(database, query, {rows, params, missing, decimal, driver}): for part in
-- locus.sql_chunks(...) do ... end gives a frame of at most `rows` rows at a time; the rest of the
-- result waits in the database. A query without rows gives one frame without rows. All else is as
-- in read_sql.
declare.func("sql_chunks(database:any, query:string, {params:any=nil, rows:integer=1000000, "
  .. "missing:any=nil, decimal:any=nil, driver:string=nil})",
  function(database, query, values, rows, missing, decimal, driver)
    check_rows(rows, 1)
    decimals.check(decimal)
    local held, state, is_own = connection.lasting(database, driver)
    local own = statement.open(state)
    local ok, reader = pcall(begin, own, query, values,
      {missing = missing, decimal = decimal})
    if not ok then
      own:close()
      if is_own then connection.close(state) end
      error(reader, 0)
    end
    local loop = internal.object(guard, {reader = reader, rows = rows, held = held,
                                         own = is_own and state or nil})
    return declare.plain("sql_chunks()", function() -- no tail call: errors have its name
      local part = step(internal.state(loop, guard))
      return part
    end)
  end)

local function execute(own, query, values)
  own:prepare(query, params.read(values))
  return own:run(false)
end

-- execute(query, {params}): runs a query whose rows nobody wants; how many rows it has changed, nil
-- where the driver does not say. A frame as params runs it once for each row.
connection.methods.execute = declare.define(
  "execute(connection:any, query:string, {params:any=nil})", function(c, query, values)
    return statement.with(connection.state(c), execute, query, values)
  end)
