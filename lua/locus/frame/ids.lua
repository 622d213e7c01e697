-- SPDX-License-Identifier: MIT
-- Errors about ids of strings that lie in a file, where they may be damaged or change. Each use
-- checks the ids that it has read: a gather or a table of numbers in its loop, other uses on a
-- copy. This file says what is wrong, and in which file.
--
-- An origin says where ids come from: {path =, column =}, with `is_part` if they are a part of the
-- file's rows; or {pieces = {{rows =, origin =}, ...}} for rows that cat has joined.
local declare = require "locus.call.declare"
local internal = require("locus.core").internal

local ids_of = {}

-- The origin of a row, and which row it is there.
local function piece_of(origin, row)
  for _, piece in ipairs(origin.pieces or {}) do
    if row <= piece.rows then return piece.origin or {}, row end
    row = row - piece.rows
  end
  return origin, row
end

local function owner(origin)
  if not origin.path then return "a string column" end
  return origin.is_part and "a part of " .. origin.path or origin.path
end

-- Raises if one of the ids, or of copies of them, is not in 1..names.
function ids_of.check_count(ids, names, origin)
  local row, id = internal.find_stray(ids, names)
  if not row then return end
  origin, row = piece_of(origin or {}, row)
  declare.raise("%s has id %d in row %d%s, but names 1 to %d", owner(origin), id, row,
    origin.column and (" of column '%s'"):format(origin.column) or "", names)
end

-- The same of the names of a dictionary.
function ids_of.check(ids, dictionary, origin)
  return ids_of.check_count(ids, internal.dictionary_count(dictionary), origin)
end

-- The origin of ids in a column of the file or folder at that path.
function ids_of.from(path, name)
  return {path = ("'%s'"):format(path), column = name}
end

-- All files of the pieces as one text, and the first column.
local function sources(origin)
  local paths, seen, column = {}, {}, nil
  for _, piece in ipairs(origin.pieces) do
    local path = piece.origin and piece.origin.path
    if path and not seen[path] then paths[#paths + 1], seen[path] = path, true end
    column = column or piece.origin and piece.origin.column
  end
  return table.concat(paths, " or "), column
end

-- The origin of some of the rows, in any order.
function ids_of.part(origin)
  if not origin or origin.is_part then return origin end
  if not origin.part then
    local path, column = origin.path, origin.column
    if origin.pieces then path, column = sources(origin) end
    origin.part = {path = path, column = column, is_part = true}
  end
  return origin.part
end

-- The origin of joined columns that have these origins and numbers of rows; nil if none comes from
-- a file.
function ids_of.joined(origins, rows)
  if next(origins) == nil then return nil end
  local pieces = {}
  for i, count in ipairs(rows) do
    local inner = origins[i] and origins[i].pieces
    for _, piece in ipairs(inner or {{rows = count, origin = origins[i]}}) do
      pieces[#pieces + 1] = piece
    end
  end
  return {pieces = pieces}
end

return ids_of
