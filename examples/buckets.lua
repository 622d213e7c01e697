-- SPDX-License-Identifier: MIT
-- How the numbers of a binary file are spread: buckets between their quantiles.
package.path = (arg[0]:match "^.*/" or "") .. "?.lua;" .. package.path
local command = require "command"
local locus = require "locus"

local HELP = [[
usage: luajit buckets.lua [--dtype float32] [--buckets 4] FILE >buckets.csv

Reads numbers that lie in a file one behind the other, in the machine's byte order, as NumPy's
tofile writes them, and writes as CSV a line for each bucket between their quantiles: its limits,
how many numbers it holds, and their mean. A number on a limit is in the bucket above it, the
greatest in the last one; NaN is in none.

  --dtype NAME  what the numbers are: float32 int64 ... (default: float64)
  --buckets N   how many buckets (default: 10)
  --help        print this and exit
]]

local function main(files, options)
  local n = command.number(options, "buckets", 1, true)
  local x = locus.from_file(files[1], options.dtype)
  if x:isnan():any() then x = x[x:isnan():logical_not()] end
  local limits = x:quantile(locus.arange(0, n + 1) / n)
  local bucket = x:bucketize(limits[{{2, -2}}], {right = true, out_int32 = true})
  local count, sum = bucket:bincount(nil, n), bucket:bincount(x, n)
  locus.frame{
    {"from", limits[{{1, -2}}]}, {"to", limits[{{2, -1}}]}, {"count", count}, {"mean", sum / count},
  }:write_csv(io.stdout, {formats = {from = "%.9f", to = "%.9f", mean = "%.6f"}})
end

command.run{name = "buckets", help = HELP, files = 1, main = main,
            options = {dtype = "float64", buckets = "10"}}
