-- SPDX-License-Identifier: MIT
-- Draws from weighted entries: uniform numbers searched in the running sum of the weights.
package.path = (arg[0]:match "^.*/" or "") .. "?.lua;" .. package.path
local command = require "command"
local locus = require "locus"

local HELP = [[
usage: luajit draws.lua [--count N] [--seed S] WEIGHTS >drawn.csv

Reads CSV with the columns name and weight (- is standard input), draws entries, each as often as
its weight says, and writes them as CSV, most drawn first: name, weight, how often it was drawn, and
how many times that is to be expected. To standard error goes chi square, which is about the number
of entries whose weight is not 0, less one. The same seed draws the same, on every machine.

  --count N  how many are drawn (default: 1000000)
  --seed S   a whole number (default: 1)
  --help     print this and exit
]]

local PART = 1000000 -- draws at a time

local function check(weight, path)
  local good = weight:ge(0):logical_and(weight:isfinite())
  if not good:all() then
    command.fail("%s: weight %d is %s", path, good:logical_not():nonzero()[1][1],
      tostring(weight[good:logical_not()][1]))
  end
  if weight:sum() == 0 then command.fail("%s: no weight is above 0", path) end
end

-- How often each entry is drawn. A number below the sum of all lies in the share of one entry:
-- from the sum of those before it on, and below the sum with it.
local function draw(weight, count)
  local sums, drawn = weight:cumsum(1), locus.zeros(#weight, {dtype = "int64"})
  for begin = 1, count, PART do
    local uniform = locus.rand(math.min(PART, count - begin + 1))
    local entry = sums:searchsorted(uniform * sums[-1], {right = true})
    drawn = drawn + entry:bincount(nil, #weight)
  end
  return drawn
end

local function main(files, options)
  local count = command.number(options, "count", 1, true)
  locus.manual_seed(command.number(options, "seed", 0, true))
  local entries = locus.read_csv(files[1], {types = {name = "string", weight = "float64"}})
  local weight = entries.weight
  check(weight, files[1])
  local drawn, expected = draw(weight, count), weight / weight:sum() * count
  entries:with("drawn", drawn):with("expected", expected):sort("-drawn", "name")
    :write_csv(io.stdout, {formats = {expected = "%.1f"}})
  local some = weight:gt(0)
  local chi = ((drawn - expected):square() / expected)[some]:sum()
  io.stderr:write(("draws: chi square %.1f of %d entries\n"):format(chi, some:sum()))
end

command.run{name = "draws", help = HELP, files = 1, main = main,
            options = {count = "1000000", seed = "1"}}
