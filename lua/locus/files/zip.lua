-- SPDX-License-Identifier: MIT
-- ZIP archives: the directory at the end of one, and the bytes of an entry; writing stored ones.
-- The names of an archive's entries are never used as paths.
-- Source: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT (version 6.3.10)
local core = require "locus.core"
local file = require "locus.files.file"
local internal, methods = core.internal, core.methods
local fail = file.fail

local zip = {}

zip.MOST_ENTRIES = 65536
zip.LONGEST_NAME = 1000 -- bytes

-- The signature at the start of each record. A zero marks the records of large archives, "zip64".
local LOCAL, CENTRAL, LAST = "PK\3\4", "PK\1\2", "PK\5\6"
local LAST_64, LOCATOR_64 = "PK\6\6", "PK\6\7"
local LOCAL_SIZE, CENTRAL_SIZE, LAST_SIZE, LAST_64_SIZE, LOCATOR_SIZE = 30, 46, 22, 56, 20

local STORED, DEFLATED = 0, 8
local INFLATION = 1032 -- deflate makes no more of a byte: two bits for a match of 258 bytes
local IN_64, COUNT_IN_64 = 0xFFFFFFFF, 0xFFFF -- in place of a size that does not fit
local EXTRA_64 = 1 -- the beginning of an extra field with such sizes

-- -- Numbers --------------------------------------------------------------------------------------

-- The unsigned number at a place counted from 0. Beyond 2^53 it is rounded, and larger than a file.
local function number(bytes, at, width)
  local value = 0
  for i = at + width, at + 1, -1 do value = 256 * value + bytes:byte(i) end
  return value
end

-- Numbers as bytes.
local function u16(value) return string.char(value % 256, math.floor(value / 256)) end
local function u32(value) return u16(value % 2 ^ 16) .. u16(math.floor(value / 2 ^ 16)) end
local function u64(value) return u32(value % 2 ^ 32) .. u32(math.floor(value / 2 ^ 32)) end

-- -- The directory --------------------------------------------------------------------------------

local function damaged(path) fail(path, "is an archive with a damaged directory") end

-- An archive that is read: its path, handle, source and length.
local function open(path, handle)
  local length = handle:seek("end")
  if not length or length >= 2 ^ 53 then
    fail(path, "is an archive, which is read from its end, and does not say how long it is")
  end
  return {path = path, handle = handle, source = file.source(path, handle), length = length}
end

-- The bytes at a place, all of them.
local function read_at(archive, at, count)
  if at + count > archive.length then damaged(archive.path) end
  archive.handle:seek("set", at)
  local bytes = archive.source.read(count)
  if #bytes < count then damaged(archive.path) end
  return bytes
end

-- The place of the last record, and its bytes: a comment follows it up to the end.
local function find_last(archive)
  local first = math.max(0, archive.length - LAST_SIZE - COUNT_IN_64)
  local tail = read_at(archive, first, archive.length - first)
  local found, behind, at = nil, nil, tail:find(LAST, 1, true)
  while at and at + LAST_SIZE - 1 <= #tail do
    local more = #tail - (at + LAST_SIZE - 1 + number(tail, at + 19, 2))
    if more == 0 then found = at end
    if more > 0 then behind = more end
    at = tail:find(LAST, at + 1, true)
  end
  if behind and not found then
    fail(archive.path, "is an archive with %d byte%s behind its end; remove them", behind,
      behind == 1 and "" or "s")
  end
  if not found then fail(archive.path, "is an archive that is cut off: it has no directory") end
  return first + found - 1, tail:sub(found, found + LAST_SIZE - 1)
end

-- The values of the record before the last one, if there is one, and its place.
local function find_last_64(archive, at)
  local locator = at >= LOCATOR_SIZE and read_at(archive, at - LOCATOR_SIZE, LOCATOR_SIZE) or ""
  if locator:sub(1, 4) ~= LOCATOR_64 then return nil end
  local place = number(locator, 8, 8)
  if place + LAST_64_SIZE > at - LOCATOR_SIZE then damaged(archive.path) end
  local last = read_at(archive, place, LAST_64_SIZE)
  if last:sub(1, 4) ~= LAST_64 then damaged(archive.path) end
  return place, number(last, 16, 4) + number(last, 20, 4) + number(locator, 4, 4),
    number(last, 32, 8), number(last, 40, 8), number(last, 48, 8)
end

-- How many entries the directory has, where it begins, and where it ends.
local function find_directory(archive)
  local at, last = find_last(archive)
  local parts, count = number(last, 4, 2) + number(last, 6, 2), number(last, 10, 2)
  local size, first = number(last, 12, 4), number(last, 16, 4)
  local at_64, parts_64, count_64, size_64, first_64 = find_last_64(archive, at)
  if at_64 then at, parts, count, size, first = at_64, parts_64, count_64, size_64, first_64 end
  if parts > 0 then fail(archive.path, "is a part of a split archive") end
  if count > zip.MOST_ENTRIES then
    fail(archive.path, "is an archive of %.0f entries; the limit is %d", count,
      zip.MOST_ENTRIES)
  end
  if first + size > at or count * CENTRAL_SIZE > size then damaged(archive.path) end
  return count, first, first + size
end

-- Puts the numbers of an extra field in the places of those of an entry that did not fit; the field
-- has no others.
local function read_extra_64(archive, entry, extra)
  local at = 0
  while at + 4 <= #extra do
    local kind, size = number(extra, at, 2), number(extra, at + 2, 2)
    if at + 4 + size > #extra then damaged(archive.path) end
    if kind == EXTRA_64 then
      local place, stop = at + 4, at + 4 + size
      for _, name in ipairs {"size", "packed", "offset"} do
        if entry[name] == IN_64 then
          if place + 8 > stop then damaged(archive.path) end
          entry[name], place = number(extra, place, 8), place + 8
        end
      end
      return
    end
    at = at + 4 + size
  end
end

-- The entry that comes next in the directory, and where the one behind it begins.
local function read_entry(archive, at, stop)
  local record = read_at(archive, at, CENTRAL_SIZE)
  local name, extra, comment = number(record, 28, 2), number(record, 30, 2), number(record, 32, 2)
  local next = at + CENTRAL_SIZE + name + extra + comment
  if record:sub(1, 4) ~= CENTRAL or next > stop then damaged(archive.path) end
  if name > zip.LONGEST_NAME then
    fail(archive.path, "holds an entry with a name of %d bytes; the limit is %d", name,
      zip.LONGEST_NAME)
  end
  local entry = {
    flags = number(record, 8, 2), method = number(record, 10, 2), crc = number(record, 16, 4),
    packed = number(record, 20, 4), size = number(record, 24, 4), offset = number(record, 42, 4),
    name = archive.source.read(name),
  }
  read_extra_64(archive, entry, archive.source.read(extra))
  return entry, next
end

-- The conditions on an entry before any of it is read. `first` is where the directory begins.
local function check(archive, entry, first)
  local path, name = archive.path, entry.name
  if name:find("%z") then fail(path, "holds an entry with a zero byte in its name") end
  if entry.flags % 2 == 1 then fail(path, "holds '%s', which is encrypted", name) end
  if entry.method ~= STORED and entry.method ~= DEFLATED then
    fail(path, "holds '%s' in compression method %d; only 0 (stored) and 8 (deflate) are supported",
      name, entry.method)
  end
  local most = entry.method == STORED and entry.packed or INFLATION * entry.packed
  if entry.size > most or entry.method == STORED and entry.size < most then
    fail(path, "holds '%s' in %d bytes, which cannot be the %.0f of its directory", name,
      entry.packed, entry.size)
  end
  if entry.offset + LOCAL_SIZE + #name + entry.packed > first then
    fail(path, "holds '%s', which would run into the directory", name)
  end
end

-- The entries of an archive, in the order in which they lie: name, size, packed (the bytes that it
-- takes), method, crc, offset (where its header begins) and stop (where the next part begins). Each
-- is checked, except for its header: the file has room for all sizes.
function zip.entries(path, handle)
  local archive = open(path, handle)
  local count, first, stop = find_directory(archive)
  local entries, seen, at = {}, {}, first
  for i = 1, count do
    local entry, next = read_entry(archive, at, stop)
    check(archive, entry, first)
    if seen[entry.name] then fail(path, "holds '%s' twice", entry.name) end
    entries[i], seen[entry.name], at = entry, true, next
  end
  if at ~= stop then damaged(path) end
  table.sort(entries, function(a, b) return a.offset < b.offset end)
  for i, entry in ipairs(entries) do
    entry.stop = entries[i + 1] and entries[i + 1].offset or first
  end
  return entries
end

-- -- Entries --------------------------------------------------------------------------------------

-- Puts the file at the first byte of an entry. Its header must agree with the directory.
local function go_to(path, handle, entry)
  local source = file.source(path, handle)
  handle:seek("set", entry.offset)
  local header = source.read(LOCAL_SIZE)
  if #header < LOCAL_SIZE or header:sub(1, 4) ~= LOCAL or number(header, 8, 2) ~= entry.method
      or number(header, 26, 2) ~= #entry.name or source.read(#entry.name) ~= entry.name then
    fail(path, "holds '%s', which is not where the directory says", entry.name)
  end
  local first = entry.offset + LOCAL_SIZE + #entry.name + number(header, 28, 2)
  if first + entry.packed > entry.stop then
    fail(path, "holds '%s', which overlaps the entry behind it", entry.name)
  end
  handle:seek("set", first)
end

-- The bytes of an entry as a source that a tensor fills to its end; finish() raises unless they
-- were those that the directory means.
function zip.source(path, handle, entry)
  go_to(path, handle, entry)
  local state = internal.zip_entry(entry.packed, entry.method == DEFLATED)
  local source, left = {path = path .. ": " .. entry.name, is_whole = true}, entry.size
  function source.into(x)
    local got, wrong = internal.zip_read(state, handle, x)
    left = left - got
    return got, wrong
  end
  function source.read(count)
    local x = core.empty(math.min(count, left), {dtype = "uint8", device = "cpu"})
    local got, wrong = source.into(x)
    if wrong then fail(source.path, "%s", wrong) end
    return internal.bytes_of(methods.narrow(x, 1, 1, got))
  end
  function source.left() return left end
  function source.finish()
    local wrong = internal.zip_finish(state, handle, entry.crc)
    if wrong then fail(source.path, "%s", wrong) end
  end
  return source
end

-- -- Writing --------------------------------------------------------------------------------------

local ALIGNMENT = 64 -- of the bytes of an entry
local PADDING = 0xD935 -- an extra field for that, as Android's tools write it
local TIME, DATE = 0, 0x21 -- the first one that there is: 1980-01-01
local UTF8 = 0x800 -- a flag: the name is in UTF-8
local UNIX, PERMISSIONS = 3, 0x81A40000 -- a file, rw-r--r--

-- The version that a reader must have.
local function version(is_64) return u16(is_64 and 45 or 20) end

-- The one that wrote an archive, and the system whose permissions it holds.
local function maker(is_64) return string.char(is_64 and 45 or 20, UNIX) end

-- Other bytes than UTF-8's are no error: readers then take them for letters of code page 437.
local function flags(name)
  local rest = name:gsub("[\240-\244][\128-\191][\128-\191][\128-\191]", " ")
    :gsub("[\224-\239][\128-\191][\128-\191]", " "):gsub("[\194-\223][\128-\191]", " ")
  return rest ~= name and not rest:find("[\128-\255]") and UTF8 or 0
end

-- The fields that both headers of an entry share, behind the version.
local function common(entry, extra)
  local size = u32(math.min(entry.size, IN_64))
  return u16(flags(entry.name)) .. u16(STORED) .. u16(TIME) .. u16(DATE) .. u32(entry.crc) .. size
    .. size .. u16(#entry.name) .. u16(#extra)
end

-- The extra field of those of the values that do not fit into four bytes; empty when all do.
local function pack_64(...)
  local values = ""
  for _, value in ipairs {...} do
    if value >= IN_64 then values = values .. u64(value) end
  end
  return values == "" and "" or u16(EXTRA_64) .. u16(#values) .. values
end

-- The header of an entry {name=, size=, crc=, offset=}, behind which its bytes follow at a multiple
-- of 64 bytes.
function zip.header(entry)
  local extra = pack_64(entry.size, entry.size)
  local needs = version(extra ~= "")
  local padding = -(entry.offset + LOCAL_SIZE + #entry.name + #extra + 6) % ALIGNMENT
  extra = extra .. u16(PADDING) .. u16(2 + padding) .. u16(ALIGNMENT) .. ("\0"):rep(padding)
  return LOCAL .. needs .. common(entry, extra) .. entry.name .. extra
end

-- No comment, the first of one part, no attributes but the permissions.
local function central_header(entry)
  local extra = pack_64(entry.size, entry.size, entry.offset)
  return CENTRAL .. maker(extra ~= "") .. version(extra ~= "") .. common(entry, extra)
    .. ("\0"):rep(6) .. u32(PERMISSIONS) .. u32(math.min(entry.offset, IN_64)) .. entry.name
    .. extra
end

-- The last records of a large archive.
local function last_64(count, size, first)
  return LAST_64 .. u64(LAST_64_SIZE - 12) .. maker(true) .. version(true) .. u32(0) .. u32(0)
    .. u64(count) .. u64(count) .. u64(size) .. u64(first)
    .. LOCATOR_64 .. u32(0) .. u64(first + size) .. u32(1)
end

-- The directory of those entries, which begins at a place; it ends the archive.
function zip.directory(entries, first)
  local pieces, size = {}, 0
  for i, entry in ipairs(entries) do
    pieces[i] = central_header(entry)
    size = size + #pieces[i]
  end
  local count = #entries
  local is_64 = count >= COUNT_IN_64 or first + size >= IN_64
  local few = u16(math.min(count, COUNT_IN_64))
  return table.concat(pieces) .. (is_64 and last_64(count, size, first) or "")
    .. LAST .. u32(0) .. few .. few .. u32(math.min(size, IN_64)) .. u32(math.min(first, IN_64))
    .. u16(0)
end

return zip
