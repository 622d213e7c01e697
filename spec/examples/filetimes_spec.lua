-- SPDX-License-Identifier: MIT
-- examples/filetimes.lua as a command: the report on a small input, and one sentence with exit
-- status 1 for whatever cannot be read. Local time itself is in zones_spec.lua.

local text = require "spec.support.text"

if not text.has_zones() then
  return pending "examples/filetimes.lua needs the time zones of tzdata"
end

local folder

setup(function() folder = text.new_folder() end)

teardown(function() os.execute("rm -rf '" .. folder .. "'") end)

local function write_file(name, bytes)
  local path = folder .. "/" .. name
  text.write(path, bytes)
  return path
end

-- Runs the example on `input`; gives its exit status, what it printed, and its errors.
local function filetimes(input, arguments, environment)
  local words = "<" .. write_file("input", input) .. " " .. (arguments or "")
  return text.example("filetimes", words, folder, environment)
end

local function assert_fails(sentence, ...)
  local status, out, err = filetimes(...)
  assert.are.same({1, "", "filetimes: " .. sentence .. "\n"}, {status, out, err})
end

describe("a malformed line", function()
  local function not_time(field) return ("column 'time' (1) is not a time: %s"):format(field) end
  local function not_size(field) return ("column 'size' (2) is not an int64: %s"):format(field) end
  local function fields(n, field)
    return ('has %d field%s and not 2: "%s"'):format(n, n > 1 and "s" or "", field)
  end

  for line, sentence in pairs {
    ["1.5"] = fields(1, "1.5"), ["1.5\t1"] = fields(1, "1.5\\t1"), ["1.5  1"] = fields(3, "1.5  1"),
    [" 1.5 1"] = fields(3, " 1.5 1"), ["1.5 1 "] = fields(3, "1.5 1 "), ["x 1"] = not_time '"x"',
    ["1 1"] = not_time '"1"', ["1. 1"] = not_time '"1."', [".5 1"] = not_time '".5"',
    ["-.5 1"] = not_time '"-.5"', ["+1.5 1"] = not_time '"+1.5"', ["--1.5 1"] = not_time '"--1.5"',
    ["1.5e9 1"] = not_time '"1.5e9"', ["0x10.5 1"] = not_time '"0x10.5"',
    ["nan 1"] = not_time '"nan"', ["1,5 1"] = not_time '"1,5"', ["1.5 x"] = not_size '"x"',
    ["1.5 1.5"] = not_size '"1.5"', ["1.5 1e3"] = not_size '"1e3"',
    ["1.5 2\0003"] = not_size '"2\\x003"',
    ["1.5 9223372036854775808"] = not_size '"9223372036854775808"',
    ["1.5 99999999999999999999"] = not_size '"99999999999999999999"',
    ["9223372036.9 1"] = "column 'time' (1) is a time that int64 cannot hold in nanoseconds: "
      .. '"9223372036.9"',
    ["1.1234567891 1"] = "column 'time' (1) has a finer fraction than nanoseconds: "
      .. '"1.1234567891"',
  } do
    it(("'%s' stops the report"):format(line:gsub("%c", "?")), function()
      assert_fails("stdin:3: " .. sentence, "1.0 1\n2.5 2\n" .. line .. "\n3.0 3\n")
    end)
  end

  it("may be one of a size below 0", function()
    assert_fails("-: a size is below 0", "1.0 1\n1.0 -1\n")
  end)

  it("has the number it has in its own file, any number of blocks away", function()
    local first = write_file("first", ("1700000000.1234567890 4096\n"):rep(50000))
    local second = write_file("second", ("1700000000.1234567890 4096\n"):rep(30000) .. "?\n")
    assert_fails(second .. ':30001: has 1 field and not 2: "?"', "", first .. " " .. second)
  end)
end)

-- Both ends of a change of the clock, a tie in the last second and in the last nanosecond, times
-- before 1970 and after the table of the zone, on a leap day, and a size beyond 2^53.
local INPUT = [[
1711846799.0000000000 0
1711846800.0000000000 120
1711846800.5000000000 3500
1729990799.1000000000 4095
1729994400.9999999990 4096
1700000000.1234567890 70000
1700000000.1234567890 65536
1650000000.0000000000 5000
1650003600.0000000000 6000
1650007200.0000000000 7000
-1.7500000000 8000
-1000000000.0000000000 9000
9156625200.0000000000 9223372036854
1720000000.0000000000 1048576
1720000000.2500000000 9007199254740993
]]

local REPORT = [[
Local time of Europe/Berlin

files   15
total   8.0 PiB (9,016,422,628,008,770 bytes)
oldest  1938-04-24 23:13:20
newest  2260-02-29 12:00:00
span    117553.5 days

Files per local hour
  00  #################                                            1
  01  #################                                            1
  02  #################                                            1
  03  ##################################################           3
  04                                                               0
  05                                                               0
  06                                                               0
  07  #################                                            1
  08  #################                                            1
  09  #################                                            1
  10                                                               0
  11  ##################################                           2
  12  #################                                            1
  13                                                               0
  14                                                               0
  15                                                               0
  16                                                               0
  17                                                               0
  18                                                               0
  19                                                               0
  20                                                               0
  21                                                               0
  22                                                               0
  23  ##################################################           3

Files per weekday
  Mon                                                              0
  Tue #################                                            2
  Wed #########################                                    3
  Thu #########                                                    1
  Fri #########################                                    3
  Sat                                                              0
  Sun ##################################################           6

Files per size
  empty                    1  0 bytes
  below 4 KiB              3  7.5 KiB (7,715 bytes)
  below 64 KiB             6  38.2 KiB (39,096 bytes)
  below 1 MiB              2  132.4 KiB (135,536 bytes)
  below 16 MiB             1  1.0 MiB (1,048,576 bytes)
  below 256 MiB            0  0 bytes
  below 4 GiB              0  0 bytes
  4 GiB and more           2  8.0 PiB (9,016,422,626,777,847 bytes)

Outliers: 2 above 4.7 MiB
  2024-07-03 11:46:40.250000000 +0200   9,007,199,254,740,993 bytes
  2260-02-29 12:00:00.000000000 +0100       9,223,372,036,854 bytes

Newest
  2260-02-29 12:00:00.000000000 +0100       9,223,372,036,854 bytes
  2024-10-27 03:00:00.999999999 +0100                   4,096 bytes
  2024-10-27 02:59:59.100000000 +0200                   4,095 bytes
  2024-07-03 11:46:40.250000000 +0200   9,007,199,254,740,993 bytes
  2024-07-03 11:46:40.000000000 +0200               1,048,576 bytes
  2024-03-31 03:00:00.500000000 +0200                   3,500 bytes
  2024-03-31 03:00:00.000000000 +0200                     120 bytes
  2024-03-31 01:59:59.000000000 +0100                       0 bytes
  2023-11-14 23:13:20.123456789 +0100                  70,000 bytes
  2023-11-14 23:13:20.123456789 +0100                  65,536 bytes
]]

describe("the report", function()
  it("is this for this input", function()
    assert.are.same({0, REPORT, ""}, {filetimes(INPUT, "--zone Europe/Berlin")})
  end)

  it("is the same for a file, for two files, and without the last newline", function()
    local first, second = INPUT:match "^(.-\n)(.*)$"
    local files = write_file("first", first) .. " " .. write_file("second", second)
    assert.are.same({0, REPORT, ""}, {filetimes("", "--zone=Europe/Berlin " .. files)})
    assert.are.same({0, REPORT, ""}, {filetimes(second, "--zone Europe/Berlin " ..
      write_file("first", first) .. " -")})
    assert.are.same({0, REPORT, ""}, {filetimes(INPUT:sub(1, -2), "--zone Europe/Berlin")})
  end)

  it("stops after the total when there are no files", function()
    assert.are.same({0, "Local time of UTC\n\nfiles   0\ntotal   0 bytes\n", ""},
      {filetimes("", "--zone UTC")})
  end)

  it("loses no line at the seams of its blocks", function()
    local lines, sum = {}, 0
    for i = 1, 60000 do
      lines[i] = ("%d.%d %d\n"):format(i, 10 ^ (i % 10), i * i)
      sum = sum + i * i
    end
    local _, out = filetimes(table.concat(lines), "--zone UTC")
    assert.matches("\nfiles   60,000\ntotal   65.5 TiB %(72,001,800,010,000 bytes%)\n", out)
    assert.are.equal(72001800010000, sum)
  end)

  it("holds at the ends of what nanoseconds can say", function()
    local _, out = filetimes("-9223372035.5 9223372036854775807\n" ..
      "9223372036.854775807" .. ("0"):rep(30) .. " 9223372036854775807\n", "--zone UTC0")
    assert.matches("\ntotal   about 16.0 EiB\n", out)
    assert.matches("\noldest  1677%-09%-21 00:12:45\n", out)
    assert.matches("\nnewest  2262%-04%-11 23:47:16\n", out)
    assert.matches("23:47:16.854775807 %+0000 9,223,372,036,854,775,807 bytes\n", out)
    assert.matches("00:12:45.500000000 %+0000 9,223,372,036,854,775,807 bytes\n", out)
  end)
end)

describe("the command", function()
  it("helps", function()
    local status, out, err = filetimes("1 x\n", "--zone Nowhere --help")
    assert.are.same({0, ""}, {status, err})
    assert.matches("^usage: find /usr", out)
    assert.matches("\n  %-%-zone NAME ", out)
  end)

  it("takes its zone from TZ, and else from the machine", function()
    local function zone(environment)
      local _, out = filetimes("", "", environment)
      return out:match "^Local time of ([^\n]*)\n"
    end
    assert.are.equal("Asia/Kolkata", zone "TZ=Asia/Kolkata")
    assert.are.equal("Asia/Kolkata", zone "TZ=:Asia/Kolkata")
    assert.are.equal("CET-1", zone "TZ=CET-1")
    assert.are.equal("UTC", zone "TZ=")
    assert.are.equal("this machine", zone "-u TZ")
    assert.are.equal("/etc/localtime", zone "TZ=:/etc/localtime")
  end)

  it("refuses zones that do not exist", function()
    for _, name in ipairs {"Nowhere", "Europe/Nowhere", "Europe/Berlin/", ".", "CET-1CEST"} do
      local status, out, err = filetimes("1 1\n", "--zone " .. name, "-u TZDIR")
      assert.are.same({1, ""}, {status, out})
      assert.matches("^filetimes: [^\n]*\n$", err)
      assert.is_truthy(err:find(name, 1, true), err)
    end
    assert_fails("zone 'Europe' is no file: /usr/share/zoneinfo/Europe; write a name such as "
      .. "Europe/Berlin", "", "--zone Europe", "-u TZDIR")
  end)

  it("refuses a zone whose file is malformed", function()
    local path = write_file("Broken", "TZif2" .. ("\0"):rep(10))
    assert_fails(path .. " is truncated: its header is not complete", "1 1\n", "--zone Broken",
      "TZDIR=" .. folder)
  end)

  it("refuses zones outside the zoneinfo folder", function()
    os.execute("mkdir " .. folder .. "/zones")
    for _, name in ipairs {
      "..", "../zones/UTC", "Europe/../../UTC", "a/..", "/usr/share/zoneinfo/UTC", "/etc/passwd",
    } do
      assert_fails(("zone '%s' is outside of %s: write a name such as Europe/Berlin")
        :format(name, folder .. "/zones"), "", "--zone " .. name, "TZDIR=" .. folder .. "/zones")
    end
  end)

  it("refuses what it does not know", function()
    assert_fails("'--zones' is not an option, those are --zone and --help", "", "--zones UTC")
    assert_fails("--zone needs the name of a zone", "", "--zone")
    assert_fails("cannot open nothing.txt: No such file or directory", "", "nothing.txt")
    assert_fails(folder .. " cannot be read: Is a directory", "", folder)
    assert_fails("cannot write the report: No space left on device", "1.0 1\n",
      "--zone UTC >/dev/full")
  end)
end)
