-- SPDX-License-Identifier: MIT
-- busted's output for runs that take minutes and share a terminal: not dots but lines of progress,
-- each starting with "... " and the name in LOCUS_RUN; then busted's own counts and failures.
local busted = require "busted"

local SECONDS = 10 -- between two lines

return function(options)
  options.deferPrint = true
  local handler = require "busted.outputHandlers.plainTerminal"(options)
  local name = os.getenv("LOCUS_RUN") or "specs"
  local files, file, last = 0, 0, 0

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
  busted.subscribe({"file", "start"}, passes(function() file = file + 1 end))
  busted.subscribe({"test", "end"}, passes(function()
    if os.time() - last >= SECONDS then line() end
  end))
  busted.subscribe({"suite", "end"}, passes(line), {priority = 1})
  return handler
end
