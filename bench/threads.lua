-- SPDX-License-Identifier: MIT
-- Which public functions share their work among threads, and how much of it stays on one: calls
-- each with operands of a million elements and two threads, counts what the pool does, and writes
-- the table of docs/threads.md. ./bench/run threads calls it.
--
--   threads.lua [--write PAGE] [FUNCTION ...]
local core = require "locus.core"
local clock = require "bench.clock"
local calls = require "bench.threads.calls"
local public = require "spec.support.calls.public"
local rows = require "bench.threads.rows"
local internal = core.internal

local THREADS = 2
local MOST_ROUNDS, ENOUGH = 10, 0.05  -- seconds of a function's rounds
local SHORT_ROUND, FEW = 1e-3, 200    -- such a call is made so often in a round
local SHORT = 20e-6                 -- seconds of work that stays on one thread

local function seconds() return clock.read(clock.OF_PROCESS) / 1e9 end

-- Processor time of that many calls, the part of it within pieces, and the number of shared jobs.
local function time(call, times)
  collectgarbage()
  collectgarbage()
  internal.count_shared(true)
  local began = seconds()
  for _ = 1, times do call() end
  local took = seconds() - began
  local jobs, _, _, shared = internal.count_shared(false)
  return took, shared, jobs
end

-- The cost of one call: {seconds, shared = seconds of it within pieces, jobs}, of processor time.
local function measure(call)
  call() -- makes operands, pages and threads
  local first = time(call, 1)
  local times = first < SHORT_ROUND and FEW or 1
  local total, rounds = {seconds = 0, shared = 0, jobs = 0}, 0
  repeat
    local took, shared, jobs = time(call, times)
    total.seconds, total.shared = total.seconds + took, total.shared + shared
    total.jobs, rounds = total.jobs + jobs, rounds + 1
  until total.seconds > ENOUGH or rounds == MOST_ROUNDS
  total.seconds = total.seconds / (rounds * times)
  total.shared = total.shared / (rounds * times)
  return total
end

-- The form of a function whose call takes longest, measured; nil and why not.
local function measured(name)
  local longest, problem
  for _, each in ipairs(calls.of(name)) do
    local ok, found = pcall(measure, each.call)
    if ok and (not longest or found.seconds > longest.seconds) then longest = found end
    problem = not ok and ("%s%s: %s"):format(name, each.form and ", " .. each.form or "", found)
      or problem
  end
  return longest, problem
end

local function duration(s)
  if s < 1e-3 then return ("%.0f us"):format(s * 1e6) end
  return ("%.1f ms"):format(s * 1e3)
end

-- The cells of a row behind the name.
local function cells(found)
  if not found then return {"-", "-", "-", "-"} end
  local serial = math.max(0, 1 - found.shared / found.seconds)
  local faster = found.jobs > 0 and 1 / (serial + (1 - serial) / 16) or 1
  local shares = found.jobs > 0 and "yes" or found.seconds < SHORT and "short" or "no"
  return {shares, duration(found.seconds), found.jobs > 0 and ("%.0f %%"):format(100 * serial)
    or "100 %", ("%.1f"):format(faster)}
end

-- The names of all functions that can be asked for, as spec/ops has them.
local function names()
  local list, seen = {}, {}
  for _, each in ipairs(public) do
    local name = each.kind == "tensor" and each.name or each.kind .. ":" .. each.name
    if not seen[name] and not calls.elsewhere(name) then list[#list + 1] = name end
    seen[name] = true
  end
  table.sort(list)
  return list
end

-- Puts these lines, by their function's name, among those that the page's table has.
local function write(path, lines)
  local file = assert(io.open(path))
  local text = file:read "*a"
  file:close()
  local from = assert(select(2, text:find("\n| function |[^\n]*\n[^\n]*\n")), "there is no table")
  local all = {}
  for line, name in text:sub(from):gmatch "(| `([^`]+)` |[^\n]*)\n" do all[name] = line end
  for name, line in pairs(lines) do all[name] = line end
  file = assert(io.open(path, "w"))
  file:write(text:sub(1, from))
  for _, name in ipairs(names()) do
    if all[name] then file:write(all[name], "\n") end
  end
  file:close()
end

local function main(...)
  local wanted, page, given = {}, nil, {...}
  local i = 1
  while given[i] do
    if given[i] == "--write" then i, page = i + 1, given[i + 1]
    else wanted[#wanted + 1] = given[i] end
    i = i + 1
  end
  require("locus").set_num_threads(THREADS)
  local lines = {}
  for _, name in ipairs(#wanted > 0 and wanted or names()) do
    local found, problem = measured(name)
    if problem then io.stderr:write(problem, "\n") end
    lines[name] = ("| `%s` | %s |"):format(name, table.concat(cells(found), " | "))
    print(lines[name])
    io.stdout:flush()
  end
  if page then write(page, lines) end
  rows.close()
end

if (...) ~= "bench.threads" then main(...) end

return {names = names, measure = measure}
