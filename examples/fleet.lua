-- SPDX-License-Identifier: MIT
-- One report about the access logs of many servers, read by as many processes as there are, on one
-- machine or many: requests by minute, quantiles by endpoint, and requests that took unusually
-- long. The report is the same, byte for byte, with any number of ranks.
package.path = (arg[0]:match "^.*/" or "") .. "?.lua;" .. package.path
local command = require "command"
local locus = require "locus"
local mpi = locus.mpi

local HELP = [[
usage: mpirun -n RANKS luajit fleet.lua LOG... >report.csv
       mpirun -n RANKS luajit fleet.lua --servers N --requests N >report.csv

Reads access logs of nginx whose lines end with the seconds that a request took, as
examples/access.log does, or makes up those of some servers. Each rank takes its share of the files,
which all ranks must find under these names. Rank 0 writes three tables as CSV: requests and errors
(status 500 and above) by minute; by path, without its query, also the 50th, 95th and 99th
percentile of the seconds; and requests that took ten times the median of their path, and longer
than 99 of 100 of its requests. Without mpirun there is one rank.

  --servers N   make up the logs of N servers
  --requests N  of N requests each (100000)
  --help        print this and exit
]]

-- -- What a rank reads ----------------------------------------------------------------------------

local FORMAT = '$_ - $_ [$time] "$path" $status $_ "$_" "$_" $seconds'
local TYPES = {time = "time", path = "request_path", status = "int16", seconds = "float64"}

local function read(file)
  return locus.read_log(file, FORMAT, {types = TYPES}):select{"time", "path", "status", "seconds"}
end

local PATHS = {"/", "/search", "/login", "/cart", "/checkout", "/static/app.js", "/api/v1/orders"}
local DAY = 1795305600e6 -- 2026-11-22, in microseconds since 1970

-- One server's day, the same whoever makes it up: few requests for the last paths, and one in a
-- thousand of them takes fifty times as long.
local function make_up(server, requests)
  local draw = {generator = locus.generator(server)}
  local path = (locus.rand(requests, draw):square() * #PATHS):floor():int() + 1
  local slow = locus.rand(requests, draw):lt(0.001)
  local seconds = locus.exponential(requests, draw) * path * 0.01
  return locus.frame{
    {"time", ((locus.rand(requests, draw) * 86400e6):sort():floor() + DAY):long(), "time"},
    {"path", locus.strings(PATHS):take(path)},
    {"status", locus.where(locus.rand(requests, draw):lt(0.01), 500, 200):short()},
    {"seconds", locus.where(slow, seconds * 50, seconds)},
  }
end

-- This rank's share of a list, in its order.
local function share(list)
  local rank, size, mine = mpi.rank(), mpi.size(), {}
  for i = math.floor(rank * #list / size) + 1, math.floor((rank + 1) * #list / size) do
    mine[#mine + 1] = list[i]
  end
  return mine
end

local function read_share(files, servers, requests)
  local logs = {read{text = ""}} -- a rank without files has no rows, but the columns
  for _, file in ipairs(share(files)) do logs[#logs + 1] = read(file) end
  local made_up = {}
  for server = 1, servers or 0 do made_up[server] = server end
  for _, server in ipairs(share(made_up)) do logs[#logs + 1] = make_up(server, requests) end
  return locus.cat(logs)
end

-- -- What all ranks have --------------------------------------------------------------------------

-- The elements at some positions of a sharded tensor, the same on all ranks.
local function pick(s, positions)
  local here = positions:between(s.offset + 1, s.offset + #s.part)
  local found = locus.zeros(#positions, {dtype = s.dtype})
  found[here] = s.part[positions[here] - s.offset]
  return mpi.allreduce(found)
end

-- -- The report -----------------------------------------------------------------------------------

local function by_minute(log)
  local minute = mpi.shard(log.time - log.time % 60e6)
  local minutes, requests = minute:unique{return_counts = true}
  local errors = mpi.shard(minute.part[log.status:ge(500)])
  local failed, failures = errors:unique{return_counts = true}
  minutes, requests = minutes:gather(), requests:gather()
  failed, failures = failed:gather(), failures:gather()
  return minutes and locus.frame{
    {"minute", minutes, "time"},
    {"requests", requests},
    {"errors", locus.zeros_like(requests):index_add_(1, minutes:lookup(failed), failures)},
  }
end

-- Seconds of one path lie side by side once all are in order: a path's number stands above the
-- microseconds of its requests, less than 12 days in all.
local ABOVE = 2 ^ 40

local function by_path(log)
  local path, n = log.path.ids, #log.path.names
  local key = (path:long() - 1) * ABOVE + (log.seconds * 1e6):round():long()
  local sorted = mpi.shard(key):sort()
  local starts = sorted:searchsorted(locus.arange(n, {dtype = "int64"}) * ABOVE)
  local requests = mpi.allreduce(path:bincount(nil, n))
  local report = {
    {"path", locus.strings(log.path.names)}, {"requests", requests},
    {"errors", mpi.allreduce(path[log.status:ge(500)]:bincount(nil, n))},
  }
  local quantiles = {}
  for _, percent in ipairs{50, 95, 99} do
    local position = starts + (requests * (percent / 100)):ceil():long() - 1
    quantiles[percent] = (pick(sorted, position) % ABOVE):double() / 1e6
    report[#report + 1] = {"p" .. percent, quantiles[percent]}
  end
  local before = sorted:searchsorted(key) - starts[path] -- how many of its path took less time
  local unusual = locus.logical_and(before:ge(requests[path] * 0.99),
    log.seconds:gt(quantiles[50][path] * 10))
  return locus.frame(report), unusual
end

local function main(files, options)
  local servers = command.number(options, "servers", 1, true)
  local requests = command.number(options, "requests", 1, true) or 100000
  if #files == 0 and not servers then command.fail "no logs are named: see --help" end
  -- Sharded, a column has the same strings under the same numbers on all ranks.
  local log = mpi.shard(read_share(files, servers, requests)).part
  local minutes = by_minute(log)
  local endpoints, unusual = by_path(log)
  local slow = mpi.shard(log[unusual]:select{"time", "path", "seconds"}):gather()
  if mpi.rank() > 0 then return end
  minutes:write_csv(io.stdout)
  io.write("\n")
  endpoints:sort{"-requests", "path"}:write_csv(io.stdout,
    {formats = {p50 = "%.4f", p95 = "%.4f", p99 = "%.4f"}})
  io.write("\n")
  slow:sort{"time", "path"}:write_csv(io.stdout, {formats = {seconds = "%.4f"}})
end

command.run{name = "fleet", help = HELP, files = math.huge, least = 0,
            options = {servers = false, requests = false}, main = main}
