-- SPDX-License-Identifier: MIT
-- A file four times as large as the memory that the process may have.
local support = require "spec.support"

describe("a file larger than memory #host #native #lean #once", function()
  it("is searched, reduced, chosen from and grouped where it lies", function()
    if os.getenv "LD_PRELOAD" then return pending "a sanitizer wants more memory than that" end
    local output, status = support.run([[
      local locus, ffi = require "locus", require "ffi"
      ffi.cdef "typedef struct { unsigned long now, most; } limit; int setrlimit(int, limit *);"
      local DATA, MEMORY, N = 2, 64 * 2 ^ 20, 33e6
      assert(ffi.C.setrlimit(DATA, ffi.new("limit", MEMORY, MEMORY)) == 0)
      assert(not pcall(locus.zeros, MEMORY / 8))
      local path, sink = os.tmpname(), os.tmpname()
      local writer = locus.npy_writer(path, "float64")
      for first = 0, N - 1, 1e6 do writer:write(locus.arange(first, first + 1e6)) end
      writer:close()
      local x = locus.load(path, {mmap = "r"})
      assert(#x * 8 > 3.9 * MEMORY)

      assert(x:sum() == N * (N - 1) / 2 and x:max() == N - 1 and x:argmax() == N)
      assert(x:median() == N / 2 - 1 and x:quantile(0.25) == (N - 1) / 4)
      assert(x:kthvalue(12345):item() == 12344)
      local index = x:search_index{paged = true}
      assert(index:searchsorted(2e7 + 0.5) == 2e7 + 2)
      assert(index:searchsorted{-1, 0, N - 1, N}:equal(locus.tensor({1, 1, N, N + 1}):long()))
      assert(not pcall(x.add, x, 1), "it fits")

      -- The results of f for each part and the position in front of it, in a file that is mapped.
      local function in_parts(dtype, f)
        local writer = locus.npy_writer(sink, dtype)
        for part, first in locus.chunks(x) do writer:write(f(part, first - 1)) end
        writer:close()
        return locus.load(sink, {mmap = "r"})
      end
      local found = in_parts("int64", function(part, before)
        return (part % 1000):eq(0):nonzero():view(-1):add(before)
      end)
      assert(#found == N / 1000 and found[-1] == N - 999 and x[found[-1] ] == N - 1000)
      local chosen = in_parts("float64", function(part) return part:gt(1e6):where(part, -part) end)
      assert(#chosen == N and chosen:min() == -1e6 and chosen[N] == N - 1)
      local kept = in_parts("float64", function(part) return part[(part % 3):eq(0)] end)
      assert(#kept == N / 3 and kept:sum() == 3 * (N / 3) * (N / 3 - 1) / 2)

      local frame, sums = locus.frame{{"x", x}}, nil
      for part in locus.chunks(frame, {rows = 1e6}) do
        local keyed = part:with("key", (part.x % 7):long())
        local own = keyed:group("key"):agg{n = "count", sum = {"sum", "x"}}
        sums = sums and locus.cat{sums, own} or own
      end
      sums = sums:group("key"):agg{n = {"sum", "n"}, sum = {"sum", "sum"}}
      assert(#sums == 7 and sums.n:sum() == N and sums.sum:sum() == N * (N - 1) / 2)
      os.remove(path)
      os.remove(sink)
      io.write("done")]], {LOCUS_NUM_THREADS = "2"}) -- a stack of a thread takes 8 MB of it
    assert.equal("done", output)
    assert.equal(0, status)
  end)
end)
