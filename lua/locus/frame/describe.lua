-- SPDX-License-Identifier: MIT
-- The contents of the columns of a frame, as a frame with a row for each of them.
local column = require "locus.frame.column"
local core = require "locus.core"
local strings = require "locus.frame.strings"
local internal = core.internal

local types = select(2, internal.dtypes())
local nan = 0 / 0

-- Strings: "" is missing; how many different ones are there.
local function of_strings(c)
  local _, dictionary = strings.parts(c)
  local empty = internal.dictionary_find(dictionary, "")
  local missing = empty and core.count_nonzero(strings.equal(c, empty)) or 0
  local distinct = #select(2, strings.number(c))
  if missing > 0 then distinct = distinct - 1 end
  return {missing = missing, distinct = distinct}
end

-- Numbers: NaN is missing, and counts for nothing.
local function of_numbers(t)
  local is_missing = core.isnan(t)
  local missing = core.count_nonzero(is_missing)
  if missing > 0 then t = t[core.logical_not(is_missing)] end
  if #t == 0 or types[internal.dtype_of(t)].kind == "COMPLEX" then return {missing = missing} end
  t = core.methods.double(t)
  return {missing = missing, min = core.min(t), mean = core.mean(t), max = core.max(t)}
end

-- Times, dates and addresses: the least and the greatest as they are printed.
local function of_kind(t)
  if #t == 0 then return {missing = 0} end
  local ends = core.stack {core.amin(t, 1), core.amax(t, 1)}
  local texts = internal.elements(ends, {1, 2})
  return {missing = 0, least = texts[1], greatest = texts[2]}
end

local function about(c, kind)
  if kind then return of_kind(c) end
  return strings.is(c) and of_strings(c) or of_numbers(c)
end

return function(frame)
  -- A row for each column: its name and type, the number of values, and the number of missing ones
  -- (NaN, or ""). Strings have the number of distinct ones. Numbers have the least, the mean and
  -- the greatest as float64, or NaN if a column has no values. If there are times, dates or
  -- addresses, `least` and `greatest` are theirs as text, and "" for the others.
  frame.method("describe(frame:any)", function(state)
    local lists = {name = {}, type = {}, count = {}, missing = {}, distinct = {}, min = {},
                   mean = {}, max = {}, least = {}, greatest = {}}
    for i, name in ipairs(state.names) do
      local c, kind = state.columns[name], state.kinds[name]
      local told = about(c, kind)
      lists.name[i], lists.type[i] = name, column.type_text(c, kind)
      lists.missing[i], lists.count[i] = told.missing, state.rows - told.missing
      for _, what in ipairs {"distinct", "min", "mean", "max"} do
        lists[what][i] = told[what] or nan
      end
      lists.least[i], lists.greatest[i] = told.least or "", told.greatest or ""
    end
    local function numbers(name, dtype)
      return {name, core.tensor(lists[name], {dtype = dtype, device = "cpu"})}
    end
    local function texts(name) return {name, strings.of(lists[name], "cpu")} end
    local columns = {
      texts "name", texts "type", numbers("count", "int64"), numbers("missing", "int64"),
      numbers("distinct", "float64"), numbers("min", "float64"), numbers("mean", "float64"),
      numbers("max", "float64"),
    }
    if next(state.kinds) then
      columns[#columns + 1], columns[#columns + 2] = texts "least", texts "greatest"
    end
    return core.frame(columns)
  end)
end
