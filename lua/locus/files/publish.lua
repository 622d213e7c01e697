-- SPDX-License-Identifier: MIT
-- How a folder of a frame changes. One program writes at a time: the one that holds the lock of the
-- file "frame.lock". A new frame goes into new files, price.3.npy, which "frame.3" names before
-- they are made; they are those of the folder once "frame.3" is renamed to "frame". Appended rows
-- are in the files behind the rows that "frame" counts, until another list takes its place. So
-- "frame" is right at any moment, and a reader never waits. Files that "frame" does not name go
-- when nobody needs them: readers lock the first of the files that they read, and a writer removes
-- the others, which lists named "frame.3" name.
local core = require "locus.core"
local file = require "locus.files.file"
local manifest = require "locus.files.manifest"
local internal = core.internal

local publish = {}

-- The text of a file of the folder; nil, the reason and whether it is not there.
function publish.read(at, name)
  local handle, reason, is_missing = file.open_in(at.folder, name, "r")
  if not handle then return nil, reason, is_missing end
  local most = math.min(file.left(handle) or manifest.MOST, manifest.MOST)
  local ok, text = file.try(file.source(at.path .. "/" .. name, handle).read, most)
  handle:close()
  if not ok then return nil, text end
  return text
end

local function write(at, name, text, sync)
  file.write(at.path .. "/" .. name, function(put) put(text) end, false, nil,
    {folder = at.folder, sync = sync})
end

local function remove(at, name) return internal.remove_in(at.folder, name) end

-- -- The lock -------------------------------------------------------------------------------------

-- By path the folders to which this very program writes. An interrupt may end a call before it has
-- let go.
local held = setmetatable({}, {__mode = "v"})

local function holder(handle)
  handle:seek("set", 0)
  local text = handle:read(200)
  return text and text:match("^[^\n]+") or "another program"
end

local function sign(handle)
  local id, machine = internal.this_process()
  handle:seek("set", 0)
  local now = os.date("%Y-%m-%d %H:%M:%S")
  handle:write(internal.format("process %d on %s, since %s\n", id, machine, now))
  internal.flush_file(handle) -- where the disk is full nobody reads it
end

-- Locks the folder; false where the lock is one that another program has removed since.
local function lock(at, wait)
  local handle, reason = file.open_in(at.folder, "frame.lock", "a")
  if not handle then file.fail(at.path, "cannot be locked: %s", reason) end
  local ok, got = pcall(internal.lock_file, handle, true, 0)
  if ok and got == false then
    collectgarbage() -- an interrupt may have left a handle of our own that is locked
    ok, got = pcall(internal.lock_file, handle, true, wait)
  end
  if not ok or got == false then
    local by = ok and holder(handle)
    handle:close()
    if not ok then error(got, 0) end
    file.fail(at.path, "is being written to by %s; waited %s s", by, wait)
  end
  if not internal.is_linked(handle) then return handle:close() and false end
  sign(handle)
  at.lock = handle
  return true
end

-- Whether a folder is one that a frame may be written to.
local function is_ours(at)
  for _, name in ipairs(internal.names_in(at.folder)) do
    if name == "frame" or name == "frame.lock" or name == "frame.writing" then return true end
  end
  return false
end

-- Makes the folder; whether it was made, and not by another program.
local function make(path)
  local made, reason = internal.make_folder(path)
  local is_folder, what = internal.is_folder(path)
  if made or is_folder then return made end
  if not what then file.fail(path, "cannot be made: %s", reason) end
  file.fail(path, "is %s, and a frame is saved in a folder of its own; name one%s", what,
    what == "a file" and ", or write f:write_csv(path)" or "")
end

local function open(path)
  local made = not internal.is_folder(path) and make(path)
  local folder, reason = internal.open_folder(path)
  if not folder then file.fail(path, "cannot be opened: %s", reason) end
  return {path = path, folder = folder, made = made}
end

local TRIES = 100 -- of folders that come and go

-- Opens a folder, which is made if it is missing, and locks it. {path =, folder =, lock =, made =,
-- whether it was made}.
local function begin(path, wait)
  for try = 1, TRIES do
    local at = open(path)
    if not at.made and not is_ours(at) then
      -- Another program may have made it just now, and lock it at once.
      if try > 20 or #internal.names_in(at.folder) > 0 then
        internal.close_folder(at.folder)
        file.fail(path, "is a folder that holds no frame: it stays as it is")
      end
      internal.pause(.005)
    elseif lock(at, wait) then
      return at
    end
    internal.close_folder(at.folder)
  end
  file.fail(path, "is being removed by another program")
end

-- The results of f(at), which changes the folder; others wait meanwhile, for `wait` seconds at
-- most.
function publish.with(path, wait, f)
  if held[path] then collectgarbage() end
  if held[path] then file.fail(path, "is being written to by a call that has not ended") end
  local at = begin(path, wait)
  held[path] = at
  local ok, result = pcall(f, at)
  if not ok and at.made then -- nothing of it stays
    remove(at, "frame.lock")
    os.remove(path)
  end
  at.lock:close()
  internal.close_folder(at.folder)
  held[path] = nil
  if not ok then error(result, 0) end
  return result
end

-- -- Files that nobody needs ----------------------------------------------------------------------

-- Removes the files of a list, unless somebody reads them. The first one, which readers look at,
-- goes first.
local function remove_files(at, list)
  local files = manifest.all(list)
  local handle, _, is_missing = file.open_in(at.folder, files[1] or "frame", "r")
  if not handle and not is_missing then return false end
  local free = not handle or internal.lock_file(handle, true, 0) ~= false
  for _, name in ipairs(free and files or {}) do remove(at, name) end
  if handle then handle:close() end
  return free
end

-- Removes all files that lists named "frame.3" name, except those of that number; and those that
-- programs have left beside others.
local function sweep(at, current)
  for _, name in ipairs(internal.names_in(at.folder)) do
    if name:find("%.npy%.%x+%.writing$") or name:find("^frame[%.%d]*%.%x+%.writing$") then
      remove(at, name)
    end
    local number = tonumber(name:match("^frame%.(%d+)$"))
    local list = number and number ~= current and manifest.parse(publish.read(at, name) or "")
    if number and (not list or list.files ~= number or remove_files(at, list)) then
      remove(at, name)
    end
  end
end

-- -- Changes --------------------------------------------------------------------------------------

-- The text of the current list, and the list: nil if there is none.
function publish.current(at)
  local text = publish.read(at, "frame")
  return text, text and manifest.parse(text)
end

local function check_unchanged(at, before)
  if publish.read(at, "frame") == before then return end
  file.fail(at.path, "has been written to by another program, which did not take the lock")
end

-- The first number that no files have.
local function new_number(at, before)
  local most = before and before.files or -1
  for _, name in ipairs(internal.names_in(at.folder)) do
    most = math.max(most, tonumber(name:match("^frame%.(%d+)$")) or -1)
  end
  return most + 1
end

-- Whether a file is there, or cannot be looked for.
local function is_there(at, name)
  local handle, _, is_missing = file.open_in(at.folder, name, "r")
  if handle then handle:close() end
  return not is_missing
end

-- Publishes the files of a new list, which fill(list) makes. An interrupt may come when they have
-- been published: then its plan has become the list that holds, and they stay.
function publish.replace(at, list, fill)
  local text, before = publish.current(at)
  list.files = new_number(at, before)
  local plan = internal.format("frame.%d", list.files)
  local ok, message = pcall(function()
    write(at, plan, manifest.text(list), "file")
    fill(list)
    check_unchanged(at, text)
    if before then write(at, internal.format("frame.%d", before.files), text, false) end
    local done, reason = internal.rename_in(at.folder, plan, "frame")
    if not done then file.fail(at.path, "cannot be written: %s", reason) end
  end)
  if not ok then
    if is_there(at, plan) and remove_files(at, list) then remove(at, plan) end
    error(message, 0)
  end
  remove(at, "frame.writing")
  sweep(at, list.files)
end

-- Publishes a list of the same files, to which rows were appended; `before` is the text of the one
-- that holds now.
function publish.append(at, list, before, sync)
  check_unchanged(at, before)
  write(at, "frame", manifest.text(list), sync and "folder")
  remove(at, "frame.writing")
end

return publish
