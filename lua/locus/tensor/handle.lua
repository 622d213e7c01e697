-- SPDX-License-Identifier: MIT
-- Tensors as LuaJIT's FFI sees them: the C type that ffi.cast makes of one whose metatable has been
-- checked. Nil without the FFI, or where nothing is compiled and C is quicker.
local has_ffi, ffi = pcall(require, "ffi")
if not has_ffi or not jit.status() then return {} end

-- ORDER HANDLE: the userdata, src/bind/ground/handle.h. ORDER TENSOR: the fields of struct
-- locus_tensor, src/core/tensor.h.
return {type = ffi.typeof [[const struct {
  const char *mark;
  const struct {
    char *data;
    void *storage;
    int64_t numel;
    int32_t dtype;
    int16_t direct, kind;
    int32_t ndim;
    int64_t size[32], stride[32];
  } *tensor;
} *]]}
