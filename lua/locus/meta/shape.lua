---@meta locus.shape
-- SPDX-License-Identifier: MIT
-- What lua-language-server should know of functions of shape, as lua/locus/meta.lua tells of the
-- rest; nothing loads this file.

---@alias locus.Parts locus.Tensor[]
---@class locus.Indexing
---@field indexing? "ij"|"xy"
---@alias locus.Meshgrid
---| fun(tensors: any, ...: locus.Tensor|locus.Indexing): ...: locus.Tensor

---@class locus.Shared
---@field split fun(input: locus.Data, split_size_or_sections: locus.Dims, dim?: any): locus.Parts
---@field chunk fun(input: locus.Data, chunks: integer, dim?: integer): locus.Parts
---@field unbind fun(input: locus.Data, dim?: integer): locus.Parts

---@class locus
---@field meshgrid locus.Meshgrid
