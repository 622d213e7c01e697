-- SPDX-License-Identifier: MIT
-- Times of a zone's clocks from UTC and back.
local core = require "locus.core"
local declare = require "locus.call.declare"
local moments = require "locus.time.moments"
local internal = core.internal

local function times(input, zone)
  local taken = moments.take(input, zone)
  if taken.per_second == 0 then declare.raise("'input' must be times, got dates") end
  if not taken.zone then
    declare.raise("'zone' must be a name such as \"Europe/Berlin\", got nothing")
  end
  return taken
end

-- local_time(input, zone): the times that the clocks of a zone show, as the times that would be
-- them in UTC. Errors: a time that int64 cannot hold.
-- Source: https://docs.pola.rs/api/python/stable/reference/expressions/api/
-- polars.Expr.dt.convert_time_zone.html
declare.method("local_time(input:tensor, zone:any)", function(input, zone)
  local taken = times(input, zone)
  return moments.give(taken, internal.clocks(taken.values, taken.per_second, taken.zone),
    taken.kind)
end)

-- utc_time(input, zone, {ambiguous=nil, missing=nil}): the times at which the clocks of a zone show
-- these. Errors: one that they show twice, unless `ambiguous` is "first" or "second"; one that they
-- jump over, unless `missing` is "forward", which gives the moment of the jump.
-- Source: https://docs.pola.rs/api/python/stable/reference/expressions/api/
-- polars.Expr.dt.replace_time_zone.html
declare.method("utc_time(input:tensor, zone:any, {ambiguous:any=nil, missing:any=nil})",
  function(input, zone, ambiguous, missing)
    local taken = times(input, zone)
    local found = internal.unclocks(taken.values, taken.per_second, taken.zone, ambiguous, missing)
    return moments.give(taken, found, taken.kind)
  end)
