---@meta locus
-- SPDX-License-Identifier: MIT
-- What lua-language-server should know of locus besides the functions, which functions.lua has;
-- nothing loads this file. The docs spec compares these names with those that there are.

---@alias locus.Dtype
---| "bool" | "uint8" | "int8" | "int16" | "int32" | "int64" | "float16" | "bfloat16"
---| "float32" | "float64" | "complex64" | "complex128"
---@alias locus.Data locus.Tensor|table|number|boolean|ffi.cdata*
---@alias locus.Table locus.Tensor|table what a table stands for, and no number does
---@alias locus.Scalar number|boolean|ffi.cdata*
---@alias locus.ToWhat locus.Dtype|locus.Tensor|string a dtype, a device or a tensor
---@alias locus.Dims integer|integer[]
---@alias locus.Device integer|string
---@alias locus.Key integer|locus.Tensor|(integer|integer[]|locus.Tensor)[]
---@alias locus.Loaded locus.Tensor|locus.Frame|table<string, locus.Tensor>
---@alias locus.Imported locus.Tensor|locus.Strings|locus.Frame
---@alias locus.Joining "sum"|"prod"|"min"|"max"|"and"|"or"
---@alias locus.Reduced "sum"|"mean"|"max"|"min"|"prod"
---@alias locus.Inclusive "both"|"neither"|"left"|"right"
---@alias locus.Interpolation "linear"|"lower"|"higher"|"nearest"|"midpoint"
---@alias locus.Parts locus.Tensor[]

---@class locus.Print
---@field precision integer
---@field threshold integer
---@field edgeitems integer
---@field linewidth integer
---@field sci_mode? boolean

-- Functions that do not say what they take.

---@alias locus.Typed fun(data_or_size?: locus.Tensor|table|integer, ...: integer): locus.Tensor
---@alias locus.How
---| "sum" | "prod" | "min" | "max" | "mean" | "std" | "var" | "first" | "last" | "any" | "all"
---| "count" | "nansum" | "nanmean" | "nanmin" | "nanmax" | "nanstd" | "nanvar" | "nancount"

---@class locus.Cuda
---@field with_stream fun(stream: locus.Stream, f: function, ...): ...

---@class locus.Stream
---@field device string
---@field cuda_stream ffi.cdata*

---@class locus.Event
---@field device string|nil

---@class locus.Tensor : locus.Shared
---@field dtype locus.Dtype
---@field device string
---@field shape integer[]
---@field ndim integer
---@field kind "time"|"date"|"duration"|"ipv4"|nil
---@field unit "s"|"ms"|"us"|"ns"|"d"|nil
---@field T locus.Tensor
---@field [locus.Key] any
---@operator add(locus.Data): locus.Tensor
---@operator sub(locus.Data): locus.Tensor
---@operator mul(locus.Data): locus.Tensor
---@operator div(locus.Data): locus.Tensor
---@operator mod(locus.Data): locus.Tensor
---@operator pow(locus.Data): locus.Tensor
---@operator band(locus.Data): locus.Tensor
---@operator bor(locus.Data): locus.Tensor
---@operator bxor(locus.Data): locus.Tensor
---@operator shl(locus.Data): locus.Tensor
---@operator shr(locus.Data): locus.Tensor
---@operator unm: locus.Tensor
---@operator bnot: locus.Tensor
---@operator len: integer

---@class locus : locus.Shared
---@field keep fun(x: any): any
---@field version string
---@field isa string
---@field nan number
---@field inf number
---@field bool locus.Dtype
---@field uint8 locus.Dtype
---@field int8 locus.Dtype
---@field int16 locus.Dtype
---@field int32 locus.Dtype
---@field int64 locus.Dtype
---@field float16 locus.Dtype
---@field bfloat16 locus.Dtype
---@field float32 locus.Dtype
---@field float64 locus.Dtype
---@field complex64 locus.Dtype
---@field complex128 locus.Dtype
---@field Tensor locus.Typed
---@field DoubleTensor locus.Typed
---@field FloatTensor locus.Typed
---@field HalfTensor locus.Typed
---@field BFloat16Tensor locus.Typed
---@field LongTensor locus.Typed
---@field IntTensor locus.Typed
---@field ShortTensor locus.Typed
---@field CharTensor locus.Typed
---@field ByteTensor locus.Typed
---@field BoolTensor locus.Typed
---@field is_tensor fun(value: any): boolean
---@field get_default_dtype fun(): locus.Dtype
---@field get_num_threads fun(): integer
---@field instruction_sets fun(): string[]
---@field why_denormals_are_zero fun(): string?
---@field methods table<string, function> the methods of tensors
---@field memory locus.Memory
---@field cuda locus.Cuda
---@field mpi locus.Mpi
---@field live_bytes fun(): integer
---@field fail_allocation fun(k: integer, persistent?: boolean): integer
local locus = {}

return locus
