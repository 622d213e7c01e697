-- SPDX-License-Identifier: MIT
-- report.lua TIMES PING KEYS: the report of bench/mpi/run, from the output of measure.lua and
-- ping.lua.
local times_path, ping_path, KEYS = arg[1], arg[2], tonumber(arg[3])

local function median(list)
  table.sort(list)
  return list[math.floor((#list + 1) / 2)]
end

local function least(list) return math.min(unpack(list)) end

local function words(line)
  local list = {}
  for word in line:gmatch "%S+" do list[#list + 1] = tonumber(word) or word end
  return list
end

local function counted(format, n) return format:format(n, n > 1 and "s" or "") end

-- By case and contender, in the order of appearance.
local function read_times()
  local rows, by_name = {}, {}
  for line in io.lines(times_path) do
    local case, kind, ranks, threads, seconds, busy, bytes, messages, collective =
      unpack(words(line))
    local who = kind == "alone" and counted("one process, %d thread%s", threads)
      or counted("%d rank%s, 1 thread each", ranks)
    local name = case .. who
    if not by_name[name] then
      by_name[name] = {case = case, who = who, ranks = ranks, seconds = {}, busy = {},
                       bytes = bytes, messages = messages, collective = collective}
      rows[#rows + 1] = by_name[name]
    end
    table.insert(by_name[name].seconds, seconds)
    table.insert(by_name[name].busy, busy)
  end
  table.sort(rows, function(a, b)
    return a.case ~= b.case and a.case < b.case or a.case == b.case and a.who < b.who
  end)
  return rows
end

-- The figures of docs/mpi.md for uniform keys and values, between all pairs of ranks together.
local BYTES = {sort = 16, searchsorted = 16}

local function print_times(rows)
  print(("%.0f keys and as many values; median and least of %d runs, seconds"):format(KEYS,
    #rows[1].seconds))
  print(("%-13s %-22s %8s %8s %8s %12s %12s %9s %11s"):format("", "", "median", "least", "cpu",
    "MB between", "by formula", "messages", "collective"))
  for _, row in ipairs(rows) do
    local expected = BYTES[row.case] * KEYS * (row.ranks - 1) / row.ranks
    print(("%-13s %-22s %8.3f %8.3f %8.3f %12.1f %12.1f %9d %10.0fB"):format(row.case, row.who,
      median(row.seconds), least(row.seconds), median(row.busy), row.bytes / 1e6, expected / 1e6,
      row.messages, row.collective))
  end
end

-- Latency, overhead and the gap per byte, in seconds, as LogGP calls them: of the smallest message
-- and of the slope between the two largest.
local function read_ping()
  local sizes = {}
  for line in io.lines(ping_path) do sizes[#sizes + 1] = words(line) end
  local small, large, largest = sizes[1], sizes[#sizes - 1], sizes[#sizes]
  local overhead = small[3]
  return {overhead = overhead, latency = math.max(0, small[2] - 2 * overhead),
          gap = (largest[2] - large[2]) / (largest[1] - large[1])}
end

-- The seconds of routing q values of each rank there and back, and of their search.
local function predict(net, ranks, q, search)
  local there = (ranks - 1) * net.overhead + net.latency + 8 * q * net.gap * (ranks - 1) / ranks
  return 2 * there, q * search
end

local function print_model(rows)
  local net, search = read_ping(), nil
  for _, row in ipairs(rows) do
    if row.case == "searchsorted" and row.who == "one process, 1 thread" then
      search = median(row.seconds) / KEYS
    end
  end
  print(("\nA MODEL (LogGP), not a measurement: of this network's ping, %.2f us of latency, "
    .. "%.2f us of overhead,\n%.3f ns a byte, and a search of %.1f ns a value. "
    .. "No congestion, no stragglers, values spread evenly."):format(net.latency * 1e6,
    net.overhead * 1e6, net.gap * 1e9, search * 1e9))
  print(("%8s %12s %14s %14s"):format("ranks", "values each", "routing, ms", "search, ms"))
  for _, ranks in ipairs{16, 64, 256, 1000} do
    for _, q in ipairs{1e3, 1e6, 1e8} do
      local routing, own = predict(net, ranks, q, search)
      print(("%8d %12.0f %14.3f %14.3f"):format(ranks, q, routing * 1e3, own * 1e3))
    end
  end
end

local rows = read_times()
print_times(rows)
print_model(rows)
