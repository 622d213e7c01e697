---@meta locus.reduced
-- SPDX-License-Identifier: MIT
-- What lua-language-server should know of reductions and running ones, as lua/locus/meta.lua tells
-- of the rest; nothing loads this file.

---@alias locus.Norm
---| fun(input: any, p?: any, dim?: any, keepdim?: boolean, named?: locus.Summed): any

---@class locus.Shared
---@field prod locus.Sum
---@field nansum locus.Sum
---@field nanmean locus.Sum
---@field nanmin locus.Reduction
---@field nanmax locus.Reduction
---@field norm locus.Norm
---@field logsumexp locus.Reduction
