-- SPDX-License-Identifier: MIT
-- The instructions that a process takes, counted by callgrind: no noise of the machine changes it.
local support = require "spec.support"

local instructions = {}

--- The beginning of a command whose instructions are counted, and said on its stderr.
instructions.CALLGRIND = "valgrind --tool=callgrind --callgrind-out-file=/dev/null "

-- Whether there is valgrind here, and no sanitizer loaded, which valgrind does not run.
function instructions.are_counted()
  return not os.getenv "LD_PRELOAD" and os.execute("command -v valgrind >/dev/null") == 0
end

-- The instructions of luajit running the chunk, with these variables of the environment and
-- options.
function instructions.of(chunk, environment, options)
  local text = support.run(chunk, environment,
    instructions.CALLGRIND .. "luajit " .. (options or ""))
  return assert(tonumber(text:match("Collected : (%d+)")), text)
end

return instructions
