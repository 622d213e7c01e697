-- SPDX-License-Identifier: MIT
-- from_arrow of what lacks something that no row needs: a dictionary with nulls, an array that
-- never comes. Other layouts: arrow_layouts_spec.lua.
local has_ffi, ffi = pcall(require, "ffi")
local locus = require "locus"
local support = require "spec.support"
local with_stream = has_ffi and require "spec.support.data.arrow_stream"

local message, same = support.message, support.same

-- Puts the structs of another column in place of those.
local function replace(array, schema, by)
  local other, names = by:to_arrow()
  array.release(array)
  schema.release(schema)
  ffi.copy(array, other, ffi.sizeof(other))
  ffi.copy(schema, names, ffi.sizeof(names))
  other.release, names.release = nil, nil
end

-- Says by bits which elements are there; what is answered must stay.
local function lacking(array, bits)
  local bytes = ffi.new("uint8_t[8]", bits)
  array.buffers[0], array.null_count = bytes, -1
  return bytes
end

-- The column read from those indices, counted from 0, with those bits for the ones that are there,
-- into a dictionary of those values with those bits.
local function encoded(values, bits, indices, row_bits, named)
  local array, schema = locus.strings({"a", "b", "c"}):to_arrow()
  replace(array.dictionary, schema.dictionary, values)
  local kept = {lacking(array.dictionary, bits), ffi.new("int32_t[8]", indices)}
  array.buffers[1], array.length = kept[2], #indices
  if row_bits then kept[3] = lacking(array, row_bits) end
  return locus.from_arrow(array, schema, named), kept
end

describe("a dictionary with nulls #host #once", function()
  it("that no row uses is like one without them, of every type", function()
    for _, dtype in ipairs {"int8", "int32", "int64", "uint8", "float32", "float64"} do
      local x = locus.tensor({10, 20, 30}, {dtype = dtype, device = "cpu"})
      same((encoded(x, 5, {2, 0, 2})), {3}, {30, 10, 30}, dtype)
      same((encoded(x, 1, {0, 0})), {2}, {10, 10}, dtype)
      same((encoded(x, 0, {})), {0}, {})
    end
    same((encoded(locus.tensor({true, false, true}, {device = "cpu"}), 3, {1, 0})), {2},
      {false, true})
    local c = encoded(locus.strings {"x", "y", "z"}, 6, {2, 1, 2})
    assert.same({"z", "y", "z"}, c:totable())
    assert.same({"z", "y", "z"}, (encoded(locus.strings {"x", "y", "z"}, 6, {2, 1, 2}, 7,
      {missing = "?"})):totable())
  end)

  it("that a row uses is missing in that row", function()
    local x = locus.tensor({10, 20, 30}, {dtype = "int64", device = "cpu"})
    assert.equal("from_arrow: 'array' lacks 2 values; give a value for missing ones: missing = "
      .. "value",
      message(encoded, x, 5, {1, 0, 1}))
    same((encoded(x, 5, {1, 0, 2}, nil, {missing = -1})), {3}, {-1, 10, 30})
    same((encoded(x, 5, {1, 0, 2, 2}, 7, {missing = -1})), {4}, {-1, 10, 30, -1})
    local y = encoded(x:double(), 5, {1, 0})
    assert.same({10, true}, {y[2], y[1] ~= y[1]})
    assert.same({"", "x", ""}, (encoded(locus.strings {"x", "y"}, 1, {1, 0, 0}, 3)):totable())
  end)

  it("and rows without a value, which point anywhere", function()
    local x = locus.tensor({10, 20, 30}, {dtype = "int32", device = "cpu"})
    same((encoded(x, 5, {0, 99, -7}, 1, {missing = 0})), {3}, {10, 0, 0})
    assert.equal("from_arrow: 'array' has indices past its dictionary of 3",
      message(encoded, x, 5, {0, 99}))
    assert.equal("from_arrow: 'array' has indices past its dictionary of 3",
      message(encoded, x, 7, {0, -1, 1}, 3, {missing = 0}))
  end)

  it("in a frame goes by the column's name", function()
    local array, schema = locus.frame({{"s", {"a", "b"}}, {"t", {1, 2}}}):to_arrow()
    local values = locus.tensor({7, 8}, {dtype = "int64", device = "cpu"})
    replace(array.children[0].dictionary, schema.children[0].dictionary, values)
    local kept = lacking(array.children[0].dictionary, 1)
    assert.equal("from_arrow: the column 's' lacks 1 value; give a value for missing ones: "
      .. "missing = {s = value}", message(locus.from_arrow, array, schema), kept)
    local f = locus.from_arrow(array, schema, {missing = {s = 0}})
    same(f.s, {2}, {7, 0})
  end)
end)

describe("a stream without an array #host #once", function()
  -- The column that a stream of nothing but this format is; `change` gets the schema.
  local function empty(x, format, change)
    local schema = select(2, x:to_arrow())
    local text = ffi.new("char[?]", #format + 1, format)
    local place = change and change(schema) or schema
    place.format = text
    return (with_stream(schema, {}, locus.from_arrow_stream)), text
  end
  local zeros = function() return locus.zeros(1, {device = "cpu"}) end

  it("is empty, of every format", function()
    for _, format in ipairs {"u", "U", "z", "Z", "vu", "vz"} do
      local made = empty(zeros(), format)
      assert.same({0, "string"}, {#made, made.dtype}, format)
    end
    for format, dtype in pairs {b = "bool", c = "int8", C = "uint8", s = "int16", S = "int32",
      i = "int32", I = "int64", l = "int64", L = "int64", e = "float16", f = "float32",
      g = "float64", tdD = "int64", tdm = "int64", ["tsu:"] = "int64", ["tsn:UTC"] = "int64",
      tts = "int32", ttn = "int64", tDu = "int64"} do
      local made = empty(zeros(), format)
      assert.same({0, dtype}, {#made, made.dtype}, format)
    end
  end)

  it("in a column of a frame, and in a dictionary", function()
    for _, format in ipairs {"u", "vu", "vz"} do
      local f = empty(locus.frame {{"s", {"a"}}, {"x", {1}}}, format,
        function(schema) return schema.children[1] end)
      assert.same({0, "string", "string"}, {#f, f.s.dtype, f.x.dtype})
      local c = empty(locus.strings {"a"}, format, function(schema) return schema.dictionary end)
      assert.same({0, "string"}, {#c, c.dtype})
    end
  end)
end)
