-- SPDX-License-Identifier: MIT
-- searchsorted: each error by its sentence, in the order they are tested, and that an error leaves
-- every argument as it was.

local locus = require "locus"
local support = require "spec.support"

local same, tensor = support.same, support.tensor

local function says(expected, ...)
  assert.are.equal("searchsorted: " .. expected, support.message(locus.searchsorted, ...))
end

local line = tensor("int64", { 1, 2, 2, 3 })
local rows = tensor("int64", { 1, 3, 5, 2, 4, 6 }, { 2, 3 })

describe("the errors of searchsorted", function()
  it("arguments missing, unknown, of the wrong type", function()
    says("'sorted_sequence' is missing")
    says("'values' is missing", line)
    says("there is no argument 'sortr'; did you mean 'sorter'?", line, 1, { sortr = { 1 } })
    says("'values' is given twice", line, 1, { values = 2 })
    says("takes at most 2 arguments by position, got 3; write {out_int32 = true}, "
      .. "{right = true} or {check = true}", line, 1, true)
    says("'sorted_sequence' must be a tensor or a table, got the number 5", 5, 1)
    says("'values' must be a tensor, a table or a number, got the string \"1\"", line, "1")
    says("'right' must be true or false, got the number 1", line, 1, { right = 1 })
    says("'out_int32' must be true or false, got the number 1", line, 1, { out_int32 = 1 })
    says("'check' must be true or false, got the number 0", line, 1, { check = 0 })
    says("'descending' must be true or false, got the number 1", line, 1, { descending = 1 })
    says("'base' must be 1 or 0, got the number 2", line, 1, { base = 2 })
    says("'sorter' must be a tensor or a table, got the number 1", line, 1, { sorter = 1 })
    says("'out' must be a tensor, got a table", line, { 1 }, { out = { 0 } })
  end)

  it("side", function()
    for _, side in ipairs { "bad", "LEFT", "" } do
      says("'side' must be \"left\", \"right\" or \"both\", got the string \"" .. side .. "\"",
        line, 1, { side = side })
    end
    says("'side' must be a string, got the Lua boolean true", line, 1, { side = true })
    says("'side' is \"left\", but 'right' is true", line, 1, { side = "left", right = true })
    for _, right in ipairs { true, false } do
      local o = { side = "both", right = right }
      says("'right' cannot be given with side = \"both\"", line, 1, o)
    end
  end)

  it("out of side = \"both\"", function()
    local out = tensor("int64", { 0 })
    says("'out' must be a table of two tensors, {left, right}, got an int64 tensor of size 1",
      line, { 1 }, { side = "both", out = out })
    says("'out' must be a table of two tensors, {left, right}; at 2 it has nil",
      line, { 1 }, { side = "both", out = { out } })
    says("'out' must be a table of two tensors, {left, right}; at 1 it has the number 3",
      line, { 1 }, { side = "both", out = { 3, out } })
    says("'out' holds the same tensor twice", line, { 1 }, { side = "both", out = { out, out } })
    says("'out[2]' overlaps 'out[1]' in memory; give a separate tensor",
      line, { 1 }, { side = "both", out = { out, out:view(1) } })
    says("'out[1]' must be int32, got int64",
      line, { 1 }, { side = "both", out = { out, tensor("int32", { 0 }) }, out_int32 = true })
    says("'out[2]' must be of size 1, got 2",
      line, { 1 }, { side = "both", out = { out, tensor("int64", { 0, 0 }) } })
  end)

  it("sorter: shape and dtype", function()
    local function sorter_says(got, sequence, sorter)
      local want = table.concat(sequence:size(), "x")
      says(("'sorter' must be int64 or int32 of size %s, got %s"):format(want, got),
        sequence, { { 1 }, { 1 } }, { sorter = sorter })
    end
    sorter_says("int64 of size 3", rows, tensor("int64", { 1, 2, 3 }))
    sorter_says("int64 of size 3x2", rows, tensor("int64", { 1, 2, 3, 1, 2, 3 }, { 3, 2 }))
    sorter_says("int64 of size 1x3", rows, { { 1, 2, 3 } })
    sorter_says("int64 of size 2x2", rows, { { 1, 2 }, { 1, 2 } })
    sorter_says("int64 of size 1x4", line, { { 1, 2, 3, 4 } })
    for _, dtype in ipairs { "bool", "uint8", "int16", "float32", "float64", "complex64" } do
      sorter_says(dtype .. " of size 2x3", rows, tensor(dtype, { 1, 1, 1, 1, 1, 1 }, { 2, 3 }))
    end
    says("'sorter' is 1.5, which int64 cannot hold, at [2]", line, 1, { sorter = { 1, 1.5, 3, 4 } })
  end)

  it("sorter: every entry, at every call", function()
    local function range_says(expected, sorter, base)
      says("'sorter' holds " .. expected, rows, { { 1 }, { 1 } }, { sorter = sorter, base = base })
      says("'sorter' holds " .. expected, rows, locus.zeros(2, 0), { sorter = sorter, base = base })
    end
    range_says("7 at [1,3], outside 1..3", { { 1, 2, 7 }, { 1, 2, 3 } })
    range_says("0 at [2,1], outside 1..3", { { 1, 2, 3 }, { 0, 2, 3 } })
    range_says("-1 at [2,2], outside 1..3", { { 1, 2, 3 }, { 1, -1, 3 } })
    range_says("3 at [0,2], outside 0..2", { { 0, 1, 3 }, { 0, 1, 2 } }, 0)
    range_says("-1 at [1,0], outside 0..2", { { 0, 1, 2 }, { -1, 1, 2 } }, 0)
    range_says("4 at [1,1], outside 1..3", tensor("int32", { 4, 1, 1, 1, 1, 1 }, { 2, 3 }))
    local lowest = support.integer("-9223372036854775808")
    range_says("-9223372036854775808 at [1,2], outside 1..3", { { 1, lowest, 1 }, { 1, 1, 1 } })
    range_says("1099511627776 at [1,2], outside 1..3", { { 1, 2 ^ 40, 1 }, { 1, 1, 1 } })
    local sorter = tensor("int64", { 1, 3, 1, 2, 9, 1 }, { 3, 2 }):transpose(1, 2)
    range_says("9 at [1,3], outside 1..3", sorter)
  end)

  it("shapes", function()
    local function fits_not(values, sequence, ...)
      local sentence = "'values' of size %s must agree with 'sorted_sequence' of size %s "
        .. "in all sizes except the last"
      says(sentence:format(values, sequence), ...)
    end
    local none = "'values' without dimensions needs a 'sorted_sequence' of one dimension, got "
    says(none .. "2x3", rows, 3)
    says(none .. "2x3", rows, locus.tensor(3))
    says(none .. "0-d", locus.tensor(3), locus.tensor(3))
    says("'sorted_sequence' must have a dimension, got a 0-d tensor", locus.tensor(3), { 3 })
    fits_not("2", "2x3", rows, { 3, 4 })
    fits_not("1x2", "2x3", rows, { { 3, 4 } })
    fits_not("3x1", "2x3", rows, { { 3 }, { 4 }, { 5 } })
    fits_not("2x1x1", "2x3", rows, { { { 3 } }, { { 4 } } })
    fits_not("2x1", "1x3", tensor("int64", { 1, 3, 5 }, { 1, 3 }), { { 3 }, { 4 } })
    fits_not("1x2", "0x3", locus.zeros(0, 3), locus.zeros(1, 2))
    fits_not("3x0", "2x3", locus.zeros(2, 3), locus.zeros(3, 0))
    fits_not("2x3x1", "2x2x3", locus.zeros(2, 2, 3), locus.zeros(2, 3, 1))
  end)

  it("out: dtype, size, overlap", function()
    local i64, i32 = tensor("int64", { 0, 0 }), tensor("int32", { 0, 0 })
    says("'out' must be int64, got int32", line, { 1, 2 }, { out = i32 })
    says("'out' must be int32, got int64", line, { 1, 2 }, { out = i64, out_int32 = true })
    says("'out' must be int64, got float32", line, { 1, 2 }, { out = tensor("float32", { 0, 0 }) })
    says("'out' must be int64, got int32", line, { 1, 2 }, { out = tensor("int32", {}, { 0 }) })
    says("'out' must be of size 3, got 2", line, { 1, 2, 3 }, { out = i64 })
    says("'out' must be of size 2x1, got 2", line, { { 1 }, { 2 } }, { out = i64 })
    says("'out' must be of size 0-d, got 2", line, 1, { out = i64 })
    says("'out' must be of size 0, got 2", line, locus.zeros(0), { out = i64 })
    says("'out' has elements that share memory; write out:contiguous()", line, { 1, 2 },
      { out = tensor("int64", { 0 }):expand(2) })
  end)

  it("out: overlap with any input, even values", function()
    local s, v = tensor("int64", { 1, 2, 3 }), tensor("int64", { 3, 1, 2 })
    local sorter = tensor("int64", { 1, 2, 3 })
    local overlaps = "'out' overlaps '%s' in memory; give a separate tensor"
    says(overlaps:format("values"), s, v, { out = v })
    says(overlaps:format("sorted_sequence"), s, v, { out = s })
    says(overlaps:format("sorter"), s, v, { sorter = sorter, out = sorter })
    local shared = tensor("int64", { 1, 2, 3, 0, 0 })
    says(overlaps:format("sorted_sequence"), shared:narrow(1, 1, 3), { 1, 2, 3 },
      { out = shared:narrow(1, 3, 3) })
    local zero = locus.tensor(1LL)
    says(overlaps:format("values"), s, zero, { out = zero })
    same(s, { 3 }, { 1, 2, 3 })
    same(v, { 3 }, { 3, 1, 2 })
  end)

  it("out_int32 needs n + base <= 2^31 - 1", function()
    local limit = 2 ^ 31 - 1
    local zero = tensor("int8", { 0 })
    local too_few = "'out_int32' holds positions up to 2^31 - 1, too few for %s elements"
    local o = { out_int32 = true, base = 0 }
    same(zero:expand(limit):searchsorted({ -1, 0, 1 }, o), { 3 }, { 0, 0, limit }, "int32")
    o.side = "right"
    same(zero:expand(limit):searchsorted({ -1, 0, 1 }, o), { 3 }, { 0, limit, limit }, "int32")
    says(too_few:format("2147483648"), zero:expand(limit + 1), 1, o)
    o.base = 1
    same(zero:expand(limit - 1):searchsorted({ 0 }, o), { 1 }, { limit }, "int32")
    says(too_few:format("2147483647"), zero:expand(limit), 1, o)
    says(too_few:format("2147483647"), zero:expand(limit), {}, o)
    assert.are.equal(2 ^ 40 + 1, zero:expand(2 ^ 40):searchsorted(1))
    same(zero:expand(2 ^ 40):searchsorted({ 1 }), { 1 }, { 2 ^ 40 + 1 }, "int64")
  end)

  it("complex, also when there is nothing to search", function()
    for _, dtype in ipairs(support.complexes) do
      local z, none = tensor(dtype, { 1 }), tensor(dtype, {}, { 0 })
      local no = (" is %s, and complex numbers have no order"):format(dtype)
      says("'sorted_sequence'" .. no, z, { 1 })
      says("'sorted_sequence'" .. no, z, {})
      says("'values'" .. no, line, z)
      says("'values'" .. no, line, none)
      says("'sorted_sequence'" .. no, none, z)
    end
    says("'values' is complex128, and complex numbers have no order", line, support.complex(1, 2))
  end)

  it("leaves every argument as it was", function()
    local out = tensor("int64", { 7, 7 })
    local wrong = {
      { line, { 1, 2 }, { side = "up", out = out } },
      { line, { 1, 2 }, { sorter = { 1, 2, 3, 5 }, out = out } },
      { tensor("int64", { 2, 1 }), { 1, 2 }, { check = true, out = out } },
      { rows, { 1, 2 }, { out = out } },
      { line, tensor("complex64", { 1, 2 }), { out = out } },
      { line, { 1, 2, 3 }, { out = out } },
    }
    for _, arguments in ipairs(wrong) do
      support.message(locus.searchsorted, unpack(arguments))
      same(out, { 2 }, { 7, 7 }, "int64")
    end
    local empty = tensor("int64", {}, { 0 })
    support.message(locus.searchsorted, line, tensor("complex64", { 1, 2 }), { out = empty })
    same(empty, { 0 }, {}, "int64")
  end)
end)
