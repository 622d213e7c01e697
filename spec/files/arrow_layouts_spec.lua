-- SPDX-License-Identifier: MIT
-- from_arrow: every format and layout of other makers, what is missing, and what is refused.
local _, ffi = pcall(require, "ffi")
local locus = require "locus"
local support = require "spec.support"

local message, same = support.message, support.same

-- The bytes of all tensors that somebody still has.
local function live()
  for _ = 1, 3 do collectgarbage() end
  return locus.live_bytes()
end

-- An imported column whose array was changed first.
local function changed(x, change, named)
  local array, schema = x:to_arrow()
  local kept = change(array, schema)
  local made = locus.from_arrow(array, schema, named)
  return made, kept
end

describe("from_arrow #host #once", function()
  it("reads a part of an array, at any place in a byte of bits", function()
    for first = 0, 17 do
      for n = 0, 18 - first do
        local x = locus.arange(18, {device = "cpu"}) % 3
        local function cut(array) array.offset, array.length = first, n end
        same(changed(x, cut), {n}, support.values(x[{{first + 1, first + n}}]))
        same(changed(x:gt(0), cut), {n}, support.values(x[{{first + 1, first + n}}]:gt(0)))
      end
    end
  end)

  it("reads integers without a sign, dates and times of other makers", function()
    local function as(format)
      return function(_, schema)
        local text = ffi.new("char[?]", #format + 1, format)
        schema.format = text
        return text
      end
    end
    local function reads(dtype, values, format, got, named)
      local y = changed(locus.tensor(values, {dtype = dtype, device = "cpu"}), as(format), named)
      same(y, {#values}, values)
      assert.equal(got, y.dtype)
    end
    reads("uint8", {1, 255}, "C", "uint8")
    reads("int64", {1, 5}, "L", "int64")
    reads("int64", {1, 5}, "tsu:Europe/Berlin", "int64")
    reads("int64", {1, 5}, "tdm", "int64")
    reads("int32", {1, 5}, "tdD", "int64")
    reads("int32", {1, 5}, "tts", "int32")
    reads("int64", {1, 5}, "tDn", "int64")
    same(changed(locus.tensor({1, -1}, {dtype = "int16", device = "cpu"}), as "S"), {2},
      {1, 65535})
    same(changed(locus.tensor({1, -1}, {dtype = "int32", device = "cpu"}), as "I"), {2},
      {1, 2 ^ 32 - 1})
    assert.equal("from_arrow: 'array' has values past 2^63 - 1", message(changed,
      locus.tensor({1, -1}, {dtype = "int64", device = "cpu"}), as "L"))
  end)

  -- Says by bits which elements are there.
  local function lacking(bits)
    return function(array)
      local bytes = ffi.new("uint8_t[8]", bits)
      array.buffers[0], array.null_count = bytes, -1
      return bytes
    end
  end

  it("puts NaN, the empty string, or what the caller says, where nothing is", function()
    local x = locus.tensor({1, 2, 3}, {device = "cpu"})
    local y = changed(x, lacking(5))
    assert.same({1, 3, true}, {y[1], y[3], y[2] ~= y[2]})
    same(changed(x:long(), lacking(5), {missing = -1}), {3}, {1, -1, 3})
    same(changed(x:gt(1), lacking(3), {missing = true}), {3}, {false, true, true})
    same(changed(x:long(), lacking(7)), {3}, {1, 2, 3})
    assert.same({"a", "", "a"}, changed(locus.strings {"a", "b", "a"}, lacking(5)):totable())
    for _, text in ipairs {"-", "a", ""} do
      local f = locus.frame {{"s", {"a", "b", "a"}}, {"x", x:float()}}
      local g = changed(f, function(array)
        return {lacking(5)(array.children[0]), lacking(6)(array.children[1])}
      end, {missing = {s = text, x = -7}})
      assert.same({"a", text, "a"}, g.s:totable())
      same(g.x, {3}, {-7, 2, 3})
    end
    assert.equal("from_arrow: 'array' lacks 2 values; give a value for missing ones: missing = "
      .. "value",
      message(changed, x:long(), lacking(2)))
    assert.equal("from_arrow: the column 'x' lacks 1 value; give a value for missing ones: "
      .. "missing = {x = value}", message(changed, locus.frame {{"x", x:int()}},
      function(array) return lacking(3)(array.children[0]) end, {missing = {}}))
  end)

  it("takes no 'missing' that nothing stands for", function()
    local x = locus.tensor({1, 2, 3}, {device = "cpu"})
    for _, dtype in ipairs {"float16", "float32", "float64"} do
      same(changed(x:to(dtype), lacking(5), {missing = -1}), {3}, {1, -1, 3}, dtype)
    end
    local s = locus.strings({"a", "b", "a"}, {device = "cpu"})
    assert.same({"a", "none", "a"}, changed(s, lacking(5), {missing = "none"}):totable())
    local function says(sentence, value, missing)
      assert.equal("from_arrow: " .. sentence,
        message(changed, value, function() end, {missing = missing}))
    end
    says("'missing' must be a string for 'array', got the number 0", s, 0)
    for _, missing in ipairs {{}, {x = 1}} do
      says("'missing' has values by column, and 'array' is no frame; write missing = value", x,
        missing)
    end
    local f = locus.frame {{"x", x:float()}, {"i", x:int()}, {"s", {"a", "b", "a"}}}
    says("'missing' names the column 'y', and the frame has 'x', 'i', 's'", f, {y = 1})
    says("'missing' names the column '1', and the frame has 'x', 'i', 's'", f, {0})
    says("'missing' must be a number, a boolean, a string or a table by column, got a float64 "
      .. "tensor of size 3", f, x)
    says("'missing' is the string \"?\", which no column of the frame can hold", f:drop("s"), "?")
    says("'missing' is the number 0, which no column of the frame can hold", f:drop("x", "i"), 0)
    assert.equal("float32", changed(f, function() end, {missing = 0}).x.dtype)
  end)

  -- Whether anything is missing or not.
  it("takes no 'missing' that its column cannot hold", function()
    local one = locus.tensor({1, 2}, {device = "cpu"})
    local days = locus.frame {{"d", one:long(), "date"}, {"t", one:long(), {"time", unit = "ms"}}}
    local f = locus.frame {{"i", one:long()}, {"b", one:gt(1)}, {"u", one:byte()},
      {"x", one:half()}, {"s", {"a", "b"}}}
    local function says(sentence, value, missing)
      local array, schema = value:to_arrow()
      assert.equal("from_arrow: " .. sentence, message(locus.from_arrow, array, schema,
        {missing = missing}), sentence)
      assert.is_true(array.release ~= nil and schema.release ~= nil) -- both are still the caller's
    end
    for _, c in ipairs {"i", "b", "u", "x"} do
      for _, wrong in ipairs {{"x", 'the string "x"'}, {{}, "a table"}, {one, "a float64 tensor of "
          .. "size 2"}} do
        says(("'missing' must be a number or a boolean for the column '%s', got %s"):format(c,
          wrong[2]), f, {[c] = wrong[1]})
      end
    end
    for _, wrong in ipairs {{5, "the number 5"}, {{}, "a table"}, {true, "the Lua boolean true"}} do
      says("'missing' must be a string for the column 's', got " .. wrong[2], f, {s = wrong[1]})
    end
    local function cannot(what, dtype, value, missing)
      says(("'missing' is %s for %s, which %s cannot hold"):format(what,
        value == days and "the column 'd'" or value == f and "the column '" .. next(missing) .. "'"
        or "'array'", dtype), value, missing)
    end
    cannot("the number 0.5", "int64", f, {i = .5})
    cannot("the number 0.5", "int64", one:long(), .5)
    cannot("the number 300", "uint8", f, {u = 300})
    cannot("the number -1", "uint8", one:byte(), -1)
    cannot("the number 1e+300", "int64", days, {d = 1e300})
    says("'missing' must be a string for 'array', got the number 0", locus.strings {"a"}, 0)
    says("'missing' is the number 0.5, which no column of the frame can hold",
      f:drop("b", "x"), .5)
    for _, missing in ipairs {-1, {i = -1LL, b = true, u = 255, x = -.5, s = ""}} do
      same(changed(f, function() end, {missing = missing}).i, {2}, {1, 2})
    end
    same(changed(days, function(array) return lacking(2)(array.children[0]) end,
      {missing = {d = -2 ^ 40, t = 2 ^ 50}}).d, {2}, {-2 ^ 40, 2})
  end)

  -- Strings in another layout: an array of our own gets that format and those buffers.
  local function laid(format, buffers, n, bits)
    return changed(locus.zeros(math.max(n, 1), {device = "cpu"}), function(array, schema)
      local kept = {ffi.new("char[3]", format), ffi.new("const void *[8]"), buffers}
      schema.format, array.length, array.n_buffers = kept[1], n, #buffers + 1
      for i, buffer in ipairs(buffers) do kept[2][i] = buffer end
      array.buffers = kept[2]
      if bits then kept[4] = lacking(bits)(array) end
      return kept
    end)
  end

  it("reads strings in each of Arrow's layouts", function()
    local text = ffi.new("char[16]", "abcdefghijklmnop")
    for _, format in ipairs {"u", "U", "z", "Z"} do
      local offsets = ffi.new(format:lower() == format and "int32_t[4]" or "int64_t[4]", 1, 3, 3, 6)
      assert.same({"bc", "", "def"}, laid(format, {offsets, text}, 3):totable())
      assert.same({"bc", "", ""}, laid(format, {offsets, text}, 3, 3):totable())
      assert.same({}, laid(format, {offsets, text}, 0):totable())
      offsets[1], offsets[2] = 2, 9
      assert.equal("from_arrow: string 1 does not lie within its buffer",
        message(laid, format, {offsets, text}, 3))
      offsets[3] = -1
      assert.matches("does not lie within its buffer", message(laid, format, {offsets, text}, 3))
    end
    for _, format in ipairs {"vu", "vz"} do
      local views, lengths = ffi.new("int32_t[12]"), ffi.new("int64_t[2]", 3, 16)
      views[0] = 12
      ffi.copy(views + 1, "twelve bytes", 12)
      views[4], views[6], views[7] = 13, 1, 2
      local buffers = {views, text, text, lengths}
      assert.same({"twelve bytes", "cdefghijklmno", ""}, laid(format, buffers, 3):totable())
      assert.same({"", "cdefghijklmno", ""}, laid(format, buffers, 3, 2):totable())
      for _, wrong in ipairs {{13, 2, 0}, {13, -1, 0}, {13, 0, 0}, {13, 1, 4}, {13, 1, -1},
                              {-1, 0, 0}} do
        views[4], views[6], views[7] = unpack(wrong)
        assert.equal("from_arrow: string 1 does not lie within its buffer",
          message(laid, format, buffers, 3))
      end
    end
    assert.equal("from_arrow: 'array' has 2 buffers, which are not those of format 'vu'",
      message(laid, "vu", {text}, 1))
  end)

  it("reads dictionaries of anything, with any indices", function()
    local c = locus.strings {"a", "b", "a"}
    for _, width in ipairs {"c", "C", "s", "S", "i", "I", "l", "L"} do
      local bits = {c = 8, C = 8, s = 16, S = 16, i = 32, I = 32, l = 64, L = 64}
      local y = changed(c, function(array, schema)
        local format = ffi.new("char[2]", width)
        local indices = ffi.new(("int%d_t[3]"):format(bits[width]), 1, 1, 0)
        schema.format, array.buffers[1] = format, indices
        return {format, indices}
      end)
      assert.same({"b", "b", "a"}, y:totable())
    end
    local numbers, names = locus.tensor({10, 20}, {device = "cpu"}):to_arrow()
    local function of_numbers(array, schema)
      array.dictionary.release(array.dictionary)
      schema.dictionary.release(schema.dictionary)
      ffi.copy(array.dictionary, numbers, ffi.sizeof(numbers))
      ffi.copy(schema.dictionary, names, ffi.sizeof(names))
      numbers.release, names.release = nil, nil
    end
    same(changed(c, of_numbers), {3}, {10, 20, 10})
    local function past(array)
      local indices = ffi.new("int32_t[3]", 0, 2, 1)
      array.buffers[1] = indices
      return indices
    end
    assert.equal("from_arrow: 'array' has indices past its dictionary of 2",
      message(changed, c, past))
  end)

  it("copies elements that are not aligned", function()
    local bytes = ffi.new("char[32]")
    ffi.copy(bytes + 1, locus.tensor({1.5, -2}, {device = "cpu"}):data(), 16)
    local y = changed(locus.zeros(2, {device = "cpu"}), function(array)
      array.buffers[1] = bytes + 1
      return bytes
    end)
    same(y, {2}, {1.5, -2})
  end)

  it("refuses what it does not know, and both are still the caller's", function()
    local function refuses(text, x, change)
      local before = live()
      local array, schema = x:to_arrow()
      local kept = change(array, schema)
      assert.equal("from_arrow: " .. text, message(locus.from_arrow, array, schema), kept)
      array.release(array)
      schema.release(schema)
      assert.equal(before, live())
    end
    local x = locus.zeros(4, {device = "cpu"})
    local f = locus.frame {{"a", x}, {"b", x}}
    refuses("'schema' has no format", x, function(_, schema) schema.format = nil end)
    refuses("'array' has 3 buffers, which are not those of format 'g'", x,
      function(array) array.n_buffers = 3 end)
    refuses("'array' has a length or an offset below 0", x, function(array) array.length = -1 end)
    refuses("'array' has a length or an offset below 0", x, function(array) array.offset = -1 end)
    refuses("'array' has no elements in buffer 1", x, function(array) array.buffers[1] = nil end)
    local c = locus.strings {"a", "b"}
    refuses("'array' has indices that are not integers", c, function(_, schema)
      local float = ffi.new("char[2]", "f")
      schema.format = float
      return float
    end)
    refuses("'array' has no dictionary", c, function(array)
      array.dictionary.release(array.dictionary)
      array.dictionary = nil
    end)
    refuses("'array' has 1 columns, 'schema' 2", f, function(array)
      array.children[1].release(array.children[1])
      array.n_children = 1
    end)
    refuses("the column 'b' has 3 rows, the frame 4", f,
      function(array) array.children[1].length = 3 end)
    refuses("'array' has rows that are null; drop them first", f, lacking(7))
    refuses("the column 'a' is there twice", f, function(_, schema)
      schema.children[1].name = schema.children[0].name
    end)
  end)
end)

describe("UTF-8 #host #once", function()
  local is_utf8 = require("locus.core").internal.is_utf8

  it("is what the standard says, by every two bytes, and at both ends of each length", function()
    for _, text in ipairs {"", "a\0b", "\194\128", "\223\191", "\224\160\128", "\237\159\191",
                           "\238\128\128", "\240\144\128\128", "\244\143\191\191"} do
      assert.is_true(is_utf8(text), text)
      for cut = 1, #text - 1 do
        if text:byte() >= 128 then assert.is_false(is_utf8(text:sub(1, cut))) end
      end
    end
    for _, text in ipairs {"\128", "\192\128", "\193\191", "\224\159\191", "\237\160\128",
                           "\240\143\191\191", "\244\144\128\128", "\245\128\128\128", "\255",
                           "\226\40\161", "\226\130\40", "\240\159\152\40"} do
      assert.is_false(is_utf8(text), text)
    end
    local valid = 0
    for first = 0, 255 do
      for second = 0, 255 do
        if is_utf8(string.char(first, second)) then valid = valid + 1 end
      end
    end
    assert.equal(128 * 128 + 30 * 64, valid)
  end)
end)
