-- SPDX-License-Identifier: MIT
-- Everything that must hold without LuaJIT: plain Lua 5.1 loads the same binary, without FFI and
-- cdata. Runs under LuaJIT as well.

local has_ffi = pcall(require, "ffi")
local core = require "locus.core"
local locus = require "locus"

local function message(f, ...)
  local ok, text = pcall(f, ...)
  assert.is_false(ok)
  return (tostring(text):gsub("^[^:]+:%d+: ", ""))
end

-- Asserted only without FFI.
local function plain(name, f)
  if not has_ffi then
    it(name, f)
  end
end

local function real_dtypes()
  local list, names, types = {}, core.internal.dtypes()
  for _, dtype in ipairs(names) do
    local kind = types[dtype].kind
    if kind == "INTEGER" or kind == "FLOAT" then list[#list + 1] = dtype end
  end
  return list
end

describe("plain Lua", function()
  it("makes tensors of every dtype but complex and reads them back", function()
    for _, dtype in ipairs(real_dtypes()) do
      local x = locus.tensor({ { 1, 2, 3 }, { 4, 5, 6 } }, { dtype = dtype })
      assert.equal(dtype, x.dtype)
      assert.same({ { 1, 2, 3 }, { 4, 5, 6 } }, x:totable())
      assert.same({ { 1, 4 }, { 2, 5 }, { 3, 6 } }, x.T:totable())
      assert.same({ 0, 1, 2 }, locus.arange(3, { dtype = dtype }):totable())
    end
    assert.same({ true, false }, locus.tensor { true, false }:totable())
    assert.same({ 0, 0.5, 1 }, locus.linspace(0, 1, 3):totable())
    assert.same({ 7, 7 }, locus.full({ 2 }, 7):totable())
    assert.equal(5, locus.tensor(5):item())
    assert.same({ 1, 2 }, locus.LongTensor { 1, 2 }:totable())
  end)

  it("finds, chooses and searches", function()
    local x = locus.tensor { { 0, 3 }, { 4, 0 } }
    assert.same({ { 1, 2 }, { 2, 1 } }, x:nonzero():totable())
    local rows, columns = x:nonzero { as_tuple = true }
    assert.same({ { 1, 2 }, { 2, 1 } }, { rows:totable(), columns:totable() })
    assert.same({ { 0, 1 }, { 1, 0 } }, locus.where(x:gt(0), 1, 0):totable())
    assert.same({ 3, 4 }, x:masked_select(x:gt(0)):totable())
    local s = locus.tensor { 1, 3, 5 }
    assert.same({ 2, 4 }, s:searchsorted({ 3, 9 }):totable())
    assert.equal(3, s:searchsorted(4))
    assert.equal(3, locus.searchsorted({ 1, 3, 5 }, 3, { right = true }))
  end)

  it("indexes, reading and writing", function()
    local x = locus.arange(6):view(2, 3)
    assert.equal(5, x[{ 2, 3 }])
    assert.equal(3, x[2][1])
    assert.equal(2, #x)
    x[{ 1, 2 }] = 9
    x[{ {}, 3 }] = 0
    assert.same({ { 0, 9, 0 }, { 3, 4, 0 } }, x:totable())
    assert.same({ 9, 3, 4 }, x[x:gt(0)]:totable())
    local bytes = locus.zeros(3, { dtype = "uint8" })
    bytes[1] = 255
    assert.same({ 255, 0, 0 }, bytes:totable())
    assert.truthy(message(function() bytes[1] = 256 end):find("uint8 cannot hold", 1, true))
    assert.truthy(message(function() return bytes[4] end):find("4", 1, true))
    assert.truthy(message(function() return bytes[0] end):find("0", 1, true))
  end)

  it("computes elementwise and reduces", function()
    local x = locus.tensor { 1, 2, 3 }
    assert.same({ 2, 4, 6 }, (x + x):totable())
    assert.same({ 3, 5, 7 }, (x * 2 + 1):totable())
    assert.equal(6, x:sum())
    assert.same({ true, true, false }, x:lt(3):totable())
    local sorted, order = locus.tensor { 3, 1, 2 }:sort()
    assert.same({ { 1, 2, 3 }, { 2, 3, 1 } }, { sorted:totable(), order:totable() })
  end)

  it("converts", function()
    local x = locus.tensor { 1.5, -2 }
    assert.same({ 1, -2 }, x:long():totable())
    assert.same({ true, true }, x:bool():totable())
    assert.same({ 1.5, -2 }, x:half():double():totable())
    assert.equal("byte: 'input' holds -2 at [2], which uint8 cannot hold", message(x.byte, x))
    assert.same({ 5, 5 }, locus.zeros(2):fill_(5):totable())
  end)

  it("prints, int64 with every digit #host", function()
    assert.equal(" 1  2\n 3  4\n[float64 tensor of size 2x2]",
      tostring(locus.tensor { { 1, 2 }, { 3, 4 } }))
    assert.equal("  9007199254740993  -9223372036854775808\n[int64 tensor of size 2]",
      (tostring(locus.tensor({ "9007199254740993", "-9223372036854775808" }, { dtype = "int64" }))
        :gsub("^ +", "  ")))
    assert.equal(" 0+0i  0+0i\n[complex64 tensor of size 2]",
      tostring(locus.zeros(2, { dtype = "complex64" })))
    assert.equal("  true  false\n[bool tensor of size 2]", tostring(locus.tensor { true, false }))
    assert.equal("2x3", tostring(locus.zeros(2, 3).shape))
    assert.equal("nan [float64 tensor, 0-d]", tostring(locus.tensor(locus.nan)))
  end)

  it("keeps int64 exact inside", function()
    local x = locus.tensor({ "9007199254740993", "9007199254740992" }, { dtype = "int64" })
    assert.same({ { 1 } }, x:gt(2 ^ 53):nonzero():totable())
    local y = locus.zeros(2, { dtype = "int64" })
    y:copy_(x)
    assert.equal(tostring(x), tostring(y))
  end)

  it("reads bytes", function()
    assert.same({ 1, 2 }, locus.from_string("\1\0\2\0", "int16"):totable())
  end)

  it("has string columns", function()
    local c = locus.strings { "b", "a\0", "b", "" }
    assert.equal(4, #c)
    assert.equal("a\0", c[2])
    assert.same({ true, false, true, false }, c:eq("b"):totable())
    assert.same({ false, true, false, true }, c:lt("b"):totable())
    assert.same({ 1, 2, 1, 0 }, c:map(string.len):totable())
    assert.same({ "", "a\0", "b", "b" }, c:sort():totable())
    assert.same({ "b", "" }, c[{ { 3, 4 } }]:compact().names)
    assert.equal(' "a\\x00"       ""', (tostring(c[c:lt("b")]):match("^[^\n]*")))
    assert.equal("a string column has no 'maps'; did you mean 'map'?",
      message(function() return c.maps end))
  end)

  it("names what is wrong at the caller's line", function()
    local ok, text = pcall(function() locus.zeros(-1) end)
    local line = debug.getinfo(1, "l").currentline - 1
    assert.is_false(ok)
    assert.truthy(text:find("plain_spec.lua:" .. line .. ": zeros: 'size'", 1, true), text)
    assert.equal("locus has no 'tensr'; did you mean 'tensor'?",
      message(function() return locus.tensr end))
    assert.equal("a tensor has no 'cmul'; write x * y",
      message(function() return locus.zeros(1).cmul end))
  end)

  it("writes frames as text", function()
    local n = locus.tensor({ "9007199254740993", "5" }, { dtype = "int64" })
    local f = locus.frame{ { "n", n }, { "x", locus.tensor { 0.1, 0 / 0 } },
      { "s", locus.strings { "a,b", "" } } }
    local text = 'n,x,s\n9007199254740993,0.1,"a,b"\n5,,\n'
    assert.equal(text, f:write_csv())
    local path = os.tmpname()
    local file = assert(io.open(path, "wb"))
    f:write_csv(file)
    file:close()
    for line in io.lines(path) do
      assert.equal(line, text:sub(1, #line))
      text = text:sub(#line + 2)
    end
    assert.equal("", text)
    assert.matches("got a closed file$", message(f.write_csv, f, file))
    assert.equal("write_csv: cannot write to '/dev/full': No space left on device",
      message(f.write_csv, f, "/dev/full"))
    os.remove(path)
  end)

  plain("raises on int64 beyond 2^53", function()
    local x = locus.tensor({ "9007199254740993", "5" }, { dtype = "int64" })
    local wanted = ": an integer beyond 2^53 needs LuaJIT, whose int64_t cdata holds it"
    assert.equal("index" .. wanted, message(function() return x[1] end))
    assert.equal("totable" .. wanted, message(x.totable, x))
    assert.equal("item" .. wanted, message(x.item, x:narrow(1, 1, 1)))
    assert.equal(5, x[2])
  end)

  plain("raises on complex elements", function()
    local z = locus.zeros(2, { dtype = "complex128" })
    local wanted = ": a complex element needs LuaJIT, whose complex cdata holds it"
    assert.equal("index" .. wanted, message(function() return z[1] end))
    assert.equal("totable" .. wanted, message(z.totable, z))
    assert.same({}, z:nonzero():totable())
  end)

  plain("has no pointers", function()
    local x = locus.zeros(1)
    assert.equal("data: needs LuaJIT, whose FFI knows pointers", message(x.data, x))
    assert.equal("from_ptr: needs LuaJIT, whose FFI knows pointers",
      message(locus.from_ptr, io.stdout, 1))
  end)
end)

describe("frames", function()
  it("keep numbers and strings, rows and order", function()
    local f = locus.frame {
      { "n", locus.tensor({ 3, 1, 2 }, { dtype = "int64" }) }, { "s", { "b", "a", "b" } },
    }
    assert.equal(3, #f)
    assert.same({ n = 1, s = "a" }, f[2])
    assert.same({ 1, 3, 2 }, f:sort { "s", "-n" }.n:totable())
    assert.same({ "b", "b" }, f[f.n:gt(1)].s:totable())
    local seen = {}
    for i, row in f:iter() do seen[i] = row.s .. row.n end
    assert.same({ "b3", "a1", "b2" }, seen)
    assert.equal(6, #locus.cat { f, f })
    assert.same({ 3, 3 }, f:describe().count:totable())
    assert.equal("     n  s\n int64  string\n     3  b\n     1  a\n     2  b\n"
      .. "[frame of 3 rows, 2 columns]", (tostring(f):gsub(" on cuda:0", "")))
    assert.equal('{n = "int64", s = "string"}', tostring(f:types()))
    assert.equal("the frame has no column or method 'srot'; did you mean 'sort'?",
      message(function() return f.srot end))
  end)
end)

describe("builders", function()
  it("grow by values and by rows", function()
    for _, dtype in ipairs(real_dtypes()) do
      local b = locus.builder(dtype)
      for i = 1, 100 do b:push(i) end
      b:extend { 7, 8 }
      assert.equal(102, #b)
      assert.equal(5050 + 15, b:tensor():to("float64"):sum())
    end
    local b = locus.builder { { "n", "int64" }, { "s", "string" }, { "ok", "bool" } }
    b:push(1, "a", true)
    b:push { ok = false, n = 2, s = "b" }
    assert.equal("push: 'n' is 1.5, which int64 cannot hold", message(b.push, b, 1.5, "c", true))
    b:extend(b:frame())
    assert.same({ { 1, 2, 1, 2 }, { true, false, true, false }, { "a", "b", "a", "b" } },
      { b:frame().n:totable(), b:frame().ok:totable(), b:frame().s:totable() })
  end)
end)

describe("files of tensors", function()
  it("are written and read", function()
    local path = os.tmpname()
    for _, dtype in ipairs(real_dtypes()) do
      if dtype ~= "bfloat16" then
        locus.tensor({ { 1, 2, 3 }, { 4, 5, 6 } }, { dtype = dtype }):t():save(path)
        local x = locus.load(path)
        assert.equal(dtype, x.dtype)
        assert.same({ { 1, 4 }, { 2, 5 }, { 3, 6 } }, x:totable())
      end
    end
    os.remove(path)
    assert.equal("load: '" .. path .. "' cannot be opened: No such file or directory",
      message(locus.load, path))
    assert.equal("save: '/dev/full' cannot be written: No space left on device",
      message(locus.zeros(3).save, locus.zeros(3), "/dev/full"))
  end)
end)
