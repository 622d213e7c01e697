-- SPDX-License-Identifier: MIT
-- Files of tensors, folders of frames, time zones and pages of the help, right ones and others:
-- each is read, mapped or refused in one sentence, and nothing is left. Gives {check = f(bytes),
-- seeds = f(), write_seeds = f(folder)}; the first byte of an input says what the others are. Needs
-- the folder FUZZ_FOLDER for files of its own.
local internal = require "locus.core".internal
local locus = require "locus"
local pages = require "locus.help.pages"
local terminal = require "locus.help.terminal"

local folder = assert(os.getenv "FUZZ_FOLDER", "FUZZ_FOLDER names a folder")
local path, frame = folder .. "/input", folder .. "/frame"
assert(os.execute("mkdir -p " .. frame) == 0)

local function write(name, bytes)
  local file = assert(io.open(name, "wb"))
  file:write(bytes)
  file:close()
end

local function refused(f, ...)
  local ok, result = pcall(f, ...)
  if ok then return nil, result end
  local message = tostring(result)
  assert(message:find "load: '" or message:find "from_file: '" or message:find "out of memory",
    "this is no sentence of ours: " .. message)
  return message
end

-- Looks at every element.
local function look(value)
  if locus.is_tensor(value) then
    local count = value:count_nonzero()
    assert(count <= value:numel())
    return
  end
  if type(value) == "table" then
    for _, tensor in pairs(value) do look(tensor) end
    return
  end
  for _, name in ipairs(value:columns()) do
    local c = value:column(name)
    assert(#c == #value)
    if locus.is_tensor(c) then
      look(c)
    else -- mapped ids are looked at when they are used
      local ok, list = pcall(c.totable, c)
      assert(ok and #list == #c or list:find "is none of the %d+ names", list)
    end
  end
end

-- Read and mapped, it is the same.
local function check_load(name)
  local message, read = refused(locus.load, name)
  if not message then look(read) end
  local other, mapped = refused(locus.load, name, {mmap = "r"})
  if other then return end
  look(mapped)
  if locus.is_tensor(read) then assert(read:tobytes() == mapped:tobytes()) end
end

local targets = {}

function targets.file(bytes)
  write(path, bytes)
  check_load(path)
end

-- The list of columns and their files, each behind its length in two bytes.
local PARTS = {"frame", "a.npy", "s.npy", "s.names.npy", "s.ends.npy"}

function targets.frame(bytes)
  local at = 1
  for _, name in ipairs(PARTS) do
    local low, high = bytes:byte(at, at + 1)
    local size = (low or 0) + 256 * (high or 0)
    write(frame .. "/" .. name, bytes:sub(at + 2, at + 1 + size))
    at = at + 2 + size
  end
  check_load(frame)
  local _, recovered = refused(locus.load, frame, {recover = true})
  if recovered then look(recovered) end
end

local DTYPES = {"bool", "uint8", "int16", "float32", "int64", "complex128"}

function targets.elements(bytes)
  local dtype, offset, count = bytes:byte(1, 3)
  if not count then return end
  write(path, bytes:sub(4))
  for _, mmap in ipairs {false, "r"} do
    local message, x = refused(locus.from_file, path, DTYPES[dtype % #DTYPES + 1],
      {offset = offset, count = count < 200 and count or nil, mmap = mmap or nil})
    if not message then look(x) end
  end
end

-- A file of a zone, up to its rule.
local BLOCK = "TZif2" .. ("\0"):rep(15) .. ("\0\0\0\0"):rep(4) .. "\0\0\0\1\0\0\0\4"
  .. ("\0"):rep(6) .. "XYZ\0"
local NO_CHANGES = BLOCK .. BLOCK .. "\n"

local TIMES = locus.tensor({-2 ^ 40, -1, 0, 1e9, 1.7e9, 2 ^ 33, 2 ^ 40}, {dtype = "int64"})
local DAY_AND_MORE = 26 * 3600 -- the most that a zone is ahead of UTC or behind it

-- A time zone's file.
function targets.zone(bytes)
  local ok, zone = pcall(internal.parse_zone, bytes, "the file")
  if not ok then
    assert(zone:find "the file is " or zone:find "the file counts ",
      "this is no sentence of ours: " .. zone)
    return
  end
  local clocks = internal.clocks(TIMES, 1, zone)
  assert((clocks - TIMES):abs():max() <= DAY_AND_MORE and #clocks == #TIMES)
  local back = internal.unclocks(clocks, 1, zone, "first", "forward")
  assert(internal.clocks(back, 1, zone):eq(clocks):all())
end

-- The end of such a file.
function targets.rule(bytes)
  targets.zone(NO_CHANGES .. bytes .. "\n")
end

-- A page of the help, which is shown in any case.
function targets.page(bytes)
  for _, section in ipairs(pages.sections("page", bytes)) do
    for _, width in ipairs {20, 71} do
      for _, line in ipairs(terminal.lines(section.blocks, width)) do
        assert(not line:find "[%z\1-\8\10-\31]", "more than a tab moves the cursor")
      end
    end
  end
end

local order = {"file", "frame", "elements", "zone", "rule", "page"}
local checks = 0

local function check(bytes)
  if #bytes == 0 then return end
  targets[order[bytes:byte() % #order + 1]](bytes:sub(2))
  checks = checks + 1
  if checks % 100 > 0 then return end
  for _ = 1, 3 do collectgarbage() end
  assert(locus.live_bytes() < 1e6, "memory that nobody freed")
end

-- -- Inputs to begin with ------------------------------------------------------------------------

local function bytes_of(name)
  local file = assert(io.open(name, "rb"))
  local bytes = file:read "*a"
  file:close()
  return bytes
end

local function part(name)
  local bytes = bytes_of(name)
  return string.char(#bytes % 256, math.floor(#bytes / 256)) .. bytes
end

-- The longest input that fuzz/run makes.
local LONGEST = 2000

-- Small zones of the system, rules, and the beginning of pages.
local function add_texts(list)
  for _, name in ipairs {"UTC", "Asia/Kolkata", "Etc/GMT+5", "America/Bogota"} do
    local found, bytes = pcall(bytes_of, "/usr/share/zoneinfo/" .. name)
    if found and #bytes < LONGEST then list[#list + 1] = "\3" .. bytes end
  end
  for _, rule in ipairs {"CET-1CEST,M3.5.0,M10.5.0/3", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "<+05>-5",
                         "AAA5BBB4:30:10,J60/26,300/-1:59"} do
    list[#list + 1] = "\4" .. rule
  end
  for _, name in ipairs(pages.names) do
    list[#list + 1] = "\5" .. bytes_of("docs/" .. name .. ".md"):sub(1, LONGEST - 1)
  end
end

local function seeds()
  local list = {}
  for _, dtype in ipairs {"bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32",
                          "float64", "complex64", "complex128"} do
    for _, shape in ipairs {{}, {0}, {5}, {2, 3}} do
      locus.ones(shape, {dtype = dtype}):save(path)
      list[#list + 1] = "\0" .. bytes_of(path)
    end
  end
  local whole = list[#list]
  list[#list + 1] = (whole:gsub("False", "True ", 1))
  list[#list + 1] = (whole:gsub("<c16", ">c16", 1))
  locus.savez(path, {x = locus.arange(3), y = locus.ones(2, 2):gt(0)})
  list[#list + 1] = "\0" .. bytes_of(path)
  local saved = folder .. "/saved"
  locus.frame({{"a", {1, 2, 3}, "date"}, {"s", {"x", "", "x"}}}):save(saved)
  list[#list + 1] = "\1"
  for _, name in ipairs(PARTS) do list[#list] = list[#list] .. part(saved .. "/" .. name) end
  list[#list + 1] = "\2\4\0\255" .. ("12345678"):rep(3)
  add_texts(list)
  return list
end

local function write_seeds(to)
  for i, bytes in ipairs(seeds()) do write(("%s/seed-%03d"):format(to, i), bytes) end
end

return {check = check, seeds = seeds, write_seeds = write_seeds}
