---@meta locus
-- SPDX-License-Identifier: MIT
-- What lua-language-server should know of locus; nothing loads this file. The docs spec compares
-- these names with those that there are. The pages in docs/ say what the functions do.

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

-- Arguments by name.

---@class locus.Out
---@field out? locus.Tensor
---@class locus.Base
---@field base? 0|1 what positions count from
---@class locus.Summed : locus.Out
---@field dtype? locus.Dtype
---@class locus.Pair : locus.Base
---@field out? locus.Tensor|locus.Tensor[] {values, indices}, or values alone
---@class locus.Place : locus.Out, locus.Base
---@class locus.Print
---@field precision integer
---@field threshold integer
---@field edgeitems integer
---@field linewidth integer
---@field sci_mode? boolean
---@alias locus.SetPrint
---| fun(precision?, threshold?, edgeitems?, linewidth?, profile?: string, sci_mode?: boolean)

-- Families of functions.

---@alias locus.Typed fun(data_or_size?: locus.Tensor|table|integer, ...: integer): locus.Tensor
---@alias locus.Stack fun(tensors: locus.Data[], named?: locus.Out): locus.Tensor
---@alias locus.How
---| "sum" | "prod" | "min" | "max" | "mean" | "std" | "var" | "first" | "last" | "any" | "all"
---| "count"

---@class locus.Cuda
---@field with_stream fun(stream: locus.Stream, f: function, ...): ...

---@class locus.Stream
---@field device string
---@field cuda_stream ffi.cdata*

---@class locus.Event
---@field device string|nil

-- Functions that are methods, too.

---@class locus.Shared
---@field std locus.StdVar
---@field var locus.StdVar
---@field unique locus.Unique
---@field unique_consecutive locus.Runs
---@field isin fun(input: locus.Data, values: locus.Data): any
---@field lookup locus.Lookup

---@class locus.Tensor : locus.Shared
---@field dtype locus.Dtype
---@field device string
---@field shape integer[]
---@field ndim integer
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
---@field iter fun(input: locus.Tensor, named?: locus.Base): fun(): integer, any

---@class locus : locus.Shared
---@field help fun(name?: string|function)
---@field tidy fun(f: function, arguments: any, ...: any): any
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
---@field frame fun(columns: locus.Columns): locus.Frame
---@field group_by fun(keys: locus.Column|locus.Column[]): locus.Group
---@field asof locus.Nearest
---@field interval_lookup locus.Ranges
---@field strings fun(list: string[], named?: locus.On): locus.Strings
---@field hstack locus.Stack
---@field vstack locus.Stack
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
---@field set_printoptions locus.SetPrint
---@field get_printoptions fun(): locus.Print
---@field instruction_sets fun(): string[]
---@field why_denormals_are_zero fun(): string?
---@field methods table<string, function> the methods of tensors
---@field memory locus.Memory
---@field cuda locus.Cuda
---@field live_bytes fun(): integer
---@field fail_allocation fun(k: integer, persistent?: boolean): integer
local locus = {}

return locus
