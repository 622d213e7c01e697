-- SPDX-License-Identifier: MIT
-- The option `params`: values for the places of a query, as an array of Arrow. A list is one row, a
-- frame is one row after the other.
local core = require "locus.core"
local batch = require "locus.sql.batch"
local declare = require "locus.call.declare"
local frame = require "locus.frame.frame"
local kinds = require "locus.tensor.kind"
local quantity = require "locus.tensor.quantity"
local strings = require "locus.frame.strings"
local internal = core.internal
local has_ffi, ffi = pcall(require, "ffi")

local params = {}

-- A tensor of one element.
local function one(value, dtype) return core.tensor({value}, {dtype = dtype, device = "cpu"}) end

-- Whole numbers are integers, as Lua writes them.
local function of_number(value)
  local whole = value % 1 == 0 and value >= -2 ^ 53 and value <= 2 ^ 53
  return one(value, whole and "int64" or "float64")
end

local function of_cdata(value)
  if quantity.is(value) then
    local kind, units = quantity.parts(value)
    return kinds.tagged(one(units, "int64"), kind), kind
  end
  if ffi.istype("int64_t", value) then return one(value, "int64") end
end

-- The column of a value and its kind; nil for a value that no database takes.
local function column_of(value)
  local kind = type(value)
  if kind == "number" then return of_number(value) end
  if kind == "boolean" then return one(value, "bool") end
  if kind == "string" then return strings.of({value}, "cpu") end
  if kind == "cdata" and has_ffi then return of_cdata(value) end
end

-- How many values there are: up to the greatest place, or `n` where the last ones are nil.
local function count(given)
  local most = 0
  for key in pairs(given) do
    if key ~= "n" then
      if type(key) ~= "number" or key < 1 or key % 1 ~= 0 then
        declare.raise("'params' must be a list of values for the places of the query, and has a "
          .. "key '%s'; write ? for each place in SQLite and DuckDB, $1 in PostgreSQL and DuckDB",
          declare.shown(key))
      end
      most = math.max(most, key)
    end
  end
  if given.n == nil then return most end
  if type(given.n) ~= "number" or given.n < most or given.n % 1 ~= 0 then
    declare.raise("'params.n' must be the number of values, at least %d, got %s", most,
      internal.describe(given.n))
  end
  return given.n
end

local MOST = 65535 -- places of a query; more than any database takes

local function of_list(given)
  local columns, n = {}, count(given)
  if n > MOST then declare.raise("'params' has %s values", internal.spell(n)) end
  for i = 1, n do
    local value = given[i]
    local c, kind = column_of(value)
    if value ~= nil and c == nil then
      declare.raise("'params[%d]' must be a number, string, boolean, time or nil, got %s", i,
        internal.describe(value))
    end
    columns[i] = {tostring(i), c, kind}
  end
  return columns
end

--- The array and the schema of the values; nothing where there are none.
function params.read(given)
  if given == nil then return nil end
  if frame.is(given) then return batch.of(batch.columns(given, {})) end
  if type(given) ~= "table" then
    declare.raise("'params' must be a list of values or a frame, got %s; write params = {value}",
      internal.describe(given))
  end
  local columns = of_list(given)
  if #columns > 0 then return batch.of(columns, 1) end
end

return params
