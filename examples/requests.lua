-- SPDX-License-Identifier: MIT
-- Requests, errors and slow requests per minute, from a log of nginx to CSV:
--   luajit requests.lua access.log report.csv, or luajit requests.lua <access.log >report.csv
local locus = require "locus"

local log = locus.read_log(arg[1] or "-", '$_ - $_ [$time] "$_" $status $_ "$_" "$_" $seconds',
  {types = {time = "time", status = "int16", seconds = "float64"}})

-- Times are microseconds since 1970. The minutes of the log are numbered from 1.
local start = math.floor(log.time:min() / 60e6) * 60e6
local minute = ((log.time - start) / 60e6):long() + 1
local requests = minute:bincount()

locus.frame{
  {"minute", locus.arange(#requests):long() * 60e6 + start, "time"},
  {"requests", requests},
  {"errors", minute:bincount(log.status:ge(500)):long()},
  {"slow", minute:bincount(log.seconds:gt(0.5)):long()},
}[requests:gt(0)]:write_csv(arg[2] or "-")
