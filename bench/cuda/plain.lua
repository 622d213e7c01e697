-- SPDX-License-Identifier: MIT
-- The plain forms of bench/cuda/plain.cu, in the shared object that LOCUS_CUDA names: called with
-- tensors on the device, and answering as locus does, with positions that count from 1.
local ffi = require "ffi"
local locus = require "locus"

ffi.cdef [[
  void plain_search(const void *keys, int64_t n, const void *values, int64_t m, void *out);
  void plain_nonzero(const void *x, int bytes, int64_t n, void *counts, void *out);
  void plain_split(const void *places, int64_t n, int64_t columns, void *out);
  void plain_where1(const void *cond, const void *x, const void *y, void *out, int bytes,
                    int64_t n);
  void plain_where4(const void *cond, const void *x, const void *y, void *out, int64_t n);
  int64_t plain_counts(int64_t n);
]]
local forms = ffi.load(os.getenv "LOCUS_CUDA")
local plain = {}

local function positions(...)
  return locus.empty(..., { dtype = "int64", device = "cuda" })
end

function plain.search(keys, values)
  local out = positions(values:numel())
  forms.plain_search(keys:data(), keys:numel(), values:data(), values:numel(), out:data())
  return out:cpu() + 1
end

-- The places of what is not zero, in a matrix a row and a column each. How many there are is read
-- between the passes.
function plain.nonzero(x)
  local n = x:numel()
  local counts = positions(tonumber(forms.plain_counts(n)))
  forms.plain_nonzero(x:data(), x:element_size(), n, counts:data(), nil)
  local found = counts[-1]
  local places = positions({ found, 1 })
  forms.plain_nonzero(x:data(), x:element_size(), n, counts:data(), places:data())
  if x:dim() == 1 then return places:cpu() + 1 end
  local out = positions({ found, 2 })
  forms.plain_split(places:data(), found, x:size(2), out:data())
  return out:cpu() + 1
end

function plain.where1(cond, x, y)
  local out = locus.empty_like(x)
  forms.plain_where1(cond:data(), x:data(), y:data(), out:data(), x:element_size(), x:numel())
  return out
end

function plain.where4(cond, x, y)
  local out = locus.empty_like(x)
  forms.plain_where4(cond:data(), x:data(), y:data(), out:data(), x:numel())
  return out
end

return plain
