-- SPDX-License-Identifier: MIT
-- The answers of plans, which aggregate.lua makes, about the groups of one state: all of them from
-- one pass over the rows, and quantiles of one column from one selection.
local column = require "locus.frame.column"
local core = require "locus.core"
local quantiles = require "locus.derived.quantile"
local internal, methods = core.internal, core.methods

-- The rows ordered by group, and within a group in their own order.
local function order_of(state)
  state.order = state.order or internal.join_scope(core.argsort(state.ids), state.ids)
  return state.order
end

-- What all plans ask of the rows, {tensor, how, ...}; the number of each row where the last rows
-- are wanted and not known.
local function asks_of(state, plans)
  local asks, numbers = {}, nil
  for _, plan in ipairs(plans) do
    for _, part in ipairs(plan.asks) do asks[#asks + 1] = part end
    if plan.lasts and not state.lasts and not numbers then
      numbers = core.arange(1, #state.ids + 1,
        {dtype = "int64", device = column.device(state.ids)})
    end
  end
  if numbers then asks[#asks + 1], asks[#asks + 2] = numbers, "last" end
  return asks, numbers ~= nil
end

-- [groups, #q]: for each group a row. `counts` are those of all rows; where NaN, which is the
-- greatest, does not count, `s.there` are those of the others. Values are laid out group by group,
-- on the CPU by the kernel itself, and the wanted elements of each are selected there without
-- sorting.
local function quantiles_of(state, counts, s)
  local none = core.zeros(1, {dtype = "int64", device = internal.device_of(counts)})
  local offsets = core.cat {none, core.cumsum(counts, 1)}
  local function find(ranks)
    if internal.device_of(state.ids) == "cpu" then
      return internal.kth(methods.contiguous(s.values), ranks, offsets, state.ids)
    end
    return internal.kth(s.values[order_of(state)], ranks, offsets)
  end
  local last = s.there and core.maximum(s.there - 1, 0) or counts - 1
  return quantiles.answers(find, core.unsqueeze(last, 2), s.q, s.interpolation, not s.there)
end

-- The quantiles {values, q, interpolation} of plans, by their values, interpolation and whether NaN
-- counts: {q, at}, at by plan, the number of the first.
local function selections_of(plans, there)
  local selections = {}
  local function of(one, own)
    for _, known in ipairs(selections) do
      if known.values == one.values and known.interpolation == one.interpolation
        and (known.there == nil) == (own == nil) then
        return known
      end
    end
    local new = {values = one.values, interpolation = one.interpolation, there = own, q = {},
                 at = {}}
    selections[#selections + 1] = new
    return new
  end
  for _, plan in ipairs(plans) do
    if plan.quantile then
      local selection = of(plan.quantile, there[plan])
      selection.at[plan] = #selection.q + 1
      for _, q in ipairs(plan.quantile.q) do selection.q[#selection.q + 1] = q end
    end
  end
  return selections
end

-- How many rows each group has; and, by plan that leaves NaN out, how many are left.
local function counts_of(plans, answers)
  local counts, there, at = nil, {}, 1
  for _, plan in ipairs(plans) do
    if plan.quantile then
      counts = answers[at]
      there[plan] = #plan.asks > 2 and answers[at + 1] or nil
    end
    at = at + #plan.asks / 2
  end
  return counts, there
end

-- By plan: the columns of its quantiles, [groups, #q].
local function select_all(state, plans, answers)
  local found = {}
  local counts, there = counts_of(plans, answers)
  for _, s in ipairs(selections_of(plans, there)) do
    local all = quantiles_of(state, counts, s)
    for plan, at in pairs(s.at) do
      local n = #plan.quantile.q
      found[plan] = n == #s.q and all or methods.contiguous(methods.narrow(all, 2, at, n))
    end
  end
  return found
end

local answers = {order = order_of}

-- A list with the answer of each plan.
function answers.find(state, plans)
  local asks, lasts = asks_of(state, plans)
  local found = asks[1] and internal.segments(state.ids, state.size, asks) or {}
  if lasts then state.lasts = internal.join_scope(found[#found], state.ids) end
  local list, at, selected = {}, 1, nil
  for i, plan in ipairs(plans) do
    local n = #plan.asks / 2
    if plan.quantile then
      selected = selected or select_all(state, plans, found)
      list[i] = plan.finish(selected[plan])
    else
      list[i] = plan.finish(unpack(found, at, at + n - 1))
    end
    at = at + n
  end
  return list
end

return answers
