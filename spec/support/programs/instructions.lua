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

--- The instructions between every two calls of `mark` in the chunk, which is run in one process:
--- callgrind writes a file whenever it meets that function of the C library.
function instructions.between_marks(chunk, environment)
  local list, file = {}, os.tmpname()
  support.run('local ffi = require "ffi"; ffi.cdef "int getppid(void);"; local mark = function() '
    .. "ffi.C.getppid() end; jit.off(mark)\n" .. chunk, environment,
    "valgrind --tool=callgrind --dump-before=getppid --callgrind-out-file=" .. file .. " luajit")
  for number = 1, math.huge do
    local written = io.open(file .. "." .. number)
    if not written then break end
    list[number] = tonumber(written:read("*a"):match("\nsummary: (%d+)"))
    written:close()
    os.remove(file .. "." .. number)
  end
  os.remove(file)
  table.remove(list, 1) -- until the first one
  return list
end

return instructions
