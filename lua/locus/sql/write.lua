-- SPDX-License-Identifier: MIT
-- frame:write_sql: rows into a table of a database, some at a time.
local core = require "locus.core"
local batch = require "locus.sql.batch"
local connection = require "locus.sql.connection"
local declare = require "locus.call.declare"
local frame = require "locus.frame.frame"
local statement = require "locus.sql.statement"
local internal = core.internal

local ROWS = 65536 -- at a time

local MODES = {create = true, append = true, replace = true}

-- Gives some rows to the driver, which makes the table in a mode other than "append".
local function ingest(own, part, job, mode)
  own:set("adbc.ingest.target_table", job.table)
  own:set("adbc.ingest.mode", "adbc.ingest.mode." .. mode)
  if job.schema then own:set("adbc.ingest.target_db_schema", job.schema) end
  own:call("Bind", batch.of(batch.columns(part, job.missing)))
  own:run(false)
end

local function write_all(state, f, job)
  local rows, first = #f, 1
  repeat
    local last = math.min(first + ROWS - 1, rows)
    local part = first == 1 and last == rows and f or f[{{first, last}}]
    statement.with(state, ingest, part, job, first == 1 and job.mode or "append")
    first = last + 1
  until first > rows
end

local function check_table(name, what)
  if name == "" or name:find("\0", 1, true) or not internal.is_utf8(name) then
    declare.raise("'%s' must be a name in UTF-8, got %s", what, internal.describe(name))
  end
end

local function check_columns(state)
  if #state.names == 0 then declare.raise("the frame has no columns") end
  for _, name in ipairs(state.names) do
    local c = state.columns[name]
    local dtype = core.is_tensor(c) and internal.dtype_of(c)
    if dtype and dtype:find "^complex" then
      declare.raise("the column '%s' is %s, which databases do not have", name, dtype)
    end
  end
end

-- write_sql(database, table, {mode, schema, missing, driver}): the rows of the frame into a table;
-- the answer is how many there are. mode: "create", where the table must not be there yet;
-- "append", where it must; "replace", which drops it first. NaN is written as NULL, and so are the
-- values that `missing` gives by column. schema: the table's, in databases that have schemas. All
-- rows are written, or after an error none.
frame.method('write_sql(frame:any, database:any, table:string, {mode:string="create", '
  .. "schema:string=nil, missing:any=nil, driver:string=nil})",
  function(state, database, name, mode, schema, missing, driver)
    if not MODES[mode] then
      declare.raise("'mode' must be \"create\", \"append\" or \"replace\", got %s",
        internal.describe(mode))
    end
    check_table(name, "table")
    if schema then check_table(schema, "schema") end
    check_columns(state)
    local f = frame.make(state.names, state.columns, state.kinds)
    local job = {table = name, mode = mode, schema = schema,
                 missing = batch.check_missing(f, missing)}
    connection.with(database, driver, false, function(own)
      connection.together(own, write_all, own, f, job)
    end)
    return state.rows
  end)
