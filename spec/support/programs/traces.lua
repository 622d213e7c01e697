-- SPDX-License-Identifier: MIT
-- The traces that LuaJIT compiles.

--- How the traces end that LuaJIT compiles while f runs, in words such as "loop" and "stitch".
-- Which loop is found hot first hangs on where things lie in memory, and about one time in a
-- hundred an inner one's trace takes in the outer: f is run anew, up to five times, until the words
-- match.
return function(f, pattern)
  local util = require "jit.util"
  local ends, words
  local function watch(what, trace)
    if what == "stop" then
      ends[#ends + 1] = trace
    end
  end
  for _ = 1, 5 do
    ends = {}
    jit.flush()
    jit.attach(watch, "trace")
    f()
    jit.attach(watch)
    for i, trace in ipairs(ends) do
      ends[i] = util.traceinfo(trace).linktype
    end
    words = table.concat(ends, " ")
    if words:find(pattern) then break end
  end
  return words
end
