-- SPDX-License-Identifier: MIT
-- The typed lines of earlier sessions: a file in the user's folder for state, to which every entry
-- is added at once. An entry begins a line; its further lines begin with a tab.
local internal = require("locus.core").internal

local history = {}

local MOST, TOO_MANY = 1000, 2000 -- entries that are kept when a file is read that has too many

-- The folder by the XDG base directory specification; nil without a home.
local function folder()
  local state, home = os.getenv("XDG_STATE_HOME"), os.getenv("HOME")
  if state and state:find("^/") then return state .. "/locus" end
  return home and home ~= "" and home .. "/.local/state/locus" or nil
end

function history.path()
  local path = folder()
  return path and path .. "/history"
end

local function encoded(entry) return (entry:gsub("^%s+", ""):gsub("\n", "\n\t")) .. "\n" end

local function parse(text)
  local list = {}
  for line in text:gmatch("([^\n]*)\n") do
    local more = line:match("^\t(.*)$")
    if more and #list > 0 then
      list[#list] = list[#list] .. "\n" .. more
    elseif line ~= "" then
      list[#list + 1] = line
    end
  end
  return list
end

local WAIT = 2    -- seconds for others to let go of the file; what takes so long is not waited for
local TRIES = 100 -- of a file that others replace meanwhile

-- The open file, locked against other sessions, and whether another one has the lock; nil if there
-- is none. A session that shortens the file replaces it, so that a lock counts only if the file
-- still has its name. A file system without locks has none.
local function open_locked(path, mode)
  for _ = 1, TRIES do
    local file = io.open(path, mode)
    if not file then return nil end
    local ok, got = pcall(internal.lock_file, file, true, WAIT)
    local counts = not ok or not got or internal.is_linked(file)
    if counts then return file, ok and got == false end
    file:close()
  end
end

-- Puts the last entries of the file in the place of all; a failure to write leaves the file. They
-- are read again under the lock: others may have added some, or shortened it.
local function shorten(path)
  local file, is_taken = open_locked(path, "rb")
  local list = file and parse(file:read("*a") or "") or {}
  local kept = {unpack(list, math.max(#list - MOST + 1, 1))}
  if #list > TOO_MANY and not is_taken then
    pcall(require("locus.files.file").write, path, function(put)
      for _, entry in ipairs(kept) do put(encoded(entry)) end
    end, false)
  end
  if file then file:close() end
  return #list > TOO_MANY and kept or list
end

-- The entries that there are, the oldest first.
function history.read()
  local path = history.path()
  local file = path and io.open(path, "rb")
  if not file then return {} end
  local list = parse(file:read("*a") or "") -- a folder has none
  file:close()
  return #list > TOO_MANY and shorten(path) or list
end

local function make_folder()
  local quoted = folder():gsub("'", "'\\''")
  os.execute(("mkdir -p -m 700 '%s' 2>/dev/null"):format(quoted))
end

-- Makes sure that there is a file, which nobody else may read; nil and why where it cannot be.
function history.make()
  local path = history.path()
  if not path then return nil, "there is no home" end
  if internal.private_file(path) then return path end
  make_folder()
  local made, why = internal.private_file(path)
  if made then return path end
  return nil, ("'%s': %s"):format(path, why)
end

-- Adds an entry. Where nothing can be written, nothing is kept, in silence.
function history.add(entry)
  if not entry:find("%S") then return end
  local path = history.make()
  local file = path and open_locked(path, "ab")
  if not file then return end
  file:write(encoded(entry))
  file:close()
end

return history
