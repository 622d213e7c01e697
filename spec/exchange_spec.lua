-- SPDX-License-Identifier: MIT
-- examples/exchange.py: LuaJIT inside Python, tensors and arrays shared through DLPack, with NumPy,
-- and with PyTorch where it is.
local support = require "spec.support"
local files = require "spec.support.text"

local SAID = [[
positions in Python: [3 1 5]
prices in Lua:  100.0000  101.2500  101.5000  103.0000
[float64 tensor of size 4]
read-only: 'input' is read-only; write to its clone()
]]
local WITH_TORCH = [[
from PyTorch: bfloat16 4
in PyTorch: (1, 3)
]]

describe("examples/exchange.py #host", function()
  it("shares memory with Python, both ways", function()
    local python = files.python "numpy"
    if not python or os.getenv "LD_PRELOAD" then
      return pending "needs a Python that has NumPy, and no sanitizer: LOCUS_TEST_PYTHON names one"
    end
    local pipe = io.popen(("env LUA_PATH=%s LUA_CPATH=%s %s examples/exchange.py 2>&1"):format(
      support.quote(package.path), support.quote(package.cpath), python))
    local text = pipe:read "*a"
    pipe:close()
    assert.equal(SAID .. (files.python "torch" and WITH_TORCH or ""), text)
  end)
end)
