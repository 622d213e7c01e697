-- SPDX-License-Identifier: MIT
-- The side of locus in bench/series.py: reads the names of cases from standard input, runs each
-- once, and writes its seconds of processor time. Columns are files of int64 and float64 in the
-- folder that is the first argument; the second one is the number of threads.
local clock = require "bench.clock"
local locus = require "locus"

local folder = arg[1]
locus.set_num_threads(tonumber(arg[2]))

local function int64(name) return locus.from_file(folder .. "/" .. name, "int64") end

local BERLIN = {zone = "Europe/Berlin"}

local columns = setmetatable({}, {__index = function(known, name)
  known[name] = locus.times(int64(name))
  return known[name]
end})

local cases = {}

-- Buckets, parts and shifts of times, in order and in none.
for _, order in ipairs {"sorted", "random"} do
  for _, span in ipairs {"15m", "day", "month"} do
    cases[("floor %s in a zone, %s"):format(span, order)] = function()
      return columns[order]:floor(span, BERLIN)
    end
    cases[("floor %s, %s"):format(span, order)] = function() return columns[order]:floor(span) end
  end
  for _, part in ipairs {"hour", "month", "isoweek"} do
    cases[("%s in a zone, %s"):format(part, order)] = function()
      return columns[order][part](columns[order], BERLIN)
    end
  end
  cases["offset 1 month, " .. order] = function() return columns[order]:offset("1 month") end
  cases["UTC to a zone's clocks, " .. order] = function()
    return columns[order]:local_time "Europe/Berlin"
  end
  cases["a zone's clocks to UTC, " .. order] = function()
    return columns[order]:utc_time("Europe/Berlin", {ambiguous = "first", missing = "forward"})
  end
end

-- Windows of rows, and what rows get from the others of their group.
local data = setmetatable({}, {__index = function(known, name)
  local dtype = name == "x" and "float64" or "int64"
  known[name] = locus.from_file(folder .. "/" .. name, dtype)
  return known[name]
end})
local groups = setmetatable({}, {__index = function(known, count)
  known[count] = locus.frame {{"g", data["g" .. count]}, {"x", data.x}}:group "g"
  return known[count]
end})

for _, how in ipairs {"sum", "mean", "max", "std"} do
  for _, rows in ipairs {20, 1000} do
    cases[("rolling %s of %d rows"):format(how, rows)] = function()
      local windows = data.x:rolling {rows = rows}
      return windows[how](windows)
    end
  end
end
cases["rolling median of 101 rows"] = function() return data.x:rolling {rows = 101}:median() end
cases["ewm mean, span 20"] = function() return data.x:ewm_mean {span = 20} end
for _, count in ipairs {20, 10000} do
  cases[("shift by %d groups"):format(count)] = function() return groups[count]:shift("x", 1) end
  cases[("cumsum by %d groups"):format(count)] = function() return groups[count]:cumsum("x") end
  cases[("nanmean of %d groups"):format(count)] = function() return groups[count]:nanmean("x") end
  cases[("rolling mean of 20 rows by %d groups"):format(count)] = function()
    return groups[count]:rolling {rows = 20}:mean("x")
  end
end

for name in io.lines() do
  collectgarbage()
  local began = clock.read(clock.OF_PROCESS)
  assert(cases[name], name)()
  local took = clock.read(clock.OF_PROCESS) - began
  io.stdout:write(("%.9f\n"):format(took / 1e9))
  io.stdout:flush()
end
