-- SPDX-License-Identifier: MIT
-- The list of a frame in a folder, its file "frame": its columns, their types, order and files, and
-- the number of rows.
--
--   locus frame 2
--   stamp 5f3a9c0d1e2b4a68     no two lists have the same
--   files 3                    of the third frame that was written there: price.3.npy
--   rows 100
--   price float64
--   sym string 17              how many names it has
--   written 1764316.250000000  when its ids last were, which were right then: after an append
--   end
--
-- Version 1 had no stamp, and one set of files, price.npy, as the first frame of a folder has now.
local column = require "locus.frame.column"
local kinds = require "locus.tensor.kind"
local core = require "locus.core"
local internal = core.internal

local _, types = internal.dtypes()

-- A list is {stamp =, files =, rows =, {name =, dtype =, kind =, strings =}, ...}; `strings` is the
-- number of names of a column of strings, `bytes` that of their bytes, if some are lost. `seen` is
-- the time of the last write to its ids, before an append.
local manifest = {}

manifest.MOST = 2 ^ 24 -- bytes of the file

-- -- Names of files: none is read from a file ---------------------------------------------------

-- The name of a column as that of a file: letters, digits, _ and - stay as they are.
function manifest.escape(name)
  return (name:gsub("[^%w_-]", function(c) return ("%%%02X"):format(c:byte()) end))
end
local escape = manifest.escape

local function unescape(text)
  local name = text:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end)
  return escape(name) == text and name or nil
end

-- The file of a column of the list; `part` is "names", "ends", "index" or nil.
function manifest.file(list, entry, part)
  local number = list.files > 0 and internal.format(".%d", list.files) or ""
  return ("%s%s%s.npy"):format(escape(entry.name), part and "." .. part or "", number)
end

-- All files of a list, its first one first.
function manifest.all(list)
  local files = {}
  for _, entry in ipairs(list) do
    files[#files + 1] = manifest.file(list, entry)
    for _, part in ipairs(entry.strings and {"names", "ends", "index"} or {}) do
      files[#files + 1] = manifest.file(list, entry, part)
    end
  end
  return files
end

-- -- Lists as text --------------------------------------------------------------------------------

-- The list of a frame that is not written yet.
function manifest.of(state)
  local list = {rows = state.rows}
  for i, name in ipairs(state.names) do
    local tensor, dictionary = column.parts(state.columns[name])
    list[i] = {name = name, dtype = internal.dtype_of(tensor), kind = state.kinds[name],
               strings = dictionary and internal.dictionary_count(dictionary)}
  end
  return list
end

-- The type of a column, as one word or two: "string", "float64", "time us".
function manifest.type(entry)
  if entry.strings then return "string" end
  if not entry.kind then return entry.dtype end
  return entry.kind.type .. (entry.kind.unit and " " .. entry.kind.unit or "")
end

-- The type of a column as one writes it in `types`: string, float64, time, {"time", unit = "ns"}.
function manifest.written_type(entry)
  local unit = entry.kind and entry.kind.unit
  if not unit or unit == "us" then return manifest.type(entry):match("^%S+") end
  return ('{"%s", unit = "%s"}'):format(entry.kind.type, unit)
end

local function line_of(entry)
  local count = entry.strings and (" %d"):format(entry.strings) or ""
  local seen = entry.seen and "\nwritten " .. entry.seen or ""
  return escape(entry.name) .. " " .. manifest.type(entry) .. count .. seen
end

-- The text of a list, with a stamp of its own.
function manifest.text(list)
  local lines = {"locus frame 2", "stamp " .. internal.stamp(),
                 internal.format("files %d\nrows %d", list.files, list.rows)}
  for _, entry in ipairs(list) do lines[#lines + 1] = line_of(entry) end
  return table.concat(lines, "\n") .. "\nend\n"
end

-- The entry of a line; nil if it is none.
local function entry_of(line)
  local text, word, more = line:match("^(%S+) (%S+) ?(%S*)$")
  local name = text and unescape(text)
  if not name or name == "" then return nil end
  if word == "string" then
    local count = tonumber(more:match("^%d+$"))
    return count and count < 2 ^ 31 and {name = name, dtype = "int32", strings = count} or nil
  elseif column.kinds[word] then
    local kind = kinds.named(word, more)
    return kind and {name = name, dtype = "int64", kind = kind}
  end
  return types[word] and more == "" and {name = name, dtype = word} or nil
end

-- The version, the number of its files, and the rest of a text, beginning with its rows.
local function head_of(text)
  local rest = text:match("^locus frame 1\n(.*)$")
  if rest then return 1, 0, rest end
  local files
  files, rest = text:match("^locus frame 2\nstamp %x+\nfiles (%d+)\n(.*)$")
  return 2, tonumber(files), rest
end

-- The list of a text; nil if it is none.
function manifest.parse(text)
  local version, files, rest = head_of(text)
  local rows, lines = (rest or ""):match("^rows (%d+)\n(.*)$")
  if not rows or not lines:find("end\n$") then return nil end
  local list, seen = {version = version, files = files, rows = tonumber(rows)}, {}
  for line in lines:sub(1, -5):gmatch("(.-)\n") do
    local last, time = list[#list], line:match("^written (%-?%d+%.%d+)$")
    if time and last and last.strings then
      last.seen = time
    else
      local entry = entry_of(line)
      if not entry or seen[entry.name] then return nil end
      list[#list + 1], seen[entry.name] = entry, true
    end
  end
  return list.rows <= 2 ^ 53 and files < 2 ^ 53 and list or nil
end

return manifest
