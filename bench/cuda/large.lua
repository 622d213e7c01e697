-- SPDX-License-Identifier: MIT
-- Tensors on a CUDA device of 2^31 - 2 to 2^31 + 1 elements, where 32-bit counts end, against what
-- is known of them. luajit bench/cuda/large.lua [POWER]: 2^POWER in place of 2^31.
local locus = require "locus"

local checks = 0

local function expect(what, wanted, got)
  checks = checks + 1
  if locus.is_tensor(got) then
    assert(got:numel() == #wanted, ("%s: %d answers, not %d"):format(what, got:numel(), #wanted))
    got = got:flatten():totable()
  else
    wanted, got = { wanted }, { got }
  end
  for i, value in ipairs(wanted) do
    local number = tonumber(got[i]) or got[i]
    assert(number == value, ("%s: %s, not %s"):format(what, tostring(number), tostring(value)))
  end
end

-- n zeros except a few elements at both ends and in the middle, and the places of these.
local function sparse(n, dtype)
  local x = locus.zeros(n, { dtype = dtype, device = "cuda" })
  local places = { 1, 2, n / 2 - n / 2 % 1, n - 1, n }
  for i, place in ipairs(places) do x[place] = i end
  return x, places
end

local SUM = 1 + 2 + 3 + 4 + 5 -- of sparse's elements

local tests = {}

function tests.nonzero(n)
  local x, places = sparse(n, "uint8")
  expect("count_nonzero", 5, x:count_nonzero())
  expect("nonzero", places, x:nonzero())
  expect("nonzero_static", { 1, 2, places[3] }, x:nonzero_static{ size = 3 })
  local mask = x:ne(0)
  expect("count_nonzero of a mask", 5, mask:count_nonzero())
  expect("nonzero of a mask", places, mask:nonzero())
  expect("masked_select", { 1, 2, 3, 4, 5 }, x:masked_select(mask))
  expect("masked_fill", 5 * 9, x:masked_fill(mask, 9):sum())
  expect("an index", { 5, 3, 1 }, x[locus.tensor({ n, places[3], 1 }, { dtype = "int64" }):cuda()])
end

-- A mask that is mostly set has as many answers as elements.
function tests.nonzero_of_all(n)
  local found = locus.ones(n, { dtype = "bool", device = "cuda" }):nonzero()
  expect("nonzero of all: rows", n, found:size(1))
  expect("nonzero of all: last", { n - 1, n }, found:narrow(1, n - 1, 2))
end

function tests.nonzero_of_rows(n)
  if n % 2 ~= 0 then return end
  local x = sparse(n, "bool"):view(2, n / 2)
  expect("nonzero of rows", { 1, 1, 1, 2, 1, n / 2, 2, n / 2 - 1, 2, n / 2 }, x:nonzero())
  expect("count_nonzero of rows", { 3, 2 }, x:count_nonzero(2))
end

function tests.where(n)
  local x, places = sparse(n, "uint8")
  local mask = x:eq(0)
  expect("where and a number", 7 * (n - 5) + SUM, locus.where(mask, 7, x):sum())
  local threes = locus.full({ n }, 3, { dtype = "uint8", device = "cuda" })
  local chosen = locus.where(mask, x, threes)
  expect("where", 15, chosen:sum())
  expect("where: last", { 3, 3 }, chosen:narrow(1, n - 1, 2))
  expect("where: middle", 3, chosen[places[3]])
end

function tests.elementwise(n)
  local x = sparse(n, "uint8")
  expect("sum", SUM, x:sum())
  expect("max", 5, x:max())
  expect("argmax", n, x:argmax())
  expect("add", SUM + n, (x + 1):sum())
  expect("gt", 2, x:gt(3):count_nonzero())
  expect("equal", true, x:equal(x:clone()))
  expect("to int16", SUM, x:to("int16"):sum())
  expect("fill", 5 * n, x:fill_(5):sum())
end

function tests.strided_copy(n)
  if n % 2 ~= 0 then return end
  local turned = sparse(n, "uint8"):view(n / 2, 2):t():contiguous():flatten()
  expect("contiguous: sum", SUM, turned:sum())
  expect("contiguous: ends", { 4, 5 },
    turned[locus.tensor({ n / 2, n }, { dtype = "int64" }):cuda()])
end

function tests.cumsum(n)
  local x = sparse(n, "uint8"):cumsum(1)
  expect("cumsum", { 6, 10, 15 }, x:narrow(1, n - 2, 3))
end

-- More keys than an int holds.
function tests.searchsorted(n)
  for _, dtype in ipairs{ "uint8", "int8" } do
    local keys = locus.zeros(n, { dtype = dtype, device = "cuda" })
    keys:narrow(1, n - 4, 5):fill_(9)
    local values = locus.tensor({ 0, 5, 9, 10 }, { dtype = dtype }):cuda()
    expect("searchsorted", { 1, n - 4, n - 4, n + 1 }, keys:searchsorted(values))
    expect("searchsorted right", { n - 4, n - 4, n + 1, n + 1 },
      keys:searchsorted(values, { right = true }))
  end
end

-- More values than an int holds.
function tests.searchsorted_of_many(n)
  local values = sparse(n, "uint8")
  local found = locus.tensor({ 1, 2, 2, 4 }, { dtype = "uint8" }):cuda():searchsorted(values)
  expect("searchsorted of many: last", { 1, 4, 5 }, found:narrow(1, n - 2, 3))
  expect("searchsorted of many: sum", n - 5 + 1 + 2 + 4 + 4 + 5, found:sum())
end

local function run(n, failures)
  for name, test in pairs(tests) do
    local ok, message = pcall(test, n)
    if not ok then
      failures[#failures + 1] = ("%d elements, %s: %s"):format(n, name, tostring(message))
    end
    collectgarbage()
    collectgarbage()
  end
end

-- How many answers were as they must be; raises what was not. told(n) is called after each size.
local function run_all(power, told)
  local failures = {}
  for n = 2 ^ power - 2, 2 ^ power + 1 do
    run(n, failures)
    if told then told(n, failures) end
  end
  return #failures == 0 and checks or error(table.concat(failures, "\n"), 0)
end

-- Prints how far it has come: whoever stops this has what was found by then.
local function tell(n, failures)
  print(("%d elements, failures so far: %d %s"):format(n, #failures, table.concat(failures, "; ")))
  io.stdout:flush()
end

if arg and arg[0] and arg[0]:find "large.lua$" then
  local power = tonumber(arg[1]) or 31
  print(("around 2^%d elements on %s: %d answers as known"):format(power,
    locus.cuda.device_info().name, run_all(power, tell)))
end

return { run_all = run_all }
