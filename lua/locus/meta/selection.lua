---@meta locus.selection
-- SPDX-License-Identifier: MIT
-- What lua-language-server should know of functions for what stands at a rank, as
-- lua/locus/meta/locus.lua tells of the rest; nothing loads this file.

---@alias locus.Interpolation "linear"|"lower"|"higher"|"nearest"|"midpoint"
---@class locus.Between
---@field interpolation? locus.Interpolation
---@field out? locus.Tensor

---@alias locus.KthValue
---| fun(input: locus.Table, k: integer, dim?: integer, keepdim?: boolean, named?: locus.Pair): any, any
---@alias locus.TopK
---| fun(input: locus.Table, k: integer, dim?: integer, largest?: boolean, sorted?: boolean, named?: locus.Pair): any, any
---@alias locus.Median
---| fun(input: locus.Table, dim?: integer, keepdim?: boolean, named?: locus.Pair): any, any
---@alias locus.Quantile
---| fun(input: locus.Table, q: number|number[], dim?: integer, keepdim?: boolean, named?: locus.Between): any

---@class locus.Shared
---@field kthvalue locus.KthValue
---@field topk locus.TopK
---@field median locus.Median
---@field nanmedian locus.Median
---@field quantile locus.Quantile
---@field nanquantile locus.Quantile
