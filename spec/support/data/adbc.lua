-- SPDX-License-Identifier: MIT
-- The driver of ADBC for specs, spec/support/programs/adbc.c: compiled once, and loaded. `uri` and
-- `driver` are how it is opened.
local ffi = require "ffi"

ffi.cdef [[
  int fake_live(int kind); int fake_disorder(void); void fake_version(int version);
  void fake_fail(const char *name, int n); const char *fake_notes(void); void fake_forget(void);
]]

local fake = {uri = "fake:", driver = os.tmpname() .. ".so"}

--- Compiles the driver into a file.
function fake.compile(path)
  local status = os.execute("env -u LD_PRELOAD cc -std=gnu11 -Isrc -shared -fPIC -O1 "
    .. "spec/support/programs/adbc.c -o " .. path)
  assert(status == 0 or status == true, "the driver for specs does not compile")
  return path
end

local library = ffi.load(fake.compile(fake.driver))
os.remove((fake.driver:gsub("%.so$", "")))
require("locus.sql.drivers").get("fake", fake.driver)
os.remove(fake.driver) -- it stays loaded, by that name

local KINDS = {"databases", "connections", "statements", "streams", "arrays", "schemas", "failures"}

--- What lives, in words; "" where all was released, in the right order.
function fake.living()
  local list = {}
  for i, kind in ipairs(KINDS) do
    local n = library.fake_live(i - 1)
    if n ~= 0 then list[#list + 1] = n .. " " .. kind end
  end
  if library.fake_disorder() > 0 then list[#list + 1] = "released in the wrong order" end
  return table.concat(list, ", ")
end

--- What was called since the last question.
function fake.notes()
  local text = ffi.string(library.fake_notes())
  library.fake_forget()
  return text
end

--- The n-th call of that function from now on fails, and all later ones; none without a name.
function fake.fail(name, n) library.fake_fail(name or "", n or 1) end

--- The newest version of ADBC that the driver has.
fake.version = library.fake_version

return fake
