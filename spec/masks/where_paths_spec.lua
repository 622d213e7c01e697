-- SPDX-License-Identifier: MIT
-- where over the widths, sizes and alignments that take different loops, against plain Lua on the
-- bytes.
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

ffi.cdef "int memcmp(const void *, const void *, size_t);"

-- One dtype of each width, as some units of an unsigned type.
local WIDTHS = {
  uint8 = {"uint8_t", 1}, int16 = {"uint16_t", 1}, float32 = {"uint32_t", 1},
  int64 = {"uint64_t", 1}, complex128 = {"uint64_t", 2},
}
local PAST_CACHES = 8 * 2 ^ 20

local function units(t)
  local unit, count = unpack(WIDTHS[t.dtype] or {"uint8_t", 1})
  return support.memory(t, unit), count
end

-- Bytes to fill tensors with, each from another place on: random ones, and conditions, true ones
-- being 1, 2, 4, ... 128.
local PERIOD, START = 65521, 0
local random, conditions = ffi.new("uint8_t[?]", 2 * PERIOD), ffi.new("uint8_t[?]", 2 * PERIOD)
for i = 0, 2 * PERIOD - 1 do
  random[i] = math.random(0, 255)
  conditions[i] = math.random(0, 1) * 2 ^ math.random(0, 7)
end

local function filled(dtype, n)
  local t = locus.empty(n, {dtype = dtype, device = "cpu"})
  local unit, count = unpack(WIDTHS[dtype] or {"uint8_t", 1})
  local p, left = ffi.cast("uint8_t *", t:data()), n * count * ffi.sizeof(unit)
  START = (START + 4999) % PERIOD
  while left > 0 do
    local some = math.min(left, PERIOD)
    ffi.copy(p, (dtype == "bool" and conditions or random) + START, some)
    p, left = p + some, left - some
  end
  return t:to(support.device)
end

-- Raises unless `got` is x where the bytes of c are not 0, else y; all are contiguous, and x or y
-- may be 0-d.
local function same(got, c, x, y, how)
  local n = got:numel()
  local condition, p, count = units(c), units(x)
  local q = units(y)
  local want = ffi.new(WIDTHS[got.dtype][1] .. "[?]", n * count)
  local p_step, q_step = x:dim() * count, y:dim() * count
  for k = 0, count - 1 do
    for i = 0, n - 1 do
      if condition[i] ~= 0 then want[i * count + k] = p[i * p_step + k]
      else want[i * count + k] = q[i * q_step + k] end
    end
  end
  if ffi.C.memcmp(want, units(got), ffi.sizeof(want)) ~= 0 then
    error(("%s, %d elements: %s is wrong"):format(got.dtype, n, how))
  end
end

local function check(dtype, n, start)
  local function cut(t) return t:narrow(1, start + 1, n) end
  local c, x, y = cut(filled("bool", start + n)), cut(filled(dtype, start + n)), filled(dtype, n)
  local one, two = filled(dtype, 1):view({}), filled(dtype, 1):view({})
  local out = cut(filled(dtype, start + n))
  same(c:where(x, y), c, x, y, "x and y")
  same(c:where(one, y), c, one, y, "one x")
  same(c:where(x, two, {out = out}), c, x, two, "one y, into out")
  same(c:where(one, two, {out = out}), c, one, two, "one of each, into out")
  local before = y:clone()
  same(c:where(x, y, {out = y}), c, x, before, "into y")
  before = x:clone()
  same(c:where(x, two, {out = x}), c, before, two, "into x")
end

describe("where", function()
  it("is right for every width, at sizes on both sides of blocks and lines", function()
    for dtype in pairs(WIDTHS) do
      local sizes = {1, 2, 3, 15, 16, 17, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025}
      for _, n in ipairs(support.sample(sizes, 5)) do
        for start = 0, 3 do check(dtype, n, start) end
      end
    end
  end)

  it("is right on both sides of the size from which outputs go past the caches #host", function()
    for dtype, unit in pairs(WIDTHS) do
      local n = PAST_CACHES / (ffi.sizeof(unit[1]) * unit[2])
      check(dtype, n - 1, 1)
      check(dtype, n + 70003, 3)
    end
  end)

  it("is right past the caches from memory aligned to an element's parts alone #host", function()
    local n = PAST_CACHES / 16
    local memory = locus.zeros(2 * n + 1)
    local out = locus.from_ptr(ffi.cast("complex *", memory:data() + 1), n, {keep = memory})
    local c, x, y = filled("bool", n), filled("complex128", n), filled("complex128", n)
    same(c:where(x, y, {out = out}), c, x, y, "x and y")
  end)
end)
