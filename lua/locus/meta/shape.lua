---@meta locus.shape
-- SPDX-License-Identifier: MIT
-- What lua-language-server should know of functions of shape, as lua/locus/meta.lua tells of the
-- rest; nothing loads this file.

---@alias locus.Parts locus.Tensor[]
---@class locus.Indexing
---@field indexing? "ij"|"xy"
---@alias locus.Meshgrid
---| fun(tensors: any, ...: locus.Tensor|locus.Indexing): ...: locus.Tensor
---@alias locus.Flip
---| fun(input: locus.Data, dims?: any, ...: integer|locus.Out): locus.Tensor
---@alias locus.Tile
---| fun(input: locus.Data, dims: locus.Dims, ...: integer|locus.Out): locus.Tensor
---@alias locus.Roll
---| fun(input: any, shifts: locus.Dims, dims?: locus.Dims, named?: locus.Out): locus.Tensor

---@alias locus.Diff
---| fun(input: any, n?: integer, dim?: any, prepend?: any, append?: any, named?: locus.Out): any

---@class locus.Repeated
---@field out? locus.Tensor
---@field output_size? integer
---@field base? integer
---@alias locus.RepeatInterleave
---| fun(input: any, repeats?: any, dim?: integer, named?: locus.Repeated): locus.Tensor

---@class locus.Shared
---@field diff locus.Diff
---@field repeat_interleave locus.RepeatInterleave
---@field flip locus.Flip
---@field roll locus.Roll
---@field tile locus.Tile
---@field split fun(input: locus.Data, split_size_or_sections: locus.Dims, dim?: any): locus.Parts
---@field chunk fun(input: locus.Data, chunks: integer, dim?: integer): locus.Parts
---@field unbind fun(input: locus.Data, dim?: integer): locus.Parts

---@class locus
---@field meshgrid locus.Meshgrid
