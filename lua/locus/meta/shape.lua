---@meta locus.shape
-- SPDX-License-Identifier: MIT
-- What lua-language-server should know of functions of shape, as lua/locus/meta/locus.lua tells of
-- the rest; nothing loads this file.

---@alias locus.Parts locus.Tensor[]
---@class locus.Indexing
---@field indexing? "ij"|"xy"
---@alias locus.Meshgrid
---| fun(tensors: locus.Table, ...: locus.Tensor|locus.Indexing): ...: locus.Tensor

---@class locus.Repeated
---@field out? locus.Tensor
---@field output_size? integer
---@field base? integer
---@alias locus.RepeatInterleave
---| fun(input: locus.Table, repeats?: locus.Data, dim?: integer, named?: locus.Repeated): locus.Tensor

---@class locus.Shared
---@field repeat_interleave locus.RepeatInterleave
---@field split fun(input: locus.Table, split_size_or_sections: locus.Dims, dim?: integer): locus.Parts
---@field chunk fun(input: locus.Table, chunks: integer, dim?: integer): locus.Parts
---@field unbind fun(input: locus.Table, dim?: integer): locus.Parts

---@class locus
---@field meshgrid locus.Meshgrid
