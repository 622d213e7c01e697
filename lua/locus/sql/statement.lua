-- SPDX-License-Identifier: MIT
-- A statement of a connection, and the stream of its rows. It stays open until its close(), or that
-- of the connection.
local adbc = require "locus.sql.adbc"
local declare = require "locus.call.declare"
local structs = require "locus.arrow.structs"
local internal = require("locus.core").internal

local statement = {}
statement.__index = statement

-- Options that a driver may know: SQLite's decides the type of a column by the rows that it reads
-- at once.
local OPTIONS = {SQLite = {["adbc.sqlite.query.batch_rows"] = "65536"}}

--- A new statement; after an error it is closed with the connection.
function statement.open(state)
  local self = setmetatable({state = state, object = adbc.object()}, statement)
  state.statements[self] = true
  adbc.call(state.driver, "StatementNew", state.connection, self.object)
  return self
end

--- Releases all; the answer is what the driver says of a failure.
function statement:close()
  local stream, object = self.stream, self.object
  self.stream, self.object, self.state.statements[self] = nil, nil, nil
  if stream then structs.release(stream) end
  if object and object.private_data ~= nil then
    return adbc.try(self.state.driver, "StatementRelease", object)
  end
end

--- Calls a function of the driver for statements, by its name without that word.
function statement:call(name, ...)
  if not self.object then declare.raise("the connection was closed") end
  adbc.call(self.state.driver, "Statement" .. name, self.object, ...)
end

--- Sets an option, which every driver must know.
function statement:set(name, value) self:call("SetOption", name, value) end

--- Takes the query, and the values of its places, an array of Arrow, where it has any.
function statement:prepare(query, array, schema)
  if not internal.is_utf8(query) then declare.raise("'query' must be UTF-8") end
  self:call("SetSqlQuery", query)
  for name, value in pairs(OPTIONS[self.state.driver.title] or {}) do
    adbc.try(self.state.driver, "StatementSetOption", self.object, name, value)
  end
  if not array then return end
  local said, lacks = adbc.try(self.state.driver, "StatementPrepare", self.object)
  if said and not lacks then declare.raise("%s says: %s", self.state.driver.title, said) end
  self:call("Bind", array, schema)
end

--- Runs it; its rows, if they are asked for, are the stream. The answer is how many rows it has
--- changed, nil where the driver does not know.
function statement:run(has_rows)
  local changed = adbc.count()
  if has_rows then self.stream = adbc.stream() end
  self:call("ExecuteQuery", self.stream, changed)
  return changed[0] >= 0 and tonumber(changed[0]) or nil
end

local function finish(self, ok, ...)
  local said = self:close()
  if not ok then error((...), 0) end
  if said then declare.raise("%s says: %s", self.state.driver.title, said) end
  return ...
end

--- The results of f(statement, ...) with a statement of its own.
function statement.with(state, f, ...)
  local self = statement.open(state)
  return finish(self, pcall(f, self, ...))
end

return statement
