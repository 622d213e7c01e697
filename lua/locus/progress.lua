-- SPDX-License-Identifier: MIT
-- The line of a long read or write on a terminal while it lasts: how far it is, once a second.
local declare = require "locus.call.declare"
local internal = require "locus.core".internal

local progress = {}

local MEGABYTES = {size = 1e6, name = "MB"}
progress.ROWS = {size = 1, name = "rows"}

local function none() end

-- The option `progress` of a function: false, a function that takes both numbers, or nil.
function progress.check(option)
  if option == nil or type(option) == "boolean" or type(option) == "function" then return option end
  declare.raise("'progress' must be a function or false, got %s", internal.describe(option))
end

-- A function that gets the number of bytes done of `length` (nil: not known), or of rows if `unit`
-- says so, and at the end nothing. Without an option it reports to the terminal, if there is one.
function progress.begin(option, place, length, unit)
  if option == false then return none end
  if type(option) == "function" then
    return function(done)
      if done then declare.call(option, done, length) end
    end
  end
  if io.type(io.stderr) ~= "file" or not internal.is_terminal(io.stderr) then return none end
  unit, place = unit or MEGABYTES, internal.visible(place)
  local started, last, shown = os.time(), os.time(), false
  return function(done)
    local now = os.time()
    if not done then
      if shown then io.stderr:write("\r\27[K") end
    elseif now > last and now > started + 1 then
      local share = length and length > 0 and internal.format("%3.0f %%, ", 100 * done / length)
        or ""
      io.stderr:write(internal.format("\r\27[K%s: %s%.0f %s", place, share, done / unit.size,
        unit.name))
      last, shown = now, true
    end
  end
end

return progress
