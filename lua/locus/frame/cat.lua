-- SPDX-License-Identifier: MIT
-- locus.cat of frames and of string columns. Frames are alike, unless `fill` writes columns that
-- one lacks, and `promote` gives a column the dtype that its parts make.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.call.declare"
local strings = require "locus.frame.strings"
local internal = core.internal

local types = select(2, internal.dtypes())

-- Raises unless all are of the first one's kind.
local function check_all(list, is, what)
  for i = 1, #list do
    if not is(list[i]) then
      declare.raise("'tensors[%d]' must be %s, as 'tensors[1]' is, got %s", i, what,
        internal.describe(list[i]))
    end
  end
  if declare.surplus(list, #list) then
    declare.raise("'tensors' must have the keys 1..n and no others")
  end
end

-- Raises at the first column whose name is not that of the first frame.
local function check_names(states)
  local first = states[1]
  for i, other in ipairs(states) do
    for k = 1, math.max(#first.names, #other.names) do
      local own, name = first.names[k], other.names[k]
      if own ~= name then
        local function said(n) return n and ("'%s'"):format(n) or "none" end
        declare.raise("column %d of 'tensors[%d]' must be %s, as in 'tensors[1]', got %s", k, i,
          said(own), said(name))
      end
    end
  end
end

-- All names in order of appearance, and for each the number of the first frame that has it.
local function names_of(states)
  local names, first = {}, {}
  for i, state in ipairs(states) do
    for _, name in ipairs(state.names) do
      if not first[name] then names[#names + 1], first[name] = name, i end
    end
  end
  return names, first
end

local function type_text(state, name)
  return column.type_text(state.columns[name], state.kinds[name])
end

-- Whether the two differ in their dtypes at most.
local function are_numbers(a, b, name)
  return core.is_tensor(a.columns[name]) and core.is_tensor(b.columns[name])
    and not a.kinds[name] and not b.kinds[name]
end

-- Raises unless the column has one type in all frames that have it, or may be promoted to one.
local function check_types(states, name, first, promote)
  for i, state in ipairs(states) do
    if state.columns[name] then
      local wanted, got = type_text(states[first], name), type_text(state, name)
      if wanted ~= got and not (promote and are_numbers(states[first], state, name)) then
        declare.raise("the column '%s' of 'tensors[%d]' must be %s, as in 'tensors[%d]', got %s",
          name, i, wanted, first, got)
      end
    end
  end
end

-- The dtype that the parts make together.
local function promoted(parts)
  local heads = {}
  for _, part in pairs(parts) do heads[#heads + 1] = core.narrow(part, 1, 1, 0) end
  return internal.dtype_of(internal.cat_tensors(heads))
end

local floats_of = {complex64 = "float32", complex128 = "float64"}

-- Raises where whole numbers would be rounded on the way to a float dtype.
local function check_exact(part, dtype, name, i)
  local own, target = internal.dtype_of(part), floats_of[dtype] or dtype
  if types[own].kind ~= "INTEGER" or types[target].kind ~= "FLOAT" then return end
  if core.all(core.eq(part, core.methods.to(part, target))) then return end
  declare.raise("the column '%s' of 'tensors[%d]' is %s and has numbers that %s would round; give "
    .. "it one type in all of them", name, i, own, dtype)
end

-- That many missing rows of a column of that type.
local function filling(name, dtype, what, count, device, i, missing)
  if dtype == "string" then
    if missing ~= nil and type(missing) ~= "string" then
      declare.raise("'missing.%s' must be a string, got %s", name, internal.describe(missing))
    end
    local _, dictionary = strings.parts(strings.of({missing or ""}, "cpu"))
    return strings.make(core.full({count}, 1, {dtype = "int32", device = device}), dictionary)
  end
  local kind = types[dtype].kind
  if missing == nil and (kind == "FLOAT" or kind == "COMPLEX") then missing = 0 / 0 end
  if missing == nil then
    declare.raise("'tensors[%d]' has no column '%s', which is %s; write missing = {%s = value}", i,
      name, what, name)
  end
  local ok, made = pcall(core.full, {count}, missing, {dtype = dtype, device = device})
  if ok then return made end
  local argument = ("'missing.%s'"):format(name):gsub("%%", "%%%%")
  error((tostring(made):gsub("'fill_value'", argument, 1)), 0)
end

return function(frame)
  local function cat_columns(list)
    return strings.is(list[1]) and strings.cat(list) or internal.cat_tensors(list)
  end

  -- The column of that name of all frames, one below the other.
  local function joined(states, name, first, missing)
    local parts, all, dtype, device = {}, {}, "string", nil
    for i, state in ipairs(states) do
      parts[i] = state.columns[name]
      device = device or parts[i] and column.device(parts[i])
    end
    if core.is_tensor(select(2, next(parts))) then
      dtype = promoted(parts)
      for i = 1, #states do
        if parts[i] then check_exact(parts[i], dtype, name, i) end
      end
    end
    local kind = states[first].kinds[name]
    local what = kind and kind.type or dtype
    for i, state in ipairs(states) do
      local part = parts[i]
      if part == nil and state.rows > 0 then
        part = filling(name, dtype, what, state.rows, device, i, missing)
      end
      all[#all + 1] = part
    end
    return cat_columns(all)
  end

  local function check_missing(missing, known, names)
    for name in pairs(missing) do
      if not known[name] then
        declare.raise("'missing' names a column '%s', which no frame has%s", declare.shown(name),
          (frame.advice(declare.shown(name), known, names)))
      end
    end
  end

  local function cat_frames(list, fill, promote, missing)
    local states, columns, kinds = {}, {}, {}
    for i, f in ipairs(list) do states[i] = frame.state(f) end
    local names, first = names_of(states)
    if not fill then check_names(states) end
    check_missing(missing, first, names)
    for _, name in ipairs(names) do check_types(states, name, first[name], promote) end
    for _, name in ipairs(names) do
      columns[name] = joined(states, name, first[name], missing[name])
      kinds[name] = states[first[name]].kinds[name]
    end
    return frame.make(names, columns, kinds)
  end

  -- Whether to fill, and with which values, from `missing` and `fill`, which may itself be the
  -- table of values.
  local function read_fill(fill, missing)
    if type(fill) == "table" and next(fill) ~= nil and missing == nil then
      fill, missing = true, fill
    end
    if type(fill) ~= "boolean" then
      declare.raise("'fill' must be true, false or a table of values by name, got %s",
        type(fill) == "table" and "an empty one" or internal.describe(fill))
    elseif missing ~= nil and (type(missing) ~= "table" or next(missing) == nil) then
      declare.raise("'missing' must be a table of values by name, got %s",
        type(missing) == "table" and "an empty one" or internal.describe(missing))
    elseif missing and not fill then
      declare.raise("'missing' is for columns that 'fill' adds; write fill = true")
    end
    return fill, missing or {}
  end

  -- cat(tensors, dim=1, {fill=false, promote=false, missing=nil}): frames below each other, which
  -- have the same names and types in the same order; or string columns end to end. fill: a column
  -- that a frame lacks has NaN and "" there, or what `missing` says by name, as integers must have
  -- it said. promote: numbers get the dtype that they make together. Errors: the first difference;
  -- an integer that a float would round.
  local cat = declare.define("cat(tensors:any, dim:integer=1, {fill:any=false, "
    .. "promote:boolean=false, missing:any=nil})", function(list, dim, fill, promote, missing)
    if dim ~= 1 and dim ~= -1 then declare.raise("'dim' must be 1, got %.0f", tonumber(dim)) end
    fill, missing = read_fill(fill, missing)
    if strings.is(list[1]) then
      if fill or promote then declare.raise("'fill' and 'promote' are for frames") end
      check_all(list, strings.is, "a string column")
      return strings.cat(list)
    end
    check_all(list, frame.is, "a frame")
    return cat_frames(list, fill, promote, missing)
  end)

  local ours = {[frame.metatable.__metatable] = true, [strings.metatable.__metatable] = true}

  local function is_options(value)
    return type(value) == "table" and getmetatable(value) == nil and #value == 0
      and type(next(value)) == "string"
  end

  -- The frames and the options of cat{f, g, {fill = true}} and cat{f, g, fill = true}.
  local function options_in(list)
    local last, frames, named = list[#list], {}, {}
    local options = is_options(last) and last or {}
    for _, from in ipairs {list, options} do
      for name, value in pairs(from) do
        local into = type(name) == "string" and named or frames
        into[name] = value
      end
    end
    if options == last then frames[#list] = nil end
    if next(named) == nil then return list end
    return frames, named
  end

  -- For tensors, unless the list, which may be in one of arguments by name, begins with ours.
  function frame.cat(tensors, ...)
    if not ours[getmetatable(rawget(tensors, 1))] then
      local list = rawget(tensors, 1) or rawget(tensors, "tensors")
      local inner = type(list) == "table" and rawget(list, 1)
      return (ours[getmetatable(inner)] and cat or internal.cat_tensors)(tensors, ...)
    end
    if select("#", ...) > 0 then return cat(tensors, ...) end
    return cat(options_in(tensors))
  end
end
