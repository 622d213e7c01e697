-- SPDX-License-Identifier: MIT
-- `rest = true` beside types: the text decides the type of the columns that they do not name.
local locus = require "locus"

local TEXT = "id,price,sym,size,day\n007,1,IBM,,x\n008,2,A,3,y\n"

local function read(options)
  options.text = TEXT
  return locus.read_csv(options)
end

local function problem(options)
  local ok, message = pcall(read, options)
  assert.is_false(ok)
  return (message:gsub("^.-read_csv: ", ""))
end

describe("rest = true #once", function()
  it("keeps the other columns, in the order of the text and with guessed types", function()
    local f = read{types = {price = "float32", id = "int16"}, rest = true}
    assert.same({"id", "price", "sym", "size", "day"}, f:columns())
    assert.same({id = "int16", price = "float32", sym = "string", size = "float64",
                 day = "string"}, f:types())
    local plain = read{}
    for _, name in ipairs{"sym", "size", "day"} do
      assert.equal(plain:select(name):write_csv(), f:select(name):write_csv())
    end
    assert.same({7, 8}, f.id:totable())
  end)

  it("may stand in types, where true is no type", function()
    local f = read{types = {id = "int16", rest = true}}
    assert.same({"id", "price", "sym", "size", "day"}, f:columns())
    assert.same({"id"}, read{types = {id = "int16"}, rest = false}:columns())
    local own = {rest = true}
    assert.equal(5, #read{types = own}:columns())
    assert.same({rest = true}, own)
    f = locus.read_csv{text = "rest,a\n1,2\n", types = {rest = "int8"}}
    assert.same({rest = "int8"}, f:types())
    f = locus.read_csv{text = "rest,a\n1,2\n", types = {rest = "int8"}, rest = true}
    assert.same({rest = "int8", a = "int64"}, f:types())
  end)

  it("leaves out what is skipped, takes types by number, and lets columns choose", function()
    assert.same({"id", "price", "size", "day"}, read{types = {sym = "skip"}, rest = true}:columns())
    assert.equal("int8", read{types = {[2] = "int8"}, rest = true}.price.dtype)
    assert.same({"day", "id"},
                read{types = {id = "int16"}, rest = true, columns = {"day", "id"}}:columns())
    assert.equal(5, #read{types = {}, rest = true}:columns())
    assert.equal(5, #read{rest = true}:columns())
  end)

  it("holds for logs and chunks", function()
    local log = locus.read_log{text = "7 a 1\n8 b 2\n", format = "$n $_ $m", types = {n = "int8"},
                               rest = true}
    assert.same({n = "int8", m = "int64"}, log:types())
    local parts = {}
    for part in locus.chunks{text = TEXT, types = {price = "int8"}, rest = true, rows = 1} do
      parts[#parts + 1] = part:write_csv{header = false}
    end
    assert.same({'007,1,IBM,,x\n', '008,2,A,3.0,y\n'}, parts)
    local function pieces() return nil end
    local ok, message = pcall(locus.chunks, pieces, {types = {a = "int8"}, rest = true})
    assert.is_false(ok)
    assert.truthy(message)
  end)

  it("reads a source twice that cannot be rewound", function()
    local lines, at = {}, 0
    for line in TEXT:gmatch("[^\n]+\n") do lines[#lines + 1] = line end
    local f = locus.read_csv(function() at = at + 1; return lines[at] end,
                             {types = {id = "int16"}, rest = true})
    assert.same({"IBM", "A"}, f.sym:totable())
  end)

  it("is true or false, and names columns that there are", function()
    assert.equal("'rest' must be true or false, got the number 1", problem{rest = 1})
    assert.equal("'types' must be a table of types by column, got an empty one",
                 problem{types = {}})
    assert.equal("'types' names a column 'sise', which text does not have; did you mean 'size'?",
                 problem{types = {sise = "int8"}, rest = true})
    assert.equal('text:2: column \'price\' (2) is not a date: "1"',
                 problem{types = {price = "date"}, rest = true})
  end)
end)
