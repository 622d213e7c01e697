-- SPDX-License-Identifier: MIT
-- examples/draws.lua as a command: what it draws against a search in plain Lua, chi square within
-- what chance allows, the same draws for the same seed; one sentence on bad input.
local format = require("locus.core").internal.format -- rounds as write_csv does
local files = require "spec.support.text"
local locus = require "locus"

local folder

setup(function() folder = files.new_folder() end)
teardown(function() os.execute("rm -rf '" .. folder .. "'") end)

local function written(name, bytes)
  local path = folder .. "/" .. name
  files.write(path, bytes)
  return path
end

local function run(words) return files.example("draws", words .. " </dev/null", folder) end

local WEIGHTS = {{"none", 0}, {"one", 1}, {"half", 0.5}, {"ten", 10}, {"nothing", 0}}

local function csv()
  local lines = {"name,weight"}
  for i, entry in ipairs(WEIGHTS) do lines[i + 1] = entry[1] .. "," .. entry[2] end
  return table.concat(lines, "\n") .. "\n"
end

-- The same draws by going through the entries.
local function drawn(count, seed)
  locus.manual_seed(seed)
  local numbers, entries = locus.rand(count), {}
  for i, entry in ipairs(WEIGHTS) do
    entries[i] = {name = entry[1], weight = entry[2], drawn = 0, expected = entry[2] / 11.5 * count}
  end
  for i = 1, count do
    local at, place = numbers[i] * 11.5, 1
    while at >= WEIGHTS[place][2] do
      at = at - WEIGHTS[place][2]
      place = place + 1
    end
    entries[place].drawn = entries[place].drawn + 1
  end
  table.sort(entries, function(a, b)
    if a.drawn ~= b.drawn then return a.drawn > b.drawn end
    return a.name < b.name
  end)
  local lines = {"name,weight,drawn,expected"}
  for i, entry in ipairs(entries) do
    lines[i + 1] = format("%s,%.1f,%d,%.1f", entry.name, entry.weight, entry.drawn, entry.expected)
  end
  return table.concat(lines, "\n") .. "\n"
end

describe("examples/draws.lua #host", function()
  it("draws entries as often as their weights say", function()
    local path = written("weights.csv", csv())
    for seed, count in pairs {1, 1000, 20000} do
      local status, out, err = run(("--count %d --seed=%d %s"):format(count, seed, path))
      assert.same({0, drawn(count, seed)}, {status, out})
      local chi = tonumber(err:match "^draws: chi square ([%d.]+) of 3 entries\n$")
      assert.is_true(chi < 14, err) -- a thousandth of all seeds exceed it
    end
  end)

  it("draws a million in parts", function()
    local path = written("weights.csv", csv())
    local status, out = run("--count 1500000 " .. path)
    local total = 0
    for count in out:gmatch ",(%d+),[%d.]+\n" do total = total + count end
    assert.same({0, 1500000}, {status, total})
  end)

  it("says in one sentence what is wrong", function()
    local path = written("bad.csv", "name,weight\na,1\nb,-2\n")
    assert.same({1, "", ("draws: %s: weight 2 is -2\n"):format(path)}, {run(path)})
    path = written("zero.csv", "name,weight\na,0\n")
    assert.same({1, "", ("draws: %s: no weight is above 0\n"):format(path)}, {run(path)})
    local status, out, err = run("--count 0 " .. path)
    assert.same({1, "", "draws: --count must be a whole number of at least 1, got '0'\n"},
      {status, out, err})
    status, out, err = run "--help"
    assert.same({0, ""}, {status, err})
    assert.truthy(out:find("usage: luajit draws", 1, true))
  end)
end)
