-- SPDX-License-Identifier: MIT
-- Sharded tensors, by scripts of spec/mpi/ that mpirun starts on several ranks. LOCUS_ROUNDS makes
-- each random run longer: with 150, all of them check more than two million answers.
local mpirun = require "spec.support.programs.mpirun"
local support = require "spec.support"

-- The first random round, another one each time: what fails names its round.
local FIRST = os.time() % 10000 + 1

-- A spec that is pending where something is missing.
local function with(what, name, f)
  if what then pending(("%s (%s)"):format(name, what)) else it(name, f) end
end

local function ranks_it(name, f) with(mpirun.missing, name, f) end

-- The random runs on that many ranks, after a chunk of Lua; at least `least` answers hold.
local function hold(ranks, rounds, least, more, chunk)
  local environment = {LOCUS_ROUNDS = os.getenv("LOCUS_ROUNDS") or tostring(rounds),
                       LOCUS_FIRST_ROUND = os.getenv("LOCUS_FIRST_ROUND") or tostring(FIRST)}
  for name, value in pairs(more or {}) do environment[name] = value end
  chunk = (chunk or "") .. 'require "spec.mpi.sharded"'
  local said, status = mpirun.run(ranks, chunk, environment)
  assert.equal(0, status, said)
  local answers = said:match(("(%%d+) answers on %d ranks: all hold\n"):format(ranks))
  assert.truthy(answers and tonumber(answers) >= least, said)
  if os.getenv("LOCUS_ROUNDS") then print(said) end
end

-- The scripts of these names; at least `least` checks hold on all ranks together.
local function check(ranks, least, names, more, shim)
  local chunk = ('require "spec.mpi.run"(%s)'):format(names)
  local said, status = mpirun.run(ranks, chunk, more, shim)
  assert.equal(0, status, said)
  local checks = said:match(("(%%d+) checks on %d ranks: all hold\n"):format(ranks))
  assert.truthy(checks and tonumber(checks) >= least, said)
end

describe("sharded tensors #once #host", function()
  for _, form in ipairs {{1, 12}, {2, 12}, {3, 12}, {4, 8}, {7, 5}, {16, 2}} do
    local ranks, rounds = unpack(form)
    if not support.thorough then rounds = math.ceil(rounds / 3) end
    if mpirun.worthwhile(ranks) then
      ranks_it("answer what one process does, on " .. ranks .. " ranks", function()
        hold(ranks, rounds, 700 * rounds)
      end)
    end
  end

  ranks_it("do so through sockets", function()
    hold(3, 3, 2000, {OMPI_MCA_btl = "tcp,self", OMPI_MCA_btl_tcp_if_include = "lo"})
  end)

  ranks_it("do so where elements move in rounds", function()
    hold(3, 3, 2000, {LOCUS_MPI_ROUND = "7"})
  end)

  with(mpirun.no_device(), "do so of a device's tensors", function()
    hold(2, 4, 1400, {}, 'require("locus").set_default_device("cuda") ')
  end)

  ranks_it("are one rank's without mpirun", function()
    local said, status = mpirun.alone([[
      local mpi = require("locus").mpi
      local s = mpi.shard({3, 1, 2})
      print(s:sum(), s:sort().part[1], s:searchsorted(9), s:gather():size(1))]])
    assert.equal("6\t1\t4\t3\n", said)
    assert.equal(0, status)
  end)

  ranks_it("raise on all ranks what is wrong on one, and go on", function()
    check(3, 2000, '"sharded_errors"')
  end)

  ranks_it("raise where options differ", function() check(3, 400, '"options"') end)

  ranks_it("are mapped from one file", function() check(3, 20, '"sharded_files"') end)

  for _, ranks in ipairs {1, 3} do
    ranks_it("are the columns of frames, on " .. ranks .. " ranks", function()
      local rounds = support.thorough and 6 or 2
      check(ranks, 160 * rounds * ranks, '"sharded_frames"', {LOCUS_ROUNDS = tostring(rounds)})
    end)
  end
end)

describe("a job with sharded tensors #once #host", function()
  -- The work of rank 1 of three while the others sort.
  local function sorting(deed)
    return mpirun.run(3, ([[
      local locus = require "locus"
      local s = locus.mpi.shard(locus.arange(1000) %% 7)
      if locus.mpi.rank() == 1 then %s end
      print(s:sort():sum())]]):format(deed))
  end

  ranks_it("ends with a rank that raises", function()
    local said, status = sorting("error('alas')")
    assert.truthy(said:find("alas", 1, true), said)
    assert.falsy(said:find("2997", 1, true), said)
    assert.is_true(status ~= 0 and status ~= 124, said)
  end)

  ranks_it("ends with a rank that is killed", function()
    local said, status = sorting([[
      require("ffi").cdef "int raise(int);"
      require("ffi").C.raise(9)]])
    assert.falsy(said:find("2997", 1, true), said)
    assert.is_true(status ~= 0 and status ~= 124, said)
  end)

  ranks_it("waits for a rank that is late", function()
    local said, status = sorting("os.execute('sleep 1')")
    assert.equal(0, status, said)
    assert.equal(3, select(2, said:gsub("8991", "")), said)
  end)
end)

describe("what sharded tensors send #once #host", function()
  local shim = not mpirun.missing and mpirun.shim("pmpi")

  for _, ranks in ipairs {2, 3, 4, 7} do
    if mpirun.worthwhile(ranks) then
      local lacking = not shim and "there is no mpicc"
      with(lacking, "is what docs/mpi.md says, on " .. ranks .. " ranks", function()
        check(ranks, 1000, '"counted"', {}, shim)
      end)
    end
  end
end)
