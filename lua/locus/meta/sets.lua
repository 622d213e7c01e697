---@meta locus.sets
-- SPDX-License-Identifier: MIT
-- What lua-language-server should know of sets and of what is about the order of elements, as
-- lua/locus/meta.lua tells of the rest; nothing loads this file.

---@class locus.Ordered
---@field sorted? boolean
---@class locus.Both: locus.Ordered
---@field return_indices? boolean
---@field base? integer
---@class locus.InOrder
---@field descending? boolean
---@field strict? boolean
---@field out? locus.Tensor

---@alias locus.OfSets
---| fun(input: locus.Data, other: locus.Data, named?: locus.Ordered): locus.Tensor
---@alias locus.Intersect
---| fun(input: any, other: any, named?: locus.Both): locus.Tensor, locus.Tensor?, locus.Tensor?
---@alias locus.RunLengths
---| fun(input: locus.Data, named?: locus.Base): locus.Tensor, locus.Tensor, locus.Tensor

---@class locus.Shared
---@field intersect locus.Intersect
---@field union locus.OfSets
---@field setdiff locus.OfSets
---@field setxor locus.OfSets
---@field rle locus.RunLengths
---@field is_sorted fun(input: locus.Data, dim?: integer, named?: locus.InOrder): any
