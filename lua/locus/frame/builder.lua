-- SPDX-License-Identifier: MIT
-- locus.builder: columns that grow by a value, and frames that grow by a row at a time. A row
-- counts only once all of its columns are written.
local frame_column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.call.declare"
local registry = require "locus.call.registry"
local frame = require "locus.frame.frame"
local frame_row = require "locus.frame.row"
local growing = require "locus.frame.growing"
local lazy = require "locus.call.lazy"
local internal = core.internal
local put = growing.put

-- The state of each builder of a column or of a frame: {columns, count, room}, with the number of
-- rows and the room for them; for a frame also {names, kinds, places} of its columns. A table finds
-- it while a loop stays compiled; nothing in it refers to the builder.
local column_states = setmetatable({}, {__mode = "k"})
local frame_states = setmetatable({}, {__mode = "k"})

local function state_in(states, builder)
  local state = states[builder]
  if not state then
    declare.raise("'builder' must be made by locus.builder, got %s", internal.describe(builder))
  end
  return state
end

-- The place of one more row, with room for it.
local function next_row(state)
  if state.count >= state.room then
    local room = math.huge
    for _, column in ipairs(state.columns) do
      room = math.min(room, internal.reserve(column.tensor, state.count + 1))
    end
    state.room = room
  end
  return state.count + 1
end

-- The metatable of the builders in `states`; last is the method that others lack.
local function class(states, methods, last, describe)
  local metatable = {__metatable = "builder", __index = methods}
  local events = registry.once(metatable)
  setmetatable(methods, {__index = function(_, key)
    internal.raise(("this builder has no '%s'; it has push, extend, %s and clear"):format(
      declare.shown(key), last))
  end})
  function events.__newindex() internal.raise("a builder has no fields; write b:push(...)") end
  function events.__len(builder) return states[builder].count end
  function events.__describe(builder) return "a builder of " .. describe(states[builder]) end
  function events.__tostring(builder)
    return ("[builder of %s]"):format(describe(states[builder]))
  end
  return metatable
end

-- Forgets all rows, and keeps their memory for the next ones.
local function clear_in(states)
  return declare.define("clear(builder:any)", function(builder)
    local state = state_in(states, builder)
    state.count = 0
    for _, column in ipairs(state.columns) do growing.clear(column) end
  end)
end

-- -- Of a column ----------------------------------------------------------------------------------

-- Raises where more than one value has come.
local function check_alone(...)
  if select("#", ...) > 1 then declare.raise("takes one value, got %d", (select("#", ...))) end
end

local of_column = {clear = clear_in(column_states)}

-- Adds a value: one that column[i] = value takes, or a string to a column of strings.
of_column.push = declare.plain("push(builder, value)", function(builder, value, ...)
  local state = state_in(column_states, builder)
  check_alone(value, ...)
  local row = next_row(state)
  put(state.columns[1], row, value)
  state.count = row
end)

-- Adds the values of a list, a 1-D tensor or a string column, all or none.
of_column.extend = declare.plain("extend(builder, values)", function(builder, values, ...)
  local state = state_in(column_states, builder)
  check_alone(values, ...)
  state.count = growing.append(state.columns[1], state.count, values, "values")
end)

-- The elements so far as a new tensor or string column, on the default device.
of_column.column = declare.define("column(builder:any)", function(builder)
  local state = state_in(column_states, builder)
  return growing.copy(state.columns[1], state.count)
end)

of_column.tensor = declare.define("tensor(builder:any)", function(builder)
  local state = state_in(column_states, builder)
  if state.columns[1].dictionary then
    declare.raise("strings make a string column; write b:column()")
  end
  return growing.copy(state.columns[1], state.count)
end)

local column_metatable = class(column_states, of_column, "column", function(state)
  return state.columns[1].type .. ", " .. frame.count(state.count, "element")
end)

-- -- Of a frame -----------------------------------------------------------------------------------

local of_frame = {clear = clear_in(frame_states)}

-- Writes values into a row, beginning at the i-th column. It takes six at a time: a loop here would
-- end the trace of the loop that pushes.
local function put_values(columns, row, i, a, b, c, d, e, f, ...)
  put(columns[i], row, a)
  if columns[i + 1] then put(columns[i + 1], row, b) end
  if columns[i + 2] then put(columns[i + 2], row, c) end
  if columns[i + 3] then put(columns[i + 3], row, d) end
  if columns[i + 4] then put(columns[i + 4], row, e) end
  if columns[i + 5] then put(columns[i + 5], row, f) end
  if columns[i + 6] then put_values(columns, row, i + 6, ...) end
end

local function check_names(state, named)
  local name = internal.unknown_key(named, state.places)
  if name == nil then return end
  local there, names = pcall(lazy, "locus.names.advice")
  local advice = there and type(name) == "string" and names.nearest_own(name, state.places)
  declare.raise("there is no column '%s'%s", declare.shown(name), advice or "")
end

-- Adds a row: values in the order of the columns, or one table of them by name.
of_frame.push = declare.plain("push(builder, values...)", function(builder, ...)
  local state, given, first = state_in(frame_states, builder), select("#", ...), ...
  local row = next_row(state)
  if given == 1 and type(first) == "table" then
    local named = frame_row.is(first) and first() or first
    check_names(state, named)
    for _, column in ipairs(state.columns) do put(column, row, named[column.name]) end
  else
    if given > #state.columns then
      declare.raise("takes a value for each of %d columns, got %d", #state.columns, given)
    end
    put_values(state.columns, row, 1, ...)
  end
  state.count = row
end)

-- Raises unless the frame has the columns of the builder and no others, and of the same kinds.
local function check_frame(state, given)
  for _, column in ipairs(state.columns) do
    frame.column(given, column.name)
    local kind, own = given.kinds[column.name], column.kind
    if kind and own and (kind.type ~= own.type or kind.unit ~= own.unit) then
      declare.raise("'%s' must be of type %s, got %s", column.name, column.type,
        frame_column.type_text(nil, kind))
    end
  end
  check_names(state, given.columns)
end

-- Adds the rows of a frame that has the same columns, in any order; all or none.
of_frame.extend = declare.plain("extend(builder, frame)", function(builder, rows, ...)
  local state, given = state_in(frame_states, builder), frame.state(rows)
  check_alone(rows, ...)
  if not given then declare.raise("'frame' must be a frame, got %s", internal.describe(rows)) end
  check_frame(state, given)
  for _, column in ipairs(state.columns) do
    growing.append(column, state.count, given.columns[column.name], column.name)
  end
  state.count = state.count + given.rows
end)

-- The rows so far as a new frame, on the default device.
of_frame.frame = declare.define("frame(builder:any)", function(builder)
  local state = state_in(frame_states, builder)
  local columns = {}
  for _, column in ipairs(state.columns) do
    columns[column.name] = growing.copy(column, state.count)
  end
  return frame.make(state.names, columns, state.kinds)
end)

local frame_metatable = class(frame_states, of_frame, "frame", function(state)
  return frame.count(#state.columns, "column") .. ", " .. frame.count(state.count, "row")
end)

-- -- Making them ----------------------------------------------------------------------------------

local known = {string = true}
for _, dtype in ipairs(internal.dtypes()) do known[dtype] = true end

local MUST = '%s must be a dtype, "string", ' .. frame_column.kind_forms("ms") .. ", got %s%s"

-- A column of a type that is written in one of these forms; errors name the value that should be a
-- type.
local function new_column(name, written, what)
  local word = written
  if type(written) == "table" then word = written[1] end
  if frame_column.kinds[word] then
    return growing.new(name, "int64", frame_column.kind(name, written))
  end
  if not known[word] or word ~= written then
    local advice = frame_column.advice(word)
    declare.raise(MUST, what, internal.describe(type(word) == "string" and word or written),
      advice and "; " .. advice or "")
  end
  return growing.new(name, word)
end

local function read_columns(list)
  declare.check_keys(list, "'types'", "a list of {name, type}", #list)
  local state = {columns = {}, names = {}, kinds = {}, places = {}, count = 0, room = 0}
  for i, entry in ipairs(list) do
    local name = type(entry) == "table" and entry[1]
    if type(name) ~= "string" or name == "" then
      declare.raise("'types[%d]' must be {name, type}, got %s", i, internal.describe(entry))
    end
    declare.check_keys(entry, ("'types[%d]'"):format(i), "{name, type}", 2)
    if state.places[name] then declare.raise("the column '%s' is there twice", name) end
    local column = new_column(name, entry[2], ("the type of '%s'"):format(name))
    state.columns[i], state.names[i], state.places[name] = column, name, i
    state.kinds[name] = column.kind
  end
  return state
end

-- builder(types): grows a column of a dtype, of strings, or of times, dates or addresses, which are
-- pushed as int64. builder{{name, type}, ...}: grows a frame. Pushed elements lie in memory of the
-- host, with at most as much room again behind them.
-- Errors: a type that there is not, a name that is empty or there twice, no columns.
declare.add(core, declare.plain("builder(types)", function(types, ...)
  local state, metatable, states
  check_alone(types, ...)
  if type(types) == "table" and type(types[1]) == "table" then
    state, metatable, states = read_columns(types), frame_metatable, frame_states
  elseif type(types) == "string" or type(types) == "table" and type(types[1]) == "string" then
    state = {columns = {new_column("value", types, "'types'")}, count = 0, room = 0}
    metatable, states = column_metatable, column_states
  else
    local name = type(types) == "table" and next(types)
    declare.raise("'types' must be a type or a list of {name, type}, got %s%s",
      internal.describe(types), type(name) == "string"
      and ('; keys have no order: write builder{{"%s", type}}'):format(declare.shown(name)) or "")
  end
  local builder = internal.object(metatable, {})
  states[builder] = state
  return builder
end))

return {of_column = of_column, of_frame = of_frame}
