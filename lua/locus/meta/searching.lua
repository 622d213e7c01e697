---@meta locus.searching
-- SPDX-License-Identifier: MIT
-- What lua-language-server should know of functions that ask more of a search, as
-- lua/locus/meta/locus.lua tells of the rest; nothing loads this file.

---@alias locus.Inclusive "both"|"neither"|"left"|"right"

---@class locus.Digitized
---@field out_int32? boolean
---@field out? locus.Tensor
---@field base? integer

---@class locus.Histogrammed
---@field range? number[]
---@field weight? locus.Table
---@field weights? locus.Table
---@field density? boolean

---@alias locus.Histogram
---| fun(input: locus.Table, bins?: locus.Data, named?: locus.Histogrammed): locus.Tensor, locus.Tensor
---@alias locus.HistC
---| fun(input: locus.Table, bins?: integer, min?: number, max?: number, named?: locus.Out): locus.Tensor

---@alias locus.Digitize
---| fun(x: locus.Data, bins: locus.Table, right?: boolean, named?: locus.Digitized): any
---@alias locus.Interp
---| fun(x: locus.Data, xp: locus.Table, fp: locus.Table, left?: number, right?: number, period?: number, named?: locus.Out): any

---@class locus.Shared
---@field digitize locus.Digitize
---@field histogram locus.Histogram
---@field histc locus.HistC
---@field interp locus.Interp
