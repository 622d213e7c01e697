-- SPDX-License-Identifier: MIT
-- to_arrow, from_arrow and from_arrow_stream: the structs field by field, and who keeps what alive.
-- Formats of other makers: arrow_layouts_spec.lua. With other libraries: exchange_spec.lua.
local has_ffi, ffi = pcall(require, "ffi")
local locus = require "locus"
local support = require "spec.support"
local with_stream = has_ffi and require "spec.support.data.arrow_stream"

local message, same = support.message, support.same

local function export(x) return x:to_arrow() end
local function round_trip(x) return locus.from_arrow(x:to_arrow()) end

local function release(...)
  for _, struct in ipairs {...} do struct.release(struct) end
end

-- The bytes of all tensors that somebody still has.
local function live()
  for _ = 1, 3 do collectgarbage() end
  return locus.live_bytes()
end

local FORMATS = {bool = "b", uint8 = "C", int8 = "c", int16 = "s", int32 = "i", int64 = "l",
                 float16 = "e", float32 = "f", float64 = "g"}

local function int32s(buffer, n)
  return locus.from_ptr(ffi.cast("int32_t *", buffer), n):totable()
end

local function at(pointer) return ffi.cast("void *", pointer) end

describe("to_arrow #host #once", function()
  it("says all there is to say of a tensor", function()
    for _, dtype in ipairs(support.dtypes) do
      local x = support.tensor(dtype, {0, 1, 1}, {3}):cpu()
      if FORMATS[dtype] then
        local array, schema = export(x)
        assert.equal(FORMATS[dtype], ffi.string(schema.format))
        assert.equal("", ffi.string(schema.name))
        assert.same({0, 0, true, true, true}, {tonumber(schema.flags), tonumber(schema.n_children),
          schema.metadata == nil, schema.children == nil, schema.dictionary == nil})
        assert.same({3, 0, 0, 2, 0}, {tonumber(array.length), tonumber(array.null_count),
          tonumber(array.offset), tonumber(array.n_buffers), tonumber(array.n_children)})
        assert.is_true(array.buffers[0] == nil and array.children == nil
          and array.dictionary == nil)
        if dtype == "bool" then
          assert.equal(6, ffi.cast("uint8_t *", array.buffers[1])[0])
        else
          assert.equal(at(x:data()), at(array.buffers[1]))
        end
      else
        assert.equal(("to_arrow: 'input' is %s, which Arrow does not have; write x:to(dtype)")
          :format(dtype), message(x.to_arrow, x))
      end
    end
  end)

  it("says it of strings, and of a frame", function()
    local array, schema = export(locus.strings {"b", "", "b", "long"})
    assert.equal("i", ffi.string(schema.format))
    assert.equal("u", ffi.string(schema.dictionary.format))
    assert.same({0, 1, 0, 2}, int32s(array.buffers[1], 4))
    assert.same({0, 1, 1, 5}, int32s(array.dictionary.buffers[1], 4))
    assert.equal("blong", ffi.string(array.dictionary.buffers[2], 5))
    assert.equal(3, tonumber(array.dictionary.length))
    array, schema = export(locus.frame {{"x", locus.ones(2):cpu()}, {"day", {7, 8}, "date"},
      {"at", {1, 2}, {"time", unit = "ns"}}, {"ip", {1, 2}, "ipv4"}, {"s", {"\255", "a"}}})
    assert.equal("+s", ffi.string(schema.format))
    local said = {}
    for i = 0, 4 do
      local child = schema.children[i]
      said[i + 1] = ffi.string(child.name) .. " " .. ffi.string(child.format)
      assert.equal(2, tonumber(array.children[i].length))
    end
    assert.same({"x g", "day tdD", "at tsn:", "ip l", "s i"}, said)
    assert.equal("z", ffi.string(schema.children[4].dictionary.format))
  end)

  it("keeps the elements alive until the release, and no longer", function()
    local before = live()
    local array, schema = export(locus.arange(1e5, {device = "cpu"}))
    assert.is_true(live() - before >= 8e5)
    assert.equal(99999, ffi.cast("double *", array.buffers[1])[99999])
    release(array, schema)
    assert.is_true(array.release == nil and schema.release == nil)
    assert.equal(before, live())
  end)

  it("is released by the collector where nobody took it", function()
    local before = live()
    local function lost()
      export(locus.frame {{"x", locus.arange(1e4, {device = "cpu"})}})
      export(locus.strings({"a", "b"}, {device = "cpu"}))
    end
    lost()
    assert.equal(before, live())
  end)

  it("lets a child be moved out of its frame", function()
    local before = live()
    local f = locus.frame {{"x", locus.arange(1e5, {device = "cpu"})},
      {"y", locus.arange(1e5, {device = "cpu"})}}
    local array, schema = export(f)
    f = nil
    local y = locus.from_arrow(array.children[1], schema.children[1])
    release(array, schema)
    assert.is_true(live() - before < 9e5, f)
    assert.equal(99999, y[100000])
    y:free()
    assert.equal(before, live())
  end)

  it("copies what others may take away, and what does not lie side by side", function()
    local floats = ffi.new("float[3]", 1, 2, 3)
    local array, schema = export(locus.from_ptr(floats, 3))
    assert.not_equal(at(floats), at(array.buffers[1]))
    same(locus.from_arrow(array, schema), {3}, {1, 2, 3})
    same(round_trip(locus.arange(6, {device = "cpu"}):view(3, 2):t()[2]), {3}, {1, 3, 5})
  end)

  it("refuses what it cannot say, and keeps nothing", function()
    local before = live()
    local function refuses(text, f) assert.equal("to_arrow: " .. text, message(f.to_arrow, f)) end
    refuses("'input' must be 1-D, got a float64 tensor of size 2x3", locus.zeros(2, 3))
    refuses("the column 'c' is complex64, which Arrow does not have; write x:to(dtype)",
      locus.frame {{"a", {1}}, {"c", locus.zeros(1, {dtype = "complex64"})}})
    refuses("the column 'd' has dates that int32 cannot hold", locus.frame {{"d", {2 ^ 31},
      "date"}})
    refuses("the name of a column must be UTF-8 without zero bytes, got the string \"a\\xff\"",
      locus.frame {{"a\255", {1}}})
    assert.matches("without zero bytes", message(function()
      return locus.frame({{"a\0b", {1}}}):to_arrow()
    end))
    assert.equal(before, live())
  end)
end)

describe("from_arrow #host #once", function()
  it("gives what to_arrow took, of every dtype, layout and size", function()
    for dtype in pairs(FORMATS) do
      for _, n in ipairs {0, 1, 7, 8, 9, 65} do
        local x = (locus.arange(n, {device = "cpu"}) % 3):to(dtype)
        local y = round_trip(x)
        assert.equal(dtype, y.dtype)
        same(y, {n}, support.values(x), dtype)
      end
    end
  end)

  it("gives frames with their kinds and strings", function()
    local f = locus.frame {{"x", locus.arange(3, {device = "cpu"})}, {"day", {7, -8, 9}, "date"},
      {"at", {1, 2, 3}, {"time", unit = "ms"}}, {"ok", {true, false, true}},
      {"s", {"b", "", "b"}}}

    for _, rows in ipairs {{1, 3}, {2, 3}, {2, 1}} do
      local part = f[{rows}]
      local back = round_trip(part)
      assert.equal(tostring(part), tostring(back))
      assert.same(part:types(), back:types())
    end
    assert.equal("[string column of size 0, 0 names]", tostring(round_trip(locus.strings {})))
    assert.equal(0, #round_trip(locus.frame {}):columns())
  end)

  it("shares the elements, read-only, and releases once, when the last view is gone", function()
    local before = live()
    local x = locus.arange(1e5, {device = "cpu"})
    local y = round_trip(x)
    assert.equal(at(x:data()), at(y:data()))
    assert.equal("add_: 'input' is read-only; write to its clone()", message(y.add_, y, 1))
    local view = y[{{2, 3}}]
    x:free()
    y:free()
    same(view, {2}, {1, 2})
    assert.is_true(live() - before >= 8e5)
    view:free()
    x, y = nil, nil
    assert.equal(before, live(), x, y)
  end)

  it("refuses arguments that are no structs", function()
    local array, schema = export(locus.zeros(1, {device = "cpu"}))
    assert.equal("from_arrow: 'array' must be a pointer to a struct of Arrow, got the number 5",
      message(locus.from_arrow, 5, schema))
    assert.equal("from_arrow: 'schema' is NULL",
      message(locus.from_arrow, array, ffi.cast("void *", nil)))
    assert.equal("from_arrow: 'missing' must be a number or a boolean for 'array', got the string "
      .. '"x"', message(locus.from_arrow, array, schema, {missing = "x"}))
    locus.from_arrow(array, schema)
    assert.equal("from_arrow: 'array' was released or moved",
      message(locus.from_arrow, array, schema))
  end)
end)

describe("from_arrow_stream #host #once", function()
  -- The answer of from_arrow_stream for columns, the first of which only gives the schema.
  local function read(columns, failing)
    local arrays, schema = {}, select(2, export(columns[1]))
    for i = 2, #columns do arrays[i - 1] = export(columns[i]) end
    return with_stream(schema, arrays, locus.from_arrow_stream, failing)
  end

  it("joins its arrays, shares one, and knows the types of none", function()
    local function part(n)
      local x = locus.arange(n, {device = "cpu"})
      return locus.frame {{"x", x}, {"day", x:long(), "date"},
        {"s", n > 0 and {"a", "b"} or locus.strings {}}}
    end
    for _, counts in ipairs {{}, {2}, {2, 2}, {2, 0, 2}} do
      local batches, expected = {part(2)}, part(0)
      for i, n in ipairs(counts) do batches[i + 1] = part(n) end
      for i = 2, #batches do expected = locus.cat {expected, batches[i]} end
      local made, released = read(batches)
      assert.is_true(released)
      assert.equal(tostring(expected), tostring(made))
    end
    local x = locus.arange(1e3, {device = "cpu"})
    local made = read {x, x}
    assert.equal(at(x:data()), at(made:data()))
  end)

  it("says what the stream says", function()
    local x = locus.arange(3, {device = "cpu"})
    assert.equal("from_arrow_stream: 'stream': error 5", message(read, {x, x, x}, 2))
    assert.equal("from_arrow_stream: 'stream' must be a pointer to a struct of Arrow, got a table",
      message(locus.from_arrow_stream, {}))
  end)
end)

describe("kinds #host #once", function()
  it("of a lone array stay, through a stream, too", function()
    local made = {
      locus.times {"2026-11-22T10:00:00Z", "2026-11-23"},
      locus.times({"2026-11-22"}, {unit = "ns"}),
    }
    for _, kind in ipairs {"date", "ipv4", {"duration", unit = "ms"}, {"duration", unit = "d"}} do
      made[#made + 1] = locus.frame({{"x", {1, 2}, kind}}).x
    end
    for _, x in ipairs(made) do
      x = x:cpu()
      assert.equal(tostring(x), tostring(locus.from_arrow(x:to_arrow())))
      for parts = 0, 2 do
        local arrays, schema = {}, select(2, x:to_arrow())
        for i = 1, parts do arrays[i] = (x:to_arrow()) end
        local back = with_stream(schema, arrays, locus.from_arrow_stream)
        local expected = parts == 2 and locus.cat {x, x} or parts == 1 and x or x[{{1, 0}}]
        assert.equal(tostring(expected), tostring(back))
      end
    end
  end)

  it("are marked by to_arrow in metadata, which from_arrow reads", function()
    local f = locus.frame {{"ip", {1, 2}, "ipv4"}, {"n", {3LL, 4LL}},
      {"days", {1, 2}, {"duration", unit = "d"}}, {"at", {1, 2}, {"time", unit = "us"}}}
    local array, schema = f:to_arrow()
    local said = {}
    for i = 0, 3 do
      local bytes = schema.children[i].metadata
      said[i + 1] = bytes ~= nil and ffi.string(bytes + 22, bytes[18]) or false
      if bytes ~= nil then assert.equal("locus.kind", ffi.string(bytes + 8, 10)) end
    end
    assert.same({"ipv4", false, "duration d", "time us"}, said)
    local back = locus.from_arrow(array, schema)
    assert.same(f:types(), back:types())
    assert.equal(tostring(f), tostring(back))
  end)
end)
