-- SPDX-License-Identifier: MIT
-- Types as NumPy, PyTorch, pandas, polars and Arrow write them: an error wherever a dtype or a type
-- of a column is read, and the error says what to write.
local column = require "locus.frame.column"
local locus = require "locus"
local support = require "spec.support"
local message = support.message

local function literal(text) return (text:gsub("%p", "%%%0")) end

local function ends(text, said) assert.matches(literal(text) .. "$", said or "no error") end

local function of_text(word)
  return message(locus.read_csv, {text = "t\n1\n"}, {types = {t = word}})
end

describe("types that others write #once", function()
  it("are told as times of their unit", function()
    local x = locus.LongTensor{1}
    for _, unit in ipairs {"s", "ms", "us", "ns"} do
      local advice = ('write {"time", unit = "%s"}'):format(unit)
      for _, form in ipairs {"time[%s]", "datetime64[%s]", "datetime[%s]", "timestamp[%s]",
                             "datetime64[%s, UTC]", "timestamp[%s, tz=UTC]", "Datetime('%s')",
                             "Datetime(time_unit='%s', time_zone=None)", "<datetime64[%s]"} do
        local word = form:format(unit)
        ends("; " .. advice, of_text(word))
        ends("; " .. advice, of_text {word})
        ends("; " .. advice, message(locus.builder, {{"t", word}}))
        ends("; " .. advice, message(locus.frame, {{"t", x, word}}))
      end
      for _, said in ipairs {of_text {"time", unit},
                             message(locus.builder, {{"t", {"time", unit}}}),
                             message(locus.frame, {{"t", x, {"time", unit}}})} do
        ends("; " .. advice, said)
      end
      assert.equal(unit, (locus.frame{{"t", x, {"time", unit = unit}}}):types().t.unit or "us")
    end
    for _, word in ipairs {"timestamp", "datetime", "datetime64", "Datetime", "pl.Datetime"} do
      ends('; write "time", or write {"time", unit = "ns"} for nanoseconds', of_text(word))
    end
    ends('; write "date"', of_text("datetime64[D]"))
    ends('; write "date"', of_text("date32[day]"))
    ends(column.kind_forms("ns")
      .. ', got the string "float"', message(locus.frame, {{"t", x, "float"}}))
  end)

  local names = {
    float = {"float64", "float32"}, int = {"int64", "int32"}, i8 = {"int8", "int64"},
    f32 = {"float32"}, f64 = {"float64"}, i64 = {"int64"}, Int64 = {"int64"}, double = {"float64"},
    long = {"int64"}, ["torch.float32"] = {"float32"}, ["np.int32"] = {"int32"},
    ["<f8"] = {"float64"},
    UInt16 = {"int32"}, bf16 = {"bfloat16"}, half = {"float16"}, ["double[pyarrow]"] = {"float64"},
    short = {"int16"}, byte = {"uint8"}, u4 = {"int64"}, single = {"float32"},
  }

  it("are told by the nearest dtype, and never taken", function()
    for word, ours in pairs(names) do
      local advice = ('; write "%s"'):format(table.concat(ours, '" or "'))
      for _, said in ipairs {message(locus.tensor, {1}, {dtype = word}),
                             message(locus.zeros, 2, {dtype = word}),
                             message(locus.tensor(1).to, locus.tensor(1), word),
                             message(locus.from_file, "/nowhere", word),
                             message(locus.set_default_dtype, word)} do
        ends(advice, said)
      end
      assert.truthy(of_text(word):find(('; write "%s"'):format(ours[1]), 1, true), of_text(word))
      assert.truthy(message(locus.builder, {{"t", word}}):find(('; write "%s"'):format(ours[1]), 1,
        true))
    end
  end)

  it("are told as strings", function()
    for _, word in ipairs {"str", "object", "category", "Categorical", "Utf8", "string[pyarrow]"} do
      ends('; write "string"', of_text(word))
      ends('; write "string"', message(locus.builder, {{"t", word}}))
      ends("; strings are columns: write locus.strings(list)",
        message(locus.tensor, {1}, {dtype = word}))
    end
    ends('; write "int64", which times, dates and addresses are',
      message(locus.tensor, {1}, {dtype = "datetime64[ns]"}))
  end)

  it("are not guessed where nobody has such a word", function()
    for _, word in ipairs {"nope", "", "torch.", "[ns]", "flooat", "complex", ("x"):rep(9999)} do
      assert.matches("; the types are ", of_text(word))
      if word ~= "complex" then
        assert.matches("complex128, got the string ", message(locus.tensor, {1}, {dtype = word}))
      end
    end
  end)
end)
