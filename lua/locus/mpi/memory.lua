-- SPDX-License-Identifier: MIT
-- MPI reads and writes dense tensors on the CPU: tensors on a device go through page-locked memory.
local core = require "locus.core"
local kinds = require "locus.tensor.kind"
local internal, methods = core.internal, core.methods

local memory = {}

-- The elements of x as MPI reads them: x itself if it is dense and on the CPU.
function memory.outgoing(x)
  local dense = methods.contiguous(x)
  local device = internal.device_of(dense)
  if device == "cpu" then return dense end
  local host = methods.to(dense, "cpu", {non_blocking = true})
  core.cuda.synchronize(device)
  return host
end

-- A tensor of that size; with a kind, `out` gets it, too.
local function made(size, options, kind)
  if not kind then return core.empty(size, options) end
  local zero = kinds.tagged(core.zeros(1, {dtype = "int64", device = "cpu"}), kind)
  local answer = core.full(size, zero[1], options)
  return options.out and answer or kinds.tagged(answer, kind) -- without the FFI zero[1] has none
end

-- A tensor to answer with: `out` if that is given and fits, and lies apart from x; else a new one
-- on x's device, or without an x on the default one. And the tensor into which MPI writes: the same
-- if that can be.
function memory.beside(x, dtype, size, out, kind)
  local given = out or x
  local device = given and internal.device_of(given) or core.get_default_device()
  if out then internal.apart(out, x, "x", false) end
  local answer = made(size, {dtype = dtype, device = device, out = out}, kind)
  if device == "cpu" and methods.is_contiguous(answer) then return answer, answer end
  local landing = core.empty(size, {dtype = dtype, device = "cpu"})
  return answer, device == "cpu" and landing or methods.pin_memory(landing)
end

-- The same for answers of x's dtype, and of its kind, or of another one; false: of none.
function memory.like(x, size, out, kind)
  if kind == nil then kind = kinds.of(x) end
  return memory.beside(x, internal.dtype_of(x), size, out, kind or nil)
end

-- The answer, once its elements have landed.
function memory.deliver(answer, landing)
  if not rawequal(answer, landing) then methods.copy_(answer, landing) end
  return answer
end

return memory
