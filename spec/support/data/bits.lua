-- SPDX-License-Identifier: MIT
-- Tensors of any dtype written byte by byte, with a plain Lua list of where they are nonzero; and
-- what nonzero must give for such a list.

local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local bits = {}

local random = math.random

-- Bytes of an element, and of each of its parts where these have a sign that makes no difference.
bits.size = {}
local SIGNED_PART = {}
for dtype, c in pairs(support.types) do
  bits.size[dtype] = c.size
  SIGNED_PART[dtype] = c.kind == "FLOAT" and c.size or c.kind == "COMPLEX" and c.size / 2 or nil
end

-- Zero, by bytes: a float's sign may be set.
local function write_zero(p, dtype)
  ffi.fill(p, bits.size[dtype])
  local part = SIGNED_PART[dtype]
  for last = part or 1, part and bits.size[dtype] or 0, part or 1 do
    p[last - 1] = random(0, 1) * 0x80
  end
end

-- Not zero, by one bit that is no sign, or by any bits: subnormals, infinities, NaN.
local function write_nonzero(p, dtype)
  write_zero(p, dtype)
  local size, part = bits.size[dtype], SIGNED_PART[dtype]
  local byte = random(0, size - 1)
  local usable = part and byte % part == part - 1 and 7 or 8
  p[byte] = p[byte] + 2 ^ random(0, usable - 1)
  if random(2) == 1 then
    for i = 0, byte - 1 do
      p[i] = random(0, 255)
    end
  end
end

--- A tensor of n elements, about `density` of them nonzero, and their 0-based positions. It
--- begins at any element of a larger one, which is nonzero all around it.
function bits.random(dtype, n, density)
  local size, before = bits.size[dtype], random(0, 70)
  local whole = locus.empty(before + n + 70, { dtype = dtype, device = "cpu" })
  local p = ffi.cast("uint8_t *", whole:data())
  local set, count = {}, 0
  for i = 0, before + n + 69 do
    local inside = i >= before and i < before + n
    if not inside or random() < density then
      write_nonzero(p + i * size, dtype)
      if inside then
        count = count + 1
        set[count] = i - before
      end
    else
      write_zero(p + i * size, dtype)
    end
  end
  return whole:to(support.device):narrow(1, before + 1, n), set
end

--- The right answer of nonzero for the elements at `set` of a shape: a list for each dimension.
function bits.columns(set, shape, base)
  local columns = {}
  for d = 1, #shape do
    columns[d] = {}
  end
  for k = 1, #set do
    local rest = set[k]
    for d = #shape, 1, -1 do
      local at = rest % shape[d]
      columns[d][k] = at + base
      rest = (rest - at) / shape[d]
    end
  end
  return columns
end

--- The first difference between rows begin .. of an int64 tensor and the columns, or nil.
function bits.difference(rows, columns, first, last)
  rows = rows:cpu()
  local p, row, column = rows:data(), rows:stride(1), rows:stride(2)
  for d = 1, #columns do
    for k = first, last do
      local got = p[(k - 1) * row + (d - 1) * column]
      if got ~= columns[d][k] then
        return ("row %d, dimension %d: expected %d, got %s"):format(k, d, columns[d][k],
          tostring(got))
      end
    end
  end
end

--- Calls f with 1 thread and with several, and puts back what was set; on a device, which has its
--- own, once.
function bits.with_threads(f)
  local before = locus.get_num_threads()
  for _, n in ipairs(support.device == "cpu" and { 1, 2, 5 } or { 1 }) do
    locus.set_num_threads(n)
    local ok, message = pcall(f)
    locus.set_num_threads(before)
    if not ok then
      error(("%s (with %d threads)"):format(tostring(message), n), 0)
    end
  end
end

return bits
