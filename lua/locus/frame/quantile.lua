-- SPDX-License-Identifier: MIT
-- Quantiles by group: values are laid out group by group, on the CPU by the kernel itself, and the
-- wanted elements of each are selected there without sorting.
local core = require "locus.core"
local quantiles = require "locus.derived.quantile"
local internal = core.internal

-- For a number q, one value of each group; for a list of them a row for each group. `ids` are the
-- groups of the rows, order() gives the rows by group, `counts` the number of rows of each group.
return function(ids, order, counts, values, q, interpolation)
  quantiles.check_interpolation(interpolation)
  local list, single = quantiles.read_q(q)
  local none = core.zeros(1, {dtype = "int64", device = internal.device_of(counts)})
  local offsets = core.cat {none, core.cumsum(counts, 1)}
  local function find(ranks)
    if internal.device_of(ids) == "cpu" then
      return internal.kth(core.methods.contiguous(values), ranks, offsets, ids)
    end
    return internal.kth(values[order()], ranks, offsets)
  end
  local answers = quantiles.answers(find, core.unsqueeze(counts - 1, 2), list, interpolation, true)
  return single and core.flatten(answers) or answers
end
