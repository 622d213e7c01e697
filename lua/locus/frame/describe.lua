-- SPDX-License-Identifier: MIT
-- What is in the columns of a frame, as a frame with a row for each of them.
local column = require "locus.frame.column"
local core = require "locus.core"
local strings = require "locus.frame.strings"
local internal = core.internal

local types = select(2, internal.dtypes())
local nan = 0 / 0

-- Strings: "" is missing; how many different ones are there.
local function of_strings(c)
  local ids, dictionary = strings.parts(c)
  local empty = internal.dictionary_find(dictionary, "")
  local missing = empty and core.count_nonzero(core.eq(ids, empty)) or 0
  local distinct = core.count_nonzero(core.bincount(ids))
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

return function(frame)
  -- A row for each column: its name and type, how many values there are and how many are missing
  -- (NaN, or ""), of strings how many are distinct, of numbers the least, the mean and the greatest
  -- as float64; NaN stands for what a column does not have.
  frame.method("describe(frame:any)", function(state)
    local lists = {name = {}, type = {}, count = {}, missing = {}, distinct = {}, min = {},
                   mean = {}, max = {}}
    for i, name in ipairs(state.names) do
      local c = state.columns[name]
      local told = strings.is(c) and of_strings(c) or of_numbers(c)
      lists.name[i], lists.type[i] = name, column.type_text(c, state.kinds[name])
      lists.missing[i], lists.count[i] = told.missing, state.rows - told.missing
      for _, what in ipairs {"distinct", "min", "mean", "max"} do
        lists[what][i] = told[what] or nan
      end
    end
    local function numbers(name, dtype)
      return {name, core.tensor(lists[name], {dtype = dtype, device = "cpu"})}
    end
    return core.frame {
      {"name", strings.of(lists.name, "cpu")}, {"type", strings.of(lists.type, "cpu")},
      numbers("count", "int64"), numbers("missing", "int64"), numbers("distinct", "float64"),
      numbers("min", "float64"), numbers("mean", "float64"), numbers("max", "float64"),
    }
  end)
end
