-- SPDX-License-Identifier: MIT
-- The small frame of the specs of frames, and what its methods say. Without LuaJIT, too.
local locus = require "locus"
local support = require "spec.support"

local trades = {}

--- Integers, floats with a NaN, and strings with an empty one.
function trades.new()
  return locus.frame {
    {"time", locus.tensor({5, 6, 7, 8}, {dtype = "int64"})},
    {"price", locus.tensor {1.5, 2.5, support.nan, 4.5}},
    {"sym", locus.strings {"IBM", "AAPL", "IBM", ""}},
  }
end

--- The sentence of f(...); f is a method's name where the first argument is a frame.
function trades.refused(f, method, ...)
  return support.message(f[method], f, ...)
end

return trades
