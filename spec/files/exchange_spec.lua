-- SPDX-License-Identifier: MIT
-- examples/exchange.py: LuaJIT inside Python, tensors shared through DLPack, with NumPy, and with
-- PyTorch where it is; columns and frames through Arrow, with pyarrow and polars where they are.
local support = require "spec.support"
local files = require "spec.support.text"

local SAID = [[
positions in Python: [3 1 5]
prices in Lua:  100.0000  101.2500  101.5000  103.0000
[float64 tensor of size 4]
read-only: 'input' is read-only; write to its clone()
]]
-- The functions that each module adds, in this order.
local WITH = {
  {"torch", "from PyTorch: bfloat16 4\nin PyTorch: (1, 3)\n"},
  {"pyarrow", "in pyarrow: {'symbol': ['A', 'B'], 'price': [201.0, 101.25]}\n"},
  {"polars", "in polars: [(2, False), (3, True)]\n"},
}

-- NumPy has no bfloat16, and refuses it.
local REFUSED = [[
import sys
sys.path.insert(0, "examples")
import exchange, numpy
exchange.lua("locus, ffi = require 'locus', require 'ffi'")
for i in range(3):
    exchange.lua("x = locus.ones(1e5, {dtype = 'bfloat16'})")
    try:
        numpy.from_dlpack(exchange.Tensor("x"))
    except RuntimeError:
        print("refused")
    exchange.lua("y = locus.ones(1e5)")
    kept = numpy.from_dlpack(exchange.Tensor("y"))
exchange.lua("x, y = nil")
print(exchange.lua("collectgarbage() collectgarbage() return tostring(locus.live_bytes())"))
print(kept.sum())
]]

-- The output of that Python; nil if there is none with NumPy.
local function run(what)
  local python = files.python "numpy"
  if not python or os.getenv "LD_PRELOAD" then return nil end
  local pipe = io.popen(("env LUA_PATH=%s LUA_CPATH=%s %s %s 2>&1"):format(
    support.quote(package.path), support.quote(package.cpath), python, what))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

local NEEDS = "needs a Python that has NumPy, and no sanitizer: LOCUS_TEST_PYTHON names one"

describe("examples/exchange.py #host #once #native", function()
  it("keeps nothing of what the other library refuses", function()
    local text = run("-c " .. support.quote(REFUSED))
    if not text then return pending(NEEDS) end
    local bytes = text:match("^refused\nrefused\nrefused\n(%d+)\n100000%.0\n$")
    assert.is_truthy(bytes, text)
    assert.is_true(tonumber(bytes) < 9e5, text)
  end)

  it("shares memory with Python, both ways", function()
    local text = run "examples/exchange.py"
    if not text then return pending(NEEDS) end
    local said = SAID
    for _, more in ipairs(WITH) do
      if files.python(more[1]) then said = said .. more[2] end
    end
    assert.equal(said, text)
  end)
end)
