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
-- What each module adds, in this order.
local WITH = {
  {"torch", "from PyTorch: bfloat16 4\nin PyTorch: (1, 3)\n"},
  {"pyarrow", "in pyarrow: {'symbol': ['A', 'B'], 'price': [201.0, 101.25]}\n"},
  {"polars", "in polars: [(2, False), (3, True)]\n"},
}

describe("examples/exchange.py #host #once #native", function()
  it("shares memory with Python, both ways", function()
    local python = files.python "numpy"
    if not python or os.getenv "LD_PRELOAD" then
      return pending "needs a Python that has NumPy, and no sanitizer: LOCUS_TEST_PYTHON names one"
    end
    local pipe = io.popen(("env LUA_PATH=%s LUA_CPATH=%s %s examples/exchange.py 2>&1"):format(
      support.quote(package.path), support.quote(package.cpath), python))
    local text = pipe:read "*a"
    pipe:close()
    local said = SAID
    for _, more in ipairs(WITH) do
      if files.python(more[1]) then said = said .. more[2] end
    end
    assert.equal(said, text)
  end)
end)
