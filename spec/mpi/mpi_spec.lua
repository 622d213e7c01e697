-- SPDX-License-Identifier: MIT
-- locus.mpi, by scripts of spec/mpi/ that mpirun starts on several ranks, and what ends a job.
local support = require "spec.support"
local jobs = require "spec.support.programs.mpirun"

local mpirun, missing = jobs.run, jobs.missing

describe("without MPI #once #host", function()
  local function why(path)
    local said, status = support.run([[
      local mpi = require("locus").mpi
      local why = mpi.why()
      for _, name in ipairs {"rank", "size", "barrier", "allgather"} do
        local ok, said = pcall(mpi[name], name == "allgather" and {1} or nil)
        assert(not ok and said:find("mpi." .. name .. ": " .. why, 1, true), said)
      end
      io.write(why)]], {LOCUS_MPI = path})
    assert.equal(0, status, said)
    return said
  end

  it("functions say that there is no module", function()
    assert.equal("there is no MPI here: no file /nowhere/mpi.so; build locus where mpicc is found",
      why("/nowhere/mpi.so"))
  end)

  it("functions say that the module is of another version", function()
    local core = package.searchpath("locus.core", package.cpath)
    assert.equal(core .. " is of another version of locus; build and install both together",
      why(core))
  end)

  it("functions say that its library is not there", function()
    local said = why("spec/mpi/mpi_spec.lua")
    assert.truthy(said:find("^MPI's library cannot be loaded: spec/mpi/mpi_spec.lua: "), said)
  end)

  it("nothing else notices", function()
    local said = support.run([[
      local locus = require "locus"
      locus.arange(3):sum()
      for line in io.lines("/proc/self/maps") do assert(not line:find("libmpi", 1, true)) end
      assert(not package.loaded["locus.mpi.world"])
      io.write(tostring(pcall(function() return locus.mpi.ranks end)))]])
    assert.equal("false", said)
  end)
end)

describe("the module beside the core #once #host", function()
  it("is taken where it has been built, so that nothing below is left out for its sake", function()
    local beside = package.searchpath("locus.core", package.cpath):gsub("core%.so$", "mpi.so")
    local file = io.open(beside)
    if not file then return pending("no mpi.so has been built") end
    file:close()
    assert.equal("nil", (support.run('io.write(tostring(require("locus").mpi.why()))',
      {LOCUS_MPI = ""})))
  end)
end)

local no_device = jobs.no_device()

-- A spec that is pending where something is missing.
local function with(what, name, f)
  if what then pending(("%s (%s)"):format(name, what)) else it(name, f) end
end

local function ranks_it(name, f) with(missing, name, f) end

local ALL = 'require "spec.mpi.run"("collectives", "reductions", "messages")'
local FEW = 'require "spec.mpi.run"("few", "collectives", "reductions", "messages")'

describe("ranks #once #host", function()
  -- At least `least` checks hold on that many ranks.
  local function hold(least, ranks, output, status)
    assert.equal(0, status, output)
    local checks = tonumber(output:match(("(%%d+) checks on %d ranks: all hold\n"):format(ranks)))
    assert.truthy(checks and checks >= least, output)
  end

  for _, ranks in ipairs {1, 2, 3, 4, 7} do
    if jobs.worthwhile(ranks) then
      ranks_it("answer what one process computes, " .. ranks .. " of them", function()
        hold(1000 * ranks, ranks, mpirun(ranks, ranks == 3 and ALL or FEW))
      end)
    end
  end

  ranks_it("keep the kinds of times, dates, durations and addresses", function()
    hold(100, 2, mpirun(2, 'require "spec.mpi.run"("kinds")'))
    hold(100, 3, mpirun(3, 'require "spec.mpi.run"("kinds")'))
  end)

  ranks_it("count past what MPI counts, in rounds", function()
    hold(3000, 3, mpirun(3, FEW, {LOCUS_MPI_ROUND = "7"}))
  end)

  ranks_it("talk through sockets", function()
    hold(2000, 2, mpirun(2, FEW, {OMPI_MCA_btl = "tcp,self", OMPI_MCA_btl_tcp_if_include = "lo"}))
  end)

  ranks_it("all raise what is wrong on one, and go on", function()
    hold(500, 3, mpirun(3, 'require "spec.mpi.run"("errors")'))
  end)

  with(no_device, "hold tensors of a device, through page-locked memory",
    function() hold(400, 2, mpirun(2, 'require "spec.mpi.run"("device")')) end)

  ranks_it("run the examples of docs/mpi.md", function()
    hold(10, 3, mpirun(3, 'require "spec.mpi.run"("docs")'))
  end)

  ranks_it("are one without mpirun", function()
    local said, status = jobs.alone([[
      local mpi = require("locus").mpi
      print(mpi.rank(), mpi.size(), mpi.allreduce(2), #mpi.allgather({1, 2}))]])
    assert.equal("0\t1\t2\t2\n", said)
    assert.equal(0, status)
  end)

  ranks_it("of one MPI that somebody else has started leave its end to them", function()
    local said, status = mpirun(2, [[
      local ffi = require "ffi"
      ffi.cdef "int MPI_Init(int *, char ***); int MPI_Finalize(void); int MPI_Finalized(int *);"
      local locus = require "locus"
      assert(not locus.mpi.why()) -- has loaded MPI's library
      ffi.C.MPI_Init(nil, nil)
      assert(locus.mpi.allreduce(1) == 2)
      locus.mpi.finalize()
      local over = ffi.new("int[1]")
      ffi.C.MPI_Finalized(over)
      assert(over[0] == 0)
      ffi.C.MPI_Finalize()
      assert(not pcall(locus.mpi.rank))]])
    assert.equal(0, status, said)
  end)

  ranks_it("must agree on LOCUS_MPI_ROUND", function()
    for _, round in ipairs{"-3", "3x", "1073741825"} do
      local said, status = mpirun(1, "print(pcall(require('locus').mpi.rank))",
                                  {LOCUS_MPI_ROUND = round})
      assert.equal(0, status, said)
      assert.truthy(said:find("mpi.rank: rank 0: LOCUS_MPI_ROUND must be a number of elements from "
        .. "1 to 1073741824, got \"" .. round .. "\"", 1, true), said)
    end
    local said = mpirun(1, "print(require('locus').mpi.size())", {LOCUS_MPI_ROUND = ""})
    assert.equal("1\n", said)
  end)
end)

describe("a job of ranks #once #host", function()
  -- The work of rank 1 of three while the others wait for it.
  local function ends(deed, expected)
    local said, ended = mpirun(3, ([[
      local mpi = require("locus").mpi
      if mpi.rank() == 1 then %s end
      mpi.barrier()
      print("nobody comes here")]]):format(deed))
    assert.is_nil(said:find("nobody comes here", 1, true), said)
    assert.not_equal(124, ended, "it waited")
    assert.not_equal(0, ended, said)
    if expected then assert.truthy(said:find(expected, 1, true), said) end
  end

  ranks_it("ends with a rank that raises", function() ends("error('alas')", "alas") end)
  ranks_it("ends with a rank that leaves with a status", function() ends("os.exit(5)") end)
  ranks_it("ends with a rank that closes its state and leaves with a status", function()
    ends("os.exit(5, true)")
  end)
  ranks_it("ends with a rank whose status the system takes for 0", function()
    for _, status in ipairs {256, -256, 65536} do
      ends(("os.exit(%d)"):format(status))
      ends(("os.exit(%d, true)"):format(status))
    end
  end)
  ranks_it("fails where all leave so, and where one does alone", function()
    for ranks = 1, 3, 2 do
      for _, last in ipairs {"", "mpi.finalize()"} do
        local said, status = mpirun(ranks, [[
          local mpi = require("locus").mpi
          mpi.barrier() ]] .. last .. " os.exit(256)")
        assert.equal(1, status, last .. ": " .. said)
      end
    end
  end)
  ranks_it("ends with a rank that comes to its end alone", function()
    ends("os.exit(0)", "rank 1: came to the end of its script, where rank 0 came to mpi.barrier()")
  end)
  ranks_it("ends with a rank that is killed", function()
    ends([[require("ffi").cdef "int raise(int);" require("ffi").C.raise(9)]])
  end)
  ranks_it("ends where all raise", function()
    local said, status = mpirun(3, [[
      local mpi = require("locus").mpi
      mpi.allgather(mpi.rank() == 2 and "x" or {1})]])
    assert.not_equal(124, status, "it waited")
    assert.not_equal(0, status, said)
    assert.truthy(said:find("rank 2: mpi.allgather: 'x' must be a tensor", 1, true), said)
  end)
  ranks_it("ends well after finalize, and after it at exit", function()
    local said, status = mpirun(2, [[
      local mpi = require("locus").mpi
      mpi.barrier()
      mpi.finalize()
      mpi.finalize()
      print((select(2, pcall(mpi.rank)):gsub("^.-: ", "")))]])
    local line = "mpi.rank: MPI has been ended by mpi.finalize or with the process\n"
    assert.equal(line .. line, said)
    assert.equal(0, status)
  end)
  ranks_it("lets a process go that it has forked", function()
    local said, status = mpirun(2, [[
      local ffi = require "ffi"
      ffi.cdef "int fork(void); int waitpid(int, int *, int); void exit(int);"
      local mpi = require("locus").mpi
      mpi.barrier()
      local child = ffi.C.fork()
      if child == 0 then ffi.C.exit(3) end
      local status = ffi.new("int[1]")
      ffi.C.waitpid(child, status, 0)
      assert(status[0] == 3 * 256)
      mpi.barrier()]])
    assert.equal(0, status, said)
  end)
end)

describe("standard input #once #host", function()
  -- The call on both ranks, before MPI has been started or afterwards; "a\n1\n" comes in.
  local function read(call, before)
    local chunk = ([[
      local locus = require "locus"
      %s
      local ok, f = pcall(function() return %s end)
      local said = ok and #f .. " row" or f:gsub("^.-: ", "", 1)
      for rank = 0, locus.mpi.size() - 1 do
        locus.mpi.barrier()
        if rank == locus.mpi.rank() then print(rank, said) io.flush() end
      end]]):format(before or "", call)
    local line = ("printf 'a\\n1\\n' | timeout 60 %s -n 2 luajit -e %s"):format(
      os.getenv("MPIRUN") or "mpirun", support.quote(chunk))
    local said, status = jobs.shell(line)
    assert.equal(0, status, said)
    return said
  end

  for _, call in ipairs {'locus.read_csv("-")', "locus.read_csv(io.stdin)",
                         'locus.read_csv("-", {types = {a = "int8"}})',
                         'locus.read_log("-", "$a", {types = {a = "string"}})',
                         'locus.chunks("-", {types = {a = "int8"}})(nil)'} do
    ranks_it("belongs to rank 0: " .. call, function()
      for _, before in ipairs {"", "locus.mpi.rank()"} do
        local name = call:match("locus%.([%w_]+)")
        local said = read(call, before)
        assert.truthy(said:find("0\t%d row\n"), said)
        assert.truthy(said:find("1\t" .. name .. ": standard input belongs to rank 0, and this is "
          .. "rank 1; read it there and send the result, or name a file", 1, true), said)
      end
    end)
  end

  it("is read by a process alone", function()
    local said = jobs.shell("printf 'a\\n1\\n' | luajit -e "
      .. support.quote('print(#require("locus").read_csv("-"))'))
    assert.equal("1\n", said)
  end)
end)

describe("a call of MPI that fails #once #host", function()
  local shim = not missing and jobs.shim("mpifails")
  local lacking = missing or not shim and "there is no mpicc"

  with(lacking, "is raised", function()
    local said, status = mpirun(2, 'require "spec.mpi.failing"()', nil, shim)
    assert.equal(0, status, said)
    assert.equal("all raised\nall raised\n", said)
  end)

  with(lacking, "is raised between pairs of ranks", function()
    local seen = {}
    for k = 1, 6 do
      local chunk = ('require "spec.mpi.failing"(%d)'):format(k)
      local said = mpirun(2, chunk, nil, shim)
      seen[said:match("MPI_[%w_]+") or said] = true
    end
    for _, name in ipairs{"Allreduce", "Alltoall", "Irecv", "Isend", "Waitall"} do
      assert.is_true(seen["MPI_" .. name], name)
    end
  end)

  with(lacking, "is raised at the beginning, which can be tried again", function()
    local seen = {}
    for k = 3, 12 do -- before them MPI cannot even say what is wrong
      local said = mpirun(1, [[
        local mpi = require("locus").mpi
        print(select(2, pcall(mpi.rank)))
        print(mpi.size())]], {MPIFAILS_AT = tostring(k)}, shim)
      local name, again = said:match("mpi.rank: (MPI_[%w_]+) failed on rank 0: [^\n]*\n(%d)")
      assert.equal("1", again, said)
      seen[name] = true
    end
    for _, name in ipairs{"Init_thread", "Comm_dup", "Comm_set_errhandler", "Comm_rank",
                          "Comm_size", "Op_create", "Finalized", "Is_thread_main", "Allreduce"} do
      assert.is_true(seen["MPI_" .. name], name)
    end
  end)

  with(lacking, "is raised at the end, which can be tried again", function()
    local seen = {}
    for k = 1, 5 do
      local said, status = mpirun(1, ([[
        local ffi, mpi = require "ffi", require("locus").mpi
        ffi.cdef "int mpifails_at(int k);"
        mpi.barrier()
        ffi.C.mpifails_at(%d)
        print(select(2, pcall(mpi.finalize)))
        ffi.C.mpifails_at(0)
        mpi.finalize()]]):format(k), {MPIFAILS_AT = "1000"}, shim)
      assert.equal(0, status, said)
      seen[said:match("mpi.finalize: (MPI_[%w_]+) failed on rank 0: ") or said] = true
    end
    for _, name in ipairs{"Finalized", "Is_thread_main", "Allreduce", "Finalize"} do
      assert.is_true(seen["MPI_" .. name], name)
    end
  end)
end)
