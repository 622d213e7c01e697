-- SPDX-License-Identifier: MIT
-- The programs of bench/cuda, in small on the device that the specs have: its scripts in Lua, and
-- the driver's calls over memory of others.
local driver = require "bench.driver"
local large = require "bench.cuda.large"
local locus = require "locus"
local runners = require "bench.cuda.runners"
local support = require "spec.support"

local ffi = require "ffi"

describe("the bench for a GPU #cuda", function()
  it("calls every runner", function()
    local file = assert(io.open("src/core/jobs.h"))
    local list = file:read("*a"):match("#define LOCUS_JOBS%(.-\n\n")
    file:close()
    local known = 0
    for name in list:gmatch("JOB%(([%w_]+), [%w_]+%)") do
      assert(runners.cases[name], name)
      known = known + 1
    end
    assert.is_true(known > 20)
  end)

  it("gets the CPU's answers from each", function()
    runners.run_all({ 1, 1200 }, 2000)
  end)

  it("knows the answers of large tensors", function()
    assert.is_true(large.run_all(9) > 100)
  end)

  it("finds a wrong answer", function()
    runners.cases.wrong = function(e) return locus.zeros(1) + (e.device == "cpu" and 0 or 1) end
    local said = support.message(runners.run_all, { 1 }, 100)
    runners.cases.wrong = nil
    assert.truthy(said:find("answer 1 differs", 1, true), said)
  end)

  it("runs calls over memory of others", function()
    local x = locus.tensor({ 3, 0, 5, 0, 7 }, { dtype = "float32" })
    local function memory(t, ...)
      return t.dtype, t.device, tonumber(ffi.cast("intptr_t", t:data())), ...
    end
    for _, device in ipairs{ "cpu", "cuda:0" } do
      local input, seen = x:to(device), locus.zeros(3, 1, { dtype = "int64", device = device })
      driver.begin("x:nonzero()", "x:nonzero({out = out})")
      driver.adopt("x", "cuda:0", memory(input, 5))
      for _, form in ipairs{ "fresh", "out" } do
        assert.equal("cuda:0", driver.run(form)[1].device)
        driver.copy(1, memory(seen, 3, 1))
        support.same(seen, { 3, 1 }, { 1, 3, 5 }, "int64")
        seen:zero_()
      end
    end
    driver.begin("index:searchsorted(value)")
    driver.adopt("keys", "cpu", memory(x:cpu(), 5))
    driver.derive("index", "keys", "search_index")
    driver.value("value", 9)
    assert.is_false(driver.has_out())
    assert.same({ 6 }, driver.run("fresh"))
    driver.synchronize()
    driver.trim()
    driver.close()
  end)
end)

-- The text of the source, without its line breaks.
local function text_of(path)
  local file = assert(io.open(path))
  local text = file:read("*a"):gsub("%s+%*%* ", " ")
  file:close()
  return text
end

describe("the sizes in docs/cuda.md at which strategies change", function()
  local page = text_of("docs/cuda.md"):match("\n## Where strategies change\n(.*)")
  local row = "| `([%u_]+)` | `([%w_./]+)` | [^|]+ | `([^`]+)` |"

  it("are constants, with the case that decides them", function()
    local rows = 0
    for constant, file, case in page:gmatch(row) do
      local source = text_of("cuda/" .. file)
      assert.truthy(source:find(constant .. " = ", 1, true), constant)
      assert.truthy(source:find('"' .. case .. '"', 1, true), case)
      rows = rows + 1
    end
    assert.equal(18, rows)
  end)

  it("are all that name a case", function()
    local listed = {}
    for _, _, case in page:gmatch(row) do listed[case] = true end
    for path in io.popen("ls cuda/include/*/*.h cuda/*.cu"):lines() do
      for constants in text_of(path):gmatch("enum {(.-)\n};") do
        for case in constants:gmatch('"([^"]+)"') do assert.truthy(listed[case], case) end
      end
    end
  end)
end)
