-- SPDX-License-Identifier: MIT
-- Groups by buckets of time: f:group{"sym", time = "1m"}. A key of the table is a column of times
-- or dates, and its value the span of the buckets that take its place among the keys.
--
-- With `empty` there is a group for each bucket from the first to the last one, for each
-- combination of the other keys that rows have. Such groups are numbered by combination, in order
-- of first appearance, and then by bucket. Answers that need a row are made for the groups with
-- rows, and spread: NaN in floats, "" in strings.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.call.declare"
local frame = require "locus.frame.frame"
local keys = require "locus.frame.keys"
local kinds = require "locus.tensor.kind"
local moments = require "locus.time.moments"
local strings = require "locus.frame.strings"
local times = require "locus.time.buckets"
local internal = core.internal

local buckets = {}

local types = select(2, internal.dtypes())

local OPTIONS = {zone = true, origin = true, empty = true, buckets = true}
local FORM = 'a table such as {"sym", time = "1m", zone = "Europe/Berlin", empty = true}'

--- Whether the first argument of `group` asks for buckets.
function buckets.are(given)
  if type(given) ~= "table" then return false end
  for key in pairs(given) do
    if type(key) == "string" and key ~= "names" and key ~= "" then return true end
  end
  return false
end

local function check_span(name, span)
  if type(span) ~= "string" then
    declare.raise("the key '%s' must have a span such as \"1m\" or \"day\", got %s",
      name:sub(1, 60), internal.describe(span))
  end
end

-- The spans by column: those of the keys that are no options, and those in `buckets`.
local function spans_of(state, given)
  local spans = {}
  for key, value in pairs(given) do
    if type(key) == "string" and not OPTIONS[key] then spans[key] = value end
  end
  if given.buckets ~= nil then
    if type(given.buckets) ~= "table" then
      declare.raise("'buckets' must be a table of spans by column, got %s",
        internal.describe(given.buckets))
    end
    for key, value in pairs(given.buckets) do spans[key] = value end
  end
  for name, span in pairs(spans) do
    if type(name) ~= "string" then
      declare.raise("'buckets' must have columns' names as keys, got %s", internal.describe(name))
    end
    frame.column(state, name)
    check_span(name, span)
  end
  if not next(spans) then declare.raise("'names' must be %s", FORM) end
  return spans
end

local function check_times(name, c)
  local kind = core.is_tensor(c) and kinds.of(c)
  if kind and (kind.type == "time" or kind.type == "date") then return end
  declare.raise("the column '%s' must be times or dates, got %s", name:sub(1, 60),
    internal.describe(c))
end

-- The names of the keys, in order: the list's, then the buckets' in the order of the frame.
local function names_of(state, given, spans)
  local names, seen = {}, {}
  for i, name in ipairs(given) do
    if type(name) ~= "string" then
      declare.raise("'names[%d]' must be a string, got %s", i, internal.describe(name))
    elseif seen[name] or spans[name] then
      declare.raise("'%s' is named twice", name:sub(1, 60))
    end
    frame.column(state, name)
    names[i], seen[name] = name, true
  end
  for key in pairs(given) do
    if type(key) == "number" and not (key >= 1 and key <= #names and key % 1 == 0) then
      declare.raise("'names' has a key %s, which is no place of a list", internal.spell(key))
    end
  end
  for _, name in ipairs(state.names) do
    if spans[name] then names[#names + 1] = name end
  end
  return names
end

-- One name each time: the combination of the other keys, with all its buckets.
local function all_buckets(state, name, cut, options)
  local taken = moments.take(state.columns[name], options.zone, name)
  local numbers = kinds.tagged(cut, nil)
  return internal.list_buckets(core.min(numbers), core.max(numbers), taken.per_second, taken.zone,
    options.span, times.origin(options.origin, taken))
end

-- The number of the combination of the other keys for each row, and the first rows of these.
local function combinations(columns, names, rows, device)
  local list = {}
  for i = 1, #names - 1 do list[i] = columns[names[i]] end
  if #list > 0 then return keys.number(list) end
  return core.ones(rows, {dtype = "int32", device = device}),
    core.ones(1, {dtype = "int64", device = device})
end

-- The parts of a group object with empty groups.
local function filled(state, names, columns, tag, options)
  local name, rows = names[#names], state.rows
  local device = column.device(columns[name])
  if rows == 0 then return nil end
  local all = core.methods.to(all_buckets(state, name, columns[name], options), device)
  local of_rows, firsts = combinations(columns, names, rows, device)
  local n, m = #all, #firsts
  if n * m >= 2 ^ 31 then
    declare.raise("%.0f buckets of %.0f groups are more than int32 can number", n, m)
  end
  local place = core.searchsorted(all, kinds.tagged(columns[name], nil), {base = 1})
  local ids = ((of_rows:long() - 1) * n + place):int()
  local made = {}
  for i = 1, #names - 1 do
    local each = column.take(columns[names[i]], firsts)
    made[i] = {names[i], column.take(each, core.repeat_interleave(core.arange(1, m + 1,
      {dtype = "int64", device = device}), n))}
  end
  made[#names] = {name, kinds.tagged(core.methods.tile(all, m), tag)}
  local occupied, compact, from = core.unique(ids, {return_inverse = true, return_index = true})
  local places = core.zeros(n * m, {dtype = "int64", device = device})
  local rows_of = occupied:long()
  places[rows_of] = core.arange(1, #occupied + 1, {dtype = "int64", device = device})
  return {ids = ids, size = n * m, keys = core.frame(made), places = places, rows = rows_of,
          with_rows = {ids = compact:int(), size = #occupied, firsts = from}}
end

--- The keys as a frame's columns, by name, and in their order; and with `empty` the parts of the
--- group object.
function buckets.read(state, given)
  local spans = spans_of(state, given)
  local names, columns = names_of(state, given, spans), {}
  for _, name in ipairs(names) do
    local c, span = frame.column(state, name), spans[name]
    if span then
      check_times(name, c)
      c = times.cut(c, span, given.zone, given.origin, false)
    end
    columns[name] = c
  end
  if given.empty ~= nil and type(given.empty) ~= "boolean" then
    declare.raise("'empty' must be true or false, got %s", internal.describe(given.empty))
  elseif not given.empty then
    return names, columns
  end
  local count = 0
  for _ in pairs(spans) do count = count + 1 end
  if count > 1 then declare.raise("'empty' goes with one column of buckets, got %d", count) end
  local name = names[#names]
  return names, columns, filled(state, names, columns, kinds.of(columns[name]),
    {zone = given.zone, origin = given.origin, span = spans[name]})
end

-- The answers about no rows.
local OF_NONE = {count = 0, sum = 0, prod = 1, any = false, all = true, nunique = 0, nansum = 0,
                 nancount = 0}

-- Elements of a tensor for the groups that have rows, and this one for the others.
local function among(state, answer, other)
  local sizes = answer:size()
  sizes[1] = state.size
  local made = core.full(sizes, other,
    {dtype = internal.dtype_of(answer), device = internal.device_of(answer)})
  made[state.rows] = answer
  return made
end

--- The answer for all groups, from that for those with rows.
function buckets.spread(state, how, answer)
  if not state.places or #state.rows == state.size then return answer end
  if strings.is(answer) then return answer:take(state.places, "") end
  if OF_NONE[how] ~= nil then return among(state, answer, OF_NONE[how]) end
  local kind, dtype = kinds.of(answer), internal.dtype_of(answer)
  if types[dtype].kind == "FLOAT" then return among(state, answer, 0 / 0) end
  local row = tonumber(core.eq(state.places, 0):nonzero()[1][1])
  declare.raise("group %d has no rows, and %s no value that says so; %s", row,
    kind and kind.type .. "s have" or dtype .. " has",
    kind and "leave `empty` out" or "take the column as floats, f.name:double()")
end

return buckets
