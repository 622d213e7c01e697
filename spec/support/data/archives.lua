-- SPDX-License-Identifier: MIT
-- ZIP archives of .npy files byte by byte, right ones and others, and what load makes of them.
local core = require "locus.core"
local locus = require "locus"
local message = require("spec.support").message
local files = require "spec.support.text"

local archives = {}

--- Numbers as bytes, the lowest one first: pairs of a value and a width.
function archives.pack(...)
  local values, bytes = {...}, {}
  for i = 1, #values, 2 do
    for k = 0, values[i + 1] - 1 do
      bytes[#bytes + 1] = string.char(math.floor(values[i] / 256 ^ k) % 256)
    end
  end
  return table.concat(bytes)
end
local pack = archives.pack

--- An .npy file of version 1.0, as NumPy lays it out.
function archives.npy(descr, shape, data, fortran)
  local text = ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"):format(descr,
    fortran or "False", shape)
  text = text .. (" "):rep(117 - #text) .. "\n"
  return "\147NUMPY\1\0" .. pack(#text, 2) .. text .. data
end

--- The bytes compressed by deflate, without anything round it.
function archives.deflate(bytes)
  return files.with_file(bytes, function(path)
    local pipe = io.popen(("gzip -9nc < %s"):format(path))
    local compressed = pipe:read("*a")
    pipe:close()
    return compressed:sub(11, -9)
  end)
end

-- The extra field of zip64 for those numbers; empty where `is_64` is not.
local function extra_64(is_64, ...)
  if not is_64 then return "" end
  local values = ""
  for _, value in ipairs {...} do values = values .. pack(value, 8) end
  return pack(1, 2, #values, 2) .. values
end

-- An entry of the archive at a place: its bytes, and its record in the directory.
local function entry_of(entry, offset)
  local method, bytes, name = entry.method or 0, entry.bytes, entry.name
  local packed = entry.packed or method == 8 and archives.deflate(bytes) or bytes
  local crc = entry.crc or core.internal.crc32(bytes, 0)
  local said_packed, said_size = entry.said_packed or #packed, entry.said_size or #bytes
  local flags, said_offset = entry.flags or 0, entry.offset or offset
  local function record(first, ...)
    local extra = extra_64(entry.is_64, ...) .. (entry.extra or "")
    return first .. pack(flags, 2, method, 2, 0, 2, 33, 2, crc, 4,
      entry.is_64 and 0xFFFFFFFF or said_packed, 4, entry.is_64 and 0xFFFFFFFF or said_size, 4,
      #name, 2, #extra, 2), extra
  end
  local head, extra = record("PK\3\4\20\0", said_size, said_packed)
  local here = head .. (entry.local_name or name) .. extra .. packed
  head, extra = record("PK\1\2\20\3\20\0", said_size, said_packed, said_offset)
  return here, head .. pack(0, 2, 0, 2, 0, 2, 0, 4, entry.is_64 and 0xFFFFFFFF or said_offset, 4)
    .. name .. extra
end

--- The archive of a list of entries: name, bytes, method (0 or 8); what the records say may be
--- given, too: packed (the compressed bytes), crc, said_packed, said_size, flags, offset, extra,
--- local_name; is_64, whether in an extra field. So may, of the archive: count, size, first (of the
--- directory), part, comment, is_64, behind (bytes behind the directory).
function archives.zip(entries, said)
  said = said or {}
  local bytes, directory = "", ""
  for _, entry in ipairs(entries) do
    local here, record = entry_of(entry, #bytes)
    bytes, directory = bytes .. here, directory .. record
  end
  local count, size = said.count or #entries, said.size or #directory
  local first, part = said.first or #bytes, said.part or 0
  local last = bytes .. directory .. (said.behind or "")
  if said.is_64 then
    local place = said.place or #last
    last = last .. "PK\6\6" .. pack(44, 8, 45, 2, 45, 2, part, 4, part, 4, count, 8, count, 8,
      size, 8, first, 8) .. "PK\6\7" .. pack(0, 4, place, 8, 1, 4)
    count, size, first = 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF
  end
  local comment = said.comment or ""
  return last .. "PK\5\6" .. pack(part, 2, part, 2, count, 2, count, 2, size, 4, first, 4,
    #comment, 2) .. comment
end

--- The answer of load for those bytes.
function archives.load(bytes) return files.with_file(bytes, locus.load) end

--- The sentence of loading those bytes, without the path at its begin.
function archives.refused(bytes)
  return files.with_file(bytes, function(path)
    local text = message(locus.load, path)
    local first, last = text:find("load: '" .. path, 1, true)
    assert(first == 1 and not text:find("\n"), text)
    return (text:sub(last + 1):gsub("^' ", ""))
  end)
end

return archives
