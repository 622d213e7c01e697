-- SPDX-License-Identifier: MIT
-- Grey pictures in Netpbm's format PGM: plain (P2) and binary (P5), of up to 16 bits, as int32
-- tensors [height, width]. A file that cannot be read raises one sentence that names it.
-- Source: https://netpbm.sourceforge.net/doc/pgm.html
local locus = require "locus"

local pgm = {}

local function fail(sentence, ...) error(sentence:format(...), 0) end

-- Every byte of a file; - is standard input.
local function read_all(path)
  local file, problem = path == "-" and io.stdin or nil, nil
  if not file then file, problem = io.open(path, "rb") end
  local bytes = file and file:read "*a"
  if not bytes then fail("cannot read %s", problem or path) end
  if file ~= io.stdin then file:close() end
  return bytes
end

-- A number of the header, which stands behind white space and comments; and where it ends.
local function number_at(bytes, at, path, name, most)
  local start = at
  repeat
    local from = at
    at = bytes:match("^%s+()", at) or at
    at = bytes:match("^#[^\r\n]*()", at) or at
  until at == from
  if at > #bytes then fail("%s is cut off before its %s", path, name) end
  local digits, behind = bytes:match(at > start and "^(%d+)()" or "^$", at)
  local number = tonumber(digits)
  if not number or number < 1 or number > most then
    fail("%s: its %s is no whole number from 1 to %d", path, name, most)
  end
  return number, behind
end

-- The pixels of a P5, of one byte or, most significant first, two.
local function binary(bytes, at, count, wide, path)
  local needed, there = wide and 2 * count or count, #bytes + 1 - at
  if there < needed then
    fail("%s is cut off: it has %d bytes of pixels, its header asks for %.0f", path, there, needed)
  end
  local values = locus.from_string(bytes:sub(at, at + needed - 1), "uint8"):int()
  if not wide then return values end
  local pairs_of_bytes = values:view(count, 2)
  return pairs_of_bytes:select(2, 1) * 256 + pairs_of_bytes:select(2, 2)
end

-- The pixels of a P2, decimal numbers between white space.
local function plain(bytes, at, count, path)
  if #bytes + 1 - at < 2 * count - 1 then
    fail("%s is cut off: its header asks for %.0f pixels", path, count)
  end
  local values = locus.empty(count, {dtype = "int32", device = "cpu"})
  local pixels, n = values:data(), 0
  for word in bytes:sub(at):gmatch "%S+" do
    local value = word:match "^%d+$" and tonumber(word)
    if not value or value > 65535 then
      fail("%s: pixel %d is no whole number up to 65535", path, n + 1)
    end
    pixels[n] = value
    n = n + 1
    if n == count then return values end
  end
  fail("%s is cut off: it has %d pixels, its header asks for %.0f", path, n, count)
end

-- The picture in a file, and the value of its white.
function pgm.read(path)
  local bytes = read_all(path)
  local kind = bytes:match "^P([25])"
  if not kind then fail("%s is no PGM picture: it begins with neither P2 nor P5", path) end
  local width, height, white, at
  width, at = number_at(bytes, 3, path, "width", 2 ^ 31 - 1)
  height, at = number_at(bytes, at, path, "height", 2 ^ 31 - 1)
  white, at = number_at(bytes, at, path, "greatest value", 65535)
  if not bytes:find("^%s", at) then
    fail("%s: no white space stands between its header and its pixels", path)
  end
  local count = width * height
  local values = kind == "5" and binary(bytes, at + 1, count, white > 255, path)
    or plain(bytes, at + 1, count, path)
  local brightest = values:max()
  if brightest > white then
    fail("%s: a pixel is %d, and its header allows %d", path, brightest, white)
  end
  return values:view(height, width), white
end

-- Writes a picture as a P5.
function pgm.write(path, picture, white)
  local values = picture:flatten()
  if white > 255 then values = locus.stack({values:floor_divide(256), values % 256}, 2) end
  local header = ("P5\n%d %d\n%d\n"):format(picture:size(2), picture:size(1), white)
  local file, problem = io.open(path, "wb")
  local written = file
  if file then
    written, problem = file:write(header, values:byte():tobytes())
    local closed, at_close = file:close()
    if written and not closed then written, problem = nil, at_close end
  end
  if not written then fail("cannot write %s: %s", path, problem) end
end

return pgm
