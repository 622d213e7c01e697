-- SPDX-License-Identifier: MIT
-- search_index{paged = true}: the answers are those of other indexes, and a search of a mapped
-- sequence touches one page.
local locus = require "locus"
local support = require "spec.support"

local message = support.message

-- A sorted sequence that begins that many elements into its memory.
local function sequence(dtype, n, skipped, descending)
  local values = (locus.arange(n) * 7 % (dtype == "uint8" and 250 or 1000)):to(dtype)
  local room = locus.zeros(n + skipped, {dtype = dtype})
  local made = room[{{skipped + 1, skipped + n}}]
  made[{}] = values:sort(1, descending)
  return made
end

local function agree(s, values, descending)
  local whole = s:search_index {descending = descending}
  local paged = s:search_index {descending = descending, paged = true}
  for _, base in ipairs {0, 1} do
    local left, right = whole:searchsorted(values, {side = "both", base = base})
    local got_left, got_right = paged:searchsorted(values, {side = "both", base = base})
    assert.is_true(left:equal(got_left) and right:equal(got_right))
    assert.is_true(right:equal(paged:searchsorted(values, {right = true, base = base})))
    local small = paged:searchsorted(values, {out_int32 = true, base = base})
    assert.equal("int32", small.dtype)
    assert.is_true(small:long():equal(left))
  end
end

describe("search_index{paged = true} #host", function()
  it("answers as any index does", function()
    local values = locus.arange(999):mul(1.1):sub(40):view(3, 333)
    for _, dtype in ipairs {"float64", "int64", "float32", "float16", "int16", "uint8"} do
      for _, n in ipairs(support.hasty and {0, 5, 513} or {0, 1, 5, 511, 512, 513, 1024, 5000}) do
        for _, descending in ipairs {false, true} do
          for skipped = 0, 2 do
            agree(sequence(dtype, n, skipped, descending), values, descending)
          end
        end
      end
    end
  end)

  it("answers for values of every shape and kind", function()
    local s = sequence("float32", 3000, 1)
    local whole, paged = s:search_index(), s:search_index {paged = true}
    for _, value in ipairs {0, 0.5, 500, -1, 1e9, locus.inf, 0 / 0} do
      for _, right in ipairs {false, true} do
        assert.equal(whole:searchsorted(value, {right = right}),
          paged:searchsorted(value, {right = right}))
      end
    end
    assert.same({whole:searchsorted(7, {side = "both"})}, {paged:searchsorted(7, {side = "both"})})
    assert.equal(1, select("#", paged:searchsorted(7)))
    assert.equal(1, select("#", paged:searchsorted({7}, {right = true})))
    for _, values in ipairs {locus.tensor(0.1), locus.zeros(0), locus.zeros(2, 0), {1, 2, 3},
                             {{1}, {2}}, locus.arange(6):view(2, 3):t(), locus.tensor {0 / 0, -1},
                             locus.tensor({2 ^ 53 + 1}, {dtype = "int64"})} do
      local left, right = whole:searchsorted(values, {side = "both"})
      local got_left, got_right = paged:searchsorted(values, {side = "both"})
      assert.equal(tostring(left), tostring(got_left))
      assert.equal(tostring(right), tostring(got_right))
    end
    local wide = locus.tensor({2 ^ 53}, {dtype = "int64"}):add(locus.arange(2000):long())
    agree(wide, wide[{{1, 2000, 7}}])
  end)

  it("writes into out", function()
    local s = sequence("float64", 3000, 0)
    local paged = s:search_index {paged = true}
    local out, other = locus.empty(0):long(), locus.empty(0):long()
    assert.equal(out, paged:searchsorted({1, 500}, {out = out}))
    assert.is_true(out:equal(s:searchsorted {1, 500}))
    paged:searchsorted({1, 500}, {side = "both", out = {out, other}})
    assert.is_true(other:equal(s:searchsorted({1, 500}, {right = true})))
  end)

  it("has a text, keeps little, and cannot be changed", function()
    local paged = sequence("float64", 5120, 0):search_index {paged = true}
    assert.matches("^%[paged search index of a float64 tensor of size 5120, 80 bytes%]$",
      tostring(paged))
    assert.equal("a search index cannot be changed", message(function() paged.x = 1 end))
  end)

  it("says what it cannot do", function()
    local function refuses(text, s, named)
      named.paged = true
      assert.equal("search_index: " .. text, message(s.search_index, s, named))
    end
    local x = locus.arange(4)
    refuses("'sorted_sequence' must be 1-D, contiguous and on the CPU if paged is true, got a "
      .. "float64 tensor of size 2x2", x:view(2, 2), {})
    refuses("'sorted_sequence' must be 1-D, contiguous and on the CPU if paged is true, got a "
      .. "float64 tensor of size 2", x[{{1, 4, 2}}], {})
    refuses("'sorter' cannot be given with paged = true", x, {sorter = {1, 2, 3, 4}})
    local paged = x:search_index {paged = true}
    for text, named in pairs {
      ["'side' must be \"left\", \"right\" or \"both\", got the string \"up\""] = {side = "up"},
      ["'side' is \"left\", but 'right' is true"] = {side = "left", right = true},
      ["'right' cannot be given with side = \"both\""] = {side = "both", right = true},
    } do
      assert.equal("searchsorted: " .. text, message(paged.searchsorted, paged, 1, named))
    end
    assert.matches("is not ascending: 1 at %[2%]", message(x.search_index, locus.tensor {2, 1},
      {paged = true, check = true}))
  end)

  it("says what was called where memory runs out", function()
    local s = sequence("float64", 3000, 0)
    local paged = s:search_index {paged = true}
    local function fails(name, f, ...)
      for k = 1, 100 do
        locus.fail_allocation(k, true)
        local ok, said = pcall(f, ...)
        if locus.fail_allocation(0) == 0 then return k end
        assert.is_false(ok)
        assert.matches("^[^:]+:%d+: " .. name .. ": out of memory", said)
      end
    end
    assert.is_true(fails("search_index", s.search_index, s, {paged = true}) > 3)
    assert.is_true(fails("searchsorted", paged.searchsorted, paged, {1, 500}) > 10)
  end)

  it("reads one page of the file a query, and two at its ends #native", function()
    local output, status = support.run [[
      local locus, ffi = require "locus", require "ffi"
      ffi.cdef "int madvise(void *, size_t, int); int mincore(void *, size_t, char *);"
      ffi.cdef "int open(const char *, int); int fsync(int); int close(int);"
      ffi.cdef "int posix_fadvise(int, int64_t, int64_t, int);"
      local DROP, PAGE = 4, 4096
      local path, n, m = os.tmpname(), 8e6, 200
      locus.arange(n):save(path)
      local x = locus.load(path, {mmap = "r"})
      local file = ffi.C.open(path, 0)
      os.remove(path)
      local address = ffi.cast("char *", x:data())
      local start = address - tonumber(ffi.cast("uintptr_t", address)) % PAGE
      local bytes = n * 8
      local function pages() -- of the file that are in memory
        local there, count = ffi.new("char[?]", bytes / PAGE), 0
        assert(ffi.C.mincore(start, bytes, there) == 0)
        for i = 0, bytes / PAGE - 1 do count = count + there[i] % 2 end
        return count
      end
      local function forget()
        assert(ffi.C.fsync(file) == 0 and ffi.C.madvise(start, bytes, DROP) == 0)
        assert(ffi.C.posix_fadvise(file, 0, 0, DROP) == 0)
      end
      forget()
      if pages() > 0 then io.write("no disk") return end -- files that live in memory
      local values = locus.arange(m) * 39989.7 % n
      local expected = x:searchsorted(values)
      local plain = pages()
      local index = x:search_index{paged = true}
      forget()
      assert(index:searchsorted(values):equal(expected))
      print(pages() <= m + 2, plain > 2 * m, pages(), plain)]]
    assert.equal(0, status, output)
    if output ~= "no disk" then assert.matches("^true\ttrue\t", output) end
  end)
end)
