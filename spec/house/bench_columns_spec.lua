-- SPDX-License-Identifier: MIT
-- Every case of bench/columns is a test case: its calls over a few lines or rows like those that it
-- is timed on, and its name in each of the lists that must have it.
local contender = require "bench.columns.contender"
local locus = require "locus"
local support = require "spec.support"
local text = require "spec.support.text"

local ffi = require "ffi"

local content = text.read

local DAY = 1795305600 -- 2026-11-22

local TRADES = [[
time,price,size
1795305600000000001,100.50,2742
1795305600000000002,99.25,7
1795305600000000003,98.00,1
]]
local QUOTES = [[
name,x,y,count
"a, b",23.90412529602146,,2092
"say ""hi""",,-0.25,1
"a, b",1e-300,5,3
]]
local LOG = [[
10.0.0.1 - - [22/Nov/2026:00:00:01 +0000] "GET /a?id=1 HTTP/1.1" 200 584 "-" "curl/8.5.0" 0.273
10.0.0.2 - x [22/Nov/2026:00:01:00 +0000] "POST /b HTTP/1.1" 503 0 "-" "a b" 0.010
10.0.0.1 - - [22/Nov/2026:00:01:00 +0000] "GET /a HTTP/1.1" 304 7 "http://x.org/" "-" 1.500
]]
local TIMES = "time,count\n2026-11-22T00:00:00Z,3\n2026-11-22T00:00:01Z,9\n"
local KEYS = "key-1\nkey-7\nkey-1\n"
local FLOATS = { 2.5, 0.1, 1e300 }

local of_log = {
  time = { (DAY + 1) * 1e6, (DAY + 60) * 1e6, (DAY + 60) * 1e6 }, status = { 200, 503, 304 },
  bytes = { 584, 0, 7 }, latency = { 0.273, 0.01, 1.5 },
}
local function log_with(name, strings)
  return setmetatable({ [name] = strings }, { __index = of_log })
end
-- For the arrays under arrays/, by folder and name: their dtype and elements.
local GROUPED = {
  key = { "int64", { 7932, 13, 7932, 13, 7932 } }, value = { "float64", { 5, 1, 9, 4, 2 } },
}
local MOMENTS = {
  sequence = { "int64", { 10, 20, 20, 30 } }, values = { "int64", { 5, 10, 20, 25, 40 } },
  of_sequence = { "int64", { 1, 0, 1, 1 } }, of_values = { "int64", { 1, 0, 0, 1, 2 } },
}
local ARRAYS = {
  ["group-20"] = GROUPED, ["group-10000"] = GROUPED, ["group-500000"] = GROUPED,
  ["asof"] = MOMENTS, ["asof by 20"] = MOMENTS, ["asof by 10000"] = MOMENTS,
  ["quantiles"] = { x = { "float64", { 40, 0, 10, 30, 20 } } },
  ["unique"] = { x = { "int64", { 7, 3, 7, 9, 3 } } },
  ["join"] = {
    left = { "int64", { 4, 1, 8, 4 } }, a = { "int64", { 10, 20, 30, 40 } },
    right = { "int64", { 8, 4, 2 } }, b = { "int64", { 300, 500, 700 } },
  },
}

local sums = { rows = { 3 }, size = { 2750 } }
local keys = { key = { "key-1", "key-7", "key-1" } }

local grouped = { key = { 7932, 13 }, sum = { 16, 5 }, min = { 2, 1 }, max = { 9, 4 } }
local p95 = { key = { 7932, 13 }, p95 = { 5 + 0.9 * 4, 1 + 0.95 * 3 } }
local by_key = { row = { 0, 1, 2, 3, 4 }, at = { 0, 0, 2, 3, 0 } }

-- By case the text that it reads, which none of those over arrays does, and the columns, or the
-- text, that it must give.
local wanted = {
  ["numbers"] = { TRADES, {
    time = { 1795305600000000001LL, 1795305600000000002LL, 1795305600000000003LL },
    price = { 100.5, 99.25, 98 }, size = { 2742, 7, 1 },
  } },
  ["quoted"] = { QUOTES, {
    name = { "a, b", 'say "hi"', "a, b" }, x = { 23.90412529602146, locus.nan, 1e-300 },
    y = { locus.nan, -0.25, 5 }, count = { 2092, 1, 3 },
  } },
  ["log"] = { LOG, log_with("path", { "/a", "/b", "/a" }) },
  ["log, whole requests"] = {
    LOG, log_with("request", { "GET /a?id=1 HTTP/1.1", "POST /b HTTP/1.1", "GET /a HTTP/1.1" }),
  },
  ["times"] = { TIMES, { time = { DAY * 1e6, (DAY + 1) * 1e6 }, count = { 3, 9 } } },
  ["chunks"] = { TRADES, sums },
  ["chunks of four"] = { TRADES, sums },
  ["ids, 20"] = { KEYS, keys },
  ["ids, 10000"] = { KEYS, keys },
  ["ids, 500000"] = { KEYS, keys },
  ["write"] = { "", (TRADES:gsub("%.50", ".5"):gsub("%.00", ".0")) },
  ["write, two decimals"] = { "", TRADES },
  ["floats"] = { "", "x\n2.5\n0.1\n1e+300\n" },
  ["group, 20"] = { "", grouped },
  ["group, 10000"] = { "", grouped },
  ["group, 500000"] = { "", grouped },
  ["group p95, 20"] = { "", p95 },
  ["group p95, 10000"] = { "", p95 },
  ["group p95, 500000"] = { "", p95 },
  ["asof"] = { "", { row = { 0, 1, 2, 3, 4 }, at = { 0, 1, 3, 3, 4 } } },
  ["asof by 20"] = { "", by_key },
  ["asof by 10000"] = { "", by_key },
  ["quantiles"] = { "", { q = { 4, 8, 12, 16, 20, 24, 28, 32, 36 } } },
  ["unique"] = { "", { value = { 3, 7, 9 } } },
  ["join"] = { "", { count = { 3 }, a = { 80 }, b = { 1300 } } },
}

local folder

local function write_raw(place, name, dtype, list)
  os.execute(("mkdir -p '%s/%s'"):format(folder, place))
  text.write(("%s/%s/%s.%s"):format(folder, place, name, dtype),
    ffi.string(locus.tensor(list, { dtype = dtype }):data(), 8 * #list))
end

-- The input of a case, as bench/columns/data.py makes it: a file, or the folder of all arrays.
local function files_of(name, bytes)
  local files = { folder = folder, path = folder .. "/file", out = folder .. "/out" }
  if ARRAYS[name:gsub("^group.*, ", "group-")] then
    files.path = folder .. "/arrays"
  else
    text.write(files.path, bytes)
  end
  return files
end

describe("the bench of columns #host #once", function()
  setup(function()
    folder = text.new_folder()
    local columns = wanted["numbers"][2]
    write_raw("truth/numbers", "time", "int64", columns.time)
    write_raw("truth/numbers", "price", "float64", columns.price)
    write_raw("truth/numbers", "size", "int64", columns.size)
    write_raw("truth/floats", "x", "float64", FLOATS)
    for place, arrays in pairs(ARRAYS) do
      for name, array in pairs(arrays) do write_raw("arrays/" .. place, name, unpack(array)) end
    end
  end)

  teardown(function() os.execute("rm -rf '" .. folder .. "'") end)

  for name, case in pairs(contender.cases) do
    it("answers: " .. name, function()
      local given, answer = unpack(wanted[name])
      local files = files_of(name, given)
      local result = case.call(files, case.prepare and case.prepare(files))
      if case.finish then result = case.finish(result) end
      if type(answer) == "string" then
        return assert.equal(answer, content(files.out))
      end
      for _, column in ipairs(case.columns) do
        local values = type(result) == "table" and result[column] or result:column(column)
        if type(answer[column][1]) == "string" then
          for i, word in ipairs(answer[column]) do assert.equal(word, values[i]) end
        else
          support.same(values, { #answer[column] }, answer[column], values.dtype)
        end
      end
    end)
  end

  it("has every case in every list", function()
    local listed, peers = content "bench/columns/cases.py", content "bench/columns/peers.py"
    local page = content "bench/README.md"
    local count = 0
    for name in listed:gmatch '\n    Case%("([^"]+)"' do
      assert.truthy(contender.cases[name], name)
      assert.truthy(wanted[name], name)
      assert.truthy(peers:find(('\n    "%s": '):format(name), 1, true), name)
      assert.truthy(page:find(("\n| `%s` |"):format(name), 1, true), name)
      count = count + 1
    end
    for _ in pairs(contender.cases) do count = count - 1 end
    assert.equal(0, count)
  end)
end)
