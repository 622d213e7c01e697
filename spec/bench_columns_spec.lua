-- SPDX-License-Identifier: MIT
-- Every case of bench/columns is a test case: its calls over a few lines like those that it is
-- timed on, and its name in each of the lists that must have it.
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
local sums = { rows = { 3 }, size = { 2750 } }
local keys = { key = { "key-1", "key-7", "key-1" } }

-- By case the text that it reads, and the columns, or the text, that it must give.
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
}

local folder

-- The files that a case reads, as bench/columns/data.py makes them.
local function files_with(bytes)
  local files = { folder = folder, path = folder .. "/file", out = folder .. "/out" }
  text.write(files.path, bytes)
  return files
end

local function write_truth(case, name, list, dtype)
  os.execute(("mkdir -p '%s/truth/%s'"):format(folder, case))
  text.write(("%s/truth/%s/%s.%s"):format(folder, case, name, dtype),
    ffi.string(locus.tensor(list, { dtype = dtype }):data(), 8 * #list))
end

describe("the bench of columns #host", function()
  setup(function()
    folder = text.new_folder()
    local columns = wanted["numbers"][2]
    write_truth("numbers", "time", columns.time, "int64")
    write_truth("numbers", "price", columns.price, "float64")
    write_truth("numbers", "size", columns.size, "int64")
    write_truth("floats", "x", FLOATS, "float64")
  end)

  teardown(function() os.execute("rm -rf '" .. folder .. "'") end)

  for name, case in pairs(contender.cases) do
    it("reads and writes: " .. name, function()
      local given, answer = unpack(wanted[name])
      local files = files_with(given)
      local result = case.call(files, case.prepare and case.prepare(files))
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
