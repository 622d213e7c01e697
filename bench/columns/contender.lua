-- SPDX-License-Identifier: MIT
-- One process of locus: calls a case of cases.py some times, and prints as JSON the CPU seconds of
-- each call, those by the clock, and by how many bytes the first one raised the memory of the
-- process at most. Given a folder, it writes there what the last call answered, as data.py writes
-- the truth.
--
--   contender.lua FOLDER FILE OUT CASE CALLS [ANSWER]
local ffi = require "ffi"
local clock = require "bench.clock"
local locus = require "locus"

local NUMBERS = { time = "int64", price = "float64", size = "int64" }
local QUOTED = { name = "string", x = "float64", y = "float64", count = "int64" }
local FORMAT = '$ip - $user [$time] "$request" $status $bytes "$referer" "$agent" $latency'
local PATHS = '$ip - $user [$time] "$path" $status $bytes "$referer" "$agent" $latency'
local KEY = { types = { key = "string" }, header = { "key" } }

-- The types of a log's columns, with those of the request.
local function log_types(types)
  types.time, types.status, types.bytes, types.latency = "time", "int16", "int64", "float64"
  return { types = types }
end

local function content(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read "*a"
  file:close()
  return bytes
end

-- A column of the truth.
local function raw(path, dtype)
  return locus.from_string(content(path .. "." .. dtype), dtype)
end

local function numbers(files)
  local truth = files.folder .. "/truth/numbers/"
  return locus.frame{
    { "time", raw(truth .. "time", "int64") }, { "price", raw(truth .. "price", "float64") },
    { "size", raw(truth .. "size", "int64") },
  }
end

local function add_chunks(files)
  local rows, size = 0, 0
  for part in locus.chunks(files.path, { types = NUMBERS, rows = 1e5 }) do
    rows, size = rows + #part, size + part:column("size"):sum()
  end
  return { rows = locus.LongTensor{ rows }, size = locus.LongTensor{ size } }
end

local function read_keys(_, text)
  return locus.read_csv({ text = text }, KEY)
end

local function text(files)
  return content(files.path)
end

-- prepare: what is there before the time is taken. call: what is measured, over the paths of the
-- file that is read and of the one that is written, and what was prepared. needs: the functions
-- without which there is nothing to measure. columns: those of the answer.
local cases = {
  ["numbers"] = {
    needs = { "read_csv" }, columns = { "time", "price", "size" },
    call = function(files) return locus.read_csv(files.path, { types = NUMBERS }) end,
  },
  ["quoted"] = {
    needs = { "read_csv" }, columns = { "name", "x", "y", "count" },
    call = function(files) return locus.read_csv(files.path, { types = QUOTED }) end,
  },
  ["log"] = {
    needs = { "read_log" }, columns = { "time", "path", "status", "bytes", "latency" },
    call = function(files)
      return locus.read_log(files.path, PATHS, log_types{ path = "request_path" })
    end,
  },
  ["log, whole requests"] = {
    needs = { "read_log" }, columns = { "time", "request", "status", "bytes", "latency" },
    call = function(files)
      return locus.read_log(files.path, FORMAT, log_types{ request = "string" })
    end,
  },
  ["times"] = {
    needs = { "read_csv" }, columns = { "time", "count" },
    call = function(files)
      return locus.read_csv(files.path, { types = { time = "time", count = "int64" } })
    end,
  },
  ["chunks"] = { needs = { "chunks" }, call = add_chunks, columns = { "rows", "size" } },
  ["chunks of four"] = { needs = { "chunks" }, call = add_chunks, columns = { "rows", "size" } },
  ["ids, 20"] = { needs = { "read_csv" }, prepare = text, call = read_keys, columns = { "key" } },
  ["ids, 10000"] = {
    needs = { "read_csv" }, prepare = text, call = read_keys, columns = { "key" },
  },
  ["ids, 500000"] = {
    needs = { "read_csv" }, prepare = text, call = read_keys, columns = { "key" },
  },
  ["write"] = {
    needs = { "frame" }, prepare = numbers, columns = {},
    call = function(files, frame) frame:write_csv(files.out) end,
  },
  ["write, two decimals"] = {
    needs = { "frame" }, prepare = numbers, columns = {},
    call = function(files, frame)
      frame:write_csv(files.out, { formats = { price = "%.2f" } })
    end,
  },
  ["floats"] = {
    needs = { "frame" }, columns = {},
    prepare = function(files)
      return locus.frame{ { "x", raw(files.folder .. "/truth/floats/x", "float64") } }
    end,
    call = function(files, frame) frame:write_csv(files.out) end,
  },
}

-- The arrays of that name, as columns.
local function arrays(files, name, columns)
  local list = {}
  for i, column in ipairs(columns) do
    list[i] = { column[1], raw(("%s/%s/%s"):format(files.path, name, column[1]), column[2]) }
  end
  return locus.frame(list)
end

local VALUES = { { "key", "int64" }, { "value", "float64" } }

local function add_grouped(count)
  cases["group, " .. count] = {
    needs = { "group_by" }, columns = { "key", "sum", "min", "max" },
    prepare = function(files) return arrays(files, "group-" .. count, VALUES) end,
    call = function(_, frame)
      return frame:group("key"):agg{
        sum = { "sum", "value" }, min = { "min", "value" }, max = { "max", "value" },
      }
    end,
  }
  cases["group p95, " .. count] = {
    needs = { "group_by" }, columns = { "key", "p95" },
    prepare = function(files) return arrays(files, "group-" .. count, VALUES) end,
    call = function(_, frame)
      return frame:group("key"):agg{ p95 = { "quantile", "value", 0.95 } }
    end,
  }
end
for _, count in ipairs{ 20, 10000, 500000 } do add_grouped(count) end

local function add_asof(name, by)
  cases[name] = {
    needs = { "asof" }, columns = { "row", "at" },
    prepare = function(files)
      local found = {}
      for _, column in ipairs{ "sequence", "values", "of_sequence", "of_values" } do
        found[column] = raw(("%s/%s/%s"):format(files.path, name, column), "int64")
      end
      return found
    end,
    call = function(_, x)
      local keys = by and { by = { x.of_sequence, x.of_values } } or nil
      return locus.asof(x.sequence, x.values, keys)
    end,
    finish = function(at) return { row = locus.arange(0, at:numel()):long(), at = at } end,
  }
end
add_asof("asof", false)
add_asof("asof by 20", true)
add_asof("asof by 10000", true)

local NINTHS = {}
for k = 1, 9 do NINTHS[k] = k / 10 end

cases["quantiles"] = {
  needs = { "quantile" }, columns = { "q" },
  prepare = function(files) return raw(files.path .. "/quantiles/x", "float64") end,
  call = function(_, x) return { q = x:quantile(NINTHS) } end,
}

cases["unique"] = {
  needs = { "unique" }, columns = { "value" },
  prepare = function(files) return raw(files.path .. "/unique/x", "int64") end,
  call = function(_, x) return { value = (x:unique()) } end,
}

cases["join"] = {
  needs = { "group_by" }, columns = { "count", "a", "b" },
  prepare = function(files)
    local function column(name) return raw(files.path .. "/join/" .. name, "int64") end
    return {
      left = locus.frame{ { "id", column "left" }, { "a", column "a" } },
      right = locus.frame{ { "id", column "right" }, { "b", column "b" } },
    }
  end,
  call = function(_, sides) return sides.left:join(sides.right, { on = "id" }) end,
  finish = function(frame)
    local function one(n) return locus.tensor({ n }, { dtype = "int64" }) end
    return { count = one(#frame), a = one(frame.a:sum()), b = one(frame.b:sum()) }
  end,
}

local function has(name)
  local found, value = pcall(function() return locus[name] end)
  return found and value ~= nil
end

-- Bytes of memory; VmHWM is the peak of this process alone, ru_maxrss would begin with that of its
-- parent.
local function resident(field)
  return 1024 * assert(tonumber(content("/proc/self/status"):match(field .. ":%s*(%d+) kB")))
end

local function forget_peak()
  local file = assert(io.open("/proc/self/clear_refs", "w"))
  file:write("5")
  file:close()
end

local function measured(case, files, calls)
  local prepared = case.prepare and case.prepare(files)
  local seconds, wall, rise, result = {}, {}, 0, nil
  for i = 1, calls do
    result = nil -- luacheck: ignore 311 (the collector may have it)
    collectgarbage()
    collectgarbage()
    forget_peak()
    local before, began, start = resident "VmRSS", clock.read(clock.MONOTONIC), os.clock()
    result = case.call(files, prepared)
    seconds[i] = os.clock() - start
    wall[i] = (clock.read(clock.MONOTONIC) - began) / 1e9
    if i == 1 then rise = resident "VmHWM" - before end
  end
  return result, seconds, wall, rise
end

local function write(path, bytes)
  local file = assert(io.open(path, "wb"))
  assert(file:write(bytes))
  file:close()
end

local function write_tensor(path, t)
  write(path, ffi.string(t:data(), t:numel() * t:element_size()))
end

local function write_answer(folder, result, columns)
  for _, name in ipairs(columns) do
    local column, path = result[name], folder .. "/" .. name
    if type(result) ~= "table" then column = result:column(name) end
    if not locus.is_tensor(column) then
      write_tensor(path .. ".ids", column.ids)
      write(path .. ".names", table.concat(column.names, "\n") .. "\n")
    elseif column.dtype == "float64" then
      write_tensor(path .. ".float64", column)
    else
      write_tensor(path .. ".int64", column:long())
    end
  end
end

local function list(values)
  local words = {}
  for i, value in ipairs(values) do words[i] = ("%.6f"):format(value) end
  return table.concat(words, ", ")
end

local function main(folder, path, out, name, calls, answer)
  local case = assert(cases[name], name)
  for _, needed in ipairs(case.needs) do
    if not has(needed) then
      print(('{"missing": "locus.%s"}'):format(needed))
      return
    end
  end
  local files = { folder = folder, path = path, out = out }
  local result, seconds, wall, rise = measured(case, files, tonumber(calls))
  if answer then
    write_answer(answer, case.finish and case.finish(result) or result, case.columns)
  end
  print(('{"seconds": [%s], "wall": [%s], "rise": %d}'):format(list(seconds), list(wall), rise))
end

if arg and arg[0] and arg[0]:find("contender%.lua$") then main(...) end

return { cases = cases }
