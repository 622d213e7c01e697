-- SPDX-License-Identifier: MIT
-- Unsigned integers of other libraries, for which there is no dtype: their bits come as signed ones
-- of the same width, and become a wider dtype that holds them all.
local core = require "locus.core"

local unsigned = {}

local wider = {int16 = {"int", 0xffff}, int32 = {"long", 0xffffffff}}

-- Whether one of these 64 bits is past int64. `there`: bools, nil for all, that say which ones are.
function unsigned.has_past(x, there)
  local past = x:lt(0)
  return (there and past:logical_and(there) or past):any()
end

-- The numbers behind bits of 16 or 32, as int32 or int64; those of 64 stay.
function unsigned.widen(x)
  local wide = wider[core.internal.dtype_of(x)]
  return wide and x[wide[1]](x):band_(wide[2]) or x
end

return unsigned
