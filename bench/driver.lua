-- SPDX-License-Identifier: MIT
-- The Lua side of bench/compare.py, which runs it inside its own process: opens a case at a size,
-- runs its call once, times it in a loop. Its answer is text that Python reads as a
-- literal; tensors go over as pointers, so both sides read the same memory.
local ffi = require "ffi"
local locus = require "locus"
local bench = require "bench.cases"
local clock = require "bench.clock"

local counted = clock.MONOTONIC

local function now() return clock.read(counted) end

-- A Lua value as a Python literal; tensors as (dtype, address, sizes, strides).
local function literal(value)
  if type(value) == "string" then
    return ("%q"):format(value)
  elseif type(value) == "boolean" then
    return value and "True" or "False"
  elseif type(value) ~= "table" and not locus.is_tensor(value) then
    return (tostring(value):gsub("LL$", ""))
  end
  local words = {}
  if locus.is_tensor(value) then
    local address = tonumber(ffi.cast("intptr_t", value:data()))
    return ("(%q, %.0f, [%s], [%s])"):format(value.dtype, address,
      table.concat(value:size(), ", "), table.concat(value:stride(), ", "))
  elseif value[1] ~= nil then
    for i, inner in ipairs(value) do words[i] = literal(inner) end
    return "[" .. table.concat(words, ", ") .. "]"
  end
  for key, inner in pairs(value) do
    words[#words + 1] = ("%q: %s"):format(key, literal(inner))
  end
  return "{" .. table.concat(words, ", ") .. "}"
end

local driver = {}
local call, environment, loops, results

-- A call's expression as a loop over it, and as a list of its results. The names of
-- the environment are local to both, as in a script.
local function compile(expression)
  local names, values = {}, {}
  for name, value in pairs(environment) do
    names[#names + 1], values[#values + 1] = name, value
  end
  local source = ([[
    local locus, now, %s = ...
    local function loop(times)
      local start = now()
      for _ = 1, times do local result = %s end
      return now() - start
    end
    return loop, function() return { %s } end]]):format(
    table.concat(names, ", "), expression, expression)
  return assert(loadstring(source))(locus, now, unpack(values))
end

--- Every case at every size: what bench/compare.py has to know before it opens one.
function driver.list()
  local list = {}
  for i, case in ipairs(bench.cases) do
    local of = bench.calls[case.call]
    for j, size in ipairs(case.sizes) do
      list[#list + 1] = {
        index = { i, j }, call = case.call, name = bench.name(case), dtype = case.dtype,
        values = case.values or "", data = case.data or "", density = case.density or -1,
        n = size.n or 0, m = size.m or 0, rows = size.rows or 1,
        shape = size.shape or { size.n }, positions = of.positions or 0, limit = of.limit or "",
        unit = of.unit or "",
      }
    end
  end
  return list
end

--- Makes the inputs of a case at a size, ready to run; gives them by name, nil when this locus has
--- no such call.
function driver.start(case, size)
  call, loops = bench.calls[case.call], {}
  environment = bench.make(case, size)
  return environment
end

--- The same by numbers; gives those inputs that the peers can read, which are none when this locus
--- has no such call.
function driver.open(i, j)
  local case = bench.cases[i]
  local inputs = {}
  for name, value in pairs(driver.start(case, case.sizes[j]) or {}) do
    inputs[name] = (type(value) == "number" or locus.is_tensor(value)) and value or nil
  end
  return inputs
end

--- Opens a call over tensors that Python names next; `out` is nil if it cannot write into one.
function driver.begin(fresh, out)
  call, loops, environment = { fresh = fresh, out = out }, {}, {}
end

-- Lets go of compiled code, too: in a process as large as this one little of it fits within the
-- reach of a jump.
local function collect_all()
  jit.flush()
  collectgarbage()
  collectgarbage()
end

--- Opens another call over the tensors that have been named.
function driver.call(fresh)
  call, loops, environment.out, environment.options = { fresh = fresh }, {}, nil, nil
  results = nil
  collect_all()
end

-- Memory of Python's, on that device.
local function foreign(dtype, device, address, ...)
  return locus.from_ptr(ffi.cast("void *", address), { ... }, { dtype = dtype, device = device })
end

--- Names memory of Python's for the open call, or a copy of it where that runs on another device.
function driver.adopt(name, runs_on, ...)
  environment[name] = foreign(...):to(runs_on)
end

--- Names a number for the open call.
function driver.value(name, number)
  environment[name] = number
end

--- Names what a method of a named tensor gives.
function driver.derive(name, of, method)
  environment[name] = environment[of][method](environment[of])
end

--- Copies the result of that number into memory of Python's.
function driver.copy(number, ...)
  foreign(...):copy_(results[number])
end

--- Runs the call once, "fresh" or into "out", which is zeros before; gives its results.
function driver.run(form)
  local once
  loops[form], once = compile(call[form])
  for _, old in ipairs(form == "out" and results or {}) do
    old:zero_()
  end
  results = once()
  if form == "fresh" then
    environment.out = #results == 1 and results[1] or results
    environment.options = { out = environment.out }
  end
  return results
end

--- Whether the open case's call can write into `out`.
function driver.has_out()
  return call.out ~= nil
end

--- From now on only the processor's time counts, of all threads of this process.
function driver.count_processor_time()
  counted = clock.OF_PROCESS
end

--- Nanoseconds for that many calls.
function driver.time(form, times)
  return loops[form](times)
end

--- Lets go of the open case.
function driver.close()
  call, environment, loops, results = nil, nil, nil, nil
  collect_all()
end

--- Collects results that nobody holds, so that no later timing pays for it.
function driver.collect()
  collectgarbage()
end

--- Waits until the device has done all it was given.
function driver.synchronize()
  locus.cuda.synchronize()
end

--- Gives back the device memory that is kept for the next tensors.
function driver.trim()
  collectgarbage()
  collectgarbage()
  locus.cuda.empty_cache()
end

--- Sets how many threads locus may use.
function driver.threads(count)
  locus.set_num_threads(count)
end

function driver.about()
  return { isa = locus.isa, luajit = jit.version, traces = (jit.status()),
    library = package.searchpath("locus.core", package.cpath) }
end

--- The driver's answer to code from Python, as the text of a Python literal.
function driver.answer(name, ...)
  return literal(driver[name](...))
end

return driver
