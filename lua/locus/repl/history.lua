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

-- Puts the last entries in the place of all of them; a failure to write leaves the file.
local function shorten(path, list)
  local kept = {unpack(list, #list - MOST + 1)}
  pcall(require("locus.files.file").write, path, function(put)
    for _, entry in ipairs(kept) do put(encoded(entry)) end
  end, false)
  return kept
end

-- The entries that there are, the oldest first.
function history.read()
  local path = history.path()
  local file = path and io.open(path, "rb")
  if not file then return {} end
  local list = parse(file:read("*a") or "") -- a folder has none
  file:close()
  return #list > TOO_MANY and shorten(path, list) or list
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
  local file = path and io.open(path, "ab")
  if not file then return end
  file:write(encoded(entry))
  file:close()
end

return history
