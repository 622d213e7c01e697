-- SPDX-License-Identifier: MIT
-- examples/fleet.lua: its report against plain loops, and the same byte for byte with any number of
-- ranks; --help; one sentence on bad input; the job for Slurm, by an srun that starts mpirun.
local files = require "spec.support.text"
local format = require("locus.core").internal.format -- rounds as write_csv does
local mpirun = require "spec.support.programs.mpirun"

local LOG = "examples/access.log"
local folder

setup(function() folder = files.new_folder() end)
teardown(function() os.execute("rm -rf '" .. folder .. "'") end)

-- The output of the example on that many ranks, and the exit status.
local function fleet(ranks, ...)
  local words = {...}
  for i, word in ipairs(words) do words[i] = ("%q"):format(word) end
  return mpirun.run(ranks, ([[
    arg = {[0] = "examples/fleet.lua", %s}
    dofile(arg[0])]]):format(table.concat(words, ", ")))
end

-- The log in pieces, of some lines each: their paths, in order.
local function cut_log(pieces)
  local lines, paths = {}, {}
  for line in io.lines(LOG) do lines[#lines + 1] = line .. "\n" end
  for piece = 1, pieces do
    local first = math.floor((piece - 1) * #lines / pieces) + 1
    local text = table.concat(lines, "", first, math.floor(piece * #lines / pieces))
    paths[piece] = ("%s/%d.log"):format(folder, piece)
    files.write(paths[piece], text)
  end
  return paths
end

-- -- The same in plain loops ----------------------------------------------------------------------

local function read()
  local rows = {}
  for line in io.lines(LOG) do
    local request, status, seconds = line:match '%] "(.-)" (%d+) %d+ ".*" ([%d.]+)$'
    rows[#rows + 1] = {
      minute = line:match "%[22/Nov/2026:(%d%d:%d%d):",
      path = request:match "^%S+ ([^%s?]*)" or request,
      failed = tonumber(status) >= 500 and 1 or 0, seconds = tonumber(seconds),
    }
  end
  return rows
end

-- By the value of a field: requests, errors and seconds in order; and the keys in order.
local function by(rows, field)
  local groups, keys = {}, {}
  for _, row in ipairs(rows) do
    local group = groups[row[field]]
    if not group then
      group = {requests = 0, errors = 0, seconds = {}}
      groups[row[field]] = group
      keys[#keys + 1] = row[field]
    end
    group.requests, group.errors = group.requests + 1, group.errors + row.failed
    table.insert(group.seconds, row.seconds)
  end
  for _, group in pairs(groups) do table.sort(group.seconds) end
  table.sort(keys)
  return groups, keys
end

local function quantile(group, percent)
  return group.seconds[math.ceil(group.requests * (percent / 100))]
end

local function wanted()
  local rows = read()
  local minutes, minute_keys = by(rows, "minute")
  local paths, path_keys = by(rows, "path")
  table.sort(path_keys, function(a, b)
    local more, less = paths[a].requests, paths[b].requests
    return more > less or more == less and a < b
  end)
  local lines = {"minute,requests,errors"}
  local function add(...) lines[#lines + 1] = format(...) end
  for _, key in ipairs(minute_keys) do
    add("2026-11-22T%s:00Z,%d,%d", key, minutes[key].requests, minutes[key].errors)
  end
  add "\npath,requests,errors,p50,p95,p99"
  for _, key in ipairs(path_keys) do
    local group = paths[key]
    add("%s,%d,%d,%.4f,%.4f,%.4f", key, group.requests, group.errors, quantile(group, 50),
      quantile(group, 95), quantile(group, 99))
  end
  local unusual = 0
  for _, row in ipairs(rows) do
    local group, faster = paths[row.path], 0
    for _, seconds in ipairs(group.seconds) do
      if seconds < row.seconds then faster = faster + 1 end
    end
    if row.seconds > 10 * quantile(group, 50) and faster >= 0.99 * group.requests then
      unusual = unusual + 1
    end
  end
  return table.concat(lines, "\n") .. "\n\ntime,path,seconds\n", unusual
end

-- -- Specs ----------------------------------------------------------------------------------------

local function ranks_it(name, f)
  if mpirun.missing then pending(("%s (%s)"):format(name, mpirun.missing)) else it(name, f) end
end

describe("examples/fleet.lua #once #host #program", function()
  ranks_it("reports what plain loops over the log find", function()
    local said, status = fleet(1, LOG)
    assert.equal(0, status, said)
    local report, unusual = wanted()
    assert.equal(report, said:sub(1, #report))
    assert.equal(unusual, select(2, said:sub(#report + 1):gsub("\n", "")))
  end)

  ranks_it("reports the same of made-up servers with 1, 2, 3 and 7 ranks", function()
    local one, status = fleet(1, "--servers", "5", "--requests", "2000")
    assert.equal(0, status, one)
    local rows = select(2, one:match("\n\ntime,path,seconds\n(.*)$"):gsub("\n", ""))
    assert.is_true(rows > 0)
    for _, ranks in ipairs {2, 3, 7} do
      local said = fleet(ranks, "--servers", "5", "--requests", "2000")
      assert.equal(one, said, ranks .. " ranks")
    end
  end)

  ranks_it("reports the same of a log in five files as of the log", function()
    assert.equal((fleet(1, LOG)), (fleet(2, unpack(cut_log(5)))))
  end)

  ranks_it("says what is wrong in one sentence, and ends the job", function()
    assert.matches("^usage: mpirun", (fleet(1, "--help")))
    local said, status = fleet(1)
    assert.equal("fleet: no logs are named: see --help", said:match "^[^\n]*")
    assert.equal(1, status)
    said, status = fleet(2, LOG, folder .. "/nowhere.log")
    assert.truthy(said:find("nowhere.log", 1, true), said)
    assert.not_equal(0, status)
  end)

  ranks_it("is a job for Slurm", function()
    files.write(folder .. "/srun", "#!/bin/sh\nshift\nexec mpirun -n 2 \"$@\"\n")
    local said, status = mpirun.shell(("chmod +x %s/srun; PATH=%s:$PATH SLURM_SUBMIT_DIR=examples "
      .. "SLURM_CPUS_PER_TASK=1 sh examples/fleet.sbatch %s"):format(folder, folder, LOG))
    assert.equal(0, status, said)
    assert.equal((fleet(1, LOG)), said)
  end)
end)
