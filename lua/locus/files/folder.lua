-- SPDX-License-Identifier: MIT
-- Frames in folders: f:save(folder), and locus.load(folder). A column is a file in NumPy's format
-- under its name, "price.npy". A column of strings has four: the ids, and the names' bytes, ends
-- and index, "sym.npy", "sym.names.npy", "sym.ends.npy", "sym.index.npy". The file "frame"
-- (manifest.lua) alone says what is data; publish.lua says how it changes.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.call.declare"
local file = require "locus.files.file"
local frame = require "locus.frame.frame"
local ids_of = require "locus.frame.ids"
local manifest = require "locus.files.manifest"
local names = require "locus.files.names"
local npy = require "locus.files.npy"
local progress = require "locus.progress"
local promised = require "locus.files.promised"
local publish = require "locus.files.publish"
local strings = require "locus.frame.strings"
local internal, methods = core.internal, core.methods

local LONGEST = 200 -- bytes of a column's name as the name of a file

local folder = {}

-- -- Writing --------------------------------------------------------------------------------------

local function host(x) return methods.contiguous(methods.cpu(x)) end

local function check(state)
  for _, name in ipairs(state.names) do
    local tensor, dictionary = column.parts(state.columns[name])
    local dtype = internal.dtype_of(tensor)
    if dictionary then
      ids_of.check(tensor, dictionary, {path = "the frame", column = name:sub(1, 60)})
    end
    if not npy.has(dtype) then
      declare.raise("files have no %s: the column '%s'", dtype, name)
    elseif #manifest.escape(name) > LONGEST then
      declare.raise("the name of the column '%s...' is too long for a file name",
        name:sub(1, 60))
    end
  end
end

-- Where the files of a column are.
local function place(at, list, entry)
  return {folder = at.folder, path = at.path, list = list, entry = entry, advice = at.advice}
end

local function write_frame(at, state, option)
  publish.replace(at, manifest.of(state), function(list)
    for _, entry in ipairs(list) do
      local here = place(at, list, entry)
      local tensor, dictionary = column.parts(state.columns[entry.name])
      names.write_file(here, nil, host(tensor), option, "file")
      if dictionary then names.write(here, dictionary, option) end
    end
  end)
end

-- Raises unless the frame has the columns of the list, in any order, and no others.
local function check_same(list, state, path)
  local own = {}
  for _, entry in ipairs(manifest.of(state)) do own[entry.name] = manifest.written_type(entry) end
  for _, entry in ipairs(list) do
    local has, wanted = own[entry.name], manifest.written_type(entry)
    if has ~= wanted then
      file.fail(path, "has a column '%s' of type %s, which the frame %s", entry.name:sub(1, 60),
        wanted, has and "has as " .. has or "lacks")
    end
    own[entry.name] = nil
  end
  local more = next(own)
  if more then file.fail(path, "has no column '%s'", more:sub(1, 60)) end
end

-- Puts the rows behind those that the list counts; gives the list that counts them. `places` gets
-- where each column is that was written to.
local function append_columns(at, list, state, sync, places)
  local longer = {files = list.files, rows = list.rows + state.rows}
  for i, entry in ipairs(list) do
    places[i] = place(at, list, entry)
    if entry.strings then names.check_ids(places[i], list.rows) end
  end
  for i, entry in ipairs(list) do
    local here = places[i]
    local tensor, dictionary = column.parts(state.columns[entry.name])
    local x, count = host(tensor), nil
    if dictionary then x, count = names.append(here, x, dictionary, sync) end
    names.append_file(here, nil, entry.dtype, list.rows, x, sync)
    longer[i] = {name = entry.name, dtype = entry.dtype, kind = entry.kind, strings = count,
                 seen = dictionary and names.written_at(here)}
  end
  return longer
end

-- Nothing that the list counts changes before the list does, so that an error leaves the old frame.
local function append_frame(at, state, sync, option)
  local text, list = publish.current(at)
  if not text then return write_frame(at, state, option) end
  if not list then file.fail(at.path, "holds no frame: its file 'frame' is damaged") end
  check_same(list, state, at.path)
  at.advice = "load the frame with {recover = true} and save that over it, then append"
  for _, entry in ipairs(list) do names.own(place(at, list, entry)) end
  local places = {}
  local ok, result = pcall(append_columns, at, list, state, sync, places)
  if ok then ok, result = pcall(publish.append, at, result, text, sync) end
  if ok then return end
  if publish.read(at, "frame") == text then
    for _, here in ipairs(places) do names.cut(here, list.rows) end
  end
  error(result, 0)
end

-- Writes the frame to a folder, which is made, or has held a frame. Its files are new ones, and
-- replace the old ones in one step, when the disk has them. With `append` the rows come behind the
-- existing ones, whose columns must be the same. With `sync` the disk has them, too, when this
-- returns. Who has mapped or reads the columns of a frame that is replaced keeps them. Programs
-- that write to one folder wait for each other, `wait` seconds at most. `progress` as in read_csv,
-- of each file that is written anew.
-- Errors: a folder without a frame; bfloat16; columns that differ; one who writes for so long; what
-- the system says. Existing files are then as they were.
frame.method("save(frame:any, path:string, {append:boolean=false, sync:boolean=false, "
    .. "wait:number=60, progress:any=nil})",
  function(state, path, more, sync, wait, option)
    check(state)
    progress.check(option)
    if wait ~= wait or wait < 0 then
      declare.raise("'wait' must be 0 seconds or more, got %s", internal.describe(wait))
    end
    promised.check(path, "a folder of columns", "",
      'f:save("%s") for a folder, or f:write_csv("%s.csv")')
    publish.with(path, wait, function(at)
      if more then append_frame(at, state, sync, option) else write_frame(at, state, option) end
    end)
  end)

-- -- Reading --------------------------------------------------------------------------------------

-- The header of a column's file, which must agree with the frame: the layout.
local function read_layout(at, entry, source)
  local layout = npy.layout(source)
  if layout.dtype ~= entry.dtype or #layout.sizes ~= 1 then
    file.fail(source.path, "does not match the frame: it is a %s tensor of size %s", layout.dtype,
      #layout.sizes > 0 and table.concat(layout.sizes, "x") or "()")
  elseif layout.sizes[1] < at.rows then
    file.advise(source.path, at.advice, "has %d rows where the frame has %d", layout.sizes[1],
      at.rows)
  end
  return layout
end

-- The rows of a column's file that the frame counts, read or mapped.
local function read_column(at, entry)
  return names.with_file(at.place(entry), nil, at.mmap == "r+" and "r+" or "r",
    function(handle, path)
      local source = file.source(path, handle)
      local layout = read_layout(at, entry, source)
      if not at.mmap then
        local x = file.elements(source, layout.dtype, {at.rows}, at.option, at.advice)
        if layout.swapped then internal.swap_bytes(x) end
        return methods.to(x, core.get_default_device())
      end
      if layout.swapped then
        file.fail(path, "has the other byte order and cannot be mapped")
      end
      names.check_left(path, handle, layout.dtype, at.rows, at.advice)
      return internal.map_file(handle, path, layout.dtype, {at.rows}, handle:seek("cur"),
        at.mmap == "r+")
    end)
end

-- How many of the rows have a name, where the machine has lost some of a column's names.
local function rows_with_names(at, entry)
  local listed, known = entry.strings, names.recover(at.place(entry))
  if known == listed then return at.rows end
  local lost = core.nonzero(core.gt(read_column(at, entry), known))
  return #lost > 0 and lost[1][1] - 1 or at.rows
end

-- How many rows all columns have, where the machine has lost some of those that the frame counts.
local function rows_of_all(at, list)
  at.rows = list.rows
  for _, entry in ipairs(list) do
    at.rows = math.min(at.rows, names.count_whole(at.place(entry), nil, entry.dtype))
  end
  for _, entry in ipairs(list) do
    if entry.strings then at.rows = rows_with_names(at, entry) end
  end
  return at.rows
end

-- Locks the first file against being removed; nil if it is gone or going.
local function keep_files(at, list)
  local first = manifest.all(list)[1]
  if not first then return true end
  local handle = file.open_in(at.folder, first, "r")
  if not handle then return nil end
  if internal.lock_file(handle, false, 0) ~= false and internal.is_linked(handle) then
    return handle
  end
  handle:close()
end

-- The ids of a column where names have several, read in place of being mapped.
local function one_id_per_name(at, entry, ids, numbers)
  if at.mmap == "r+" then
    file.fail(at.path, "has duplicate names in column '%s', whose ids cannot be mapped for "
      .. "writing; load it without mmap, and save that", entry.name)
  end
  return names.renumber(ids, numbers)
end

local function read_frame(at, list)
  local columns, kinds, order = {}, {}, {}
  for i, entry in ipairs(list) do
    local x = read_column(at, entry)
    order[i], kinds[entry.name] = entry.name, entry.kind
    if entry.strings then
      local dictionary, numbers = names.read(at.place(entry))
      if numbers then x = one_id_per_name(at, entry, x, numbers) end
      local origin = ids_of.from(at.path, entry.name)
      if not at.mmap then ids_of.check(x, dictionary, origin) end -- once, for nobody else has it
      x = strings.make(x, dictionary, at.mmap and origin)
    end
    columns[entry.name] = x
  end
  return frame.make(order, columns, kinds)
end

-- The error for a folder without a list.
local function fail_empty(at)
  for _, name in ipairs(internal.names_in(at.folder)) do
    if name == "frame.writing" or name == "frame.lock" then
      file.fail(at.path, "holds a frame whose last write has not ended")
    end
  end
  file.fail(at.path, "is a folder that holds no frame")
end

-- Programs of before version 2 have a file there while they append.
local function check_ended(at, list, recover)
  if list.version > 1 or recover or not publish.read(at, "frame.writing") then return end
  file.fail(at.path, "holds a frame whose last write has not ended; load it with {recover = true} "
    .. "for the %d rows before", list.rows)
end

-- The frame in an open folder.
local function load(at, text, recover)
  if not text then fail_empty(at) end
  local list = manifest.parse(text)
  if not list then file.fail(at.path, "holds no frame: its file 'frame' is damaged") end
  check_ended(at, list, recover)
  function at.place(entry) return place(at, list, entry) end
  local kept = keep_files(at, list)
  at.rows = list.rows
  at.advice = not recover and "load it with {recover = true} for the rows that all columns have"
  local ok, result = pcall(function()
    if recover then at.rows = rows_of_all(at, list) end
    return read_frame(at, list)
  end)
  if io.type(kept) == "file" then kept:close() end
  if not ok then error(result, 0) end
  return result
end

-- Whether a program writes to the folder now.
local function is_locked(at)
  local handle = file.open_in(at.folder, "frame.lock", "r")
  local free = not handle or internal.lock_file(handle, false, 0)
  if handle then handle:close() end
  return free == false
end

local function open(path)
  local opened, reason = internal.open_folder(path)
  if not opened then file.fail(path, "cannot be opened: %s", reason) end
  return opened
end

local TRIES = 1000 -- attempts to read a list that others replace meanwhile

-- The frame in a folder. The folder is opened once, and the files that one list names are read. If
-- that failed while another list took its place, they are read anew.
function folder.load(path, mmap, recover, option)
  for try = 1, TRIES do
    local at = {path = path, folder = open(path), mmap = mmap, option = option}
    local text = publish.read(at, "frame")
    local ok, result = pcall(load, at, text, recover)
    local locked = not ok and is_locked(at)
    internal.close_folder(at.folder)
    if ok then return result end
    local is_stopped = type(result) ~= "string" or result:find("interrupted!", 1, true)
    local now = not is_stopped and internal.open_folder(path)
    local changed = now and publish.read({path = path, folder = now}, "frame") ~= text
    if try == TRIES or is_stopped or not changed and not (locked and try < 20) then
      error(result, 0)
    end
    internal.pause(.001)
  end
end

return folder
