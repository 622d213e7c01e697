-- SPDX-License-Identifier: MIT
-- The contents of the columns of a frame, as a frame with a row for each of them.
local column = require "locus.frame.column"
local core = require "locus.core"
local strings = require "locus.frame.strings"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())
local nan = 0 / 0

-- The columns of the answer. Those of numbers are named by their rank among the values, as are the
-- texts of times, which stand beside them.
local NUMBERS = {"mean", "std", "min", "25%", "50%", "75%", "max"}
local TEXTS = {"least", "lower", "middle", "upper", "greatest"}
local QUARTILES = {0, 0.25, 0.5, 0.75, 1}

-- Strings: "" is missing; how many different ones are there, and which is there most often: of two
-- the one that comes first.
local function of_strings(c)
  local ids, firsts = strings.number(c)
  if #firsts == 0 then return {missing = 0, distinct = 0} end
  local names = strings.like(c, (strings.parts(c))[firsts])
  local counts = core.bincount(ids, nil, #firsts)
  local _, dictionary = strings.parts(c)
  local empty = internal.dictionary_find(dictionary, "")
  local is_empty = empty and strings.equal(names, empty)
  local missing = is_empty and tonumber(core.sum(counts * is_empty)) or 0
  local told = {missing = missing, distinct = #firsts - (missing > 0 and 1 or 0)}
  if told.distinct == 0 then return told end
  if missing > 0 then counts = core.masked_fill(counts, is_empty, 0) end
  local top = tonumber(core.argmax(counts))
  told.top, told.freq = names[top], counts[top]
  return told
end

-- Numbers: NaN is missing, and counts for nothing.
local function of_numbers(t)
  local missing = #t - tonumber(core.nancount(t))
  if missing == #t or types[internal.dtype_of(t)].kind == "COMPLEX" then
    return {missing = missing}
  end
  t = methods.double(t)
  local told = {missing = missing, mean = core.nanmean(t), std = core.nanstd(t)}
  local quartiles = methods.totable(core.nanquantile(t, QUARTILES))
  for i, value in ipairs(quartiles) do told[NUMBERS[i + 2]] = value end
  return told
end

-- Times, dates and addresses: the least, the quartiles and the greatest as they are printed.
local function of_kind(t)
  local told = {missing = 0}
  if #t == 0 then return told end
  local texts = internal.elements(core.quantile(t, QUARTILES), {1, 2, 3, 4, 5})
  for i, text in ipairs(texts) do told[TEXTS[i]] = text end
  return told
end

local function about(c, kind)
  if kind then return of_kind(c) end
  return strings.is(c) and of_strings(c) or of_numbers(c)
end

local function all_about(state)
  local all = {}
  for i, name in ipairs(state.names) do
    local c, kind = state.columns[name], state.kinds[name]
    local told = about(c, kind)
    told.name, told.type = name, column.type_text(c, kind)
    told.count = state.rows - told.missing
    all[i] = told
  end
  return all
end

return function(frame)
  -- A row for each column: its name and type, the number of values, and the number of missing ones
  -- (NaN, or ""). Numbers have the mean, the deviation, the least, the quartiles and the greatest
  -- as float64, or NaN if a column has no values. Strings have the number of distinct ones, the one
  -- that is there most often, and how often. If there are times, dates or addresses, their least,
  -- quartiles and greatest are texts, "" for the others.
  frame.method("describe(frame:any)", function(state)
    local all, names, columns = all_about(state), {}, {}
    local function add(name, values)
      names[#names + 1], columns[name] = name, values
    end
    local function list_of(name, otherwise)
      local list = {}
      for i, told in ipairs(all) do list[i] = told[name] or otherwise end
      return list
    end
    local function add_numbers(name, dtype)
      add(name, core.tensor(list_of(name, nan), {dtype = dtype, device = "cpu"}))
    end
    local function add_texts(name) add(name, strings.of(list_of(name, ""), "cpu")) end
    add_texts "name" add_texts "type" add_numbers("count", "int64") add_numbers("missing", "int64")
    for _, name in ipairs(NUMBERS) do add_numbers(name, "float64") end
    add_numbers("distinct", "float64") add_texts "top" add_numbers("freq", "float64")
    if next(state.kinds) then
      for _, name in ipairs(TEXTS) do add_texts(name) end
    end
    return frame.make(names, columns, {}, "by_row")
  end)
end
