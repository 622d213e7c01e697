-- SPDX-License-Identifier: MIT
-- The cases of bench/json_lines.py: each line of stdin is a case, its answer the processor seconds
-- that one call takes, and its wall seconds.
--
--   luajit bench/json_lines.lua FILE THREADS
local locus = require "locus"
local clock = require "bench.clock"

local path, threads = arg[1], tonumber(arg[2])
local TYPES = {time = {"time", unit = "ms"}, service = "string", level = "string",
               latency = "float64", status = "int64", path = "string",
               id = {"int64", path = "user.id"}, name = {"string", path = "user.name"}}

local cases = {}
function cases.all() return locus.read_json(path, {types = TYPES}) end
function cases.few()
  return locus.read_json(path, {types = {latency = "float64", name = TYPES.name}})
end
function cases.guess() return locus.read_json(path) end

local function seconds(kind) return clock.read(kind) / 1e9 end

locus.set_num_threads(threads)
for case in io.lines() do
  collectgarbage()
  collectgarbage()
  local cpu, wall = seconds(clock.OF_PROCESS), seconds(clock.MONOTONIC)
  cases[case]()
  print(seconds(clock.OF_PROCESS) - cpu, seconds(clock.MONOTONIC) - wall)
  io.flush()
end
