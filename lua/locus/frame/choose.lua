-- SPDX-License-Identifier: MIT
-- The columns of a frame: which, under which names, in which place; their types; their ends.
local column = require "locus.frame.column"
local declare = require "locus.call.declare"
local internal = require("locus.core").internal

-- Whether a name can be a field in Lua: `price`, but neither `a b` nor `end`.
local function is_word(name)
  return name:find("^[%a_][%w_]*$") and loadstring("local " .. name) ~= nil
end

-- The result of types(): a table that prints as it would be written, in the order of the columns.
local function written(names)
  local function __tostring(types)
    local list = {}
    for i, name in ipairs(names) do
      local word = types[name]
      local plain = is_word(name) and name or ('["%s"]'):format(internal.visible(name, true))
      list[i] = plain .. " = " .. (type(word) == "string" and ('"%s"'):format(word)
        or word.unit and ('{"%s", unit = "%s"}'):format(word[1], word.unit)
        or ('{"%s"}'):format(table.concat(word, '", "')))
    end
    return "{" .. table.concat(list, ", ") .. "}"
  end
  return {__tostring = __tostring}
end

return function(frame)
  local method = frame.method

  -- A frame of the state's columns with those names, in that order.
  local function of_names(state, names)
    local columns, kinds = {}, {}
    for _, name in ipairs(names) do
      if columns[name] then declare.raise("'%s' is named twice", name:sub(1, 60)) end
      columns[name], kinds[name] = frame.column(state, name), state.kinds[name]
    end
    return frame.make(names, columns, kinds, state.print)
  end

  -- select("a", "b") or select{"a", "b"}: these columns alone, in that order.
  method("select(frame:any, names...)", of_names)

  -- drop("a", "b") or drop{"a", "b"}: all columns but these.
  function frame.without(state, names)
    local dropped, kept = {}, {}
    for _, name in ipairs(names) do dropped[name] = frame.column(state, name) end
    for _, name in ipairs(state.names) do
      if not dropped[name] then kept[#kept + 1] = name end
    end
    return of_names(state, kept)
  end
  method("drop(frame:any, names...)", frame.without)

  -- The new names by the old ones, checked.
  local function renaming(state, names, new)
    if type(names) == "string" then
      if new == nil then declare.raise("'new' is missing") end
      names = {[names] = new}
    elseif new ~= nil then
      declare.raise("'new' is for one name, and 'names' is %s; write f:rename{old = \"new\"}",
        internal.describe(names))
    end
    if type(names) ~= "table" then
      declare.raise("'names' must be a table {old = \"new\"} or a name, got %s",
        internal.describe(names))
    end
    for old, name in pairs(names) do
      if type(old) ~= "string" then
        declare.raise("'names' must have names for keys, got %s", internal.describe(old))
      end
      frame.column(state, old)
      if type(name) ~= "string" or name == "" then
        declare.raise("the new name of '%s' must be a string that is not empty, got %s", old,
          name == "" and "an empty one" or internal.describe(name))
      end
    end
    return names
  end

  -- rename{old = "new"} or rename("old", "new"). The lines that a reader left out stay with it.
  method("rename(frame:any, names:any, new:any=nil)", function(state, given, new)
    local by_old = renaming(state, given, new)
    local names, columns, kinds = {}, {}, {}
    for i, old in ipairs(state.names) do
      local name = by_old[old] or old
      if columns[name] then declare.raise("two columns would be named '%s'", name) end
      names[i], columns[name], kinds[name] = name, state.columns[old], state.kinds[old]
    end
    local renamed = frame.make(names, columns, kinds)
    frame.state(renamed).bad = state.bad
    return renamed
  end)

  -- The table has names of columns, not of arguments. It must not come last, or it would be read as
  -- options.
  local rename = frame.methods.rename
  local function by_position(f, names, new, ...)
    local renamed = rename(f, names, new, ...)
    return renamed
  end
  frame.methods.rename, declare.declared[by_position] = by_position, declare.declared[rename]

  -- The number of rows to give: n, or all if there are fewer.
  local function count_of(n, all)
    if n < 0 then declare.raise("'n' must be 0 or more, got %s", internal.describe(n)) end
    return n < all and n or all
  end

  -- The rows first..last, which may be none.
  local function rows(state, first, last)
    return frame.map(state, function(c) return column.take(c, {{first, last}}) end)
  end

  method("head(frame:any, n:integer=5)", function(state, n)
    return rows(state, 1, count_of(n, state.rows))
  end)

  method("tail(frame:any, n:integer=5)", function(state, n)
    return rows(state, state.rows - count_of(n, state.rows) + 1, state.rows)
  end)

  -- The names of the columns, in order.
  method("columns(frame:any)", function(state)
    local names = {}
    for i, name in ipairs(state.names) do names[i] = name end
    return names
  end)

  -- The column of any name, also one that a method has, or one with a zero byte.
  method("column(frame:any, name:any)", function(state, name)
    if type(name) ~= "string" then
      declare.raise("'name' must be a string, got %s", internal.describe(name))
    end
    return frame.column(state, name)
  end)

  -- The type of each column by its name, as read_csv takes it. Printed, it is a table to paste.
  method("types(frame:any)", function(state)
    local types = setmetatable({}, written(state.names))
    for _, name in ipairs(state.names) do
      types[name] = column.type(state.columns[name], state.kinds[name])
    end
    return types
  end)

  -- The same frame on a device.
  method("to(frame:any, device:device)", function(state, device)
    return frame.map(state, function(c) return column.to(c, device) end)
  end)

  -- The columns as lists, by name.
  method("totable(frame:any)", function(state)
    local lists = {}
    for name, c in pairs(state.columns) do lists[name] = column.reader(c, true)(1, state.rows) end
    return lists
  end)
end
