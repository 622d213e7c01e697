-- SPDX-License-Identifier: MIT
-- Jobs of several ranks. MPIRUN names another mpirun. Memory that MPI itself does not free at exit
-- counts as no leak.
local support = require "spec.support"

local mpirun = {}

local ENVIRONMENT = {
  -- More ranks than cores, and root, as in a container.
  OMPI_MCA_rmaps_base_oversubscribe = "1", OMPI_MCA_mpi_yield_when_idle = "1",
  OMPI_MCA_hwloc_base_binding_policy = "none", -- to cores on which other specs run
  OMPI_ALLOW_RUN_AS_ROOT = "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = "1",
  OMPI_MCA_btl_vader_single_copy_mechanism = "none",
  LOCUS_NUM_THREADS = "1",
  ASAN_OPTIONS = (os.getenv("ASAN_OPTIONS") or "") .. ":detect_leaks=0",
}
local LIMIT = 300 -- seconds; a job that does not wait for ever needs a few

--- The shim that NAME.c here is, compiled in the folder of the build; nil where there is no
--- mpicc. Another process of specs may be at the same.
function mpirun.shim(name)
  local path = ("%s/%s.so"):format(os.getenv("LOCUS_BUILD") or "build", name)
  local compile = "env -u LD_PRELOAD mpicc -shared -fPIC -O1 spec/support/programs/%s.c -o %s.$$ "
    .. "2>/dev/null && mv %s.$$ %s"
  return os.execute(compile:format(name, path, path, path)) == 0 and path or nil
end

local patient = mpirun.shim("patient")

-- The prefix of luajit if shims are to be loaded before its libraries: for the ranks alone, as Open
-- MPI's mpirun itself may read memory that it has freed, which a sanitizer finds.
local function preloading(shim)
  local list = {}
  for _, path in ipairs {os.getenv("LD_PRELOAD") or false, shim or false, patient or false} do
    if path then list[#list + 1] = path end
  end
  if #list == 0 then return "%s" end
  return "env -u LD_PRELOAD %s env LD_PRELOAD=" .. support.quote(table.concat(list, ":"))
end

local function environment_with(more)
  local environment = {}
  for name, value in pairs(ENVIRONMENT) do environment[name] = value end
  for name, value in pairs(more or {}) do environment[name] = value end
  return environment
end

-- The chunk on that many ranks, each with that shim, too: what they printed, and mpirun's status.
function mpirun.run(ranks, chunk, more, shim)
  local launcher = ("timeout %d %s -n %d"):format(LIMIT, os.getenv("MPIRUN") or "mpirun", ranks)
  return support.run(chunk, environment_with(more),
                     preloading(shim):format(launcher) .. " luajit")
end

-- The same of one process that no mpirun has started.
function mpirun.alone(chunk) return support.run(chunk, environment_with()) end

-- The same of a line of a shell that starts mpirun itself.
function mpirun.shell(line, more)
  return support.run(line, environment_with(more), [[sh -c 'eval "$2"' sh]])
end

-- Whether a job with that many ranks is worth its time, which grows with ranks that wait for a
-- core. More than four run only in a thorough run; under a sanitizer only three do.
function mpirun.worthwhile(ranks)
  return ranks == 3 or support.thorough or ranks <= 4 and not os.getenv("LD_PRELOAD")
end

local WHY = 'io.write(require("locus").mpi.why() or "nothing is missing")'

-- Why there is nothing to run; nil where there is.
local function lacking()
  local said = support.run(WHY)
  if said ~= "nothing is missing" then return said end
  local _, status = mpirun.run(1, "")
  return status ~= 0 and "there is no mpirun" or nil
end

mpirun.missing = lacking()

-- Why ranks have no device; nil where they have one.
function mpirun.no_device()
  local why = mpirun.missing or support.run('io.write(require("locus").cuda.why() or "")')
  return why ~= "" and why or nil
end

return mpirun
