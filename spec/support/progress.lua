-- SPDX-License-Identifier: MIT
-- busted's output for runs that take minutes and share a terminal: not dots but lines of progress,
-- each starting with "... " and the name in LOCUS_RUN; then busted's own counts and failures.
local busted = require "busted"
local has_ffi, ffi = pcall(require, "ffi")

local SECONDS = 10 -- between two lines
local SHOWN = tonumber(os.getenv "LOCUS_SHOWN") or 1 -- seconds of a file

local processors = os.clock
if has_ffi then
  ffi.cdef "int getrusage(int, long *);" -- struct rusage begins with two struct timeval
  local usage = ffi.new "long[32]"

  local function of(whom)
    ffi.C.getrusage(whom, usage)
    return tonumber(usage[0] + usage[2]) + tonumber(usage[1] + usage[3]) / 1e6
  end

  processors = function() return of(0) + of(-1) end -- this process, and the programs that ended
end

return function(options)
  options.deferPrint = true
  local handler = require "busted.outputHandlers.plainTerminal"(options)
  local name = os.getenv("LOCUS_RUN") or "specs"
  local files, file, last, began = 0, 0, 0, 0

  local function line()
    local bad = handler.failuresCount + handler.errorsCount
    local count = handler.successesCount + handler.pendingsCount + bad
    -- what a spec printed may not have ended its line
    io.write(("\n... %s: %d specs, file %d of %d%s\n"):format(name, count, file, files,
      bad > 0 and (", %d failed"):format(bad) or ""))
    io.flush()
    last = os.time()
  end

  local function passes(f)
    return function(...)
      f(...)
      return nil, true
    end
  end

  busted.subscribe({"suite", "start"}, passes(function(suite)
    files = #busted.children(suite)
    line()
  end))
  busted.subscribe({"file", "start"}, passes(function()
    file = file + 1
    began = processors()
  end))
  busted.subscribe({"file", "end"}, passes(function(ended)
    local took = processors() - began
    if took >= SHOWN then io.write(("\n  %s: %.1f of processors\n"):format(ended.name, took)) end
  end))
  busted.subscribe({"test", "end"}, passes(function()
    if os.time() - last >= SECONDS then line() end
  end))
  busted.subscribe({"suite", "end"}, passes(line), {priority = 1})
  return handler
end
