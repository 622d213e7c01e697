-- SPDX-License-Identifier: MIT
-- from_arrow: types of other makers that no dtype of ours has: decimals, strings of fixed width,
-- columns without a value, extension types; what `missing` means for each; and the types that are
-- refused, by name. The structs are made by hand; exchange_spec.lua has other libraries'.
local _, ffi = pcall(require, "ffi")
local locus = require "locus"
local support = require "spec.support"
local with_stream = ffi and require "spec.support.data.arrow_stream"

local message, same = support.message, support.same
local kept = {} -- what the structs point to

local function keep(ctype, ...)
  local made = ffi.new(ctype, ...)
  kept[#kept + 1] = made
  return made
end

local function chars(text) return keep("char[?]", #text + 1, text) end

-- Metadata of one key and value, or of several.
local function metadata(words)
  local parts, count = {}, 0
  local function number(n) return ffi.string(ffi.new("int32_t[1]", n), 4) end
  for key, value in pairs(words) do
    parts[#parts + 1] = number(#key) .. key .. number(#value) .. value
    count = count + 1
  end
  return chars(number(count) .. table.concat(parts))
end

-- An array and its schema, of that format. With: length, buffers (those behind the bits), bits, and
-- metadata.
local function column(format, with)
  local array, schema = locus.zeros(math.max(with.length, 1), {device = "cpu"}):to_arrow()
  schema.format = chars(format)
  if with.words then schema.metadata = metadata(with.words) end
  local buffers = keep("const void *[4]")
  for i, buffer in ipairs(with.buffers) do buffers[i] = buffer end
  if with.bits then buffers[0], array.null_count = keep("uint8_t[8]", with.bits), -1 end
  array.length, array.n_buffers = with.length, #with.buffers + 1
  array.n_buffers = with.n_buffers or array.n_buffers
  array.buffers = buffers
  return array, schema
end

local function read(format, with, options)
  local array, schema = column(format, with)
  return locus.from_arrow(array, schema, options)
end

-- A frame of such columns, each with its name.
local function framed(columns, options)
  local given = {}
  for i, c in ipairs(columns) do given[i] = {c[1], locus.zeros(c[3].length, {device = "cpu"})} end
  local array, schema = locus.frame(given):to_arrow()
  for i, c in ipairs(columns) do
    local from, of = column(c[2], c[3])
    local name = schema.children[i - 1].name
    kept[#kept + 1] = {schema.children[i - 1].release(schema.children[i - 1]),
                       array.children[i - 1].release(array.children[i - 1])}
    ffi.copy(array.children[i - 1], from, ffi.sizeof(from))
    ffi.copy(schema.children[i - 1], of, ffi.sizeof(of))
    from.release, of.release = nil, nil
    schema.children[i - 1].name = chars(c[1] or ffi.string(name))
  end
  return locus.from_arrow(array, schema, options)
end

-- The bytes of whole numbers, each given by 32-bit words, the lowest first, of that many bits.
local function wide(bits, numbers)
  local words = keep(("uint32_t[%d]"):format(bits / 32 * #numbers))
  for i, number in ipairs(numbers) do
    for k = 1, bits / 32 do
      words[(i - 1) * bits / 32 + k - 1] = number[k] or number.sign and 0xFFFFFFFF or 0
    end
  end
  return words
end

local NAMES = {[32] = "d:9,%d,32", [64] = "d:18,%d,64", [128] = "d:38,%d", [256] = "d:76,%d,256"}

describe("decimals of Arrow #host #once", function()
  local function decimal(bits, scale, numbers, options, row_bits)
    local with = {length = #numbers, buffers = {wide(bits, numbers)}, bits = row_bits}
    return read(NAMES[bits]:format(scale), with, options)
  end

  it("without a scale are int64, of every width", function()
    for bits in pairs(NAMES) do
      local x = decimal(bits, 0, {{7}, {0xFFFFFFF6, sign = true}, {0}})
      assert.equal("int64", x.dtype)
      same(x, {3}, {7, -10, 0})
      same(decimal(bits, 0, {}), {0}, {})
    end
    local greatest = decimal(128, 0, {{0xFFFFFFFF, 0x7FFFFFFF}, {0, 0x80000000, sign = true}})
    assert.equal(9223372036854775807LL, greatest[1])
    assert.equal(-9223372036854775807LL - 1, greatest[2])
    same(read("d:38,0,128", {length = 1, buffers = {wide(128, {{3}})}}), {1}, {3})
  end)

  it("past int64 or with a scale are float64 on demand, else an error says how", function()
    local advice = '; write decimal = "float64", or cast it first, in SQL by ::bigint or ::double'
    for _, past in ipairs {{0, 0x80000000}, {0xFFFFFFFF, 0x7FFFFFFF, sign = true}} do
      for _, bits in ipairs {128, 256} do
        assert.equal("from_arrow: 'array' is a decimal and has a number past int64 in row 2"
          .. advice, message(decimal, bits, 0, {{1}, past}))
        local x = decimal(bits, 0, {{1}, past}, {decimal = "float64"})
        assert.same({"float64", 1, past.sign and -2 ^ 63 - 1 or 2 ^ 63}, {x.dtype, x[1], x[2]})
      end
    end
    assert.equal("from_arrow: 'array' is a decimal with scale 2 (Arrow's format 'd:38,2')"
      .. advice, message(decimal, 128, 2, {{150}}))
    assert.equal("from_arrow: 'array' is a decimal with scale -3 (Arrow's format 'd:38,-3')"
      .. advice, message(decimal, 128, -3, {{150}}))
    assert.equal("from_arrow: the column 'x' is a decimal with scale 1 (Arrow's format 'd:38,1')"
      .. advice, message(framed, {{"x", "d:38,1", {length = 1, buffers = {wide(128, {{1}})}}}}))
    assert.equal("from_arrow: 'decimal' must be \"float64\", got the string \"int64\"",
      message(decimal, 128, 0, {{1}}, {decimal = "int64"}))
    assert.equal("int64", decimal(128, 0, {{1}}, {decimal = "float64"}).dtype)
  end)

  it("become the nearest float64, as their text does", function()
    local function text(words, sign, scale) -- by long division in plain Lua, of 32-bit words
      local digits, left = {}, {}
      for k = 1, #words do left[k] = words[k] end
      repeat
        local rest, more = 0, false
        for k = #left, 1, -1 do
          rest = rest * 2 ^ 32 + left[k]
          left[k], rest = math.floor(rest / 10), rest % 10
          more = more or left[k] > 0
        end
        table.insert(digits, 1, ("%d"):format(rest))
      until not more
      return sign .. table.concat(digits) .. "e" .. -scale
    end
    math.randomseed(43)
    for _ = 1, 400 do
      local bits = ({32, 64, 128, 256})[math.random(4)]
      local scale, words, negated, carry = math.random(-20, 60), {}, {sign = true}, 1
      for k = 1, math.random(bits / 32) do words[k] = math.random(0, 2 ^ 32 - 1) end
      if #words == bits / 32 then words[#words] = words[#words] % 2 ^ 31 end
      for k = 1, bits / 32 do
        local flipped = 2 ^ 32 - 1 - (words[k] or 0) + carry
        negated[k], carry = flipped % 2 ^ 32, flipped >= 2 ^ 32 and 1 or 0
      end
      local x = decimal(bits, scale, {words, negated}, {decimal = "float64"})
      if scale == 0 then x = x:double() end
      local expected = locus.strings {text(words, "", scale), text(words, "-", scale)}
      for i = 1, 2 do assert.equal(tonumber(expected[i]), x[i], expected[i]) end
    end
  end)

  it("that are missing need a value where they are int64, and are NaN where they are floats",
    function()
      local numbers = {{150}, {1, 2, 3, 4}, {250}}
      assert.equal("from_arrow: 'array' lacks 1 value; give a value for missing ones: missing = "
        .. "value", message(decimal, 128, 0, numbers, nil, 5))
      same(decimal(128, 0, numbers, {missing = -1}, 5), {3}, {150, -1, 250})
      local x = decimal(128, 2, numbers, {decimal = "float64"}, 5)
      assert.same({1.5, 2.5, true}, {x[1], x[3], x[2] ~= x[2]})
      same(decimal(128, 2, numbers, {decimal = "float64", missing = 0}, 5), {3}, {1.5, 0, 2.5})
    end)

  it("of a stream are of one dtype, whichever array needs floats", function()
    local function part(number)
      return column("d:38,0", {length = 1, buffers = {wide(128, {number})}})
    end
    local schema = select(2, part {1})
    local x = with_stream(schema, {(part {1}), (part {0, 0, 1})}, function(stream)
      return locus.from_arrow_stream(stream, {decimal = "float64"})
    end)
    assert.equal("float64", x.dtype)
    same(x, {2}, {1, 2 ^ 64})
    local f = locus.frame {{"a", {1}}}
    local function frame_of(number)
      local array, of = f:to_arrow()
      local from, described = part(number)
      array.children[0].release(array.children[0])
      of.children[0].release(of.children[0])
      described.name = chars "a"
      ffi.copy(array.children[0], from, ffi.sizeof(from))
      ffi.copy(of.children[0], described, ffi.sizeof(described))
      from.release, described.release = nil, nil
      return array, of
    end
    local first, of = frame_of {0, 0, 1}
    local joined = with_stream(of, {first, (frame_of {7})}, function(stream)
      return locus.from_arrow_stream(stream, {decimal = "float64"})
    end)
    same(joined.a, {2}, {2 ^ 64, 7})
  end)
end)

describe("strings of fixed width #host #once", function()
  it("are strings, from any row on, with their bytes", function()
    local text = chars "ab\0defghi"
    local function cut(first, n, bits, options)
      local array, schema = column("w:3", {length = n, buffers = {text}, bits = bits})
      array.offset = first
      return locus.from_arrow(array, schema, options):totable()
    end
    assert.same({"ab\0", "def", "ghi"}, cut(0, 3))
    assert.same({"def", "ghi"}, cut(1, 2))
    assert.same({}, cut(0, 0))
    assert.same({"ab\0", "", "ghi"}, cut(0, 3, 5))
    assert.same({"ab\0", "?", "ghi"}, cut(0, 3, 5, {missing = "?"}))
    assert.same({"", ""}, read("w:0", {length = 2, buffers = {text}}):totable())
  end)

  it("that are UUIDs are written as people write them", function()
    local bytes = chars "\18\62\69\103\232\155\18\211\164\86\66\102\20\23\64\0\255"
    local with = {length = 1, buffers = {bytes}, words = {["ARROW:extension:name"] = "arrow.uuid"}}
    assert.equal("123e4567-e89b-12d3-a456-426614174000", read("w:16", with)[1])
    with.length, with.bits = 0, nil
    assert.equal(0, #read("w:16", with))
    with.words = nil
    with.length = 1
    assert.equal(16, #read("w:16", with)[1])
  end)
end)

describe("a column without any value #host #once", function()
  local function null(n, buffers) return {length = n, buffers = {}, n_buffers = buffers or 0} end

  it("is of empty strings, or of what stands for missing values", function()
    assert.same({"", ""}, read("n", null(2)):totable())
    assert.same({"?", "?"}, read("n", null(2), {missing = "?"}):totable())
    same(read("n", null(2), {missing = -1}), {2}, {-1, -1})
    same(read("n", null(2), {missing = true}), {2}, {true, true})
    assert.equal("int64", read("n", null(2), {missing = 1LL}).dtype)
    assert.same({0, "string"}, {#read("n", null(0)), read("n", null(0)).dtype})
    assert.same({"", ""}, read("n", null(2, 1)):totable()) -- as polars 2.1 has it
    local f = framed({{"a", "n", null(2)}, {"b", "n", null(2)}}, {missing = {b = 7}})
    assert.same({"", ""}, f.a:totable())
    same(f.b, {2}, {7, 7})
    assert.equal("from_arrow: 'missing' must be a number, a boolean, a string or a table by column,"
      .. " got a table", message(framed, {{"a", "n", null(1)}}, {missing = {a = {}}}))
  end)
end)

describe("'missing' #host #once", function()
  local numbers = {1, 2, 3}
  local function floats(bits)
    return {length = 3, buffers = {keep("double[3]", numbers)}, bits = bits}
  end
  local function ints(bits)
    return {length = 3, buffers = {keep("int64_t[3]", numbers)}, bits = bits}
  end
  local function bytes(bits)
    return {length = 3, buffers = {keep("uint8_t[3]", numbers)}, bits = bits}
  end
  local function texts(bits)
    return {length = 3, buffers = {keep("int32_t[4]", {0, 1, 2, 3}), chars "abc"}, bits = bits}
  end

  it("means the same for a column alone and in a frame", function()
    local cases = {
      {"g", floats, -1, {1, -1, 3}}, {"g", floats, nil, {1, 0 / 0, 3}},
      {"l", ints, -1, {1, -1, 3}}, {"u", texts, "?", {"a", "?", "c"}}, {"u", texts, nil,
      {"a", "", "c"}},
    }
    for _, case in ipairs(cases) do
      local format, make, missing, expected = unpack(case, 1, 4)
      local function check(c)
        assert.equal(tostring(locus.frame {{"x", expected}}[{{1, 3}}]),
          tostring(locus.frame {{"x", locus.is_tensor(c) and c:double() or c}}), format)
      end
      check(read(format, make(5), {missing = missing}))
      check(framed({{"x", format, make(5)}}, {missing = missing}).x)
      check(framed({{"x", format, make(5)}}, {missing = {x = missing}}).x)
    end
  end)

  it("is a time of the column's own unit, or a number", function()
    local day = locus.time("2020-01-01", {unit = "s"})
    local columns = {{"t", "tss:", ints(5)}}
    assert.equal("2020-01-01T00:00:00Z", tostring(read("tss:", ints(5), {missing = day})[2]))
    assert.equal("2020-01-01T00:00:00Z", tostring(framed(columns, {missing = {t = day}}).t[2]))
    local other = locus.time "2020-01-01"
    assert.matches("from_arrow: 'missing' is .*, a time in us, and 'array' is another; write v:as_",
      message(read, "tss:", ints(5), {missing = other}))
    assert.matches("and the column 't' is another",
      message(framed, columns, {missing = {t = other}}))
    assert.matches("write it by column", message(framed, columns, {missing = day}))
  end)

  it("that is one value stands in each column that can hold it", function()
    local columns = {{"x", "g", floats(5)}, {"i", "l", ints(6)}, {"s", "u", texts(3)}}
    local f = framed(columns, {missing = -1})
    same(f.x, {3}, {1, -1, 3})
    same(f.i, {3}, {-1, 2, 3})
    assert.same({"a", "b", ""}, f.s:totable())
    assert.equal("from_arrow: the column 'i' lacks 1 value; give a value for missing ones: "
      .. "missing = {i = value}", message(framed, columns, {missing = "?"}))
    assert.equal("from_arrow: the column 'u' lacks 1 value, and 'missing' is the number -1, which "
      .. "uint8 cannot hold", message(framed, {{"x", "g", floats()}, {"u", "C", bytes(5)}},
      {missing = -1}))
    assert.equal("from_arrow: 'missing' names the column 'nosuch', and the frame has 'x', 'i', 's'",
      message(framed, columns, {missing = {nosuch = 1}}))
  end)
end)

describe("extension types #host #once", function()
  local function typed(format, extension, said, buffer)
    return read(format, {length = 1, buffers = {buffer or keep("int64_t[4]", 1)}, words = {
      ["ARROW:extension:name"] = extension, ["ARROW:extension:metadata"] = said}})
  end

  it("are read where their storage says what they mean", function()
    local offsets = keep("int32_t[2]", 0, 2)
    for _, name in ipairs {"arrow.json", "arrow.opaque", "some.text"} do
      local c = read("u", {length = 1, buffers = {offsets, chars "{}"}, words = {
        ["ARROW:extension:name"] = name}})
      assert.equal("{}", c[1])
    end
    local x = read("c", {length = 3, buffers = {keep("int8_t[3]", 0, 1, -1)}, words = {
      ["ARROW:extension:name"] = "arrow.bool8"}})
    same(x, {3}, {false, true, true})
    same(typed("l", "google:sqlType:integer", ""), {1}, {1})
  end)

  it("are refused by name elsewhere, with what to write", function()
    local function refuses(sentence, ...)
      assert.equal("from_arrow: 'array' is of Arrow's extension type " .. sentence,
        message(typed, ...))
    end
    refuses("'pandas.period', for which there is no column; in pandas, cast it by "
      .. ".dt.to_timestamp()", "l", "pandas.period", '{"freq": "M"}')
    refuses("'arrow.opaque' of 'hugeint', for which there is no column; cast it in the query, as "
      .. "::varchar, ::bigint or ::double", "w:16", "arrow.opaque",
      '{"type_name": "hugeint", "vendor_name": "DuckDB"}')
    refuses("'my.point', for which there is no column; cast it to its storage first, in pyarrow by "
      .. "x.cast(x.type.storage_type)", "l", "my.point", "")
  end)
end)

describe("types without a column #host #once", function()
  it("are named, with what to write, and both structs are still the caller's", function()
    for _, case in ipairs {
      {"+l", "a list", "unnest"}, {"+L", "a list", "unnest"}, {"+vl", "a list view", "unnest"},
      {"+w:3", "a list of fixed size", "unnest"}, {"+m", "a map", "map_keys"},
      {"+ud:0,1", "a union", "::varchar"}, {"+us:0", "a union", "::varchar"},
      {"+r", "run-end encoded", "run_end_decode"}, {"tiM", "an interval", "epoch"},
      {"tiD", "an interval", "epoch"}, {"tin", "an interval", "epoch"},
      {"_pli128", "a type that polars alone has", "pl.Int64"},
      {"d:5,2,99", "a decimal of unknown size", "::double"}, {"", "of a type", "cast it first"},
    } do
      local array, schema = column(case[1], {length = 1, buffers = {keep("int64_t[4]", 1)}})
      local said = message(locus.from_arrow, array, schema)
      assert.matches(("from_arrow: 'array' is %s (Arrow's format '%s'), for which there is no "
        .. "column; "):format(case[2], case[1]), said, 1, true)
      assert.matches(case[3], said, 1, true)
      assert.is_true(array.release ~= nil and schema.release ~= nil)
    end
  end)

  it("are named within a dictionary and a frame", function()
    local array, schema = locus.strings({"a", "b"}):to_arrow()
    schema.dictionary.format = chars "+l"
    assert.equal("from_arrow: 'array' is a dictionary, whose values are each a list (Arrow's "
      .. "format '+l'), for which there is no column; take its elements first, as unnest and "
      .. "explode do", message(locus.from_arrow, array, schema))
    assert.equal("from_arrow: the column 's' is a struct within a struct (Arrow's format '+s'), "
      .. "for which there is no column; make columns of its fields first, as unnest does",
      message(framed, {{"s", "+s", {length = 1, buffers = {}}}}))
  end)
end)

describe("metadata #host #once", function()
  it("under to_arrow's key that means no kind counts for nothing", function()
    for _, word in ipairs {"", "ipv9", "time", "time fortnights", "ipv4 x"} do
      local x = read("l", {length = 1, buffers = {keep("int64_t[1]", 5)}, words = {
        ["locus.kind"] = word}})
      assert.equal("5", tostring(x):match "%d+")
    end
    local x = read("tsm:", {length = 1, buffers = {keep("int64_t[1]", 5)}, words = {
      ["locus.kind"] = "ipv4"}})
    assert.matches("1970", tostring(x))
  end)
end)
