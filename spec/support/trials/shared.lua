-- SPDX-License-Identifier: MIT
-- Calls with several numbers of threads, in usual pieces and in the smallest, against one thread.
local ffi = require "ffi"
local locus = require "locus"
local internal = require "locus.core".internal

ffi.cdef "int setenv(const char *, const char *, int); int unsetenv(const char *);"

local shared = {}
local before, small = locus.get_num_threads(), os.getenv("LOCUS_SMALL_PIECES")

-- Calls f with that many threads, which share the smallest pieces if `tiny` says so. The setting is
-- read when the library asks for it.
function shared.with(n, tiny, f, ...)
  if tiny then ffi.C.setenv("LOCUS_SMALL_PIECES", "1", 1)
  else ffi.C.unsetenv("LOCUS_SMALL_PIECES") end
  locus.set_num_threads(n)
  return f(...)
end

function shared.restore()
  if small then ffi.C.setenv("LOCUS_SMALL_PIECES", small, 1)
  else ffi.C.unsetenv("LOCUS_SMALL_PIECES") end
  locus.set_num_threads(before)
end

-- Everything about an answer as text.
function shared.bytes(...)
  local list = {}
  for i = 1, select("#", ...) do
    local answer = select(i, ...)
    if locus.is_tensor(answer) then
      local t = answer:cpu():contiguous()
      local size = t:numel() * t:element_size()
      answer = t.dtype .. tostring(t.shape) .. (size > 0 and ffi.string(t:data(), size) or "")
    end
    list[i] = tostring(answer)
  end
  return table.concat(list, "|")
end

-- f of one thread, and of several, in usual pieces and in the smallest.
function shared.check(what, f)
  local first = shared.with(1, false, function() return shared.bytes(f()) end)
  for _, case in ipairs {{2, false}, {5, false}, {2, true}, {3, true}, {16, true}} do
    local got = shared.with(case[1], case[2], function() return shared.bytes(f()) end)
    if got ~= first then
      error(("%s differs with %d threads%s"):format(what, case[1], case[2] and ", tiny" or ""))
    end
  end
end

-- Calls f while memory runs out at its first allocation, its second and so on, until it has all it
-- asks for: nothing may be left behind.
function shared.fail(f)
  local live
  for k = 0, 500 do
    for _ = 1, 3 do collectgarbage() end
    live = math.min(live or math.huge, locus.live_bytes()) -- others' tensors go late
    assert(live == locus.live_bytes(), "bytes are left")
    locus.fail_allocation(k, true)
    local ok, message = pcall(f)
    local hit = locus.fail_allocation(0) > 0
    assert(ok == not hit, message)
    if hit then assert(message:find("out of memory", 1, true), message) end
    if k > 0 and not hit then return k - 1 end
  end
  error "no call had all it asked for"
end

-- How many jobs a call shares with that many threads.
function shared.jobs(threads, f)
  return shared.with(threads, false, function()
    internal.count_shared(true)
    f()
    return (internal.count_shared(false))
  end)
end

return shared
