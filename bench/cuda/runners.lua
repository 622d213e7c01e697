-- SPDX-License-Identifier: MIT
-- Every runner of src/core/jobs.h on a CUDA device, at small and modest sizes, against the CPU:
-- the rows of spec/ops that have a `runner`, which compute-sanitizer watches.
-- luajit bench/cuda/runners.lua [KEYS]: the length of the longest sequence; on a GPU 11e6, which is
-- more than its cache holds.
local locus = require "locus"
local ops = require "spec.ops"

-- n integers in no order, with duplicates; the same on every run.
local function mixed(n, dtype)
  local range = dtype == "uint8" and 251 or math.max(1, n - n % 3)
  return (locus.arange(n) * 7919 + 13):remainder(range):to(dtype or "float32")
end

-- Operands of n elements: rows of float32, int64 and uint8, one in order, the order of the other,
-- and 0, 1, 2 ... They are made on the CPU, each when it is first asked for.
local FIELDS = {
  x = mixed,
  i = function(n) return mixed(n, "int64") end,
  bytes = function(n) return mixed(n, "uint8") end,
  sorted = function(n) return (mixed(n):sort(1)) end,
  order = function(n) return mixed(n):argsort(1) end,
  row = function(n) return locus.arange(n):to("int64") end,
}

-- On a device, with e.n, and e.most, how many keys the longest sequence has. e:mixed(n) and
-- e:matrix(columns) make others.
local Operands = {}

function Operands.__index(e, name)
  if Operands[name] then return Operands[name] end
  e[name] = FIELDS[name](e.n):to(e.device)
  return e[name]
end

function Operands:mixed(n) return mixed(n):to(self.device) end

function Operands:matrix(columns)
  local rows = math.max(1, math.floor(self.n / columns))
  return self:mixed(rows * columns):view(rows, columns)
end

-- By runner a function of operands.
local cases = {}
for _, entry in ipairs(ops.rows) do
  local row = entry.row
  if row.runner then
    assert(not cases[row.runner], row.runner)
    cases[row.runner] = function(e) return row.device(ops.public(entry.name), e) end
  end
end

local function same(a, b)
  if not locus.is_tensor(a) then return a == b end
  if a.dtype ~= b.dtype then return false end
  b = b:cpu()
  if not a.dtype:find "float" then return a:equal(b) end
  return a:isnan():equal(b:isnan()) and a:fill_missing(0):equal(b:fill_missing(0))
end

-- Runs a case on the CPU and on the device; raises where an answer differs.
local function run(name, n, keys)
  local function on(device)
    local most = n > 1000 and keys or n
    return {cases[name](setmetatable({n = n, most = most, device = device}, Operands))}
  end
  local wanted, got = on "cpu", on "cuda"
  assert(#wanted == #got, name)
  for i, value in ipairs(wanted) do
    assert(same(value, got[i]), ("of %d elements: answer %d differs"):format(n, i))
  end
end

-- Runs every case at these sizes, the small ones first; raises what went wrong. told(n) is called
-- when all have run at a size.
local function run_all(sizes, keys, told)
  local names, failures = {}, {}
  for name in pairs(cases) do names[#names + 1] = name end
  table.sort(names)
  for _, n in ipairs(sizes) do
    for _, name in ipairs(names) do
      local ok, message = pcall(run, name, n, keys)
      failures[#failures + 1] = not ok and name .. ": " .. tostring(message) or nil
    end
    if told then told(n, #names, failures) end
  end
  locus.cuda.synchronize()
  if #failures > 0 then error(table.concat(failures, "\n"), 0) end
end

-- Prints how far it has come: whoever stops this has what was found by then.
local function tell(n, count, failures)
  print(("%d runners of %d elements, failures so far: %d %s"):format(count, n, #failures,
    table.concat(failures, "; ")))
  io.stdout:flush()
end

if arg and arg[0] and arg[0]:find "runners.lua$" then
  run_all({ 1, 70, 900, 20000 }, tonumber(arg[1]) or 11e6, tell)
  print("every runner on " .. locus.cuda.device_info().name .. ": same answers as the CPU")
end

return { cases = cases, run_all = run_all }
