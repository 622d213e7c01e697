-- SPDX-License-Identifier: MIT
-- The report of an access log about its site: requests and errors by minute, and by endpoint with
-- the 95th percentile of the time that they took.
package.path = (arg[0]:match "^.*/" or "") .. "?.lua;" .. package.path
local command = require "command"
local locus = require "locus"

local HELP = [[
usage: luajit endpoints.lua LOG >report.csv

Reads an access log of nginx whose lines end with the seconds that a request took, as
examples/access.log does (- is standard input), and writes two tables as CSV: requests and errors
(status 500 and above) by minute; then requests, errors and the 95th percentile of the seconds by
path, without its query, most requests first.

  --help  print this and exit
]]

local FORMAT = '$_ - $_ [$time] "$path" $status $_ "$_" "$_" $seconds'
local TYPES = {time = "time", path = "request_path", status = "int16", seconds = "float64"}

local function main(files)
  local log = locus.read_log(files[1], FORMAT, {types = TYPES})
  log = log:with("minute", log.time - log.time % 60e6, {kind = "time"})
    :with("error", log.status:ge(500))
  local by_minute = log:group("minute"):agg{
    {"requests", "count"}, {"errors", "sum", "error"},
  }
  local by_endpoint = log:group("path"):agg{
    {"requests", "count"}, {"errors", "sum", "error"}, {"p95", "quantile", "seconds", 0.95},
  }
  by_minute:sort("minute"):write_csv(io.stdout)
  io.write("\n")
  by_endpoint:sort("-requests", "path"):write_csv(io.stdout, {formats = {p95 = "%.4f"}})
end

command.run{name = "endpoints", help = HELP, files = 1, main = main}
