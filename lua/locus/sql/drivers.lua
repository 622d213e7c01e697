-- SPDX-License-Identifier: MIT
-- Finds drivers of ADBC: by the option `driver`, in the folders of ADBC's manifests, by the
-- loader's path, and among the packages of python3, which is asked once for each driver.
local adbc = require "locus.sql.adbc"
local declare = require "locus.call.declare"
local file = require "locus.files.file"
local structs = require "locus.arrow.structs"
local internal = require("locus.core").internal
local has_ffi, ffi = pcall(require, "ffi")

local drivers = {}

local ENDING = has_ffi and ffi.os == "OSX" and "dylib" or "so"

-- By name: what errors call it, Python's package and its module, and names of libraries and entries
-- of its own.
local KNOWN = {
  sqlite = {title = "SQLite", package = "adbc-driver-sqlite", module = "adbc_driver_sqlite"},
  postgresql = {title = "PostgreSQL", package = "adbc-driver-postgresql",
                module = "adbc_driver_postgresql"},
  duckdb = {title = "DuckDB", package = "duckdb", module = "_duckdb duckdb.duckdb",
            library = "libduckdb", entry = "duckdb_adbc_init"},
}

-- Prints the path of the driver in a package, and the library of Python itself, whose symbols
-- modules such as DuckDB's need.
local ASK = [[
import importlib.util as u, os, sys, sysconfig as c
for name in sys.argv[1:]:
    try: s = u.find_spec(name)
    except Exception: s = None
    if not s or not s.origin: continue
    d = os.path.dirname(s.origin)
    inside = [os.path.join(d, f) for f in os.listdir(d) if f.startswith('libadbc_driver')]
    print(s.origin if s.origin.endswith(('.so', '.dylib')) else inside[0] if inside else '')
    n = 'libpython%d.%d.so.1.0' % sys.version_info[:2]
    if sys.platform == 'darwin': n = c.get_config_var('LDLIBRARY') or ''
    p = os.path.join(c.get_config_var('LIBDIR') or '', n)
    print(p if os.path.exists(p) else n)
    break
]]

-- The driver in the packages of python3, and Python's own library; nil where there is none.
local function ask_python(known, name)
  local modules = known and known.module or "adbc_driver_" .. name
  local command = ("python3 -c \"%s\" %s 2>/dev/null"):format(ASK, modules)
  local pipe = io.popen(command)
  if not pipe then return nil end
  local path, python = pipe:read "*l", pipe:read "*l"
  pipe:close()
  if path and path ~= "" then return path, python end
end

-- -- Folders -------------------------------------------------------------------------------------

-- Where ADBC's driver managers look for manifests.
local function folders()
  local list = {}
  for folder in (os.getenv "ADBC_DRIVER_PATH" or ""):gmatch "[^:]+" do list[#list + 1] = folder end
  local home = os.getenv "HOME"
  for _, variable in ipairs {"VIRTUAL_ENV", "CONDA_PREFIX"} do
    local prefix = os.getenv(variable)
    if prefix then list[#list + 1] = prefix .. "/etc/adbc/drivers" end
  end
  if home then
    list[#list + 1] = home .. (ENDING == "so" and "/.config/adbc/drivers"
      or "/Library/Application Support/ADBC/Drivers")
  end
  list[#list + 1] = "/etc/adbc/drivers"
  return list
end

-- The machine as manifests name it.
local function platform()
  local cpus = {x64 = "amd64", x86 = "x86", arm64 = "arm64", arm = "arm"}
  return (ffi.os == "OSX" and "macos" or ffi.os:lower()) .. "_" .. (cpus[ffi.arch] or ffi.arch)
end

-- The library and the entry that a manifest names. It is TOML: [Driver] has `shared`, or a table of
-- that name has one path for each platform.
local function read_manifest(path)
  local opened = io.open(path)
  if not opened then return nil end
  local text = opened:read "*a"
  opened:close()
  local section, library, entry = "", nil, nil
  for line in text:gmatch "[^\r\n]+" do
    section = line:match "^%s*%[%s*([%w_.]+)%s*%]" or section
    local key, value = line:match "^%s*([%w_.]+)%s*=%s*[\"'](.-)[\"']%s*#?"
    local full = key and section .. "." .. key
    if full == "Driver.entrypoint" then entry = value
    elseif full == "Driver.shared" or full == "Driver.shared." .. platform() then library = value
    end
  end
  if not library then
    declare.raise("the manifest '%s' names no driver for %s", path, platform())
  end
  return library, entry
end

-- The first manifest or library of that name in those folders.
local function look_in_folders(name, library)
  for _, folder in ipairs(folders()) do
    local path, entry = read_manifest(folder .. "/" .. name .. ".toml")
    if path then return path, entry end
    path = folder .. "/" .. library .. "." .. ENDING
    if file.exists(path) then return path end
  end
end

-- -- Loading -------------------------------------------------------------------------------------

-- The entry functions that a driver may have: `given` alone where a manifest names one.
local function entries_of(name, given)
  if given then return {given} end
  local camel = name:gsub("^%l", string.upper)
  return {KNOWN[name] and KNOWN[name].entry or "AdbcDriverInit", "AdbcDriverInit",
          ("AdbcDriver%sInit"):format(camel), "duckdb_adbc_init"}
end

local function load(name, path, entry)
  local library, reason = adbc.open(path)
  if not library then
    declare.raise("the driver '%s' cannot be loaded: %s", path, reason)
  end
  local title = KNOWN[name] and KNOWN[name].title or name
  return adbc.driver(library, entries_of(name, entry), title, path)
end

-- A driver among Python's packages. A module of Python itself needs Python's library.
local function load_of_python(name, known)
  local path, python = ask_python(known, name)
  if not path then return nil end
  local library, reason = adbc.open(path)
  if not library and reason:find "Py" and python and python ~= "" then
    local _, lacking = adbc.open(python, true)
    if lacking then
      declare.raise("Python's package duckdb needs %s, which is not installed: on Debian, apt "
        .. "install %s; or give the path of DuckDB's own library: driver = \"/path/libduckdb.so\"",
        python, (python:match "libpython[%d.]+%d" or "libpython3-dev"):gsub("%.so.*", ""))
    end
  end
  return load(name, path)
end

local function raise_missing(name, known, library)
  declare.raise("no driver of ADBC for %s was found: %s, or give its path: driver = "
    .. "\"/path/%s.%s\"", known and known.title or name,
    known and "pip install " .. known.package
      or ("install adbc-driver-%s"):format(name), library, ENDING)
end

local function find(name)
  local known = KNOWN[name]
  local library = known and known.library or "libadbc_driver_" .. name
  local path, entry = look_in_folders(name, library)
  if path then return load(name, path, entry) end
  if adbc.open(library .. "." .. ENDING) then return load(name, library .. "." .. ENDING) end
  return load_of_python(name, known) or raise_missing(name, known, library)
end

local loaded = {} -- by name, and by path

--- The driver of that name; `driver` is the path of its library or manifest, or another name.
function drivers.get(name, driver)
  structs.need_ffi()
  if driver and not driver:find "[/.]" then name, driver = driver, nil end
  if not name:find "^[%w_+.-]+$" or driver and driver:find("\0", 1, true) then
    declare.raise("'driver' must be the path of a library or the name of a driver, got %s",
      internal.describe(driver or name))
  end
  local key = driver and name .. "\0" .. driver or name
  if loaded[key] then return loaded[key] end
  local made
  if not driver then made = find(name)
  elseif driver:find "%.toml$" then
    local path, entry = read_manifest(driver)
    if not path then declare.raise("there is no file '%s'", driver) end
    made = load(name, path, entry)
  else made = load(name, driver) end
  loaded[key] = made
  return made
end

return drivers
