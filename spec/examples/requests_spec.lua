-- SPDX-License-Identifier: MIT
-- examples/requests.lua as a command: what it reports of examples/access.log, whose lines hold
-- scanners' requests, escaped quotes, an IPv6 address and two minutes without any request.
local text = require "spec.support.text"

local folder

setup(function() folder = text.new_folder() end)

teardown(function() os.execute("rm -rf '" .. folder .. "'") end)

-- Runs the example with these words; gives its exit status, what it printed, and its errors.
local function requests(words) return text.example("requests", words, folder) end

local REPORT = [[
minute,requests,errors,slow
2026-11-22T00:00:00Z,6,0,0
2026-11-22T00:01:00Z,10,0,0
2026-11-22T00:02:00Z,6,0,0
2026-11-22T00:03:00Z,9,2,1
2026-11-22T00:04:00Z,17,0,0
2026-11-22T00:05:00Z,11,1,1
2026-11-22T00:06:00Z,10,0,0
2026-11-22T00:09:00Z,11,0,0
2026-11-22T00:10:00Z,14,0,0
2026-11-22T00:11:00Z,6,0,0
2026-11-22T00:12:00Z,13,0,0
2026-11-22T00:13:00Z,6,0,0
2026-11-22T00:14:00Z,10,0,0
2026-11-22T00:15:00Z,12,1,1
2026-11-22T00:16:00Z,13,1,1
2026-11-22T00:17:00Z,9,0,0
2026-11-22T00:18:00Z,7,0,0
2026-11-22T00:19:00Z,12,1,1
]]

-- The same by patterns of plain Lua.
local function counted(log)
  local minutes, order = {}, {}
  for line in log:gmatch "[^\n]+" do
    local minute = line:match "%[22/Nov/2026:(%d%d:%d%d):"
    local status, seconds = line:match '" (%d+) %d+ ".*" ([%d.]+)$'
    if not minutes[minute] then
      minutes[minute] = {0, 0, 0}
      order[#order + 1] = minute
    end
    local counts = minutes[minute]
    counts[1] = counts[1] + 1
    counts[2] = counts[2] + (tonumber(status) >= 500 and 1 or 0)
    counts[3] = counts[3] + (tonumber(seconds) > 0.5 and 1 or 0)
  end
  local lines = {"minute,requests,errors,slow\n"}
  for i, minute in ipairs(order) do
    lines[i + 1] = ("2026-11-22T%s:00Z,%d,%d,%d\n"):format(minute, unpack(minutes[minute]))
  end
  return table.concat(lines)
end

describe("the report of a log #host #once", function()
  it("is this for the log beside the example", function()
    assert.equal(REPORT, counted(text.read "examples/access.log"))
    assert.same({0, REPORT, ""}, {requests "examples/access.log"})
  end)

  it("is the same from standard input, and in a file", function()
    assert.same({0, "", ""}, {requests("- " .. folder .. "/report.csv <examples/access.log")})
    assert.equal(REPORT, text.read(folder .. "/report.csv"))
  end)

  it("stops at a line of another form, and names it", function()
    local log = text.read "examples/access.log"
    local path = folder .. "/broken.log"
    text.write(path, (log:gsub("\n", "\nnonsense\n", 1)))
    local status, out, err = requests(path)
    assert.same({1, ""}, {status, out})
    assert.truthy(err:find(path .. ":2: ", 1, true), err)
  end)
end)
