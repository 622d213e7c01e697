-- SPDX-License-Identifier: MIT
-- Trades with the quote that was in force when each was made: two CSV files joined by time.
package.path = (arg[0]:match "^.*/" or "") .. "?.lua;" .. package.path
local command = require "command"
local locus = require "locus"

local HELP = [[
usage: luajit quotes.lua [--tolerance N] TRADES QUOTES >joined.csv

Reads trades, `time,sym,price,size`, and quotes, `time,sym,bid,ask`, with whole numbers for times,
each symbol's in ascending order (- is standard input), and writes the trades with the bid and the
ask of the last quote of their symbol that is not later; nan where there is none.

  --tolerance N  quotes that are older than N do not count
  --help         print this and exit
]]

local TRADES = {time = "int64", sym = "string", price = "float64", size = "int64"}
local QUOTES = {time = "int64", sym = "string", bid = "float64", ask = "float64"}

local function main(files, options)
  local tolerance = command.number(options, "tolerance", 0)
  local trades = locus.read_csv(files[1], {types = TRADES})
  local quotes = locus.read_csv(files[2], {types = QUOTES})
  trades:asof(quotes, {on = "time", by = "sym", tolerance = tolerance})
    :write_csv(io.stdout, {missing = "nan"})
end

command.run{name = "quotes", help = HELP, files = 2, options = {tolerance = false}, main = main}
