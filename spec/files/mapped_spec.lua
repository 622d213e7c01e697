-- SPDX-License-Identifier: MIT
-- Tensors that are the bytes of a file: read-only ones, ones that write to the file, and what is
-- refused. They lie on the CPU.
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"
local files = require "spec.support.text"

local message, same, with = support.message, support.same, files.with_file

-- The result of f for a mapping of that tensor's file, and the file.
local function mapped(x, mode, f)
  return with("", function(path)
    x:save(path)
    local ok, result = pcall(f, locus.load(path, {mmap = mode}), path)
    if not ok then error(result, 0) end
    return result
  end)
end

local function bytes_mapped()
  local file = io.open("/proc/self/maps")
  local text = file:read("*a")
  file:close()
  return text
end

describe("a mapped file #host #once", function()
  it("holds what it holds when it is read, of every dtype and size", function()
    for _, dtype in ipairs(support.dtypes) do
      if dtype ~= "bfloat16" then
        for _, shape in ipairs {{}, {0}, {1}, {6}, {2, 3}, {3, 0, 2}, {2, 1, 3}} do
          local values = {}
          for i = 1, support.numel(shape) do values[i] = i % 2 end
          local x = support.tensor(dtype, values, shape)
          for _, mode in ipairs {"r", "r+"} do
            mapped(x, mode, function(m)
              same(m, shape, support.values(x), dtype)
              assert.equal("cpu", m.device)
            end)
          end
        end
      end
    end
  end)

  it("may be in Fortran's order, but not in the other order of bytes", function()
    local function file(descr, fortran)
      local text = ("{'descr': '%s', 'fortran_order': %s, 'shape': (2, 3), }"):format(descr,
        fortran)
      text = text .. (" "):rep(117 - #text) .. "\n"
      return "\147NUMPY\1\0\118\0" .. text .. ("\1\0\2\0\3\0\4\0\5\0\6\0")
    end
    with(file("<i2", "True"), function(path)
      same(locus.load(path, {mmap = "r"}), {2, 3}, {1, 3, 5, 2, 4, 6}, "int16")
    end)
    with(file(">i2", "False"), function(path)
      assert.equal(("load: '%s' has the other byte order and cannot be mapped"):format(
        path), message(locus.load, path, {mmap = "r"}))
    end)
  end)

  it("is read-only, and so are its views, in every way there is to write", function()
    local x = locus.arange(12):to("float32"):view(3, 4)
    mapped(x, "r", function(m, path)
      local function refuses(name, f, ...)
        assert.equal(("'%s' is read-only; write to its clone()"):format(name),
          message(f, ...):match("^[%w_]+: (.*)$"))
      end
      for _, view in ipairs {m, m[2], m:t(), m:view(12), m[{{1, 2}, {2, 3}}], m:narrow(1, 1, 1)} do
        refuses("input", view.add_, view, 1)
        refuses("input", view.fill_, view, 1)
        refuses("input", view.zero_, view)
        refuses("input", view.copy_, view, view:clone())
        refuses("input", view.neg_, view)
        refuses("input", view.masked_fill_, view, view:gt(3), 1)
        refuses("out", locus.add, view:clone(), 1, {out = view})
        refuses("input", function() view[view:gt(3)] = 0 end)
        refuses("input", function() view[{{1, 1}}] = 0 end)
        refuses("input", function() view[locus.LongTensor{1}] = 0 end)
      end
      local flat = m:view(12)
      refuses("input", flat.index_put_, flat, {locus.LongTensor{1}}, 1, true)
      refuses("out", locus.where, flat:gt(3), 1, 0, {out = flat})
      refuses("out", flat.cumsum, flat:clone(), 1, {out = flat})
      refuses("out[1]", flat.sort, flat:clone(), {out = {flat, locus.LongTensor(12)}})
      refuses("input", function() m[{2, 2}] = 5 end)
      for i = 1, 200 do -- compiled, too
        local ok = pcall(function() flat[i % 12 + 1] = 7 end)
        assert.is_false(ok)
      end
      assert.equal("ctype<const float *>", tostring(ffi.typeof(m:data())))
      same(m, {3, 4}, support.values(x))
      same(locus.load(path), {3, 4}, support.values(x))
      same(m:clone():fill_(2)[1], {4}, {2, 2, 2, 2})
    end)
  end)

  it("is written to by no call of any function: one that did would end the process", function()
    local output, status = support.run("require('spec.support.trials.readonly')()")
    assert.equal(0, status, output)
    local calls, refused = output:match("^(%d+) calls, (%d+) refused\n$")
    assert.is_truthy(calls, output)
    assert.is_true(tonumber(calls) > 300 and tonumber(refused) > 30, output)
  end)

  it("may be an input beside any output", function()
    mapped(locus.arange(1000), "r", function(m)
      local out = locus.empty(1000)
      assert.equal(499500, m:add(0, {out = out}):sum())
      assert.equal(500, m:searchsorted(499))
      assert.equal(999, #m:nonzero())
      assert.equal(999, m:gt(5):where(m, 0)[1000])
      out:copy_(m)
      assert.is_true(out:equal(m))
    end)
  end)

  it("is written to in mode r+, and other mappings see it", function()
    mapped(locus.arange(4):int(), "r+", function(m, path)
      local seen = locus.load(path, {mmap = "r"})
      m[1] = 7
      m:narrow(1, 2, 2):mul_(10)
      for i = 1, 100 do m[4] = i end
      same(seen, {4}, {7, 10, 20, 100}, "int32")
      same(locus.load(path), {4}, {7, 10, 20, 100}, "int32")
    end)
  end)

  it("is mapped as long as a view of it lives, and no longer", function()
    mapped(locus.arange(1e4), "r", function(m, path)
      local view = m[{{2, 3}}]
      assert.truthy(bytes_mapped():find(path, 1, true))
      m:free()
      assert.truthy(bytes_mapped():find(path, 1, true))
      same(view, {2}, {1, 2})
      view:free()
      collectgarbage() -- the views of these lines
      assert.falsy(bytes_mapped():find(path, 1, true))
      local held = {locus.load(path, {mmap = "r"}):view(100, 100)}
      assert.truthy(bytes_mapped():find(path, 1, true))
      held[1] = held[1]:size(1) -- the view is garbage
      collectgarbage()
      collectgarbage()
      assert.falsy(bytes_mapped():find(path, 1, true))
    end)
  end)

  it("does not become the memory of a larger or smaller result", function()
    mapped(locus.arange(8), "r+", function(m, path)
      locus.tensor({0, 1, 1}):gt(0):nonzero{out = m:long()}
      locus.tensor({5, 6}):masked_select(locus.tensor({1, 1}):gt(0), {out = m})
      same(m, {2}, {5, 6})
      same(locus.load(path), {8}, {0, 1, 2, 3, 4, 5, 6, 7})
    end)
  end)

  it("is refused where it cannot be mapped", function()
    local function fails(text, ...)
      assert.matches(text, message(locus.load, ...))
    end
    with("", function(path)
      locus.arange(100):save(path)
      fails("^load: 'mmap' must be \"r\" or \"r%+\", got \"w\"$", path, {mmap = "w"})
      for _, wrong in ipairs {{true, "the Lua boolean true"}, {false, "the Lua boolean false"},
          {1, "the number 1"}, {{}, "a table"}} do
        local sentence = ": 'mmap' must be \"r\" or \"r+\", got " .. wrong[2]
        assert.equal("load" .. sentence, message(locus.load, path, {mmap = wrong[1]}))
        assert.equal("load" .. sentence, message(locus.load, "/", {mmap = wrong[1]}))
        assert.equal("from_file" .. sentence,
          message(locus.from_file, path, "int8", {mmap = wrong[1]}))
      end
      files.write(path, files.read(path):sub(1, -2))
      fails("is cut off: it has 799 of 800 bytes of elements$", path, {mmap = "r"})
      files.write(path, "nothing")
      fails("is not a file in NumPy's format .npy$", path, {mmap = "r"})
    end)
    fails("'/no/such' cannot be opened: No such file or directory$", "/no/such", {mmap = "r"})
    fails("'/dev/null' is not a file in NumPy", "/dev/null", {mmap = "r"})
    local map_file = require("locus.core").internal.map_file
    local zero = assert(io.open("/dev/zero", "rb"))
    assert.matches("'/dev/zero' cannot be mapped: it is no regular file$",
      message(map_file, zero, "/dev/zero", "uint8", {5}, 0, false))
    zero:close()
  end)

  it("is open at once, whatever its size", function()
    with("", function(path)
      local file = assert(io.open(path, "wb"))
      file:write(("\147NUMPY\1\0\118\0{'descr': '<f8', 'fortran_order': False, "
        .. "'shape': (1000000000,), }"):sub(1, 200))
      file:write((" "):rep(127 - file:seek("cur")) .. "\n")
      file:seek("set", 127 + 8e9) -- a hole
      file:write("\0")
      file:close()
      local x = locus.load(path, {mmap = "r"})
      assert.equal(1e9, #x)
      assert.equal(1e9 + 1, x:searchsorted(0.5))
      x:free()
    end)
  end)
end)

describe("from_file with a mapping #host #once", function()
  it("begins at any element, and takes as many as are asked for", function()
    with("\1\0\2\0\3\0\4\0", function(path)
      same(locus.from_file(path, "int16", {mmap = "r"}), {4}, {1, 2, 3, 4}, "int16")
      same(locus.from_file(path, "int16", {mmap = "r", offset = 2, count = 2}), {2}, {2, 3})
      same(locus.from_file(path, "uint8", {mmap = "r", offset = 3, count = 1}), {1}, {0})
      same(locus.from_file(path, "int16", {mmap = "r", offset = 8}), {0}, {})
      local x = locus.from_file(path, "int16", {mmap = "r+", offset = 4})
      x:fill_(258)
      assert.equal("\1\0\2\0\2\1\2\1", files.read(path))
      assert.matches("has elements that begin at byte 1; to be mapped, they must begin at a "
        .. "multiple of 2 for dtype int16$",
        message(locus.from_file, path, "int16", {mmap = "r", offset = 1, count = 1}))
    end)
  end)

  it("begins behind the first pages", function()
    with(("\0"):rep(10000) .. ("\1"):rep(5000), function(path)
      local x = locus.from_file(path, "uint8", {mmap = "r", offset = 9999})
      same(x[{{1, 3}}], {3}, {0, 1, 1})
      assert.equal(5000, x:sum())
    end)
  end)
end)
