-- SPDX-License-Identifier: MIT
-- The driver of ADBC for specs, spec/support/programs/adbc.c: compiled and loaded when it is first
-- asked for. `uri` and `driver` are how it is opened.
local ffi = require "ffi"

ffi.cdef [[
  int fake_live(int kind); int fake_disorder(void); void fake_version(int version);
  void fake_fail(const char *name, int n); const char *fake_notes(void); void fake_forget(void);
]]

local fake, library = {uri = "fake:"}, nil

--- Compiles the driver into a file.
function fake.compile(path)
  local top = debug.getinfo(1, "S").source:match("^@(.*)spec/support/data/adbc%.lua$")
  local status = os.execute(("env -u LD_PRELOAD cc -std=gnu11 -I'%ssrc' -shared -fPIC -O1 "
    .. "'%sspec/support/programs/adbc.c' -o %s"):format(top, top, path))
  assert(status == 0 or status == true, "the driver for specs does not compile")
  return path
end

-- The driver, which stays loaded by the name of a file that is gone.
local function loaded()
  if library then return library end
  local path = os.tmpname()
  fake.driver = fake.compile(path .. ".so")
  os.remove(path)
  library = ffi.load(fake.driver)
  require("locus.sql.drivers").get("fake", fake.driver)
  os.remove(fake.driver)
  return library
end

setmetatable(fake, {__index = function(_, key)
  return key == "driver" and loaded() and fake.driver or nil
end})

local KINDS = {"databases", "connections", "statements", "streams", "arrays", "schemas", "failures"}

--- What lives, in words; "" where all was released, in the right order.
function fake.living()
  local list = {}
  for i, kind in ipairs(KINDS) do
    local n = loaded().fake_live(i - 1)
    if n ~= 0 then list[#list + 1] = n .. " " .. kind end
  end
  if loaded().fake_disorder() > 0 then list[#list + 1] = "released in the wrong order" end
  return table.concat(list, ", ")
end

--- What was called since the last question.
function fake.notes()
  local text = ffi.string(loaded().fake_notes())
  loaded().fake_forget()
  return text
end

--- The n-th call of that function from now on fails, and all later ones; none without a name.
function fake.fail(name, n) loaded().fake_fail(name or "", n or 1) end

--- The newest version of ADBC that the driver has.
function fake.version(version) loaded().fake_version(version) end

return fake
