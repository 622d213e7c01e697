-- SPDX-License-Identifier: MIT
-- Sharded frames: rows that are spread over all ranks. String columns have the same dictionary on
-- all, so that their ids may move. Groups and as-of joins are those of frames in order: rows are
-- moved until each rank can answer alone, by the methods of frames.
local column = require "locus.frame.column"
local collective = require "locus.mpi.collective"
local core = require "locus.core"
local counting = require "locus.mpi.counting"
local declare = require "locus.call.declare"
local registry = require "locus.call.registry"
local frame = require "locus.frame.frame"
local sharded = require "locus.sharded.object"
local strings = require "locus.frame.strings"
local text_of = require "locus.mpi.signature".text
local order = require "locus.derived.order"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())
local metatable = {__metatable = "sharded frame"}
local events = registry.once(metatable)
local frames = {methods = {}}

-- -- Columns -------------------------------------------------------------------------------------

-- The frame whose columns are f(column) of the others', in the same order on all ranks.
local function map(part, f)
  local state, columns = frame.state(part), {}
  for _, name in ipairs(state.names) do columns[name] = f(state.columns[name]) end
  return frame.make(state.names, columns, state.kinds)
end

-- The same with f(tensor, i) of the tensor that holds the i-th column.
local function map_tensors(part, f)
  local i = 0
  return map(part, function(c)
    i = i + 1
    return column.map(c, f, i)
  end)
end

local function take(part, places)
  return map_tensors(part, function(x) return x[places] end)
end

-- The tensors that hold the columns, f(tensor) of each; and the frame with others in their place.
local function tensors_of(part, f)
  local list = {}
  for i, name in ipairs(frame.state(part).names) do
    list[i] = f(column.parts(frame.state(part).columns[name]))
  end
  return list
end

local function with_tensors(part, list)
  return map_tensors(part, function(_, i) return list[i] end)
end

-- The different strings of a column on all ranks, in a list.
local function gather_names(c)
  local names, lengths = c:unique():totable(), {}
  for i, name in ipairs(names) do lengths[i] = #name end
  local text = core.mpi.allgatherv(core.from_string(table.concat(names), "uint8"):cpu()):tobytes()
  local all, at = {}, 1
  local everywhere = core.mpi.allgatherv(core.tensor(lengths, {dtype = "int64", device = "cpu"}))
  for i, length in ipairs(everywhere:totable()) do
    all[i] = text:sub(at, at + length - 1)
    at = at + length
  end
  return all
end

-- Gives string columns one dictionary on all ranks.
local function unify(part)
  return map(part, function(c)
    if not strings.is(c) then return c end
    local names = strings.of(gather_names(c), "cpu")
    local united, dictionary = strings.unite {{strings.parts(names)}, {strings.parts(c)}}
    return strings.make(united[2], dictionary)
  end)
end

-- -- The object ----------------------------------------------------------------------------------

-- The sharded frame whose rows on this rank are `part`; all ranks have its dictionaries.
local function new(part, counts)
  return internal.object(metatable, {
    part = part, counts = counts, rows = tonumber(core.sum(counts)),
    offset = sharded.before(counts),
  })
end

-- The same of frames whose dictionaries are each rank's own.
local function unified(part, counts)
  return new(unify(part), counts or core.mpi.allgather(counting.equal(#part, 1)))
end

local function check(value, name)
  local state = internal.state(value, metatable)
  if state then return state end
  declare.raise("'%s' must be a sharded frame, as mpi.shard gives, got %s", name,
                internal.describe(value))
end

-- "frame of sym string, price float64"
local function describe(state)
  local part, list = frame.state(state.part), {}
  for i, name in ipairs(part.names) do
    list[i] = ("%s %s"):format(name, column.type_text(part.columns[name], part.kinds[name]))
  end
  return "frame of " .. table.concat(list, ", ")
end

-- The part of mpi.shard for frames.
function frames.share(given)
  local part = frame.state(given)
  if not part or #part.names == 0 then
    declare.raise("'x' must be a tensor, a table or a frame with columns, got %s",
                  internal.describe(given))
  end
  return ("mpi.shard(%s)"):format(describe({part = given})), function() return unified(given) end
end

-- A column as a sharded tensor: the places of strings among all.
local function key_of(state, name)
  local c = frame.column(frame.state(state.part), name)
  local x, dictionary = column.parts(c)
  return sharded.state(sharded.new(dictionary and strings.ranks(x, dictionary) or x, state.counts))
end

local function method(line, prepare)
  declare.add(frames.methods, collective.wrap(line, sharded.steps(prepare)))
end

local fields = {}
local known = registry.once(fields)
function known.part(state) return state.part end
function known.offset(state) return state.offset end
function known.counts(state) return methods.clone(state.counts) end

-- A column of numbers, by name.
local function column_of(state, name)
  local c = frame.column(frame.state(state.part), name)
  if not strings.is(c) then return sharded.new(c, state.counts) end
  internal.raise(("'%s' is a string column; f.part.%s has this rank's rows"):format(name, name))
end

function events.__index(f, key)
  if frames.methods[key] then return frames.methods[key] end
  local state = internal.state(f, metatable)
  if fields[key] then return fields[key](state) end
  if type(key) == "string" then return column_of(state, key) end
  internal.raise("a sharded frame has no brackets; write f.part[...] for this rank's rows")
end

function events.__newindex() internal.raise("a sharded frame cannot be changed") end

function events.__len(f) return internal.state(f, metatable).rows end

function events.__describe(f)
  return internal.format("a sharded frame of %d rows", internal.state(f, metatable).rows)
end

function events.__tostring(f)
  local rank, size = collective.ranks()
  local state = internal.state(f, metatable)
  return internal.format("%s\n[rows of rank %d of %d, behind %d others, of a frame of %d rows]",
    tostring(state.part), rank, size, state.offset, state.rows)
end

-- -- Moving rows ---------------------------------------------------------------------------------

-- Rows that all ranks send to each other, counts[r + 1] to rank r; and how many came from whom.
local function exchange(part, counts)
  local from
  local moved = map_tensors(part, function(x)
    local got
    got, from = core.mpi.alltoallv(x, counts)
    return got
  end)
  return moved, from
end

-- All rows, as a frame on the root; nil elsewhere.
method("mpi.gather(frame:any, root:integer=0)", function(f, root)
  local state = check(f, "frame")
  collective.check_rank(root, "root")
  return ("mpi.gather(%s, %d)"):format(describe(state), root), function()
    local list = tensors_of(state.part, function(x)
      return (core.mpi.gatherv(x, {root = root}))
    end)
    return collective.ranks() == root and with_tensors(state.part, list) or nil
  end
end)

-- The rows in the order of a column, NaN last; in equal blocks.
method("mpi.sort(frame:any, by:string)", function(f, by)
  local state = check(f, "frame")
  local key = key_of(state, by)
  return ("mpi.sort(%s, %s)"):format(describe(state), text_of(by)), function()
    local columns = tensors_of(state.part, function(x) return x end)
    local _, sorted, counts = sharded.sort(key.part, columns, state.rows, false)
    return new(with_tensors(state.part, sorted), counts)
  end
end)

-- -- Groups --------------------------------------------------------------------------------------

-- How many rows go to each rank where each group, all rows of a key, goes to the first rank that
-- has some of it.
local function whole_groups(key)
  local rank, size = collective.ranks()
  local lasts, counts = sharded.lasts(key), counting.equal(0, size)
  local rows, leading = methods.size(key.part, 1), 0
  local before = core.sum(core.lt(lasts.ranks, rank))
  if before > 0 then
    local last = methods.narrow(lasts.values, 1, before, 1)
    leading = core.searchsorted(key.part, last, {right = true, base = 0})[1]
    counts[lasts.ranks[core.searchsorted(lasts.values, last)[1]] + 1] = leading
  end
  counts[rank + 1] = counts[rank + 1] + rows - leading
  return counts
end

-- The answer of agg for the groups of a frame in the order of `by`.
method("mpi.agg(frame:any, by:string, columns:any)", function(f, by, columns)
  local state = check(f, "frame")
  local key = key_of(state, by)
  frame.methods.group(state.part, by):agg(columns) -- raises what is wrong
  local signature = ("mpi.agg(%s, %s, %s)"):format(describe(state), text_of(by),
                                                text_of(columns))
  return signature, function()
    sharded.check_order(key, ("the column '%s'"):format(by), false, 1)
    local part = exchange(state.part, whole_groups(key))
    return unified(frame.methods.group(part, by):agg(columns))
  end
end)

-- -- As-of joins ---------------------------------------------------------------------------------

-- Raises unless a column of numbers ascends from rank to rank, without NaN.
local function check_on(state, on, whose)
  local key = key_of(state, on)
  local name = ("%s.%s"):format(whose, on)
  order.check_nan(key.part, name, false)
  sharded.check_order(key, ("'%s'"):format(name), false, 1)
  return key
end

-- The rows of the other frame that this rank's rows may be joined with: from the last one before
-- its first one to the first one behind its last one. As {first, behind the last}, counted from 0.
local function wanted(key, other)
  local rows = methods.size(key.part, 1)
  local ends = key.part[{{1, rows, math.max(rows - 1, 1)}}]
  local sequence = sharded.new(other.part, other.counts)
  local first = core.mpi.searchsorted(sequence, ends, {base = 0})
  local last = core.mpi.searchsorted(sequence, ends, {base = 0, right = true})
  if rows == 0 then return {0, 0} end
  return {math.max(first[1] - 1, 0), math.min(last[#last] + 1, other.shape[1])}
end

-- The other frame's rows that each rank wants, from all that have them.
local function fetch(state, range)
  local ranges = core.mpi.allgather(core.tensor({range}, {dtype = "int64", device = "cpu"}))
  local stop, places, counts = state.offset + #state.part, {}, {}
  for r, pair in ipairs(ranges:totable()) do
    local first = math.max(tonumber(pair[1]), state.offset)
    counts[r] = math.max(math.min(tonumber(pair[2]), stop) - first, 0)
    places[r] = core.arange(first, first + counts[r], {dtype = "int64"}) - (state.offset - 1)
  end
  return (exchange(take(state.part, core.cat(places)), counts))
end

-- The rank of each row's key, the same for equal keys; -1 for strings that the other frame lacks.
-- `dictionary` is that of the frame whose strings count.
local function ranks_of(part, by, dictionary)
  local _, size = collective.ranks()
  local x, own = column.parts(frame.column(frame.state(part), by))
  if not own and types[internal.dtype_of(x)].kind == "INTEGER" then
    return core.remainder(methods.long(x), size)
  elseif not own then
    declare.raise("the column '%s' must be of integers or strings to join by, got %s", by,
                  internal.describe(x))
  end
  local ids = strings.by_name(x, internal.dictionary_translate(own, dictionary)):long()
  return core.where(ids:gt(0), core.remainder(ids, size), -1)
end

-- Sends each row to its key's rank, in order; also which rows these were, and how many came from
-- whom.
local function send_by_key(part, ranks)
  local _, size = collective.ranks()
  local kept = core.nonzero(ranks:ge(0), {as_tuple = true})
  local places = kept[core.argsort(ranks[kept])]
  local moved, from = exchange(take(part, places),
                               core.bincount(ranks[kept], nil, size, {base = 0}))
  return moved, places, from
end

-- The rows of both that have a key meet on one rank, and their results go back.
local function join_by_key(state, other, by, join)
  local _, dictionary = column.parts(frame.column(frame.state(state.part), by))
  local own, places, from = send_by_key(state.part, ranks_of(state.part, by, dictionary))
  local theirs = send_by_key(other.part, ranks_of(other.part, by, dictionary))
  local back = exchange(unify(join(own, theirs)), from)
  return take(back, core.argsort(places))
end

-- The as-of join of two sharded frames, both in the order of `on`; with `by`, whose first column is
-- of integers or strings.
method('mpi.asof(frame:any, other:any, {on:string, by:names=nil, direction:string="backward", '
  .. "tolerance:any=nil, inclusive:boolean=true, suffix:string=nil, missing:any=nil})",
  function(f, g, on, by, direction, tolerance, inclusive, suffix, missing)
    local state, other = check(f, "frame"), check(g, "other")
    local options = {on = on, by = by, direction = direction, tolerance = tolerance,
                     inclusive = inclusive, suffix = suffix, missing = missing}
    local function join(own, theirs) return frame.methods.asof(own, theirs, options) end
    join(state.part[{ {1, 0} }], other.part[{ {1, 0} }]) -- raises what is wrong
    local signature = ("mpi.asof(%s; %s; %s)"):format(describe(state), describe(other),
                                                     text_of(options))
    return signature, function()
      local key, sequence = check_on(state, on, "frame"), check_on(other, on, "other")
      if by then return new(join_by_key(state, other, by[1], join), state.counts) end
      return unified(join(state.part, fetch(other, wanted(key, sequence))), state.counts)
    end
  end)

return frames
