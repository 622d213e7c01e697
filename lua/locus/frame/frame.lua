-- SPDX-License-Identifier: MIT
-- Frames: an ordered list of named columns of equal length. A frame never changes, and shares its
-- columns with their givers and with the frames made of it.
local core = require "locus.core"
local column = require "locus.frame.column"
local declare = require "locus.call.declare"
local gather = require "locus.frame.gather"
local registry = require "locus.call.registry"
local row_of = require("locus.frame.row").of
local strings = require "locus.frame.strings"
local lazy = require "locus.call.lazy"
local internal = core.internal

local metatable, methods = {__metatable = "frame"}, {}
local events = registry.once(metatable)
local frame = {metatable = metatable, methods = methods}

-- A frame of columns that fit together. names: their order; columns, kinds: by name; `print`: how
-- its numbers are printed, "by_row" or nil.
function frame.make(names, columns, kinds, print)
  columns, kinds = column.tag(names, columns, kinds)
  local rows = names[1] and column.rows(columns[names[1]]) or 0
  return internal.object(metatable, {names = names, columns = columns, kinds = kinds, rows = rows,
                                     print = print})
end

local function become(state, made)
  internal.join_scope(made, state.beside)
  for name, value in pairs(frame.state(made)) do state[name] = value end
  state.beside = nil
  setmetatable(state, nil)
end

-- A frame that calls read() at its first use. While read() runs, no result of an earlier read()
-- lies on the stack here. Its columns and `beside` belong to the call of tidy that it was made in.
function frame.later(read)
  local function look(state, key)
    become(state, read())
    return rawget(state, key)
  end
  local beside = core.empty(0, {device = "cpu"})
  return internal.object(metatable, setmetatable({beside = beside}, {__index = look}))
end

-- {names, columns, kinds, rows, bad}: the parts of a frame; nil for other values.
function frame.state(value) return internal.state(value, metatable) end

function frame.is(value) return frame.state(value) ~= nil end

local function answers_of(state, ok, ...)
  if ok then return ... end
  for _, name in ipairs(state.names) do strings.look_again(state.columns[name]) end
  error((...), 0)
end

-- Whether strings of the frame lie in a file, which another program may write to.
local function is_watched(state)
  if not rawget(state, "names") then return false end
  if state.watched == nil then
    state.watched = false
    for _, c in pairs(state.columns) do
      local _, _, origin = strings.unchecked(c)
      state.watched = state.watched or origin ~= nil
    end
  end
  return state.watched
end

-- The results of a body. If it fails because ids have changed since their check, the error says so.
function frame.ask(state, body, ...)
  if not is_watched(state) then return body(state, ...) end
  return answers_of(state, pcall(body, state, ...))
end

-- A method, declared by its line; body gets the frame's state in place of the frame.
function frame.method(line, body)
  local name = line:match("^[%w_]+")
  local function opened(f, ...)
    local state = internal.state(f, metatable)
    if not state then
      declare.raise("'frame' must be a frame, got %s; write f:%s(...), or f:column(\"%s\") for a "
        .. "column of that name", internal.describe(f), name, name)
    end
    return frame.ask(state, body, ...)
  end
  declare.add(methods, declare.define(line, opened))
end

-- A frame whose columns are f(column) of the others'.
function frame.map(state, f)
  local columns = {}
  for name, c in pairs(state.columns) do columns[name] = f(c) end
  return frame.make(state.names, columns, state.kinds, state.print)
end

-- The rows at the positions of an index tensor.
function frame.at(state, positions)
  return frame.make(state.names, gather.at(state, positions), state.kinds, state.print)
end

-- -- Columns by name -----------------------------------------------------------------------------

-- The name in other libraries of data frames.
local hints = {
  resample = 'f:group{time = "1m", empty = true}', group_by_dynamic = 'f:group{time = "1m"}',
  upsample = 'f:group{time = "1m", empty = true}',
  shape = "#f and #f:columns()", nrow = "#f", height = "#f", width = "#f:columns()",
  names = "f:columns()", keys = "f:columns()", dtypes = "f:types()", schema = "f:types()",
  assign = "f:with(name, column)", with_columns = "f:with(name, column)",
  mutate = "f:with(name, column)", filter = "f[mask]",
  insert = "f:with(name, column), or locus.cat{f, g} for rows",
  where = "f[mask]", query = "f[mask]",
  loc = "f[1] for a row, f[mask] for rows, f.name for a column",
  iloc = "f[1] for a row, f[positions] for rows", at = "f.name[1]", iat = "f.name[1]",
  slice = "f[{ {first, last} }]", row = "f[i]", rows = "f:iter()",
  iterrows = "f:iter()", itertuples = "f:iter()", iter_rows = "f:iter()",
  merge = 'f:join(g, {on = "id"})', drop_duplicates = 'f:unique("name")',
  distinct = 'f:unique("name")', sort_by = 'f:sort{"a", "-b"}', sort_values = 'f:sort{"a", "-b"}',
  order_by = 'f:sort{"a", "-b"}', arrange = 'f:sort{"a", "-b"}', concat = "locus.cat{f, g}",
  append = "locus.cat{f, g}", vstack = "locus.cat{f, g}", cat = "locus.cat{f, g}",
  to_sql = "f:write_sql(uri, table)", write_database = "f:write_sql(uri, table)",
  to_csv = "f:write_csv(path)", to_json = "f:write_json(path)", to_dict = "f:totable()",
  summary = "f:describe()", info = "f:describe()", cpu = 'f:to("cpu")', cuda = 'f:to("cuda")',
  clone = "f, which cannot change", copy = "f, which cannot change",
  len = "#f", with_column = "f:with(name, column)", get_column = "f:column(name)",
  astype = "f:with(name, column:to(dtype))", cast = "f:with(name, column:to(dtype))",
  groupby = 'f:group("name")', group_by = 'f:group("name")',
  join_asof = 'f:asof(g, {on = "time"})', inner_join = 'f:join(g, {on = "id"})',
  left_join = 'f:join(g, {on = "id", how = "left"})', merge_asof = 'f:asof(g, {on = "time"})',
  fillna = "f:fill_missing{name = value}", fill_nan = "f:fill_missing{name = value}",
  fill_null = "f:fill_missing{name = value}", dropna = 'f:drop_missing("name")',
  drop_nans = 'f:drop_missing("name")', drop_nulls = 'f:drop_missing("name")',
  ffill = "f:with(name, f.name:ffill())", bfill = "f:with(name, f.name:bfill())",
  forward_fill = "f:with(name, f.name:ffill())", backward_fill = "f:with(name, f.name:bfill())",
  interpolate = "f:with(name, f.name:ffill()), or locus.interp(values, x, y) for a line",
  isna = "f.name:isnan(), or f.name:eq(\"\") of strings",
  null_count = "f:describe()", sample = "f[locus.randperm(#f)[{ {1, n} }]]",
  pivot_table = 'f:pivot{rows = "a", columns = "b", values = "x", how = "mean"}',
  crosstab = 'f:pivot{rows = "a", columns = "b", how = "count"}',
  melt = 'f:unpivot{index = "id"}', stack = 'f:unpivot{index = "id"}',
  unstack = 'f:pivot{rows = "a", columns = "b", values = "x"}',
  shift = "f:with(name, f.name:shift(k))", lag = "f:with(name, f.name:shift(k))",
  lead = "f:with(name, f.name:shift(-k))",
  ewm = "f.name:ewm_mean{alpha = 0.1}", ewm_mean = "f.name:ewm_mean{alpha = 0.1}",
  ewma = "f.name:ewm_mean{alpha = 0.1}", ema = "f.name:ewm_mean{alpha = 0.1, adjust = false}",
  median = "f.name:median()", scatter = "f:plot(a, b, {points = true})",
  to_dicts = "f:iter()", values = "f.name", to_numpy = "f.name",
}

local MOST_LISTED = 8 -- column names in an error

-- The addition to the error of an unknown name: the nearest of the columns, or of the other names
-- if there are any; else the list of names.
function frame.advice(key, columns, list, others)
  local names = lazy("locus.names.advice")
  local told = names.nearest_own(key, columns)
  if told == "" and others then told = names.did_you_mean(key, {others}) end
  if told == "" and others then told = names.note(key) end
  if told ~= "" then return told end
  if #list == 0 then return "; it has no columns" end
  local more = #list > MOST_LISTED and (" and %d more"):format(#list - MOST_LISTED) or ""
  return ("; it has '%s'%s"):format(table.concat(list, "', '", 1, math.min(#list, MOST_LISTED)),
    more)
end

local function sorted_names(columns)
  local list = {}
  for name in pairs(columns) do list[#list + 1] = name end
  table.sort(list)
  return list
end

-- The column of that name; raises if there is none. owner: "'other'", if the frame is an argument.
function frame.column(state, name, owner)
  local c = state.columns[name]
  if c == nil then
    local shown = declare.shown(name)
    declare.raise("%s has no column '%s'%s", owner or "the frame", shown,
      frame.advice(shown, state.columns, sorted_names(state.columns)))
  end
  return c
end

-- -- locus.frame ---------------------------------------------------------------------------------

-- The device of the first column that has one; nil if all are lists.
local function device_of(entries)
  for _, entry in ipairs(entries) do
    local value = type(entry) == "table" and entry[2]
    if core.is_tensor(value) or strings.is(value) then return column.device(value) end
  end
end

local function check_name(name, where)
  if type(name) ~= "string" or name == "" then
    declare.raise("the name of a column%s must be a string that is not empty, got %s", where,
      name == "" and "an empty one" or internal.describe(name))
  end
end

-- Raises unless the column goes with the first one of the frame.
local function check_fit(columns, first, name)
  local a, b = columns[first], columns[name]
  local rows, own = column.rows(a), column.rows(b)
  if rows ~= own then
    declare.raise("the columns '%s' and '%s' must have the same length, got %d and %d rows", first,
      name, rows, own)
  end
  local device, other = column.device(a), column.device(b)
  if device ~= other then
    declare.raise("the columns '%s' and '%s' must be on the same device, got %s and %s", first,
      name,
      device, other)
  end
end

-- frame(columns): of a list of {name, column} and {name, column, kind}. A column is a 1-D tensor, a
-- string column or a list; int64 values are times, dates or addresses where the kind is "time",
-- {"time", unit = "ns"}, "date" or "ipv4". Errors: a name that is empty or there twice; columns of
-- several lengths or devices.
declare.func("frame(columns:any)", function(entries)
  if type(entries) ~= "table" then
    declare.raise("'columns' must be a list of {name, column}, got %s", internal.describe(entries))
  end
  declare.check_keys(entries, "'columns'", "a list of {name, column}", #entries)
  local names, columns, given = {}, {}, {}
  local device = device_of(entries)
  for i = 1, #entries do
    local entry = entries[i]
    if type(entry) ~= "table" then
      declare.raise("'columns[%d]' must be {name, column} or {name, column, kind}, got %s", i,
        internal.describe(entry))
    end
    declare.check_keys(entry, ("'columns[%d]'"):format(i),
      "{name, column} or {name, column, kind}", 3)
    local name, value, written = entry[1], entry[2], entry[3]
    check_name(name, (" at [%d]"):format(i))
    if columns[name] then declare.raise("the column '%s' is there twice", name) end
    given[name] = column.kind(name, written)
    columns[name] = column.of(name, value, given[name], device)
    names[i] = name
    check_fit(columns, names[1], name)
  end
  return frame.make(names, columns, given)
end)

-- with(name, column, {kind}): the frame with that column as its last one, or in the place of the
-- one that has the name.
-- Raises for one value that is to stand in all rows, and writes how.
local function check_single(name, value)
  local what = type(value)
  local made = what == "number" and internal.spell(value) or what == "boolean" and tostring(value)
  made = made and ("locus.full(#f, %s)"):format(made)
    or what == "string" and 'locus.strings{"..."}:take(locus.full(#f, 1):long())'
  if not made then return end
  declare.raise("the column '%s' must be a 1-D tensor, a string column or a list, got %s; write %s "
    .. "for one value in all rows", name, internal.describe(value), made)
end

frame.method("with(frame:any, name:any, column:any, {kind:any=nil})",
  function(state, name, value, written)
    check_name(name, "")
    check_single(name, value)
    local names, columns, given = {}, {}, {}
    for i, own in ipairs(state.names) do
      names[i], columns[own], given[own] = own, state.columns[own], state.kinds[own]
    end
    local device = names[1] and column.device(columns[names[1]])
    if not columns[name] then names[#names + 1] = name end
    given[name] = column.kind(name, written)
    columns[name] = column.of(name, value, given[name], device)
    check_fit(columns, names[1] == name and names[2] or names[1], name)
    return frame.make(names, columns, given)
  end)

-- -- f[...] --------------------------------------------------------------------------------------

local fields = {}
local known = registry.once(fields)

-- The lines that a reader left out, where `bad` let it: a frame of line, column, text and reason.
-- Else the column of that name, or nil.
function known.bad(state)
  local c = state.columns.bad
  if state.bad and c ~= nil then
    internal.raise("'bad' is a column, and the lines that the reader left out; write "
      .. 'f:column("bad") for the column, f:rename("bad", "name").bad for the lines')
  end
  return state.bad or c
end

-- A key that means rows, as the columns take it, and whether it means a single one. A mask becomes
-- positions, once for all columns.
local function read_key(state, key)
  if type(key) == "table" then
    if type(key[1]) == "string" then
      internal.raise('index: f[...] takes rows; write f:select("a", "b") for columns')
    end
    if type(key[2]) == "string" then
      internal.raise(('index: f[...] takes rows; write f:column("%s")[i] for one element'):format(
        key[2]:sub(1, 60)))
    end
    if #key ~= 1 then
      internal.raise(("index: a frame has one dimension, got %d; ranges are written "
        .. "f[{ {1, 3} }]"):format(#key))
    end
    key = key[1]
    if type(key) == "table" then return {key} end
  end
  if not core.is_tensor(key) then return key, true end
  if core.methods.dim(key) ~= 1 then
    internal.raise(("index: positions and masks of a frame must be 1-D, got %s"):format(
      internal.describe(key)))
  end
  if internal.dtype_of(key) ~= "bool" then return key end
  if #key ~= state.rows then
    internal.raise(internal.format(
      "index: a mask of size %d does not match the %d rows of the frame",
      #key, state.rows))
  end
  return core.nonzero(key, {as_tuple = true})
end

-- A Lua boolean is what == made of a column and a value.
local function fail_boolean(state, key)
  local name = state.names[1]
  local value = core.is_tensor(state.columns[name]) and "3" or '"a"'
  internal.raise(("index: the index is the Lua boolean %s; == compares identity, write "
    .. "f[f.%s:eq(%s)]"):format(tostring(key), declare.shown(name), value))
end

local function rows(state, key)
  if #state.names == 0 then internal.raise("index: the frame has no columns") end
  if type(key) == "boolean" then fail_boolean(state, key) end
  local place, single = read_key(state, key)
  if not single and core.is_tensor(place) then return frame.at(state, place) end
  if not single then
    return frame.map(state, function(c) return column.take(c, place) end)
  end
  local values = {}
  for _, name in ipairs(state.names) do values[name] = state.columns[name][place] end
  return row_of(state.names, values)
end

function events.__index(f, key)
  local state = internal.state(f, metatable)
  if type(key) ~= "string" then return rows(state, key) end
  local method = methods[key]
  if method then return method end
  if fields[key] then return fields[key](state) end
  local c = state.columns[key]
  if c ~= nil then return c end
  local hint = hints[key] or core.methods[key] and ("f.name:%s(...)"):format(key)
  hint = hint and "; write " .. hint
  internal.raise(("the frame has no column or method '%s'%s"):format(key:sub(1, 60),
    hint or frame.advice(key, state.columns, sorted_names(state.columns), methods)))
end

function events.__newindex(_, key)
  if type(key) == "string" then
    internal.raise(("a frame does not change; write f = f:with(\"%s\", column)"):format(
      key:sub(1, 60)))
  end
  internal.raise("a frame does not change; write f = f:with(name, column), or f.name[i] = value")
end

function events.__len(f) return internal.state(f, metatable).rows end

-- For internal.describe, and so for messages.
function events.__describe(f)
  local state = internal.state(f, metatable)
  return "a frame of " .. frame.sizes(state, " and ")
end

-- "1 row", "3 rows"
function frame.count(n, what) return internal.format("%d %s%s", n, what, n == 1 and "" or "s") end

-- "3 rows, 1 column"
function frame.sizes(state, joint)
  return frame.count(state.rows, "row") .. joint .. frame.count(#state.names, "column")
end

function events.__call()
  internal.raise("a frame cannot be called; write f[i], or for i, row in f:iter() do")
end
function events.__pairs()
  internal.raise("pairs and ipairs take no frame; write for i, row in f:iter() do")
end
events.__ipairs = metatable.__pairs
function events.__concat()
  internal.raise(".. joins strings; write locus.cat({f, g}), or tostring(f) for its text")
end

local parts = {"choose", "iter", "sort", "take", "match", "join", "describe", "cat", "pivot",
  "print", "plot"}
for _, part in ipairs(parts) do require("locus.frame." .. part)(frame) end

require "locus.missing.frame"(frame)

return frame
