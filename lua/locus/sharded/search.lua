-- SPDX-License-Identifier: MIT
-- Searches in a sharded sequence, which goes on from rank to rank. There are three strategies.
--
-- Routed: each value goes to the rank that has its place, which answers. The rank is found by a
-- search among the last elements of the ranks, with the same side. "left" is the first rank whose
-- last element is not less, "right" the first one whose last element is greater. So equal elements
-- that go on from one rank to the next need no care.
-- Counted: all ranks get all values, and how many of its elements come before each; these counts
-- are added.
-- Whole: all ranks get the sequence, once, and search on their own from then on.
local core = require "locus.core"
local collective = require "locus.mpi.collective"
local declare = require "locus.call.declare"
local sharded = require "locus.sharded.object"
local order = require "locus.derived.order"
local internal, methods = core.internal, core.methods
require "locus.mpi.alltoall"
require "locus.mpi.bcast"
require "locus.mpi.reduce"

local types = select(2, internal.dtypes())

local thresholds = {
  short = 2 ^ 20, -- bytes of a sequence that all ranks keep: the size of a core's own cache
  few = 1024,     -- values in all that all ranks count: less work than a message to every rank
  hot = 4,        -- if a rank is asked for more than this many times the mean, others keep a copy
}

-- -- What a sequence keeps -----------------------------------------------------------------------

-- Keeps a structure that all ranks have made: if one rank lacked it, their next calls would follow
-- different strategies.
local function keep(state, name, value)
  collective.agree("mpi.searchsorted, what is kept")
  state[name] = value
  return value
end

-- The whole sequence, if that is short.
local function whole_of(state)
  local _, size = collective.ranks()
  if size == 1 then return state.part end
  if state.whole or state.shape[1] * methods.element_size(state.part) > thresholds.short then
    return state.whole
  end
  return keep(state, "whole", (core.mpi.allgatherv(state.part)))
end

-- {values, ranks}: the last element of each rank that has one, and the numbers of these ranks,
-- counted from 0. All ranks call it together.
function sharded.lasts(state)
  if state.lasts then return state.lasts end
  local rows = methods.size(state.part, 1)
  local last = methods.narrow(state.part, 1, math.max(rows, 1), math.min(rows, 1))
  local values, counts = core.mpi.allgatherv(last)
  local ranks = methods.to(core.nonzero(counts, {as_tuple = true, base = 0}),
                           internal.device_of(values))
  return keep(state, "lasts", {values = values, ranks = ranks})
end

-- -- Three strategies ----------------------------------------------------------------------------

-- How many elements of a row come before each value, on one side.
local function count(row, values, how)
  return core.searchsorted(row, values, {side = how.side, descending = how.descending, base = 0})
end

local function counted(state, values, how)
  local all, counts = core.mpi.allgatherv(values)
  return methods.clone(sharded.block(core.mpi.allreduce(count(state.part, all, how)), counts))
end

-- The rank that has each value's place; the last one for values after all elements.
local function owners_of(state, values, how)
  local lasts = sharded.lasts(state)
  local places = methods.clamp_(count(lasts.values, values, how), nil, #lasts.ranks - 1)
  return core.take(lasts.ranks, places, nil, {base = 0})
end

-- The ranks that are asked for many times as many values as others, and for more than they have
-- elements: all get a copy of those.
local function hot_ranks(state, owners)
  local _, size = collective.ranks()
  local asked = core.mpi.allreduce(core.bincount(owners, nil, size, {base = 0}))
  asked = methods.to(asked, "cpu")
  local hot = core.logical_and(core.gt(asked, core.sum(asked) * thresholds.hot / size),
                               core.ge(asked, state.counts))
  return core.nonzero(hot, {as_tuple = true, base = 0}):totable()
end

-- Answers the values whose place is on a rank that is hot, and gives the positions of the others.
local function answer_copies(state, values, owners, how, answers)
  local left = core.ones_like(owners, {dtype = "bool"})
  for _, rank in ipairs(hot_ranks(state, owners)) do
    local copy = core.mpi.bcast(state.part, {root = rank})
    local here = core.eq(owners, rank)
    answers[here] = count(copy, values[here], how) + sharded.before(state.counts, rank)
    methods.masked_fill_(left, here, false)
  end
  return core.nonzero(left, {as_tuple = true})
end

local function routed(state, values, how)
  local _, size = collective.ranks()
  local owners, answers = owners_of(state, values, how), core.empty_like(values, {dtype = "int64"})
  local places = answer_copies(state, values, owners, how, answers)
  owners = core.take(owners, places)
  places = core.take(places, core.argsort(owners))
  local asked, counts = core.mpi.alltoallv(core.take(values, places),
                                           core.bincount(owners, nil, size, {base = 0}))
  answers[places] = core.mpi.alltoallv(count(state.part, asked, how) + state.offset, counts)
  return answers
end

-- -- Arguments -----------------------------------------------------------------------------------

-- Raises if an element comes before its predecessor, which may be another rank's. The name is that
-- of the sequence. All ranks call it together.
function sharded.check_order(state, name, descending, base)
  local rank = collective.ranks()
  local lasts, part = sharded.lasts(state), state.part
  local ranks_before = core.sum(core.lt(lasts.ranks, rank))
  local before = methods.narrow(lasts.values, 1, math.max(ranks_before, 1),
                                math.min(ranks_before, 1))
  local row = core.cat {before, part}
  local n = #row
  if n < 2 then return end
  local first, second = row[{{1, n - 1}}], row[{{2, n}}]
  local low, high = first, second
  if descending then low, high = second, first end
  local wrong = core.logical_or(core.lt(high, low),
                                core.gt(core.isnan(low), core.isnan(high)))
  if not core.any(wrong) then return end
  local at = wrong:byte():argmax()
  local text, earlier = order.texts(second, at, first, at)
  declare.raise("%s is not %s: %s at [%d] follows %s", name,
                descending and "descending" or "ascending", text,
                state.offset - #before + at + base, earlier)
end

-- A scalar as a tensor. Beside a float sequence it is of its dtype, as a 0-d tensor is.
local function tensor_of(values, dtype)
  if type(values) == "table" then return core.tensor(values) end
  local x = values
  if not core.is_tensor(x) then
    x = core.full({}, values, {dtype = type(values) == "number" and "float64" or nil})
  end
  if methods.dim(x) > 0 or types[dtype].kind ~= "FLOAT" then return x end
  return methods.to(x, dtype)
end

-- The given values as one row, and the function that gives its answers the form of the values.
local function read_values(values, state)
  local beside = sharded.state(values)
  local x = beside and beside.part or tensor_of(values, internal.dtype_of(state.part))
  local sizes, is_value = methods.size(x), not beside and not core.is_tensor(values)
  return methods.flatten(x), function(answers)
    answers = methods.reshape(answers, sizes)
    if beside then return sharded.new(answers, beside.counts) end
    return is_value and type(values) ~= "table" and methods.item(answers) or answers
  end
end

local function check_sequence(state, how)
  if #state.shape ~= 1 then
    declare.raise("a sharded sequence must be 1-D, got %s", sharded.describe(state))
  elseif how.sorter ~= nil then
    declare.raise("'sorter' cannot be used with a sharded sequence; write mpi.sort(sequence)")
  elseif how.out_int32 and state.shape[1] + how.base > 2 ^ 31 - 1 then
    declare.raise("'out_int32' cannot hold the positions of %d elements", state.shape[1])
  end
end

-- The answers of one side, counted from base.
local function search(state, values, side, how)
  local one, whole = {side = side, descending = how.descending}, whole_of(state)
  local answers
  if whole then
    answers = count(whole, values, one)
  else
    local strategy = core.mpi.allreduce(#values) <= thresholds.few and counted or routed
    answers = strategy(state, values, one)
  end
  answers:add_(how.base)
  return how.out_int32 and methods.int(answers) or answers
end

-- The steps of searchsorted and bucketize.
local function prepare(name, state, given, how)
  check_sequence(state, how)
  local values, restore = read_values(given, state)
  core.searchsorted(methods.narrow(state.part, 1, 1, 0), methods.narrow(values, 1, 1, 0),
                    {right = how.right or nil, side = how.side}) -- raises what is wrong
  local side = how.side or (how.right and "right" or "left")
  local signature = sharded.signature(name, state, internal.dtype_of(values), side, how.out_int32,
                                      how.base, how.check, how.descending)
  return signature, function()
    if how.check then
      sharded.check_order(state, "'sorted_sequence'", how.descending, how.base)
    end
    if side ~= "both" then return restore(search(state, values, side, how)) end
    return restore(search(state, values, "left", how)),
           restore(search(state, values, "right", how))
  end
end

-- searchsorted(sorted_sequence, values, ...): as locus.searchsorted. Values are a sharded tensor,
-- and answers cut as they are, or each rank's own.
sharded.define("mpi.searchsorted(sorted_sequence:any, values:any, {right:boolean=false, "
  .. "side:string=nil, sorter:any=nil, out_int32:boolean=false, base=1, check:boolean=false, "
  .. "descending:boolean=false})",
  sharded.steps(function(sequence, values, right, side, sorter, out_int32, base, check, descending)
    local how = {right = right, side = side, sorter = sorter, out_int32 = out_int32, base = base,
                 check = check, descending = descending}
    return prepare("searchsorted", sharded.check(sequence, "sorted_sequence"), values, how)
  end))

-- bucketize(input, boundaries, ...): as locus.bucketize, of one of them sharded, or both.
sharded.define("mpi.bucketize(input:any, boundaries:any, {right:boolean=false, "
  .. "out_int32:boolean=false, base=1})",
  sharded.steps(function(input, boundaries, right, out_int32, base)
    local how = {right = right, out_int32 = out_int32, base = base}
    local sequence = sharded.state(boundaries)
    if sequence then return prepare("bucketize", sequence, input, how) end
    local state = sharded.check(input, "input")
    local made = core.bucketize(state.part, boundaries, how)
    local signature = sharded.signature("bucketize", state, boundaries, right, out_int32, base)
    return signature, function() return sharded.new(made, state.counts) end
  end))

return thresholds
