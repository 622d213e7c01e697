---@meta locus.frame
-- SPDX-License-Identifier: MIT
-- What lua-language-server should know of columns, as lua/locus/meta/locus.lua tells of the rest;
-- nothing loads this file.

---@alias locus.ByName table<string, locus.Data>

---@class locus.Strings
---@field ids locus.Tensor
---@field names string[]
---@field device string
---@field dtype "string"

---@alias locus.Kind "time"|"date"|"ipv4"|{[1]: "time", unit: "s"|"ms"|"us"|"ns"}
---@alias locus.Column locus.Tensor|locus.Strings|any[]
---@alias locus.Columns { [1]: string, [2]: locus.Column, [3]: locus.Kind? }[]
---@alias locus.NewNames table<string, string>
---@class locus.Row
---@field [string] any
---@overload fun(): table<string, any>
---@alias locus.Rows fun(): integer, locus.Row

---@alias locus.Part fun(part: locus.Frame|locus.Tensor, key: table<string, any>, i: integer)
---@class locus.Group
---@field keys locus.Frame
---@field ids locus.Tensor
---@operator len: integer

---@class locus.Windows

---@class locus.Frame
---@field bad locus.Frame|nil
---@field [string] locus.Tensor|locus.Strings
---@field [locus.Key] any
---@operator len: integer

---@alias locus.Format string|string[]|fun(element: any): string
---@alias locus.Target string|file*|fun(piece: string)
---@alias locus.ColumnType locus.Dtype|"string"|"time"|"date"|"ipv4"|"request_path"|table
---@alias locus.OneSource string|file*|(fun(): string?)|{text: string}
---@alias locus.TextSource locus.OneSource|locus.OneSource[]
---@alias locus.TextType locus.ColumnType|"request_path"|"skip"
---@alias locus.Divided locus.TextSource|locus.Tensor|locus.Strings|locus.Frame
