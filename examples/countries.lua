-- SPDX-License-Identifier: MIT
-- Where the requests of a log come from, by a table of address ranges such as Debian's tor-geoipdb
-- installs as /usr/share/tor/geoip.
package.path = (arg[0]:match "^.*/" or "") .. "?.lua;" .. package.path
local command = require "command"
local locus = require "locus"

local HELP = [[
usage: luajit countries.lua LOG /usr/share/tor/geoip >countries.csv

Reads an access log as examples/access.log is (- is standard input) and a table of IPv4 ranges,
lines `first,last,country` with addresses as whole numbers and comments behind #, and writes
requests and bytes by country as CSV, most requests first; ?? is for addresses in no range. Lines of
the log whose address is not IPv4 are left out, and counted on standard error.

  --help  print this and exit
]]

local FORMAT = '$ip - $_ [$_] "$_" $_ $bytes "$_" "$_" $_'

local function main(files)
  local log = locus.read_log(files[1], FORMAT,
    {types = {ip = "ipv4", bytes = "int64"}, bad = 1e6})
  local ranges = locus.read_csv(files[2], {comment = "#", header = {"first", "last", "country"},
    types = {first = "int64", last = "int64", country = "string"}})
  local place = locus.interval_lookup(ranges.first, ranges.last, log.ip)
  log:with("country", ranges.country:take(place, "??")):group("country")
    :agg{{"requests", "count"}, {"bytes", "sum", "bytes"}}
    :sort("-requests", "country"):write_csv(io.stdout)
  if #log.bad > 0 then
    io.stderr:write(("countries: %d lines left out, the first of them %d: %s\n"):format(#log.bad,
      tonumber(log.bad.line[1]), log.bad.reason[1]))
  end
end

command.run{name = "countries", help = HELP, files = 2, main = main}
