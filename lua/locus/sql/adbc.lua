-- SPDX-License-Identifier: MIT
-- ADBC's C interface, as Lua sees it: the functions of a driver, and calls of them, whose errors
-- are sentences with the driver's own words. A driver's library stays until the process ends, since
-- arrays that it has given may be released at any time before.
-- Source: https://arrow.apache.org/adbc/current/format/specification.html
local declare = require "locus.call.declare"
local structs = require "locus.arrow.structs"
local has_ffi, ffi = pcall(require, "ffi")

local adbc = {}

-- The version of ADBC that has the whole struct, and the one before, which has it up to
-- StatementSetSubstraitPlan.
local VERSIONS = {1001000, 1000000}
local OK, NOT_IMPLEMENTED = 0, 2

-- An error whose vendor_code is 0 ends behind `release`, as version 1.0.0 has it.
if has_ffi and not pcall(ffi.typeof, "locus_adbc_driver") then
  ffi.cdef [[
    void *dlopen(const char *path, int flags);
    void *dlsym(void *library, const char *name);
    char *dlerror(void);
    typedef struct locus_adbc_error {
      char *message;
      int32_t vendor_code;
      char sqlstate[5];
      void (*release)(struct locus_adbc_error *);
      void *private_data, *private_driver;
    } locus_adbc_error;
    typedef struct locus_adbc_object { void *private_data, *private_driver; } locus_adbc_object;
    typedef uint8_t locus_adbc_status;
    typedef locus_adbc_status (*locus_adbc_call)(locus_adbc_object *, locus_adbc_error *);
    typedef locus_adbc_status (*locus_adbc_init)(locus_adbc_object *, locus_adbc_object *,
      locus_adbc_error *);
    typedef locus_adbc_status (*locus_adbc_set)(locus_adbc_object *, const char *, const char *,
      locus_adbc_error *);
    typedef locus_adbc_status (*locus_adbc_text)(locus_adbc_object *, const char *,
      locus_adbc_error *);
    typedef locus_adbc_status (*locus_adbc_bind)(locus_adbc_object *, locus_arrow_array *,
      locus_arrow_schema *, locus_adbc_error *);
    typedef locus_adbc_status (*locus_adbc_execute)(locus_adbc_object *, locus_arrow_stream *,
      int64_t *, locus_adbc_error *);
    typedef struct locus_adbc_driver {
      void *private_data, *private_manager, *release;
      locus_adbc_call DatabaseInit, DatabaseNew;
      locus_adbc_set DatabaseSetOption;
      locus_adbc_call DatabaseRelease, ConnectionCommit;
      void *ConnectionGetInfo, *ConnectionGetObjects, *ConnectionGetTableSchema,
        *ConnectionGetTableTypes;
      locus_adbc_init ConnectionInit;
      locus_adbc_call ConnectionNew;
      locus_adbc_set ConnectionSetOption;
      void *ConnectionReadPartition;
      locus_adbc_call ConnectionRelease, ConnectionRollback;
      locus_adbc_bind StatementBind;
      void *StatementBindStream;
      locus_adbc_execute StatementExecuteQuery;
      void *StatementExecutePartitions, *StatementGetParameterSchema;
      locus_adbc_init StatementNew;
      locus_adbc_call StatementPrepare, StatementRelease;
      locus_adbc_set StatementSetOption;
      locus_adbc_text StatementSetSqlQuery;
      void *StatementSetSubstraitPlan;
      void *since_1_1[29];
    } locus_adbc_driver;
    typedef locus_adbc_status (*locus_adbc_entry)(int, locus_adbc_driver *, locus_adbc_error *);
  ]]
end

local NOW, GLOBAL = 2, ffi and ffi.os == "OSX" and 8 or 0x100

-- The words of the dynamic loader about its last failure.
local function loader_said()
  local said = ffi.C.dlerror()
  return said ~= nil and ffi.string(said) or "no reason given"
end

--- A library that stays loaded, or nil and the reason. A global one lends its symbols to those that
--- are loaded later.
function adbc.open(path, global)
  local library = ffi.C.dlopen(path, NOW + (global and GLOBAL or 0))
  if library == nil then return nil, loader_said() end
  return library
end

-- -- Calls ---------------------------------------------------------------------------------------

-- By number, what a status means where a driver says nothing.
local MEANINGS = {"unknown error", "the driver does not implement this", "not found",
                  "it exists already", "an argument is invalid", "invalid state",
                  "the data is invalid", "integrity is violated", "internal error",
                  "input or output failed", "cancelled", "it took too long", "not authenticated",
                  "not authorized"}

-- A message in one line.
local function in_line(text)
  return (text:gsub("%s+", " "):gsub("^ ", ""):gsub("[ .]+$", ""))
end

-- What the driver says about a failure. The error is released, since it is read once.
local function words(status, failure)
  local said = failure.message ~= nil and in_line(ffi.string(failure.message)) or ""
  if said == "" then said = MEANINGS[status] or "error " .. status end
  local state = ffi.string(failure.sqlstate, 5):match "^%w%w%w%w%w$"
  if failure.release ~= nil then failure.release(failure) end
  return said .. (state and state ~= "00000" and (" (SQLSTATE %s)"):format(state) or "")
end

--- Calls a function of the driver by name. The answer is nil, or what the driver says of its
--- failure, and whether the driver lacks the function.
function adbc.try(driver, name, ...)
  local f = driver.functions[name]
  if f == nil then return "the driver has no " .. name, true end
  local arguments, n = {...}, select("#", ...) + 1
  local failure = ffi.new "locus_adbc_error"
  arguments[n] = failure
  local status = f(unpack(arguments, 1, n))
  if status == OK then return nil end
  return words(status, failure), status == NOT_IMPLEMENTED
end

--- The same; a failure raises.
function adbc.call(driver, name, ...)
  local said = adbc.try(driver, name, ...)
  if said then declare.raise("%s says: %s", driver.title, said) end
end

--- Raises the error of a stream's function.
function adbc.check_stream(driver, stream, status)
  if status == 0 then return end
  local said = stream.get_last_error(stream)
  declare.raise("%s says: %s", driver.title, said ~= nil and in_line(ffi.string(said))
    or "error " .. status)
end

--- A struct of ADBC or of Arrow that its owner releases, by lua/locus/sql/connection.lua's order.
function adbc.object() return ffi.new "locus_adbc_object" end
function adbc.stream() return ffi.new "locus_arrow_stream" end
function adbc.count() return ffi.new("int64_t[1]", -1) end

-- -- Drivers -------------------------------------------------------------------------------------

local function function_named(library, name)
  local f = ffi.C.dlsym(library, name)
  if f ~= nil then return ffi.cast("locus_adbc_entry", f) end
end

--- The driver of an open library: `entries` are names of its entry function, tried in turn; `title`
--- stands for it in errors; `path` names the library.
function adbc.driver(library, entries, title, path)
  structs.need_ffi()
  local entry
  for _, name in ipairs(entries) do entry = entry or function_named(library, name) end
  if not entry then
    declare.raise("'%s' is no driver of ADBC: it has no function %s", path,
      table.concat(entries, " or "))
  end
  local driver = {functions = ffi.new "locus_adbc_driver", title = title}
  local said
  for _, version in ipairs(VERSIONS) do
    local failure = ffi.new "locus_adbc_error"
    local status = entry(version, driver.functions, failure)
    if status == OK then return driver end
    said = words(status, failure)
    if status ~= NOT_IMPLEMENTED then break end
  end
  declare.raise("'%s' does not start: %s", path, said)
end

return adbc
