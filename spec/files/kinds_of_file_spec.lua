-- SPDX-License-Identifier: MIT
-- The table of kinds of files in docs/files.md: first bytes of each kind are made here, and with
-- them read_csv does what the table says.
local locus = require "locus"
local support = require "spec.support"
local text = require "spec.support.text"

local TABLE = "a,b\n1,x\n"

local function wide(bytes) return (bytes:gsub(".", "%0\0")) end

local tar = "x.csv" .. ("\0"):rep(252) .. "ustar\0" .. "00" .. ("\0"):rep(247) .. TABLE

-- The first bytes of each kind, or the program that makes it of TABLE.
local KINDS = {
  ["text, UTF-8 or any other bytes"] = TABLE,
  ["text with a byte order mark of UTF-8"] = "\239\187\191" .. TABLE,
  ["text with lines that end in CR LF"] = "a,b\r\n1,x\r\n",
  ["text with lines that end in CR"] = "a,b\r1,x\r",
  ["text, UTF-16, small end first"] = "\255\254" .. wide(TABLE),
  ["text, UTF-16, great end first"] = "\254\255\0a\0,\0b\0\n",
  ["text, UTF-32, small end first"] = "\255\254\0\0a\0\0\0",
  ["text, UTF-32, great end first"] = "\0\0\254\255\0\0\0a",
  ["an empty file"] = "",
  ["gzip"] = {"gzip -c"}, ["zstd"] = {"zstd -c"}, ["xz"] = {"xz -c"}, ["bzip2"] = {"bzip2 -c"},
  ["lz4"] = {"lz4 -c"}, ["gzip within gzip"] = {"sh -c 'gzip -c | gzip -c'"},
  ["lz4 of before 2013"] = "\2\33\76\24aaaaaaa",
  ["lzma, without xz round it"] = "]\0\0\128\0\255\255",
  ["compress, `.Z`"] = "\31\157\144aaaa",
  ["lzip"] = "LZIP\1\12aaaaa",
  ["lzop"] = "\137LZO\0\r\n\26\n",
  ["snappy in frames"] = "\255\6\0\0sNaPpY",
  ["zip, and what is one: xlsx, ods, docx"] = "PK\3\4\20\0\0\0",
  ["an empty zip"] = "PK\5\6" .. ("\0"):rep(18),
  ["7z"] = "7z\188\175\39\28\0\4",
  ["rar"] = "Rar!\26\7\1\0",
  ["tar"] = tar,
  ["NumPy's `.npy`"] = "\147NUMPY\1\0v\0{'descr'",
  ["Parquet"] = "PAR1\21\4\21\16", ["Arrow's file, Feather 2"] = "ARROW1\0\0\255\255\255\255",
  ["Arrow's stream"] = "\255\255\255\255\240\0\0\0", ["Feather 1"] = "FEA1\0\0\0\0",
  ["ORC"] = "ORC\8\3\16\0", ["Avro"] = "Obj\1\4\22avro.codec",
  ["SQLite's database"] = "SQLite format 3\0\16\0\1\1",
  ["HDF5, NetCDF 4, `.mat` 7.3"] = "\137HDF\r\n\26\n",
  ["MATLAB's `.mat`"] = "MATLAB 5.0 MAT-file, x",
  ["a spreadsheet, `.xls`"] = "\208\207\17\224\161\177\26\225aa",
  ["Python's pickle"] = "\128\4\149\0\0\0",
  ["PNG"] = "\137PNG\r\n\26\n\0\0\0\13IHDR", ["JPEG"] = "\255\216\255\224\0\16JFIF",
  ["GIF"] = "GIF89a\1\0\1\0\128\0\0", ["PDF"] = "%PDF-1.7\n%\226\227\207\211\n",
  ["a program, ELF"] = "\127ELF\2\1\1\0",
}

local function packed(command, bytes)
  return text.with_file(bytes, function(path)
    local pipe = io.popen(command .. " < " .. path .. " 2>/dev/null")
    local result = pipe:read("*a")
    pipe:close()
    return result
  end)
end

-- The bytes of that kind; nil where the program that makes them is not here.
local function bytes_of(kind)
  local bytes = KINDS[kind]
  if type(bytes) ~= "table" then return bytes end
  bytes = packed(bytes[1], TABLE)
  if bytes == "" then return nil end
  return bytes
end

-- The rows of the table: the kind, and what becomes of it.
local function rows()
  local list, inside = {}, false
  for line in io.lines("docs/files.md") do
    if line:find("^| kind of file |") then inside = true end
    if inside and line == "" then break end
    local kind, answer = line:match("^| (.-) | (.+) |$")
    if inside and kind and kind ~= "kind of file" and kind ~= "---" then
      list[#list + 1] = {kind = kind, answer = answer}
    end
  end
  return list
end

describe("the table of kinds of files #once", function()
  it("names each kind once", function()
    local seen, count = {}, 0
    for _, row in ipairs(rows()) do
      assert.is_nil(seen[row.kind], row.kind)
      assert.truthy(KINDS[row.kind], row.kind)
      seen[row.kind], count = true, count + 1
    end
    for kind in pairs(KINDS) do assert.is_true(seen[kind], kind) end
    assert.is_true(count >= 40)
  end)

  it("says what read_csv does", function()
    for _, row in ipairs(rows()) do
      local bytes = bytes_of(row.kind)
      if bytes then
        text.with_file(bytes, function(path)
          local ok, f = pcall(locus.read_csv, path)
          if row.answer == "read" then
            assert.is_true(ok, row.kind .. ": " .. tostring(f))
            assert.equal(TABLE, f:write_csv(), row.kind)
          elseif ok or not f:find("install Debian's package", 1, true) then
            local said = support.message(locus.read_csv, path)
            local wanted = row.answer:gsub("^`", ""):gsub("`$", "")
            local joint = wanted:find("^%d") and ":" or " "
            assert.equal("read_csv: " .. path .. joint .. wanted, said, row.kind)
          end
        end)
      end
    end
  end)

  it("has no kind that load reads as numbers", function()
    for _, row in ipairs(rows()) do
      local bytes = bytes_of(row.kind)
      if bytes and row.kind ~= "an empty zip" then -- which is an archive of no tensors
        text.with_file(bytes, function(path)
          local said = support.message(locus.load, path)
          assert.equal("load: '" .. path .. "' ", said:sub(1, #path + 9))
        end)
      end
    end
  end)
end)
