-- SPDX-License-Identifier: MIT
-- The one place where a path, a list of paths or a pattern becomes a sequence of sources, for all
-- readers of text.
--
-- sources.open gives a source as source.lua has it. One of several files has more: next() moves it
-- on to the next file, and is false behind the last one; rewind() goes to the first; `before` is
-- the number of bytes in those it has left; `place` and `file` or `pull` are those of the file that
-- is open. A reader therefore reads until a source ends, asks next(), and goes on.
local paths = require "locus.source.paths"
local source = require "locus.source.source"
local internal = require "locus.core".internal

local sources = {}

-- Whether it can be opened again, which a pipe cannot.
local function is_regular(given)
  return type(given) == "string" and given ~= "-" and select(2, internal.is_folder(given)) ~=
    "no folder"
end

-- The items as {open = (gives the item's source, at its beginning), again = (whether it can do so
-- twice), length =}. Each file is opened here for a moment, so that none is missing later.
local function prepare(raise, items, separator)
  local list = {}
  for i, given in ipairs(items) do
    local is_path, one = type(given) == "string", {}
    local s = (not is_path or is_regular(given)) and source.open(raise, given, separator) or nil
    one.again, one.length = s and s.rewind ~= nil, s and s.length
    if s and is_path then
      s.close()
      function one.open() return source.open(raise, given, separator) end
    else
      if s then s.place = ("source[%d]"):format(i) end
      function one.open(keep)
        if one.used and one.used.rewind then one.used.rewind() end
        if one.used then return one.used end
        one.used = s or source.open(raise, given, separator)
        if keep then source.keep(raise, one.used) end
        return one.used
      end
    end
    list[i] = one
  end
  return list
end

local function total(list, name)
  local sum = 0
  for _, one in ipairs(list) do sum = sum and one[name] and sum + one[name] end
  return sum
end

-- One source of several items.
local function sequence(raise, list)
  local s, at, current, keep = {length = total(list, "length"), count = #list}, 0, nil, false
  local function leave() -- what can be opened again is closed
    if current and current.close and not list[at].used then current.close() end
    current = nil
  end
  function s.next()
    if current then s.before = s.before + (list[at].length or 0) end
    leave()
    if at == #list then return false end
    at = at + 1
    current = list[at].open(keep)
    s.place, s.file, s.pull = current.place, current.file, current.pull
    return true
  end
  local function rewind()
    leave()
    at, s.before = 0, 0
    s.next()
  end
  function s.keep()
    keep, s.rewind = true, rewind
    source.keep(raise, current)
    s.file, s.pull = current.file, current.pull
  end
  function s.close()
    leave()
    for _, one in ipairs(list) do
      if one.used and one.used.close then one.used.close() end
    end
  end
  local again = true
  for _, one in ipairs(list) do again = again and one.again end
  if again then s.rewind = rewind end
  rewind()
  return s
end

-- The source made of `given`: what source.open takes, a pattern, or a list of these.
function sources.open(raise, given, separator)
  local list = type(given) == "string" and paths.is_pattern(given) and {given}
    or type(given) == "table" and rawget(given, "text") == nil and #given > 0 and given
  if not list then
    local one = source.open(raise, given, separator)
    one.before = 0
    return one
  end
  local items = paths.items(raise, "source", list, source.takes,
    "paths, open files, functions and {text = s}")
  return sequence(raise, prepare(raise, items, separator))
end

-- A source that can be read twice: one that cannot be rewound is kept in memory.
function sources.keep(raise, s)
  if s.count then
    if not s.rewind then s.keep() end
  else
    source.keep(raise, s)
  end
end

return sources
