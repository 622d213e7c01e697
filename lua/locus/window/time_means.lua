-- SPDX-License-Identifier: MIT
-- Means and quantiles of windows of times and durations, which are such themselves: those of the
-- differences to the least one, which float64 holds to a unit and less, are rounded, as means and
-- quantiles of tensors are.
local core = require "locus.core"
local kinds = require "locus.tensor.kind"
local methods = core.methods

local PAST_INT64 = 2 ^ 63

-- The elements less the least one, as float64, and that one.
local function differences(numbers)
  if methods.numel(numbers) == 0 then return numbers:double(), 0 end
  local least, most = core.amin(numbers), core.amax(numbers)
  if tonumber(most) - tonumber(least) >= PAST_INT64 then return numbers:double(), 0 end
  return (numbers - least):double(), least
end

-- The answers for a tensor of that kind, by those of ask(x, interpolation) for floats, which are
-- NaN in windows of too few elements; lacking(answers, lost) puts something there, or raises.
-- `interpolation` is that of quantiles, nil for means.
return function(x, kind, interpolation, ask, lacking)
  local offsets, least = differences(kinds.plain(x))
  local found = ask(offsets, interpolation)
  local lost = core.isnan(found)
  local whole
  if interpolation then
    local lower = ask(offsets, "lower")
    whole = lower + core.round(found - lower)
  else
    whole = core.floor(found + 0.5)
  end
  local made = kinds.tagged(core.masked_fill(whole, lost, 0):long() + least, kind)
  return core.any(lost) and lacking(made, lost) or made
end
