-- SPDX-License-Identifier: MIT
-- Compressed text: gzip, zstd, xz, bzip2 and lz4 in, whole, cut off, damaged, in several members;
-- gzip and zstd out; libraries that are not there.
local locus = require "locus"
local support = require "spec.support"
local text = require "spec.support.text"
local message = support.message

local TEXT = "a,b\n1,x\n2,y\n"

local function unhex(digits)
  return (digits:gsub("%x%x", function(two) return string.char(tonumber(two, 16)) end))
end

-- TEXT by the usual programs, each with a checksum.
local FORMS = {
  gzip = unhex "1f8b08000000000000034bd449e232d4a9e032d2a9e40200c2967e9d0c000000",
  zstd = unhex "28b52ffd0458610000612c620a312c780a322c790a2e9f2146",
  xz = unhex("fd377a585a000004e6d6b4460200210116000000742fe5a301000b612c620a312c780a322c790a004ce0"
    .. "b76e5d1321730001240ca618d8d81fb6f37d010000000004595a"),
  bzip2 = unhex("425a6839314159265359bcc728450000045980001000043000300000602000310c0823419a8e042217"
    .. "8bb9229c28485e63942280"),
  lz4 = unhex("04224d186c400c000000000000003b0c000080612c620a312c780a322c790a00000000da1302f6"),
}
local PARTS = {gzip = "gzip member", zstd = "zstd frame", xz = "xz stream", bzip2 = "bzip2 stream",
               lz4 = "lz4 frame"}
local COMMANDS = {gzip = "gzip", zstd = "zstd", xz = "xz", bzip2 = "bzip2", lz4 = "lz4"}
local OPTIONS = {types = {a = "string", b = "string"}}

-- The forms whose library is here.
local here = {}
for form, bytes in pairs(FORMS) do
  local ok, why = pcall(locus.read_csv, {text = bytes})
  if ok or not why:find("install Debian's package", 1, true) then here[#here + 1] = form end
end
table.sort(here)

local function same(f) assert.equal(TEXT, f:write_csv()) end

-- A function that gives the bytes in pieces.
local function pieces(bytes, size) return text.pieces(bytes, size) end

local function long_text()
  local lines = {"a,b"}
  for i = 1, 60000 do lines[i + 1] = ("%d,%s"):format(i, ("s%d"):format(i * 7919 % 1013)) end
  return table.concat(lines, "\n") .. "\n"
end

local function has(command)
  return os.execute("command -v " .. command .. " >/dev/null 2>&1") == 0
end

local function compressed(bytes, command)
  local packed
  text.with_file(bytes, function(path)
    local pipe = io.popen(command .. " < " .. path)
    packed = pipe:read("*a")
    pipe:close()
  end)
  return packed
end

describe("a library of compression that is not here #once #host #program", function()
  for form in pairs(FORMS) do
    local found = false
    for _, other in ipairs(here) do found = found or other == form end
    if not found then pending(form .. ", so that it cannot be read") end
  end

  it("is told by its package, and the pipe that does the same", function()
    local object, path = os.tmpname(), os.tmpname()
    local built = os.execute(("cc -shared -fPIC -o %s spec/support/programs/bare.c -ldl"):format(
      object))
    assert.equal(0, built)
    local PACKAGES = {gzip = "zlib1g", zstd = "libzstd1", xz = "liblzma5", bzip2 = "libbz2-1.0",
                      lz4 = "liblz4-1"}
    for form, bytes in pairs(FORMS) do
      text.write(path, bytes)
      local script = ("package.path, package.cpath = %q, %q "):format(package.path, package.cpath)
        .. ("print(select(2, pcall(require 'locus'.read_csv, %q)))"):format(path)
      local pipe = io.popen(("LD_PRELOAD=%s luajit -e %s 2>&1"):format(object,
        support.quote(script)))
      local said = pipe:read("*a")
      pipe:close()
      assert.truthy(said:find("; install Debian's package " .. PACKAGES[form] .. ", or write "
        .. "io.popen(\"" .. form .. " -dc FILE\")", 1, true), said)
      assert.truthy(said:find(path .. " is compressed by " .. form .. ", and there is no lib", 1,
        true) or form == "gzip", said)
    end
    os.remove(object)
    os.remove(path)
  end)
end)

describe("compressed text #once", function()
  it("is told by its first bytes, in every source", function()
    assert.truthy(#here > 0)
    for _, form in ipairs(here) do
      local bytes = FORMS[form]
      same(locus.read_csv({text = bytes}, OPTIONS))
      for size = 1, #bytes do same(locus.read_csv(pieces(bytes, size), OPTIONS)) end
      text.with_file(bytes, function(path)
        same(locus.read_csv(path, OPTIONS))
        same(locus.read_csv(path)) -- twice, for the types
        same(locus.read_csv {path, columns = {"a", "b"}})
        local file = io.open(path)
        same(locus.read_csv(file, OPTIONS))
        file:close()
        for part in locus.chunks(path, {rows = 9}) do same(part) end
        assert.equal(3, #locus.read_log(path, "$a,$b"))
        assert.equal(("load: '%s' is compressed by %s; text in it is read by locus.read_csv(path)")
          :format(path, form), message(locus.load, path))
      end)
    end
  end)

  it("may have several members", function()
    for _, form in ipairs(here) do
      local bytes = FORMS[form]
      for _, size in ipairs {1, 2, 3, 7, 1000} do
        assert.equal(5, #locus.read_csv(pieces(bytes .. bytes, size), OPTIONS))
        assert.equal(8, #locus.read_csv(pieces(bytes .. bytes .. bytes, size), OPTIONS))
      end
      local at = #bytes
      assert.equal(("read_csv: text cannot be read: the %s that ends at offset %d is followed by "
        .. "no other one, but by the byte 0x2c at offset %d"):format(PARTS[form], at, at),
        message(locus.read_csv, {text = bytes .. ","}, OPTIONS))
    end
  end)

  it("may have zeros between streams of xz, and frames to skip in zstd and lz4", function()
    local skip = "\80\42\77\24\3\0\0\0abc"
    for _, form in ipairs(here) do
      local bytes = FORMS[form]
      if form == "xz" then
        assert.equal(5, #locus.read_csv({text = bytes .. "\0\0\0\0" .. bytes .. "\0\0\0\0"}))
        assert.matches("behind zeros$", message(locus.read_csv, {text = bytes .. "\0\0" .. bytes}))
      elseif form == "zstd" or form == "lz4" then
        for _, size in ipairs {1, 5, 100} do
          assert.equal(5, #locus.read_csv(pieces(bytes .. skip .. bytes .. skip, size), OPTIONS))
        end
      end
      if form == "zstd" then same(locus.read_csv(pieces(skip .. bytes, 3), OPTIONS)) end
    end
  end)

  it("is an error wherever it is cut off", function()
    local MARKS = {gzip = 1, zstd = 2, xz = 2, bzip2 = 5, lz4 = 1}
    for _, form in ipairs(here) do
      local bytes = FORMS[form]
      local function early(at, begin)
        return ("read_csv: text cannot be read: the compressed bytes end too early (at offset %d "
          .. "in the %s that begins at %d)"):format(at, PARTS[form], begin)
      end
      for kept = MARKS[form], #bytes - 1 do
        assert.equal(early(kept, 0), message(locus.read_csv, {text = bytes:sub(1, kept)}, OPTIONS))
      end
      for kept = 1, #bytes - 1 do
        assert.equal(early(#bytes + kept, #bytes),
          message(locus.read_csv, {text = bytes .. bytes:sub(1, kept)}, OPTIONS))
      end
    end
  end)

  it("is right or an error where a bit is wrong, and never other text", function()
    for _, form in ipairs(here) do
      local bytes, wrong = FORMS[form], 0
      for at = 1, #bytes do
        for _, bit in ipairs {1, 16, 128} do
          local flipped = bytes:byte(at)
          flipped = flipped % (2 * bit) >= bit and flipped - bit or flipped + bit
          local ok, f = pcall(locus.read_csv,
            {text = bytes:sub(1, at - 1) .. string.char(flipped) .. bytes:sub(at + 1)}, OPTIONS)
          if ok then
            assert.equal(TEXT, f:write_csv())
          else
            wrong = wrong + 1
            assert.is_nil(f:find("\n", 1, true))
          end
        end
      end
      assert.is_true(wrong > 2 * #bytes, form)
      local behind = ({gzip = 8, xz = 27, bzip2 = 4})[form] or 1 -- the checksum's first byte
      local sum = bytes:sub(1, -behind - 1)
      local last = bytes:byte(#sum + 1)
      assert.matches("^read_csv: text cannot be read: the compressed bytes are damaged %(.*, at "
        .. "offset %d+ in the " .. PARTS[form] .. " that begins at 0%)$",
        message(locus.read_csv, {text = sum .. string.char((last + 1) % 256)
          .. bytes:sub(#sum + 2)}, OPTIONS), form)
    end
  end)

  it("may be long, and is the same for any number of threads", function()
    local long, threads = long_text(), locus.get_num_threads()
    local expected = locus.read_csv({text = long})
    for _, form in ipairs(here) do
      if has(COMMANDS[form]) then
        local bytes = compressed(long, COMMANDS[form] .. " -c")
        assert.is_true(#bytes < #long)
        for _, count in ipairs {1, 2, 5} do
          locus.set_num_threads(count)
          text.with_file(bytes, function(path)
            for _, source in ipairs {path, {text = bytes}, pieces(bytes, 1000)} do
              local f = locus.read_csv(source)
              assert.is_true(f.a:equal(expected.a))
              assert.is_true(f.b.ids:equal(expected.b.ids))
              assert.same(expected.b.names, f.b.names)
            end
          end)
        end
        locus.set_num_threads(threads)
        for _, kept in ipairs {#bytes - 1, math.floor(#bytes / 2), 100} do
          assert.matches("the compressed bytes end too early",
            message(locus.read_csv, {text = bytes:sub(1, kept)}, OPTIONS))
        end
      end
    end
  end)

  it("takes bounded memory", function()
    if here[#here] ~= "zstd" then return pending "libzstd is not here" end
    -- A frame whose window is 256 MB.
    assert.equal("read_csv: text is compressed by zstd in a way that takes a window of more than "
      .. "128 MB; write io.popen(\"zstd -dc --long=31 FILE\")",
      message(locus.read_csv, {text = unhex "28b52ffd0090110000610a"}))
    if not has "zstd" then return end
    -- 50 MB of one line: the limit of a line ends it, whatever follows.
    local bomb = compressed("a\n",
      "sh -c '(cat; head -c 50000000 /dev/zero | tr \"\\000\" x) | zstd -c'")
    collectgarbage()
    local before = locus.live_bytes()
    assert.matches("is longer than", message(locus.read_csv, {text = bomb}))
    collectgarbage()
    assert.is_true(locus.live_bytes() <= before)
  end)

  it("is told when it is compressed twice", function()
    for _, form in ipairs(here) do
      if has "gzip" then
        assert.equal("read_csv: text is compressed twice, at last by " .. form
          .. "; decompress it once before",
          message(locus.read_csv, {text = compressed(FORMS[form], "gzip -c")}))
      end
    end
  end)

  it("leaves nothing behind where memory or the text fails", function()
    for _, form in ipairs(here) do
      for bytes = 1, 20 do
        collectgarbage()
        local before = locus.live_bytes()
        local kept = FORMS[form]:sub(1, math.min(10 + bytes, #FORMS[form] - 1))
        assert.is_false(pcall(locus.read_csv, {text = kept}, OPTIONS))
        collectgarbage()
        assert.equal(before, locus.live_bytes())
      end
    end
  end)
end)

describe("write_csv that compresses #once", function()
  local f = locus.read_csv({text = long_text()})
  local expected = f:write_csv()

  -- What the usual program makes of the bytes, if it is here, and what read_csv does.
  local function check(bytes, form)
    assert.is_true(#bytes < #expected / 2)
    assert.equal(form == "gzip" and "\31\139" or "\40\181", bytes:sub(1, 2))
    assert.equal(expected, locus.read_csv({text = bytes}):write_csv())
    if has(form) then assert.equal(expected, compressed(bytes, form .. " -dc")) end
  end

  it("by the path's name, into files, functions and text", function()
    local folder = text.new_folder()
    for ending, form in pairs {gz = "gzip", zst = "zstd", GZ = "gzip"} do
      for _, count in ipairs {1, 5} do
        local threads = locus.get_num_threads()
        locus.set_num_threads(count)
        local path = folder .. "/x.csv." .. ending
        f:write_csv(path)
        check(text.read(path), form)
        f:write_csv(path, {compress = form})
        check(text.read(path), form)
        local file = io.open(folder .. "/y", "wb")
        f:write_csv(file, {compress = form})
        file:close()
        check(text.read(folder .. "/y"), form)
        local list = {}
        f:write_csv(function(piece) list[#list + 1] = piece end, {compress = form})
        check(table.concat(list), form)
        check(f:write_csv({compress = form}), form)
        locus.set_num_threads(threads)
      end
    end
    assert.equal("a\n", locus.read_csv({text = locus.frame {{"a", locus.zeros(0)}}:write_csv {
      compress = "zstd"}}, {types = {a = "float64"}}):write_csv())
    os.execute("rm -r " .. folder)
  end)

  it("by a level", function()
    for form, most in pairs {gzip = 9, zstd = 19} do
      local least = f:write_csv {compress = form, level = 1}
      local best = f:write_csv {compress = form, level = most}
      check(least, form)
      check(best, form)
      assert.is_true(#best < #least)
      for _, level in ipairs {0, most + 1, -1} do
        assert.equal(("write_csv: 'level' must be from 1 to %d for %s, got %d"):format(most, form,
          level), message(f.write_csv, f, {compress = form, level = level}))
      end
    end
    assert.equal("write_csv: 'level' is for compressed text; write compress = \"gzip\" or "
      .. "\"zstd\", too", message(f.write_csv, f, {level = 3}))
    assert.equal("write_csv: 'compress' must be \"gzip\" or \"zstd\", got the string \"xz\"",
      message(f.write_csv, f, {compress = "xz"}))
    assert.equal("write_csv: '/tmp/x.csv' would be compressed by zstd, and its name does not say "
      .. "so; write f:write_csv(\"/tmp/x.csv.zst\")",
      message(f.write_csv, f, "/tmp/x.csv", {compress = "zstd"}))
  end)

  it("as JSON, too", function()
    local g, path = locus.frame {{"n", {1, 2}}}, os.tmpname()
    for form, ending in pairs {gzip = ".gz", zstd = ".zst"} do
      local bytes = g:write_json {compress = form, level = 2}
      assert.same({1, 2}, locus.read_json({text = bytes}).n:totable())
      g:write_json(path .. ending)
      assert.same({1, 2}, locus.read_json(path .. ending).n:totable())
      assert.equal(form == "gzip" and "\31\139" or "\40\181", text.read(path .. ending):sub(1, 2))
      os.remove(path .. ending)
    end
    os.remove(path)
    assert.equal("write_json: 'level' must be from 1 to 9 for gzip, got 10",
      message(g.write_json, g, {compress = "gzip", level = 10}))
  end)

  it("leaves the old file where it fails", function()
    local folder = text.new_folder()
    local path = folder .. "/x.csv.gz"
    text.write(path, "old")
    local wrong = {formats = {b = function() return 1 end}}
    assert.matches("formats", message(f.write_csv, f, path, wrong))
    assert.equal("old", text.read(path))
    local pipe = io.popen("ls -A " .. folder)
    assert.equal("x.csv.gz\n", pipe:read("*a"))
    pipe:close()
    os.execute("rm -r " .. folder)
    local full = io.open("/dev/full", "wb")
    if full then
      full:setvbuf("no")
      assert.matches("cannot write to", message(f.write_csv, f, full, {compress = "zstd"}))
      full:close()
    end
  end)
end)
