---@meta locus.plot
-- SPDX-License-Identifier: MIT
-- What lua-language-server should know of functions that draw, as lua/locus/meta/locus.lua tells of
-- the rest; nothing loads this file.

---@class locus.Picture
---@field svg fun(picture: locus.Picture): string
---@field save fun(picture: locus.Picture, path: string)

---@class locus.Bars
---@field range? number[]
---@field width? integer
---@class locus.Line
---@field width? integer
---@class locus.Shades
---@field color? boolean
---@field width? integer
---@field height? integer
---@class locus.Curves
---@field points? boolean
---@field width? integer
---@field height? integer
---@class locus.Series : locus.Curves
---@field x? locus.Table
---@field names? string|string[]

---@alias locus.Plots
---| fun(frame: locus.Frame, x: string, names: string|string[], ...: string|locus.Curves): locus.Picture

---@class locus.Shared
---@field hist fun(input: locus.Table, bins?: locus.Data, named?: locus.Bars): locus.Picture
---@field image fun(input: locus.Table, named?: locus.Shades): locus.Picture
---@field plot fun(input: locus.Table, named?: locus.Series): locus.Picture
---@field spark fun(input: locus.Table, named?: locus.Line): locus.Picture
