-- SPDX-License-Identifier: MIT
-- Tables in other shapes: pivot makes a column of each key, unpivot a row of each column, and
-- value_counts counts the rows of each key.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.call.declare"
local keys = require "locus.frame.keys"
local lazy = require "locus.call.lazy"
local strings = require "locus.frame.strings"
local internal = core.internal

-- The values of a column as texts, in a list.
local function texts_of(c, kind)
  local list = column.reader(c)(1, column.rows(c))
  if strings.is(c) then return list end
  local write = kind and internal["format_" .. kind.type]
  for i, value in ipairs(list) do
    if write then
      list[i] = write(value, {unit = kind.unit})
    else
      list[i] = type(value) == "boolean" and tostring(value) or internal.spell(value)
    end
  end
  return list
end

return function(frame)
  -- The state of those columns alone.
  local function of_names(state, names, argument)
    if #names == 0 then declare.raise("'%s' names no column", argument) end
    local columns, kinds = {}, {}
    for _, name in ipairs(names) do
      if columns[name] then
        declare.raise("'%s' names '%s' twice", argument, declare.shown(name))
      end
      columns[name], kinds[name] = frame.column(state, name), state.kinds[name]
    end
    return frame.state(frame.make(names, columns, kinds))
  end

  -- The columns that are in none of these lists, in their order.
  local function others(state, ...)
    local taken, rest = {}, {}
    for _, names in ipairs {...} do
      for _, name in ipairs(names) do taken[name] = true end
    end
    for _, name in ipairs(state.names) do
      if not taken[name] then rest[#rest + 1] = name end
    end
    return rest
  end

  -- The groups of these columns: the number of each row, the first row of each, the frame of keys.
  local function grouped(keyed)
    local list = {}
    for i, name in ipairs(keyed.names) do list[i] = keyed.columns[name] end
    local ids, firsts = keys.number(list)
    return {by = keyed, ids = ids, firsts = firsts, size = #firsts}
  end

  -- -- value_counts ------------------------------------------------------------------------------

  -- value_counts(names..., {name="count"}): a row for each key of these columns, and how many rows
  -- have it, as int64; the most frequent first, equal counts in order of first appearance. NaN
  -- equals NaN. Errors: a column that the frame lacks; a key that is called `name`.
  frame.method('value_counts(frame:any, names..., {name:string="count"})',
    function(state, names, name)
      local groups = grouped(of_names(state, names, "names"))
      if groups.by.columns[name] then
        declare.raise("a column is called '%s' already; write name = \"...\" for the counts",
          declare.shown(name))
      end
      local counts = core.bincount(groups.ids, nil, groups.size)
      local order = core.methods.argsort(counts, 1, true)
      local made = frame.at(groups.by, groups.firsts[order])
      return frame.methods.with(made, name, counts[order])
    end)

  -- -- unpivot -----------------------------------------------------------------------------------

  -- One below the other: the values of the columns `on`.
  local function stacked(state, on, name)
    local parts = {}
    for i, from in ipairs(on) do
      parts[i] = frame.make({name}, {[name] = state.columns[from]}, {[name] = state.kinds[from]})
    end
    local first = on[1]
    for _, other in ipairs(on) do
      local a = column.type_text(state.columns[first], state.kinds[first])
      local b = column.type_text(state.columns[other], state.kinds[other])
      local numbers = not state.kinds[first] and not state.kinds[other]
        and core.is_tensor(state.columns[first]) and core.is_tensor(state.columns[other])
      if a ~= b and not numbers then
        declare.raise("the columns '%s' and '%s' go below each other and must be of one type, got "
          .. "%s and %s; name those to stack in 'on'", first, other, a, b)
      end
    end
    local ok, made = pcall(core.cat, parts, 1, {promote = true})
    if ok then return frame.state(made) end
    error((tostring(made):gsub("the column '.-' of 'tensors%[(%d+)%]'", function(i)
      return ("the column '%s'"):format(on[tonumber(i)])
    end):gsub("give it one type in all of them", "stack columns of one type", 1)), 0)
  end

  -- unpivot{on, index, name="name", value="value"}: a row for each row and each column of `on`: the
  -- columns `index`, the column's name and its value; all rows of the first column, then those of
  -- the next. on: all that `index` lacks; index: all that `on` lacks. Errors: columns of `on` that
  -- are not of one type (numbers get the dtype that they make together).
  frame.method("unpivot(frame:any, {on:names=nil, index:names=nil, name:string=\"name\", "
    .. "value:string=\"value\"})", function(state, on, index, name, value)
      on = on or others(state, index or {})
      index = index or others(state, on)
      local kept = #index > 0 and of_names(state, index, "index") or {names = {}, columns = {}}
      of_names(state, on, "on")
      for _, made in ipairs {name, value} do
        if kept.columns[made] or made == "" or name == value then
          declare.raise("the columns '%s' and '%s' must have names of their own, got %s", "name",
            "value", kept.columns[made] and ("one of 'index', '%s'"):format(declare.shown(made))
              or ("'%s' and '%s'"):format(declare.shown(name), declare.shown(value)))
        end
      end
      local values = stacked(state, on, value)
      local device = column.device(values.columns[value])
      local at = {dtype = "int64", device = device}
      local names, columns, kinds = {}, {}, {}
      if #index > 0 then
        local rows = core.arange(1, state.rows + 1, at):tile(#on)
        local repeated = frame.state(frame.at(kept, rows))
        for i, key in ipairs(index) do
          names[i], columns[key], kinds[key] = key, repeated.columns[key], kept.kinds[key]
        end
      end
      local numbers = core.repeat_interleave(core.arange(1, #on + 1, at), state.rows)
      names[#names + 1], columns[name] = name, strings.of(on, device)[numbers]
      names[#names + 1], columns[value], kinds[value] = value, values.columns[value],
        values.kinds[value]
      return frame.make(names, columns, kinds)
    end)

  -- -- pivot -------------------------------------------------------------------------------------

  -- {how, column, ...} as agg takes it, from how = "sum" or {"quantile", 0.9}.
  local function entry(how, name)
    if type(how) ~= "table" then return {how, name} end
    local written = {how[1], name}
    for key, value in pairs(how) do
      if type(key) ~= "number" then
        written[key] = value
      elseif key > 1 then
        written[key + 1] = value
      end
    end
    return written
  end

  local function check_how(how)
    if how == nil or type(how) == "string" then return end
    if type(how) == "table" and type(how[1]) == "string" then return end
    declare.raise("'how' must be a string or a table {\"quantile\", 0.9}, got %s",
      internal.describe(how))
  end

  local function is_count(how)
    return how == "count" or type(how) == "table" and how[1] == "count"
  end

  -- Raises where several rows share a cell, and no `how` makes one of them.
  local function check_single(state, cells, names)
    local counts = core.bincount(cells.ids, nil, cells.size)
    local several = core.nonzero(core.gt(counts, 1), {as_tuple = true})
    if #several == 0 then return end
    local cell, said = tonumber(several[1]), {}
    local row = cells.firsts[cell]
    for i, name in ipairs(names) do
      local part = column.take(state.columns[name], core.tensor({row}, {dtype = "int64",
        device = column.device(state.columns[name])}))
      said[i] = ("%s = %s"):format(declare.shown(name), texts_of(part, state.kinds[name])[1])
    end
    declare.raise("%d rows have %s; write how = \"sum\", \"mean\", \"last\" or another of agg's",
      counts[cell], internal.visible(table.concat(said, ", ")))
  end

  -- The answers of all cells, a column for each of `values`.
  local function answers_of(state, cells, values, how)
    local list = {}
    if is_count(how) then
      list[1] = {"count", core.bincount(cells.ids, nil, cells.size)}
      return frame.state(core.frame(list))
    end
    local groups = {of = state, by = cells.by, ids = cells.ids, firsts = cells.firsts,
                    size = cells.size}
    local asked = {}
    for i, name in ipairs(values) do
      asked[i] = entry(how or "first", name)
      table.insert(asked[i], 1, name)
    end
    local entries = lazy("locus.frame.agg").entries(groups, asked, "how")
    for i, answer in ipairs(entries) do list[i] = answer end
    return frame.state(core.frame(list))
  end

  -- The names of the made columns, by number of the key, for each of `values`.
  local function names_of(groups, several, values, rows)
    local parts, made, seen = {}, {}, {}
    local shown = frame.state(frame.at(groups.by, groups.firsts))
    for k, name in ipairs(shown.names) do
      parts[k] = texts_of(shown.columns[name], groups.by.kinds[name])
    end
    for _, name in ipairs(rows) do seen[name] = true end
    for c = 1, groups.size do
      local text = {}
      for k = 1, #parts do text[k] = parts[k][c] end
      local key = table.concat(text, "_")
      made[c] = {}
      for v, value in ipairs(values) do
        local name = several and value .. "_" .. key or key
        if name == "" then
          declare.raise("the column '%s' has \"\", which names no column; leave such rows out: "
            .. "f[f.%s:ne(\"\")]", shown.names[1], declare.shown(shown.names[1]))
        elseif seen[name] then
          declare.raise("two columns would be called '%s'; rename a column or change its values",
            declare.shown(name))
        end
        made[c][v], seen[name] = name, true
      end
    end
    return made
  end

  -- For each of the made columns, which cell each row has; 0 for none: [columns, rows].
  local function grid(rows, columns, cells)
    local own = rows.ids[cells.firsts]:long()
    local theirs = columns.ids[cells.firsts]:long()
    local at = {dtype = "int64", device = internal.device_of(own)}
    local places = core.zeros({columns.size * rows.size}, at)
    places[(theirs - 1) * rows.size + own] = core.arange(1, cells.size + 1, at)
    return core.methods.view(places, columns.size, rows.size)
  end

  local function check_missing(missing, values)
    if missing == nil or type(missing) ~= "table" then return end
    local known = {}
    for _, name in ipairs(values) do known[name] = true end
    for name in pairs(missing) do
      if not known[name] then
        declare.raise("'missing' names '%s', which is none of 'values'", declare.shown(name))
      end
    end
  end

  -- Their values for cells without a row, by name of the value.
  local function missing_of(missing, values, how)
    if type(missing) == "table" then return missing end
    if missing == nil and is_count(how) then missing = 0 end
    local by_name = {}
    for _, name in ipairs(values) do by_name[name] = missing end
    return by_name
  end

  -- pivot{rows, columns, values, how, missing}: a row for each key of `rows` and a column for each
  -- key of `columns`, both in order of first appearance; in the cell the value of `values`, where
  -- `how`, as agg has it, makes one of several rows. A made column is called as its key is written,
  -- keys of several columns joined by _, and of several `values` each with its name and _ in front.
  -- A cell without a row has NaN, "" or `missing`; a count 0; integers need `missing`. values: all
  -- columns that `rows` and `columns` lack. Errors: several rows in a cell without `how`; two
  -- columns of one name.
  frame.method("pivot(frame:any, {rows:names, columns:names, values:names=nil, how:any=nil, "
    .. "missing:any=nil})", function(state, row_names, column_names, values, how, missing)
      check_how(how)
      local both = {unpack(row_names)}
      for _, name in ipairs(column_names) do both[#both + 1] = name end
      local rows, columns = grouped(of_names(state, row_names, "rows")),
        grouped(of_names(state, column_names, "columns"))
      if values then of_names(state, values, "values") end
      values = is_count(how) and {"count"} or values or others(state, both)
      check_missing(missing, values)
      local cells = grouped(of_names(state, both, "columns"))
      if how == nil then check_single(state, cells, both) end
      local made = names_of(columns, #values > 1, values, row_names)
      local answers = answers_of(state, cells, values, how)
      local places = grid(rows, columns, cells)
      local named = missing_of(missing, values, how)
      local first = frame.state(frame.at(rows.by, rows.firsts))
      local names, list, kinds = {}, {}, {}
      for i, name in ipairs(first.names) do
        names[i], list[name], kinds[name] = name, first.columns[name], rows.by.kinds[name]
      end
      for v, value in ipairs(answers.names) do
        local one = {names = {value}, columns = {[value] = answers.columns[value]},
                     kinds = {[value] = answers.kinds[value]}, rows = cells.size}
        for c = 1, columns.size do
          local taken = frame.state(frame.take(one, places[c], {[value] = named[value]}, 1))
          local name = made[c][v]
          list[name], kinds[name] = taken.columns[value], taken.kinds[value]
        end
      end
      for v = 1, #values do
        for c = 1, columns.size do names[#names + 1] = made[c][v] end
      end
      return frame.make(names, list, kinds)
    end)
end
