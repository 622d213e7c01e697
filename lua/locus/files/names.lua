-- SPDX-License-Identifier: MIT
-- The names of string columns in files: their bytes one behind the other, where each ends, and an
-- index (src/text/names/index.h), by which strings find their numbers without a look at the others.
-- `at` is where a column's files are: {folder =, path =, list =, entry =}.
local core = require "locus.core"
local file = require "locus.files.file"
local growing = require "locus.files.growing"
local ids_of = require "locus.frame.ids"
local manifest = require "locus.files.manifest"
local npy = require "locus.files.npy"
local internal, methods = core.internal, core.methods

local _, types = internal.dtypes()

local names = {}

local function path_of(at, part)
  return at.path .. "/" .. manifest.file(at.list, at.entry, part)
end

-- Writes a tensor on the CPU in C order as a whole file of the folder.
function names.write_file(at, part, x, option, sync)
  file.write(path_of(at, part), function(put)
    put(npy.header(internal.dtype_of(x), methods.size(x)))
    put(x)
  end, option, file.size_of(x), {folder = at.folder, sync = sync})
end

-- The results of f(handle, path), which reads or writes one of the files.
function names.with_file(at, part, mode, f)
  local path = path_of(at, part)
  return file.with_in(at.folder, path, mode, function(handle) return f(handle, path) end)
end

local function damaged(at)
  file.fail(at.path, "holds damaged names of column '%s'", at.entry.name)
end

-- Raises, with that advice, unless that many elements are left in a file.
function names.check_left(path, handle, dtype, count, advice)
  local left, bytes = file.left(handle), count * types[dtype].size
  if left and left < bytes then file.fail_cut(path, left, bytes, advice) end
end

-- Whether a header counts that many elements of that dtype in one dimension.
local function has(layout, dtype, count)
  return layout.dtype == dtype and #layout.sizes == 1 and layout.sizes[1] >= count and count >= 0
end

-- How many elements of that dtype one of the files has whole.
function names.count_whole(at, part, dtype)
  return names.with_file(at, part, "r", function(handle, path)
    local layout = npy.layout(file.source(path, handle))
    local whole = math.floor((file.left(handle) or 0) / types[dtype].size)
    return math.min(layout.sizes[1] or 0, whole)
  end)
end

-- One of the files, mapped; at least `count` elements of that dtype in one dimension.
local function map(at, part, dtype, count, mode, advice)
  return names.with_file(at, part, mode, function(handle, path)
    local layout = npy.layout(file.source(path, handle))
    if not has(layout, dtype, count) or layout.swapped then return nil end
    names.check_left(path, handle, dtype, layout.sizes[1], advice)
    return internal.map_file(handle, path, dtype, layout.sizes, handle:seek("cur"), mode == "r+")
  end)
end

-- The bytes and the ends of the names as they lie in the files.
local function map_names(at)
  local ends = map(at, "ends", "int64", at.entry.strings, "r", at.advice)
  local bytes = ends and map(at, "names", "uint8", 0, "r", at.advice)
  if not bytes then damaged(at) end
  return bytes, ends
end

-- -- Whole ones -----------------------------------------------------------------------------------

local function write_index(at, bytes, ends, count, more, sync)
  local words = internal.index_of_names(more, bytes, ends, count)
  if not words then damaged(at) end
  names.write_file(at, "index", words, false, sync)
end

function names.write(at, dictionary, option)
  local bytes, ends = internal.dictionary_texts(dictionary)
  names.write_file(at, "names", bytes, option, "file")
  names.write_file(at, "ends", ends, option, "file")
  write_index(at, bytes, ends, #ends, 0, "file")
end

-- The first `count` elements of one of the files, or all, which must be of that dtype.
local function read(at, part, dtype, count)
  return names.with_file(at, part, "r", function(handle, path)
    local source = file.source(path, handle)
    local layout = npy.layout(source)
    if not has(layout, dtype, count or 0) then damaged(at) end
    count = count or layout.sizes[1]
    local x = file.elements(source, dtype, {count}, false, at.advice)
    if layout.swapped then internal.swap_bytes(x) end
    return x
  end)
end

local function read_ends(at, count) return read(at, "ends", "int64", count) end

-- The dictionary of a column as it lies in its files. Where a name has several numbers there, which
-- an index that was damaged has led to, the number of each in the dictionary comes second.
function names.read(at)
  local ends, bytes = read_ends(at, at.entry.strings), read(at, "names", "uint8", at.entry.bytes)
  local dictionary, numbers = internal.dictionary_of(bytes, ends)
  if not dictionary then damaged(at) end
  return dictionary, numbers
end

-- Has the entry of a column count all the names that are there; how many.
function names.recover(at)
  local entry = at.entry
  local ends = read_ends(at, math.min(entry.strings, names.count_whole(at, "ends", "int64")))
  entry.bytes = names.count_whole(at, "names", "uint8")
  entry.strings = tonumber(core.sum(core.le(ends, entry.bytes)))
  return entry.strings
end

-- Ids as the files have them, by the numbers of their names in the dictionary. Those that name
-- nothing stay: they name nothing there either.
function names.renumber(ids, numbers)
  local host = methods.cpu(ids)
  local is_name = core.logical_and(core.ge(host, 1), core.le(host, #numbers))
  local found = numbers[core.where(is_name, host, core.ones_like(host))]
  return methods.to(core.where(is_name, found, host), ids.device)
end

-- -- Adding ---------------------------------------------------------------------------------------

local PIECE = 2 ^ 20 -- bytes of a file that is copied
local PARTS, WITH_NAMES = {"rows"}, {"rows", "names", "ends", "index"}

-- Makes the files of a column belong to this folder alone. A file with other names, as in a copy of
-- the folder by links, is replaced by a copy, so that no row goes into another folder's frame.
function names.own(at)
  for _, part in ipairs(at.entry.strings and WITH_NAMES or PARTS) do
    if part == "rows" then part = nil end
    if internal.has_other_names(at.folder, manifest.file(at.list, at.entry, part)) then
      names.with_file(at, part, "r", function(handle, path)
        local source = file.source(path, handle)
        file.write(path, function(put)
          local piece = source.read(PIECE)
          while piece ~= "" do
            put(piece)
            piece = source.read(PIECE)
          end
        end, false, nil, {folder = at.folder, sync = "file"})
      end)
    end
  end
end

-- When the ids were last written to.
function names.written_at(at)
  return names.with_file(at, nil, "r", internal.written_at)
end

-- Raises where one of the ids of the first `rows` names nothing, which might come to have a name
-- that is added. The list tells of ids that nobody has written to since they were looked at.
function names.check_ids(at, rows)
  if at.entry.seen and at.entry.seen == names.written_at(at) then return end
  local ids = map(at, nil, "int32", rows, "r")
  if not ids then return end -- to which nothing can be appended
  ids_of.check_count(ids[{{1, rows}}], at.entry.strings, ids_of.from(at.path, at.entry.name))
  methods.free(ids)
end

-- Puts rows behind the first `rows` of a file.
function names.append_file(at, part, dtype, rows, x, sync)
  names.with_file(at, part, "r+", function(handle, path)
    local state = growing.continue(path, dtype, {0}, handle, rows, at.advice)
    state.sync = sync
    growing.add(state, x, #x)
  end)
end

-- Cuts off the bytes that a failed append has put behind the rows, so that the disk has room again;
-- behind names, if it knew their end.
function names.cut(at, rows)
  local function cut(part, dtype, count)
    pcall(names.with_file, at, part, "r+", function(handle, path)
      growing.cut(growing.continue(path, dtype, {0}, handle, count))
    end)
  end
  cut(nil, at.entry.dtype, rows)
  if not at.names_end then return end
  cut("names", "uint8", at.names_end)
  cut("ends", "int64", at.entry.strings)
end

-- The words of the index, mapped for writing; nil if there is none that can be read.
local function map_index(at)
  local ok, words = file.try(map, at, "index", "int32", 0, "r+")
  return ok and words or nil
end

-- The numbers of different strings among the names; those that are new get the next ones.
local function number(at, bytes, ends, texts, text_ends)
  local count = at.entry.strings
  for _ = 1, 2 do
    local words = map_index(at)
    local ids = words and internal.number_names(words, bytes, ends, count, texts, text_ends)
    if words then methods.free(words) end
    if ids then return ids end
    write_index(at, bytes, ends, count, count + 2 * #text_ends, false)
  end
  file.fail(path_of(at, "index"), "has been replaced by another program")
end

-- The ids that a column's strings have in its files, to which the new ones are added.
function names.append(at, ids, own, sync)
  local count, bytes, ends = at.entry.strings, map_names(at)
  ids = internal.own(ids)
  local numbers, firsts = internal.factorize_host(ids, nil, internal.dictionary_count(own))
  local used = methods.index_select(ids, 1, firsts)
  local found = number(at, bytes, ends, internal.dictionary_texts_of(own, used))
  local new = methods.masked_select(used, core.gt(found, count))
  local start = count > 0 and tonumber(ends[count]) or 0
  at.names_end = start
  if #new > 0 then
    local more, more_ends = internal.dictionary_texts_of(own, new)
    names.append_file(at, "names", "uint8", start, more, sync)
    names.append_file(at, "ends", "int64", count, more_ends + start, sync)
  end
  methods.free(bytes)
  methods.free(ends)
  return methods.index_select(found, 1, numbers), count + #new
end

return names
