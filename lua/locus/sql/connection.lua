-- SPDX-License-Identifier: MIT
-- locus.connect: a database that is opened once. Whatever hangs on a connection is released before
-- it: streams, then their statements, then the connection, then the database.
local core = require "locus.core"
local adbc = require "locus.sql.adbc"
local declare = require "locus.call.declare"
local drivers = require "locus.sql.drivers"
local registry = require "locus.call.registry"
local source = require "locus.sql.source"
local internal = core.internal

-- The state of a connection: its `driver`; `database` and `connection`, structs of ADBC, nil once
-- it is closed; `statements`, the open ones, a set; whether it is in a `transaction`.
local methods, metatable = {}, {__metatable = "connection"}
local events = registry.once(metatable)
local connection = {methods = methods}
metatable.__index = methods

-- -- Open and closed -----------------------------------------------------------------------------

local function release(state, what)
  local object = state[what:lower()]
  state[what:lower()] = nil
  if object and object.private_data ~= nil then
    return adbc.try(state.driver, what .. "Release", object)
  end
end

local function close_statements(state)
  for own in pairs(state.statements) do own:close() end
end

-- Releases all; the answer is what the driver says of the first failure.
local function close(state)
  close_statements(state)
  local said = release(state, "Connection")
  local also = release(state, "Database")
  return said or also
end
connection.close = close

-- A text of an option, as ADBC takes it.
local function option_text(name, value)
  if type(value) == "boolean" then value = tostring(value)
  elseif type(value) == "number" then value = internal.spell(value) end
  if type(name) ~= "string" or type(value) ~= "string" then
    declare.raise("'options' must be a table of texts by name, got %s for '%s'",
      internal.describe(value), declare.shown(name))
  end
  return value
end

local function begin(state, options)
  local driver = state.driver
  state.database = adbc.object()
  adbc.call(driver, "DatabaseNew", state.database)
  for name, value in pairs(options) do
    adbc.call(driver, "DatabaseSetOption", state.database, name, value)
  end
  adbc.call(driver, "DatabaseInit", state.database)
  state.connection = adbc.object()
  adbc.call(driver, "ConnectionNew", state.connection)
  adbc.call(driver, "ConnectionInit", state.connection, state.database)
end

-- The state of a new connection. After an error nothing stays open.
local function open(uri, driver, options, must_be_there)
  local name, own = source.parse(uri, must_be_there)
  for key, value in pairs(options or {}) do own[key] = option_text(key, value) end
  local state = {driver = drivers.get(name, driver), statements = {}}
  local ok, message = pcall(begin, state, own)
  if ok then return state end
  close(state)
  error(message, 0)
end

--- The state of an open connection.
function connection.state(value)
  local state = internal.state(value, metatable)
  if not state then
    declare.raise("'connection' must be made by locus.connect, got %s", internal.describe(value))
  end
  if not state.connection then declare.raise("the connection is closed") end
  return state
end

-- Whether the argument `database` is a connection already.
local function is_open(database, driver)
  if not internal.state(database, metatable) then return false end
  if driver == nil then return true end
  declare.raise("'driver' is for a database that is opened, and 'database' is a connection")
end

local function close_and_check(state, ok, ...)
  local said = close(state)
  if not ok then error((...), 0) end
  if said then declare.raise("%s says: %s", state.driver.title, said) end
  return ...
end
--- Calls f(state, ...) with the connection of the argument `database`, or with one of its own,
--- which is closed then.
function connection.with(database, driver, must_be_there, f, ...)
  if is_open(database, driver) then return f(connection.state(database), ...) end
  local held = internal.object(metatable, open(database, driver, nil, must_be_there))
  local state = internal.state(held, metatable)
  return close_and_check(state, pcall(f, state, ...))
end

--- A new connection, for readers that last: the object, which closes it when it is garbage, and its
--- state; and whether it is the caller's own.
function connection.lasting(database, driver)
  if is_open(database, driver) then return database, connection.state(database), false end
  local held = internal.object(metatable, open(database, driver, nil, true))
  return held, internal.state(held, metatable), true
end

-- -- Transactions --------------------------------------------------------------------------------

local AUTOCOMMIT = "adbc.connection.autocommit"

local function set_autocommit(state, value)
  return adbc.try(state.driver, "ConnectionSetOption", state.connection, AUTOCOMMIT, value)
end

local function after(state, ok, ...)
  local driver, said = state.driver, nil
  state.transaction = false
  if not state.connection then -- closed by the function
    if not ok then error((...), 0) end
    declare.raise("the connection was closed inside its transaction, which is lost")
  end
  close_statements(state)
  if ok then said = adbc.try(driver, "ConnectionCommit", state.connection) end
  if not ok or said then adbc.try(driver, "ConnectionRollback", state.connection) end
  local also = set_autocommit(state, "true")
  if not ok then error((...), 0) end
  if said or also then declare.raise("%s says: %s", state.driver.title, said or also) end
  return ...
end

--- The results of f(...), all of whose changes are made together, or none after an error. Inside a
--- transaction f is a part of that.
function connection.together(state, f, ...)
  if state.transaction then return f(...) end
  local said = set_autocommit(state, "false")
  if said then declare.raise("%s says: %s", state.driver.title, said) end
  state.transaction = true
  return after(state, pcall(f, ...))
end

-- transaction(f): calls f(connection) and commits; an error in f, which is raised again, takes all
-- its changes back.
methods.transaction = declare.define("transaction(connection:any, f:function)", function(c, f)
  local state = connection.state(c)
  if state.transaction then declare.raise("the connection is in a transaction already") end
  return connection.together(state, declare.call, f, c)
end)

-- -- Methods -------------------------------------------------------------------------------------

-- close(): closes the connection and all that is read from it. The collector does so, too.
methods.close = declare.define("close(connection:any)", function(c)
  local state = connection.state(c)
  local said = close(state)
  if said then declare.raise("%s says: %s", state.driver.title, said) end
end)

function events.__gc(c)
  local state = internal.state(c, metatable)
  if state then close(state) end
end
function events.__newindex() internal.raise("a connection has no fields") end
function events.__describe(c) return "a connection to " .. internal.state(c, metatable).name end
function events.__tostring(c)
  local state = internal.state(c, metatable)
  return ("[%s to %s]"):format(state.connection and "connection" or "closed connection",
    state.driver.title)
end
setmetatable(methods, {__index = function(_, key)
  internal.raise(("a connection has no '%s'; it has execute, transaction and close; write "
    .. "locus.read_sql(c, query) and f:write_sql(c, table)"):format(declare.shown(key)))
end})

-- connect(database, {driver, options}): a connection to a database, for several calls of read_sql
-- and write_sql. A file that is not there is made. driver: the path of a driver's library, or its
-- name; options: the driver's own, by name. Errors: no driver; what the driver says.
declare.func("connect(database:string, {driver:string=nil, options:any=nil})",
  function(database, driver, options)
    if options ~= nil and type(options) ~= "table" then
      declare.raise("'options' must be a table of texts by name, got %s",
        internal.describe(options))
    end
    return internal.object(metatable, open(database, driver, options, false))
  end)

return connection
