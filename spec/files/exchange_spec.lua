-- SPDX-License-Identifier: MIT
-- examples/exchange.py: LuaJIT inside Python, tensors shared through DLPack, with NumPy, and with
-- PyTorch and JAX where they are; columns and frames through Arrow, with pyarrow and polars where
-- they are. Two versions of NumPy are those of `./bootstrap.sh peers`.
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
  {"jax", "from JAX: int32 2x3\nin JAX: [3 5 7]\n"},
  {"pyarrow", "from pyarrow: 3\nin pyarrow: {'symbol': ['A', 'B'], 'price': [201.0, 101.25]}\n"},
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

local NEEDS = "needs a Python that has NumPy, and no sanitizer: LOCUS_TEST_PYTHON names one"

-- The output of that Python.
local function run(python, what)
  local pipe = io.popen(("env LUA_PATH=%s LUA_CPATH=%s %s %s 2>&1"):format(
    support.quote(package.path), support.quote(package.cpath), python, what))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

-- Whether that Python can do what follows "import numpy".
local function can(python, what)
  return os.execute(("%s -c 'import numpy%s' 2>/dev/null"):format(python, what)) == 0
end

local pythons, peers = {}, files.peers()
if not os.getenv "LD_PRELOAD" then
  pythons = {found = files.python "numpy", new = peers.new, numpy1 = peers.numpy1}
end

describe("examples/exchange.py #host #once #native", function()
  if not next(pythons) then pending(NEEDS) end
  for _, name in ipairs {"found", "new", "numpy1"} do
    local python = pythons[name]
    if not python then
      pending("with the NumPy of " .. name .. ": write ./bootstrap.sh peers")
    else
      it("keeps nothing of what the other library refuses: NumPy of " .. name, function()
        local text = run(python, "-c " .. support.quote(REFUSED))
        local bytes = text:match("^refused\nrefused\nrefused\n(%d+)\n100000%.0\n$")
        assert.is_truthy(bytes, text)
        assert.is_true(tonumber(bytes) < 9e5, text)
      end)

      it("shares memory with Python, both ways: NumPy of " .. name, function()
        local said = SAID
        local says_readonly = "; assert numpy.lib.NumpyVersion(numpy.__version__) >= \"2.1.0\""
        if not can(python, says_readonly) then said = said:gsub("read%-only:[^\n]*\n", "") end
        for _, more in ipairs(WITH) do
          if can(python, ", " .. more[1]) then said = said .. more[2] end
        end
        assert.equal(said, run(python, "examples/exchange.py"))
      end)
    end
  end
end)
