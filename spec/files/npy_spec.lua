-- SPDX-License-Identifier: MIT
-- x:save(path) and locus.load(path): NumPy's format byte by byte, what is refused, and round trips
-- against NumPy itself where LOCUS_TEST_PYTHON, or else python3, has it.
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"
local files = require "spec.support.text"

local message, same = support.message, support.same
local read, with, write = files.read, files.with_file, files.write

local CODES = {bool = "|b1", uint8 = "|u1", int8 = "|i1", int16 = "<i2", int32 = "<i4",
               int64 = "<i8", float16 = "<f2", float32 = "<f4", float64 = "<f8",
               complex64 = "<c8", complex128 = "<c16"}

-- A file of version 1.0, or another, with that header.
local function npy(text, data, version)
  local wide = (version or 1) > 1 and "\0\0" or ""
  return "\147NUMPY" .. string.char(version or 1, 0, #text % 256, math.floor(#text / 256)) .. wide
    .. text .. (data or "")
end

local function dict(descr, fortran, shape)
  return ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n"):format(descr, fortran, shape)
end

local function load(bytes) return with(bytes, locus.load) end

-- The sentence of loading those bytes, without the path.
local function refused(bytes)
  return with(bytes, function(path)
    local text = message(locus.load, path)
    local first, last = text:find("'" .. path .. "' ", 1, true)
    assert(first == 7, text)
    return text:sub(last + 1)
  end)
end

describe("x:save(path)", function()
  it("writes the bytes that NumPy writes", function()
    local bytes = with("what was there before is longer than nothing", function(path)
      assert.equal(0, select("#", locus.tensor({1, -2}, {dtype = "int16"}):save(path)))
      return read(path)
    end)
    assert.equal("\147NUMPY\1\0\118\0{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }"
      .. (" "):rep(60) .. "\n\1\0\254\255", bytes)
    bytes = with("", function(path)
      locus.tensor(1.5):save(path)
      return read(path)
    end)
    assert.equal("\147NUMPY\1\0\118\0{'descr': '<f8', 'fortran_order': False, 'shape': (), }"
      .. (" "):rep(62) .. "\n\0\0\0\0\0\0\248\63", bytes)
  end)

  it("writes every layout and dtype in C order", function()
    for dtype, code in pairs(CODES) do
      local x = support.tensor(dtype, {0, 1, 1, 0, 1, 0}, {2, 3})
      for _, layout in ipairs(support.layouts) do
        with("", function(path)
          support.laid(x, layout):save(path)
          local bytes = read(path)
          assert.equal(0, (#bytes - 6 * x:element_size()) % 64)
          assert.truthy(bytes:find(("{'descr': '%s', 'fortran_order': False, 'shape': (2, 3), }")
            :format(code), 1, true))
          local y = locus.load(path)
          same(y, {2, 3}, support.values(x), dtype)
          assert.equal(support.device, y.device)
        end)
      end
    end
  end)

  it("takes any size, 0-d and empty ones too", function()
    for _, shape in ipairs {{}, {0}, {1}, {3, 0, 2}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {70, 3}} do
      local values = {}
      for i = 1, support.numel(shape) do values[i] = i end
      with("", function(path)
        support.tensor("float64", values, shape):save(path)
        same(locus.load(path), shape, values, "float64")
      end)
    end
  end)

  it("keeps every bit", function()
    with("", function(path)
      local x = support.tensor("int64", {support.range.int64[1], support.range.int64[2],
                                         support.integer("9007199254740993")})
      x:save(path)
      same(locus.load(path), {3}, support.values(x), "int64")
      x = support.tensor("float32", {support.nan, -locus.inf, -0.0, 2 ^ -149})
      x:save(path)
      same(locus.load(path), {4}, support.values(x), "float32")
    end)
  end)

  it("says what it cannot write", function()
    local x = locus.zeros(3)
    assert.equal("save: files of tensors have no bfloat16; write x:float():save(path)",
      message(function() x:to("bfloat16"):save("/dev/null") end))
    assert.equal("save: 'path' is missing", message(x.save, x))
    assert.equal("save: 'path' must be a string, got the number 5", message(x.save, x, 5))
    assert.equal("save: '/no/such/x.npy' cannot be opened: No such file or directory",
      message(x.save, x, "/no/such/x.npy"))
    for _, n in ipairs {0, 3, 100000} do
      assert.equal("save: '/dev/full' cannot be written: No space left on device",
        message(x.save, locus.zeros(n), "/dev/full"))
    end
    assert.equal("locus has no 'save'; write x:save(...)",
      message(function() return locus.save end))
    assert.equal("a tensor has no 'load'; write locus.load(...)",
      message(function() return x.load end))
    assert.equal("save: '/dev/full' cannot be written: No space left on device",
      message(locus.zeros(1).save, locus.zeros(3e6), "/dev/full")) -- room is asked for first
  end)
end)

describe("locus.load(path)", function()
  local four = "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0"

  it("reads the versions of the format", function()
    for version = 1, 3 do
      same(load(npy(dict("<i4", "False", "(2, 2)"), four, version)), {2, 2}, {1, 2, 3, 4}, "int32")
    end
    assert.equal("is in version 4 of NumPy's format, which is not supported",
      refused(npy(dict("<i4", "False", "(2, 2)"), four, 4)))
  end)

  it("reads Fortran's order as a transposed view", function()
    local x = load(npy(dict("<i4", "True", "(2, 2)"), four))
    same(x, {2, 2}, {1, 3, 2, 4}, "int32")
    assert.same({1, 2}, {x:stride(1), x:stride(2)})
    same(load(npy(dict("|u1", "True", "(3, 2, 1)"), "abcdef")), {3, 2, 1},
      {97, 100, 98, 101, 99, 102}, "uint8")
    same(load(npy(dict("|u1", "True", "(3,)"), "abc")), {3}, {97, 98, 99}, "uint8")
    same(load(npy(dict("|u1", "True", "()"), "a")), {}, {97}, "uint8")
  end)

  it("reads both orders of bytes", function()
    for dtype, code in pairs(CODES) do
      if code:sub(1, 1) == "<" then
        local values = dtype:find("complex") and {support.complex(1.5, -2), support.complex(0, 3)}
          or {1, 100}
        with("", function(path)
          support.tensor(dtype, values):save(path)
          local bytes, size = read(path), support.types[dtype].size
          local part = dtype:find("complex") and size / 2 or size
          local data = bytes:sub(-2 * size):gsub(("."):rep(part), string.reverse)
          write(path, npy(dict(">" .. code:sub(2), "False", "(2,)"), data))
          same(locus.load(path), {2}, values, dtype)
        end)
      end
    end
    same(load(npy(dict("=i4", "False", "(4,)"), four)), {4}, {1, 2, 3, 4}, "int32")
    same(load(npy(dict("i1", "False", "(1,)"), "\255")), {1}, {-1}, "int8")
  end)

  it("reads every way to write a header", function()
    for _, text in ipairs {
      "{'shape': (2, 2), 'fortran_order': False, 'descr': '<i4'}",
      '{"descr":"<i4","fortran_order":False,"shape":(2,2)}',
      "  { 'descr' : '<i4' , 'fortran_order' : False , 'shape' : ( 2 , 2 , ) , }  \n\n",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (2L, 2L), }",
    } do
      same(load(npy(text, four)), {2, 2}, {1, 2, 3, 4}, "int32")
    end
  end)

  it("refuses every other header", function()
    for _, text in ipairs {
      "", "{}", "nonsense", "{'descr': '<i4', 'fortran_order': False}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), 'more': 1}",
      "{'descr': '<i4', 'descr': '<i4', 'shape': (2, 2)}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2)",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2)} + 1",
      "{'descr': '<i4' 'fortran_order': False, 'shape': (2, 2)}",
      "{'descr': '<i4', 'fortran_order': false, 'shape': (2, 2)}",
      "{'descr': '<i4', 'fortran_order': 0, 'shape': (2, 2)}",
      "{'descr': '<\\x69', 'fortran_order': False, 'shape': (2, 2)}",
      "{'descr': 4, 'fortran_order': False, 'shape': (2, 2)}",
      "{,'descr': '<i4', 'fortran_order': False, 'shape': (2, 2)}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2),,}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': [2, 2]}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (4)}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': 4}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (-2, -2)}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (2.0, 2)}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (2,, 2)}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (,)}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (2 2, )}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (LL, 2)}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': ((2), 2)}",
    } do
      assert.equal("has a header that is not NumPy's", refused(npy(text, four)), text)
    end
  end)

  it("refuses dtypes that there are not, by name", function()
    for descr, name in pairs {
      ["<f16"] = "long double, for which there is no dtype; in NumPy, save x.astype('float64')",
      ["<c32"] = "complex long double, for which there is no dtype; in NumPy, save "
        .. "x.astype('complex128')",
      ["<M8[s]"] = "times, for which there is no dtype; in NumPy, save x.astype('int64')",
      ["<m8[ns]"] = "time spans, for which there is no dtype; in NumPy, save x.astype('int64')",
      ["|O"] = "Python objects, for which there is no dtype",
      ["|V3"] = "records or raw bytes, for which there is no dtype; where they are numbers, in "
        .. "Python save x.astype('float32')",
      ["<x9"] = "'<x9', for which there is no dtype",
      [""] = "'', for which there is no dtype",
    } do
      assert.equal("holds " .. name, refused(npy(dict(descr, "False", "(2,)"), four)))
    end
  end)

  it("refuses what is cut off, and what is no such file", function()
    local whole = npy(dict("<i4", "False", "(2, 2)"), four)
    for length = 0, #whole - 1 do
      local text = refused(whole:sub(1, length))
      local expected = length < 7 and "is not a file in NumPy's format .npy"
        or length < #whole - 16 and "is cut off in its header"
        or ("is cut off: it has %d of 16 bytes of elements"):format(length - (#whole - 16))
      if length >= 7 then assert.equal(expected, text) end
    end
    assert.equal("is not a file in NumPy's format .npy", refused(""))
    assert.equal("is not a file in NumPy's format .npy", refused("PK\1\2 no archive"))
    for _, text in ipairs {"a,b\n1,2\n", "x\n", "\195\164;b\r\n1;2", ("a,"):rep(999) .. "\n"} do
      assert.equal("is text; write locus.read_csv(path)", refused(text))
    end
    assert.equal("is compressed by gzip; text in it is read by locus.read_csv(path)",
      refused("\31\139\8\0\0\0\0\0\0\3\0\0\0\0"))
    assert.equal("is not a file in NumPy's format .npy", refused("a\n\0"))
    assert.equal("has a header of 4294967295 bytes, which is too long",
      refused("\147NUMPY\2\0\255\255\255\255"))
    assert.matches("^is cut off: it has 16 of %d+ bytes of elements$",
      refused(npy(dict("<f8", "False", "(1000000000, 1000000000)"), four)))
    for _, shape in ipairs {"(0, 99999999999999999999)", "(" .. ("1, "):rep(33) .. ")"} do
      assert.equal("has a size that no tensor can have", refused(npy(dict("<f8", "False", shape))))
    end
    same(load(whole .. "more"), {2, 2}, {1, 2, 3, 4}, "int32")
  end)

  it("says what the system says", function()
    assert.equal("load: '/no/such.npy' cannot be opened: No such file or directory",
      message(locus.load, "/no/such.npy"))
    assert.equal("load: 'path' is missing", message(locus.load))
    assert.equal("load: 'path' must be a path, a pattern or a list of paths, got a float64 tensor "
      .. "of size 1",
      message(locus.load, locus.zeros(1)))
  end)

  it("reads what cannot tell its length", function()
    with(npy(dict("<i4", "False", "(2, 2)"), four), function(path)
      local pipe = os.tmpname()
      os.remove(pipe)
      os.execute(("mkfifo %s; cat %s > %s &"):format(pipe, path, pipe))
      local ok, x = pcall(locus.load, pipe)
      os.remove(pipe)
      assert.is_true(ok, x)
      same(x, {2, 2}, {1, 2, 3, 4}, "int32")
    end)
  end)

  it("takes the memory of the tensor alone, and none where it fails #host", function()
    with("", function(path)
      locus.zeros(1e6):save(path)
      for _ = 1, 3 do collectgarbage() end
      local output, status = support.run(([[
        local locus = require "locus"
        local x = locus.load(%q)
        print(locus.memory.stats().peak_bytes < 8.01e6)
      ]]):format(path))
      assert.equal(0, status, output)
      assert.equal("true\n", output)
      write(path, read(path):sub(1, -2))
      local live = locus.live_bytes()
      for _ = 1, 10 do assert.is_false(pcall(locus.load, path)) end
      for _ = 1, 3 do collectgarbage() end
      assert.equal(live, locus.live_bytes())
    end)
  end)
end)

describe("locus.from_file(path, dtype)", function()
  local from_file = locus.from_file

  it("reads the elements and nothing else", function()
    for _, dtype in ipairs(support.dtypes) do
      local x = support.tensor(dtype, {1, 0, 1, 1})
      with(ffi.string(x:cpu():data(), 4 * x:element_size()), function(path)
        same(from_file(path, dtype), {4}, support.values(x), dtype)
      end)
    end
    with("", function(path) same(from_file(path, "int8"), {0}, {}, "int8") end)
    with("\255\255\255\255\255\255\255\127", function(path)
      assert.is_true(from_file{path = path, dtype = "int64"}[1] == support.range.int64[2])
    end)
  end)

  it("tells how far it is, as load does", function()
    with(("12345678"):rep(5e6), function(path)
      local told = {}
      local function tell(bytes, length) told[#told + 1] = ("%d of %d"):format(bytes, length) end
      local wanted = {"16777216 of 40000000", "33554432 of 40000000", "40000000 of 40000000"}
      local x = from_file(path, "int64", {progress = tell})
      assert.same(wanted, told)
      assert.is_true(x:eq(x[1]):all())
      x:save(path)
      told = {}
      assert.is_true(locus.load(path, {progress = tell}):equal(x))
      assert.same(wanted, told)
      for _, f in ipairs {from_file, locus.load} do
        assert.truthy(message(f, {path = path, dtype = f == from_file and "int8" or nil,
                                  progress = 5})
          :find("'progress' must be a function or false, got the number 5", 1, true))
      end
    end)
  end)

  it("says what is wrong", function()
    with("abcdefg", function(path)
      assert.equal(("from_file: '%s' ends within an element: it has 7 bytes, and int16 takes 2")
        :format(path), message(from_file, path, "int16"))
      assert.truthy(message(from_file, path, "f8"):find("^from_file: 'dtype' must be one of"))
      assert.equal("from_file: 'dtype' is missing", message(from_file, path))
    end)
    assert.equal("from_file: '/no' cannot be opened: No such file or directory",
      message(from_file, "/no", "int8"))
    assert.equal("from_file: '/' does not say how long it is", message(from_file, "/", "int8"))
    assert.equal("from_file: 'path' must be a string, got the number 1",
      message(from_file, 1, "int8"))
  end)
end)

-- Writes each dtype in each form by NumPy; then reads back what locus has written there, and
-- compares it with its own bytes.
local SCRIPT = [[
import sys, numpy as np
folder, step = sys.argv[1:]
dtypes = "bool int8 uint8 int16 int32 int64 float16 float32 float64 complex64 complex128"
for dtype in dtypes.split():
    a = np.arange(24).reshape(2, 3, 4).astype(dtype)
    forms = {"zero": a[1, 2, 3], "row": a[1, 1], "cube": a, "empty": a[:, :0],
             "fortran": np.asfortranarray(a), "other": a.astype(a.dtype.newbyteorder(">"))}
    for form, array in forms.items():
        path = f"{folder}/{dtype}.{form}.npy"
        if step == "write":
            np.save(path, array)
            continue
        back = np.load(path + ".back")
        assert back.dtype == a.dtype and back.shape == array.shape, path
        assert (back == array).all(), path
        if form in ("zero", "row", "cube", "empty"):
            assert open(path, "rb").read() == open(path + ".back", "rb").read(), path
print("all right")
]]

describe("NumPy", function()
  local name = files.python "numpy"
  if not name then
    pending("is not here: LOCUS_TEST_PYTHON may name a Python that has it")
    return
  end

  it("reads what locus writes, and writes the same bytes", function()
    support.in_folder({["/script.py"] = SCRIPT}, function(root)
      local function run(step)
        local pipe = io.popen(("%s %s/script.py %s %s 2>&1"):format(name, root, root, step))
        local output = pipe:read("*a")
        pipe:close()
        assert.equal("all right\n", output)
      end
      run("write")
      for dtype in pairs(CODES) do
        local cube = locus.arange(24):view(2, 3, 4):to(dtype)
        local forms = {zero = cube[{2, 3}]:narrow(1, 4, 1):view({}), row = cube[{2, 2}],
                       cube = cube, empty = locus.zeros(2, 0, 4, {dtype = dtype}), fortran = cube,
                       other = cube}
        for form, expected in pairs(forms) do
          local path = ("%s/%s.%s.npy"):format(root, dtype, form)
          local x = locus.load(path)
          same(x, support.shape(expected), support.values(expected), dtype)
          x:save(path .. ".back")
        end
      end
      run("compare")
    end)
  end)
end)
