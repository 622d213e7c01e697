-- SPDX-License-Identifier: MIT
-- examples/endpoints.lua, quotes.lua, countries.lua and buckets.lua as commands: their output, byte
-- for byte, against plain loops over examples/access.log and seeded files; --help; one sentence on
-- bad input.
local ffi = require "ffi"
local files = require "spec.support.text"
local format = require("locus.core").internal.format -- rounds as write_csv does

pcall(ffi.cdef, "int snprintf(char *, size_t, const char *, ...);") -- another spec's, perhaps

local folder

setup(function() folder = files.new_folder() end)
teardown(function() os.execute("rm -rf '" .. folder .. "'") end)

local function written(name, bytes)
  local path = folder .. "/" .. name
  files.write(path, bytes)
  return path
end

-- Runs an example by a line of a shell; gives its exit status, what it printed, and its errors.
local function run(line)
  local name, words = line:match "^(%w+)%.lua ?(.*)$"
  return files.example(name, words .. " </dev/null", folder)
end

local LOG = "examples/access.log"

-- The entry of a key, made where there is none.
local function entry(list, key)
  if not list[key] then
    list[key] = {key = key, requests = 0, errors = 0, bytes = 0, seconds = {}}
    list[#list + 1] = list[key]
  end
  return list[key]
end

local function most_first(a, b)
  if a.requests ~= b.requests then return a.requests > b.requests end
  return a.key < b.key
end

local function p95(seconds)
  table.sort(seconds)
  local at = 0.95 * (#seconds - 1)
  local weight = at % 1
  local lower = seconds[at - weight + 1]
  local upper = seconds[at - weight + 2] or lower
  return lower + (upper - lower) * weight
end

local function endpoints()
  local minutes, paths = {}, {}
  for line in io.lines(LOG) do
    local minute = line:match "%[22/Nov/2026:(%d%d:%d%d):"
    local request, status, seconds = line:match '%] "(.-)" (%d+) %d+ ".*" ([%d.]+)$'
    local path = request:match "^%S+ ([^%s?]*)" or request
    for _, one in ipairs {entry(minutes, minute), entry(paths, path)} do
      one.requests = one.requests + 1
      one.errors = one.errors + (tonumber(status) >= 500 and 1 or 0)
      table.insert(one.seconds, tonumber(seconds))
    end
  end
  table.sort(minutes, function(a, b) return a.key < b.key end)
  table.sort(paths, most_first)
  local lines = {"minute,requests,errors"}
  for _, one in ipairs(minutes) do
    lines[#lines + 1] = ("2026-11-22T%s:00Z,%d,%d"):format(one.key, one.requests, one.errors)
  end
  lines[#lines + 1] = "\npath,requests,errors,p95"
  for _, one in ipairs(paths) do
    lines[#lines + 1] = format("%s,%d,%d,%.4f", one.key, one.requests, one.errors, p95(one.seconds))
  end
  return table.concat(lines, "\n") .. "\n"
end

-- Ranges of addresses with gaps, and a table of them as CSV.
local function ranges()
  local list, lines, first = {}, {"# seeded"}, 0
  while first < 2 ^ 32 - 3e8 do
    first = first + math.random(3e7)
    local last = first + math.random(2e8)
    list[#list + 1] = {first, last, ("C%d"):format(math.random(5))}
    lines[#lines + 1] = ("%.0f,%.0f,%s"):format(unpack(list[#list]))
    first = last + 1
  end
  return list, table.concat(lines, "\n") .. "\n"
end

local function countries(list)
  local found = {}
  for line in io.lines(LOG) do
    local a, b, c, d, bytes = line:match '^(%d+)%.(%d+)%.(%d+)%.(%d+) .-%] ".-" %d+ (%d+)'
    if a then
      local ip, country = ((a * 256 + b) * 256 + c) * 256 + d, "??"
      for _, range in ipairs(list) do
        if range[1] <= ip and ip <= range[2] then country = range[3] end
      end
      local one = entry(found, country)
      one.requests, one.bytes = one.requests + 1, one.bytes + bytes
    end
  end
  table.sort(found, most_first)
  local lines = {"country,requests,bytes"}
  for i, one in ipairs(found) do
    lines[i + 1] = ("%s,%d,%d"):format(one.key, one.requests, one.bytes)
  end
  return table.concat(lines, "\n") .. "\n"
end

local function decimal(x) return x == math.floor(x) and ("%.1f"):format(x) or tostring(x) end

-- Seeded trades and quotes, whose times are often equal, as lists and as CSV.
local function market(n, m, symbols)
  local function rows(count, header, other)
    local list, lines, time = {}, {header}, 0
    for i = 1, count do
      time = time + math.random(0, 2)
      local sym, x = "s" .. math.random(symbols), math.random(400) / 4
      list[i] = {time = time, sym = sym, x = x, y = other(x)}
      lines[i + 1] = ("%d,%s,%s,%s"):format(time, sym, decimal(x), list[i].y)
    end
    return list, table.concat(lines, "\n") .. "\n"
  end
  local trades, text = rows(n, "time,sym,price,size", function() return math.random(9) end)
  local quotes, other = rows(m, "time,sym,bid,ask", function(x) return decimal(x + 0.25) end)
  return trades, quotes, written("trades.csv", text), written("quotes.csv", other)
end

local function joined(trades, quotes, tolerance)
  local lines = {"time,sym,price,size,bid,ask"}
  for i, t in ipairs(trades) do
    local bid, ask = "nan", "nan"
    for _, q in ipairs(quotes) do
      if q.sym == t.sym and q.time <= t.time then
        local near = t.time - q.time <= tolerance
        bid, ask = near and decimal(q.x) or "nan", near and q.y or "nan"
      end
    end
    lines[i + 1] = ("%d,%s,%s,%d,%s,%s"):format(t.time, t.sym, decimal(t.x), t.y, bid, ask)
  end
  return table.concat(lines, "\n") .. "\n"
end

-- A number with that many digits behind the point, as C writes it: LuaJIT rounds ties up.
local function fixed(x, digits)
  local buffer = ffi.new "char[400]"
  ffi.C.snprintf(buffer, 400, "%.*f", ffi.cast("int", digits), x)
  return ffi.string(buffer)
end

-- The element at a part q of a sorted list.
local function quantile(sorted, q)
  local at = q * (#sorted - 1)
  local weight = at % 1
  local lower = sorted[at - weight + 1]
  local upper = weight > 0 and sorted[at - weight + 2] or lower
  if weight < 0.5 then return lower + (upper - lower) * weight end
  return upper - (upper - lower) * (1 - weight)
end

local function buckets(list, n)
  local numbers, limits = {}, {}
  for _, x in ipairs(list) do
    if x == x then numbers[#numbers + 1] = x end
  end
  local sorted = {unpack(numbers)}
  table.sort(sorted)
  for k = 0, n do limits[k] = quantile(sorted, k / n) end
  local lines = {"from,to,count,mean"}
  for k = 1, n do
    local count, sum = 0, 0
    for _, x in ipairs(numbers) do
      if (k == 1 or x >= limits[k - 1]) and (k == n or x < limits[k]) then
        count, sum = count + 1, sum + x
      end
    end
    lines[k + 1] = ("%s,%s,%d,%s"):format(fixed(limits[k - 1], 9), fixed(limits[k], 9), count,
      count > 0 and fixed(sum / count, 6) or "")
  end
  return table.concat(lines, "\n") .. "\n"
end

describe("the pipelines under examples #host", function()
  it("endpoints: requests, errors and p95 of a log", function()
    local text = endpoints()
    assert.same({0, text, ""}, {run("endpoints.lua " .. LOG)})
    assert.same({0, text, ""}, {run("endpoints.lua /dev/fd/3 3<" .. LOG)})
  end)

  it("countries: a log by ranges of addresses", function()
    math.randomseed(41)
    local list, text = ranges()
    local status, out, err = run(("countries.lua %s %s"):format(LOG, written("geoip", text)))
    assert.same({0, countries(list)}, {status, out})
    assert.equal("countries: 1 lines left out, the first of them 31: is not an IPv4 address\n", err)
  end)

  it("quotes: the quote in force at each trade", function()
    math.randomseed(42)
    for _, symbols in ipairs {1, 3, 40} do
      local trades, quotes, a, b = market(200, 150, symbols)
      assert.same({0, joined(trades, quotes, math.huge), ""},
        {run(("quotes.lua %s %s"):format(a, b))})
      assert.same({0, joined(trades, quotes, 3), ""},
        {run(("quotes.lua --tolerance 3 %s %s"):format(a, b))})
      assert.same({0, joined(trades, quotes, 0), ""},
        {run(("quotes.lua %s --tolerance=0 %s"):format(a, b))})
    end
    local trades, _, a = market(5, 0, 2)
    local none = written("quotes.csv", "time,sym,bid,ask\n")
    assert.same({0, joined(trades, {}, 0), ""}, {run(("quotes.lua %s %s"):format(a, none))})
  end)

  it("buckets: the numbers of a binary file between their quantiles", function()
    math.randomseed(43)
    for dtype, array in pairs {float64 = "double[?]", int16 = "int16_t[?]"} do
      local list = {}
      for i = 1, 500 do
        list[i] = dtype == "int16" and math.random(-30, 30) or math.random() ^ 3 * 100
      end
      if dtype == "float64" then list[7], list[100] = 0 / 0, list[99] end
      local memory = ffi.new(array, #list, list)
      local path = written("numbers", ffi.string(memory, ffi.sizeof(memory)))
      for _, n in ipairs {1, 4, 10, 90} do
        assert.same({0, buckets(list, n), ""},
          {run(("buckets.lua --dtype %s --buckets=%d %s"):format(dtype, n, path))})
      end
    end
    local status, out, err = run("buckets.lua --buckets 1.5 " .. written("numbers", ""))
    assert.same({1, "", "buckets: --buckets must be a whole number of at least 1, got '1.5'\n"},
      {status, out, err})
    status, out, err = run("buckets.lua " .. written("numbers", ""))
    assert.same({1, "", "buckets: quantile: 'input' has no elements\n"}, {status, out, err})
  end)

  it("have --help, and say in one sentence what is wrong", function()
    for name, count in pairs {endpoints = 1, countries = 2, quotes = 2, buckets = 1} do
      local status, out, err = run(name .. ".lua --help")
      assert.same({0, ""}, {status, err})
      assert.truthy(out:find("usage: luajit " .. name, 1, true))
      status, out, err = run(name .. ".lua --x")
      assert.same({1, "", name .. ": '--x' is not an option: see --help\n"}, {status, out, err})
      status, out, err = run(name .. ".lua")
      assert.same({1, ""}, {status, out})
      assert.truthy(err:find("must be named, got 0: see --help\n", 1, true), err)
      local bad = written("bad", "nonsense\nmore\n")
      status, out, err = run(name .. ".lua" .. (" " .. bad):rep(count))
      assert.same({1, ""}, {status, out})
      assert.truthy(err:find("^" .. name .. ": [^\n]*/bad[^\n]*\n$"), err)
    end
    local _, _, a, b = market(3, 3, 1)
    local status, out, err = run(("quotes.lua --tolerance x %s %s"):format(a, b))
    assert.same({1, "", "quotes: --tolerance must be a number of at least 0, got 'x'\n"},
      {status, out, err})
    local late = written("late", "time,sym,bid,ask\n5,a,1,2\n4,a,1,2\n")
    status, out, err = run(("quotes.lua %s %s"):format(a, late))
    assert.same({1, ""}, {status, out})
    assert.truthy(err:find("is not ascending within its group", 1, true), err)
  end)
end)
