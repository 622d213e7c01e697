-- SPDX-License-Identifier: MIT
-- DLPack: tensors for and from PyTorch, NumPy, CuPy and others in the same process, without a copy.
local declare = require "locus.call.declare"
local internal = require "locus.core".internal
local unsigned = require "locus.tensor.unsigned"
local has_ffi, ffi = pcall(require, "ffi")

local function need_ffi()
  if not has_ffi then declare.raise("needs LuaJIT, whose FFI knows pointers") end
end

-- The address of a managed tensor of DLPack over the elements, which stay alive until its deleter
-- is called: by the library that takes it over, or by whoever still has the pointer. A
-- DLManagedTensorVersioned of version 1, or with `versioned = false` the older DLManagedTensor,
-- which cannot say that elements are read-only. On a device it waits until all queued work is done.
-- Errors: memory of somebody else (from_ptr); a read-only tensor without `versioned`.
-- Source: https://dmlc.github.io/dlpack/latest/c_api.html
declare.method("to_dlpack(input:tensor, {versioned:boolean=true})", function(input, versioned)
  need_ffi()
  return ffi.cast("void *", internal.dlpack_export(input, versioned))
end)

-- The numbers behind the bits of unsigned integers, in a new tensor.
local function numbers_of(x)
  if internal.dtype_of(x) == "int64" and unsigned.has_past(x) then
    declare.raise "'pointer' holds uint64 past 2^63 - 1; convert it to float64 first"
  end
  local wide = unsigned.widen(x)
  return wide == x and x:clone() or wide
end

-- The tensor behind such a pointer, in its layout, read-only where that says so. It calls the
-- deleter when it and its views are gone, and their queued work is done; after an error the pointer
-- is still the caller's. Unsigned integers of more than 8 bits are copied: to int32, int64, and if
-- they fit int64. The work that the other library has queued on a device must be done.
-- Errors: what is no pointer; a version, dtype or device that is not known here; elements that are
-- not aligned or that the device does not reach; negative strides.
declare.func("from_dlpack(pointer:any, {versioned:boolean=true})", function(pointer, versioned)
  need_ffi()
  local ok, address = pcall(ffi.cast, "void *", pointer)
  if not ok or type(pointer) ~= "cdata" then
    declare.raise("'pointer' must be a pointer, got %s", internal.describe(pointer))
  end
  local x, is_unsigned = internal.dlpack_import(address, versioned)
  if not is_unsigned then return x end
  local made, numbers = pcall(numbers_of, x)
  if not made then internal.dlpack_give_back(x) end
  x:free()
  if not made then error(numbers, 0) end
  return numbers
end)
