-- SPDX-License-Identifier: MIT
-- Joins: the rows of two frames that agree in their keys, side by side. Keys become numbers that
-- both sides share; the rest is counting.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.call.declare"
local pairs_by_number = require "locus.sets.pairs"
local sides = require "locus.frame.sides"
local numbers = require "locus.frame.keys"
local internal = core.internal
local free = core.methods.free

-- The bytes of a row of two frames, and how many such rows fit into the memory that there is.
local function most_rows(state, other)
  local bytes = 16 -- a row on each side, by number
  for _, side in ipairs {state, other} do
    for _, c in pairs(side.columns) do
      bytes = bytes + core.methods.element_size((column.parts(c)))
    end
  end
  return bytes, math.floor(internal.memory_of_machine() / bytes)
end

-- Whether each row's number is its place, as it is if all keys are distinct.
local function are_rows(ids, rows)
  local last = rows > 0 and tonumber(ids[-1]) == rows
  return last and core.equal(ids, core.arange(1, rows + 1,
    {dtype = internal.dtype_of(ids), device = internal.device_of(ids)}))
end

return function(frame)
  -- The keys of both sides as numbers, 0 if the other side cannot have the key: this side's, the
  -- other's, and the greatest number. If the other side's keys are distinct and in order, this
  -- side's numbers are the rows of the other, and nothing else is needed.
  local function numbers_of(state, other, keys)
    local theirs, ours, count = sides.pair({keys.others, "other: on", other.rows, "other"},
      {keys.own, "frame: on", state.rows, "frame"})
    if not are_rows(theirs, other.rows) then return ours, theirs, count end
    if count == other.rows then return ours, nil, count end
    return core.masked_fill(ours, core.gt(ours, other.rows), 0), nil, other.rows
  end

  -- Pairs of rows with the same key, in the order of this side's rows, then of the other's: their
  -- rows on both sides, and whether there are two in each pair. If all rows of this side are
  -- wanted, those without a match have 0 beside them. First nil: this side's rows as they are.
  local function pairs_of(state, other, keys, all)
    local own, others, count = numbers_of(state, other, keys)
    if not others then
      local match = core.count_nonzero(own) == state.rows
      if all or match then return nil, own, match end
    end
    local bytes, most = most_rows(state, other)
    local total, rows, matched = pairs_by_number(own, others, count, all, most)
    if rows then return rows, matched, not all end
    declare.raise("the result would have %.0f rows, that is %.0f bytes, and the memory has %.0f",
      total, total * bytes, internal.memory_of_machine())
  end

  -- This side's columns, which are those of the frame itself if all of its rows stay anyway.
  local function own_columns(state, rows, all)
    if rows then return frame.state(frame.at(state, rows)) end
    if all then return state end
    return frame.state(frame.map(state, function(c) return column.map(c, core.methods.clone) end))
  end

  -- Both frames side by side. The names of the result are known before any row is looked at.
  local function beside(state, other, keys, all, suffix, missing)
    local rest, names = frame.rest(state, other, keys.theirs, suffix, missing)
    local rows, others, match = pairs_of(state, other, keys, all)
    local own = own_columns(state, rows, all)
    local taken = frame.state(match and not missing and frame.at(rest, others)
      or frame.take(rest, others, missing or {}, 1))
    if rows then -- else `others` may be the ids of a string column
      free(rows)
      free(others)
    end
    return frame.beside(own, taken, names)
  end

  local function filtered(state, other, keys, wanted)
    local own, others, count = numbers_of(state, other, keys)
    if others then own = core.bincount(others, nil, count):take(own, 0) end
    local rows = core.nonzero((wanted and core.gt or core.eq)(own, 0), {as_tuple = true})
    return frame.at(state, rows)
  end

  local brings = {inner = true, left = true, semi = false, anti = false} -- columns of the other one

  local function check(how, suffix, missing)
    if brings[how] == nil then
      declare.raise("'how' must be \"inner\", \"left\", \"semi\" or \"anti\", got \"%s\"", how)
    elseif suffix ~= nil and not brings[how] then
      declare.raise("'suffix' is for columns of 'other', and how = \"%s\" takes none of them", how)
    elseif missing ~= nil and how ~= "left" then
      declare.raise("'missing' is for rows that find nothing, which only how = \"left\" keeps")
    end
  end

  -- The names of the keys in both frames, and those of the arguments that have them.
  local function key_names(on, left_on, right_on)
    if on and (left_on or right_on) then
      declare.raise("'on' names the keys of both frames; write it alone, or left_on and right_on")
    elseif on then
      return {names = on, theirs = on, own_argument = "on"}
    elseif not left_on or not right_on then
      declare.raise(left_on and "'right_on' is missing, the keys of 'other'"
        or right_on and "'left_on' is missing, the keys of the frame itself"
        or "'on' is missing: write on = \"id\" for the key of both frames, or left_on and right_on")
    elseif #left_on ~= #right_on then
      declare.raise("'left_on' and 'right_on' must name as many columns, got %d and %d", #left_on,
        #right_on)
    end
    return {names = left_on, theirs = right_on, own_argument = "left_on"}
  end

  local relations = {["1:1"] = true, ["1:m"] = true, ["m:1"] = true, ["m:m"] = true,
                     one_to_one = "1:1", one_to_many = "1:m", many_to_one = "m:1",
                     many_to_many = "m:m"} -- as pandas writes them

  -- Raises where two rows have one key.
  local function check_distinct(columns, whose, validate)
    local ids, firsts = numbers.number(columns)
    if #firsts == #ids then return end
    local at = {dtype = "int64", device = internal.device_of(ids)}
    local again = core.nonzero(core.ne(firsts[ids], core.arange(1, #ids + 1, at)),
      {as_tuple = true})
    local row = tonumber(again[{ {1, 1} }]:item())
    local first = tonumber(firsts[ids[{ {row, row} }]]:item())
    declare.raise("validate = \"%s\" says that a key is in one row of %s, and rows %d and %d have "
      .. "one key", validate, whose, first, row)
  end

  local function check_relation(keys, validate)
    if validate == nil then return end
    local relation = relations[validate]
    if not relation then
      declare.raise('\'validate\' must be "1:1", "1:m", "m:1" or "m:m", got "%s"', validate)
    end
    relation = relation == true and validate or relation
    if relation:sub(1, 1) == "1" then check_distinct(keys.own, "the frame", validate) end
    if relation:sub(3) == "1" then check_distinct(keys.others, "'other'", validate) end
  end

  -- join(other, {on, left_on, right_on, how, suffix, missing, validate}): every pair of rows of the
  -- two frames whose columns `on` are equal (NaN equals NaN), side by side, in the order of this
  -- frame's rows, then of the other's. left_on and right_on: keys whose names differ; the result
  -- has those of this frame. how = "left" also keeps rows without a match, with NaN and "", or the
  -- value that `missing` names for the column; integers need one. "semi" keeps this frame's rows
  -- that have a match, "anti" those that have none, both without columns of the other frame.
  -- validate: "1:1", "1:m", "m:1" raise where rows of the side with 1 share a key. Errors: a name
  -- that both frames have, without a suffix for the other's; a result larger than the machine's
  -- memory.
  frame.method("join(frame:any, other:any, {on:names=nil, left_on:names=nil, right_on:names=nil, "
    .. "how:string=\"inner\", suffix:string=nil, missing:any=nil, validate:string=nil})",
    function(state, given, on, left_on, right_on, how, suffix, missing, validate)
      local other = frame.argument(given, "other")
      check(how, suffix, missing)
      local keys = key_names(on, left_on, right_on)
      keys.own, keys.others = frame.pairs(state, other, keys.names, keys.own_argument,
        left_on and right_on, "right_on")
      check_relation(keys, validate)
      if not brings[how] then return filtered(state, other, keys, how == "semi") end
      return beside(state, other, keys, how == "left", suffix, missing)
    end)
end
