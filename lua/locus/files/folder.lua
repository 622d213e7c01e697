-- SPDX-License-Identifier: MIT
-- Frames in folders: f:save(folder), and what locus.load(folder) gives. A column is a file in
-- NumPy's format under its name, "price.npy"; of strings there are three: the ids, and the names'
-- bytes and ends, "sym.npy", "sym.names.npy", "sym.ends.npy". What is a column, of which type, and
-- how many rows there are, says the file "frame" alone, which is written last, in one step; and
-- while something is being written there is "frame.writing".
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.declare"
local file = require "locus.files.file"
local frame = require "locus.frame.frame"
local npy = require "locus.files.npy"
local progress = require "locus.progress"
local strings = require "locus.frame.strings"
local internal, methods = core.internal, core.methods

local FIRST_LINE = "locus frame 1"
local MOST_LISTED = 2 ^ 24 -- bytes of the file "frame"
local LONGEST = 200        -- bytes of a column's name as the name of a file

local folder = {}

-- -- Names of files: none is read from a file ---------------------------------------------------

-- The name of a column as that of a file: letters, digits, _ and - stand for themselves.
local function escape(name)
  return (name:gsub("[^%w_-]", function(c) return ("%%%02X"):format(c:byte()) end))
end

local function unescape(text)
  local name = text:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end)
  return escape(name) == text and name or nil
end

-- The path of a column's file; `part` is "names", "ends" or nil.
local function path_of(path, name, part)
  return ("%s/%s%s.npy"):format(path, escape(name), part and "." .. part or "")
end

-- -- The list of columns: the file "frame" --------------------------------------------------------
-- {rows =, {name =, dtype =, kind =, strings =}, ...}; `strings` is how many names a column of
-- strings has.

local function list_of(state)
  local list = {rows = state.rows}
  for i, name in ipairs(state.names) do
    local tensor, dictionary = column.parts(state.columns[name])
    list[i] = {name = name, dtype = internal.dtype_of(tensor), kind = state.kinds[name],
               strings = dictionary and internal.dictionary_count(dictionary)}
  end
  return list
end

-- The type of a column, as one word or two: "string", "float64", "time us".
local function type_of(entry)
  if entry.strings then return "string" end
  if not entry.kind then return entry.dtype end
  return entry.kind.type .. (entry.kind.unit and " " .. entry.kind.unit or "")
end

local function line_of(entry)
  local count = entry.strings and (" %d"):format(entry.strings) or ""
  return escape(entry.name) .. " " .. type_of(entry) .. count
end

local function write_list(path, list)
  local lines = {FIRST_LINE, internal.format("rows %d", list.rows)}
  for _, entry in ipairs(list) do lines[#lines + 1] = line_of(entry) end
  local text = table.concat(lines, "\n") .. "\nend\n"
  file.write(path .. "/frame.writing", function(put) put(text) end)
  local ok, reason = os.rename(path .. "/frame.writing", path .. "/frame")
  if not ok then file.fail(path, "cannot be written: %s", reason) end
end

local _, types = internal.dtypes()

-- The entry that a line stands for; nil where it stands for none.
local function entry_of(line)
  local text, word, more = line:match("^(%S+) (%S+) ?(%S*)$")
  local name = text and unescape(text)
  if not name or name == "" then return nil end
  if word == "string" then
    local count = tonumber(more:match("^%d+$"))
    return count and {name = name, dtype = "int32", strings = count}
  elseif column.kinds[word] then
    local unit = word == "time" and more or nil
    if word == "time" and not column.per_second[more] or word ~= "time" and more ~= "" then
      return nil
    end
    return {name = name, dtype = "int64", kind = {type = word, unit = unit}}
  end
  return types[word] and more == "" and {name = name, dtype = word} or nil
end

local function parse_list(text)
  local first, rows, rest = text:match("^([^\n]*)\nrows (%d+)\n(.*)$")
  if first ~= FIRST_LINE or not rest:find("end\n$") then return nil end
  local list, seen = {rows = tonumber(rows)}, {}
  for line in rest:sub(1, -5):gmatch("(.-)\n") do
    local entry = entry_of(line)
    if not entry or seen[entry.name] then return nil end
    list[#list + 1], seen[entry.name] = entry, true
  end
  return list.rows <= 2 ^ 53 and list or nil
end

-- The list of the frame in a folder; nil where there is none.
local function read_list(path)
  if not file.exists(path .. "/frame") then return nil end
  local text = file.with(path .. "/frame", "rb", function(handle)
    return file.source(path, handle).read(MOST_LISTED)
  end)
  local list = parse_list(text)
  if not list then file.fail(path, "holds no frame: its file 'frame' is damaged") end
  return list
end

-- -- Writing --------------------------------------------------------------------------------------

local function host(x) return methods.contiguous(methods.cpu(x)) end

-- Puts a new file in the place of one that others may have mapped, and keep.
local function replace(path, x, option)
  local here = host(x)
  file.write(path .. ".new", function(put)
    put(npy.header(internal.dtype_of(x), methods.size(x)))
    put(here)
  end, option, file.size_of(here))
  local ok, reason = os.rename(path .. ".new", path)
  if not ok then file.fail(path, "cannot be written: %s", reason) end
end

local function append(path, dtype, rows, x)
  local w = core.npy_writer(path, dtype, {append = true, rows = rows})
  w:write(x)
  w:close()
end

local function check(state)
  for _, name in ipairs(state.names) do
    local dtype = internal.dtype_of((column.parts(state.columns[name])))
    if not npy.has(dtype) then
      declare.raise("files have no %s: the column '%s'", dtype, name)
    elseif #escape(name) > LONGEST then
      declare.raise("the name of the column '%s...' is too long for that of a file",
        name:sub(1, 60))
    end
  end
end

local function remove_column(path, entry)
  os.remove(path_of(path, entry.name))
  if not entry.strings then return end
  os.remove(path_of(path, entry.name, "names"))
  os.remove(path_of(path, entry.name, "ends"))
end

-- Makes the folder, or sees that it is one of a frame, and marks it.
local function begin(path)
  if internal.is_folder(path) then
    if not file.exists(path .. "/frame") and not file.exists(path .. "/frame.writing") then
      file.fail(path, "is a folder that holds no frame: it stays as it is")
    end
  else
    local ok, reason = internal.make_folder(path)
    if not ok then file.fail(path, "cannot be made: %s", reason) end
  end
  file.write(path .. "/frame.writing", function() end)
end

local function write_frame(state, path, option)
  local list = list_of(state)
  local ok, before = pcall(read_list, path)
  begin(path)
  os.remove(path .. "/frame")
  for _, entry in ipairs(ok and before or {}) do
    if not state.columns[entry.name] then remove_column(path, entry) end
  end
  for _, entry in ipairs(list) do
    local tensor, dictionary = column.parts(state.columns[entry.name])
    replace(path_of(path, entry.name), tensor, option)
    if dictionary then
      local bytes, ends = internal.dictionary_texts(dictionary, 1)
      replace(path_of(path, entry.name, "names"), bytes, option)
      replace(path_of(path, entry.name, "ends"), ends, option)
    end
  end
  write_list(path, list)
end

-- -- Adding rows ----------------------------------------------------------------------------------

-- The dictionary of a column of strings as it lies in its files.
local function read_dictionary(path, entry)
  local parts = {}
  for i, part in ipairs {"names", "ends"} do
    local place = path_of(path, entry.name, part)
    parts[i] = file.with(place, "rb", function(handle)
      return methods.cpu(npy.read(file.source(place, handle), nil, false))
    end)
  end
  local bytes, ends = parts[1], parts[2]
  local fits = internal.dtype_of(bytes) == "uint8" and internal.dtype_of(ends) == "int64"
    and methods.dim(bytes) == 1 and methods.dim(ends) == 1 and #ends >= entry.strings
  local dictionary = fits
    and internal.dictionary_of(bytes, methods.narrow(ends, 1, 1, entry.strings))
  if not dictionary then file.fail(path, "holds damaged names of column '%s'", entry.name) end
  return dictionary
end

local function append_strings(path, entry, rows, ids, own)
  local there = read_dictionary(path, entry)
  local count = entry.strings
  local translated = strings.by_name(ids, internal.dictionary_gather(own, there, host(ids)))
  local bytes, ends = internal.dictionary_texts(there, count + 1)
  local before = internal.dictionary_texts(there, 1)
  local start = #before - #bytes
  append(path_of(path, entry.name, "names"), "uint8", start, bytes)
  append(path_of(path, entry.name, "ends"), "int64", count, ends + start)
  append(path_of(path, entry.name), "int32", rows, translated)
  entry.strings = internal.dictionary_count(there)
end

-- Raises unless the frame has the columns of the list, in any order, and no others.
local function check_same(list, state, path)
  local own = {}
  for _, entry in ipairs(list_of(state)) do own[entry.name] = type_of(entry) end
  for _, entry in ipairs(list) do
    local has = own[entry.name]
    if has ~= type_of(entry) then
      file.fail(path, "has a column '%s' of type %s, which the frame has %s", entry.name:sub(1, 60),
        type_of(entry), has and "as " .. has or "not")
    end
    own[entry.name] = nil
  end
  local more = next(own)
  if more then file.fail(path, "has no column '%s'", more:sub(1, 60)) end
end

local function append_frame(state, path, option)
  local list = read_list(path)
  if not list then return write_frame(state, path, option) end
  check_same(list, state, path)
  begin(path)
  for _, entry in ipairs(list) do
    local tensor, dictionary = column.parts(state.columns[entry.name])
    if dictionary then append_strings(path, entry, list.rows, tensor, dictionary)
    else append(path_of(path, entry.name), entry.dtype, list.rows, tensor) end
  end
  list.rows = list.rows + state.rows
  write_list(path, list)
end

-- Writes the frame to a folder, which is made, or has held a frame: what was there is lost, unless
-- its rows are appended to those that are there, whose columns must be the same. Who has mapped the
-- columns of a frame that is replaced keeps them. A write that has not ended, because the program
-- did, is told of when the folder is read.
-- `progress` as in read_csv, of each file that is written anew.
-- Errors: a folder without a frame; bfloat16; columns that differ; what the system says.
frame.method("save(frame:any, path:string, {append:boolean=false, progress:any=nil})",
  function(state, path, more, option)
    check(state)
    progress.check(option)
    if more and internal.is_folder(path) then append_frame(state, path, option)
    else write_frame(state, path, option) end
  end)

-- -- Reading --------------------------------------------------------------------------------------

-- The first rows of a column's file, read or mapped.
local function read_column(path, entry, rows, mmap, recover, option)
  local place = path_of(path, entry.name)
  local x = core.load(place, {mmap = mmap, progress = option})
  if internal.dtype_of(x) ~= entry.dtype or methods.dim(x) ~= 1 then
    file.fail(place, "is not what the frame says: %s", internal.describe(x))
  elseif #x < rows or #x > rows and not recover then
    file.fail(place, "has %d rows where the frame has %d", #x, rows)
  end
  return #x == rows and x or methods.narrow(x, 1, 1, rows)
end

-- Ids that are read are looked at; mapped ones when they are used.
local function check_ids(path, entry, ids, mmap)
  if mmap or #ids == 0 then return end
  if methods.min(ids) >= 1 and methods.max(ids) <= entry.strings then return end
  file.fail(path, "holds ids in column '%s' that name nothing", entry.name)
end

-- The frame in a folder; with `recover` what was there before a write that has not ended.
function folder.load(path, mmap, recover, option)
  local list = read_list(path)
  if file.exists(path .. "/frame.writing") and not (recover and list) then
    file.fail(path, "holds a frame whose last write has not ended%s", list
      and internal.format("; load it with {recover = true} for the %d rows before", list.rows)
      or "")
  end
  if not list then file.fail(path, "is a folder that holds no frame") end
  local names, columns, kinds = {}, {}, {}
  for i, entry in ipairs(list) do
    local x = read_column(path, entry, list.rows, mmap, recover, option)
    names[i], kinds[entry.name] = entry.name, entry.kind
    if entry.strings then
      check_ids(path, entry, x, mmap)
      x = strings.make(x, read_dictionary(path, entry))
    end
    columns[entry.name] = x
  end
  return frame.make(names, columns, kinds)
end

return folder
