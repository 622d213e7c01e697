-- SPDX-License-Identifier: MIT
-- Random frames that locus writes are read by pandas and polars as what they are, and the other way
-- round; where LOCUS_TEST_PYTHON, or else python3, has both.
local arrays = require "spec.support.data.arrays"
local frames = require "spec.support.data.frames"
local locus = require "locus"
local support = require "spec.support"
local files = require "spec.support.text"

local random = math.random

-- Reads N.csv by both, compares each column with what N.types and N.COLUMN say that it is, and
-- writes N.pandas.csv and N.polars.csv.
local SCRIPT = [=[
import csv, os, sys, numpy as np, pandas as pd, polars as pl
folder = sys.argv[1]

def load(number, column, type):
    if type != "string":
        return np.load(f"{folder}/{number}.{column}.npy")
    with open(f"{folder}/{number}.{column}.hex") as file:
        return [bytes.fromhex(line).decode() for line in file.read().split("\n")[:-1]]

def check(who, number, column, type, wanted, found):
    if type == "string":
        wrong = [(a, b) for a, b in zip(wanted, found) if a != b]
    else:
        found = np.asarray(found).astype(wanted.dtype)
        bits = f"u{wanted.dtype.itemsize}"
        same = wanted.view(bits) == found.view(bits)
        if wanted.dtype.kind == "f":
            same |= np.isnan(wanted) & np.isnan(found)
        wrong = list(zip(wanted[~same], found[~same]))
    if len(wanted) != len(found) or wrong:
        print(f"{who}, frame {number}, {type}: {len(found)} of {len(wanted)}, {wrong[:3]}")

# The default before version 3 is not exact, and naming it is deprecated since.
EXACT = {} if int(pd.__version__.split(".")[0]) > 2 else {"float_precision": "round_trip"}

def by_pandas(path, types, header):
    dtypes, empty = {}, {}
    for name, type in zip(header, types):
        dtypes[name] = {"time": "str", "date": "str", "string": "str", "float16": "float64"
                        }.get(type, type)
        if type.startswith("float"):
            empty[name] = [""]
    f = pd.read_csv(path, dtype=dtypes, keep_default_na=False, na_values=empty,
                    lineterminator="\n", skip_blank_lines=False, **EXACT)
    for name, type in zip(header, types):
        if type == "time":
            f[name] = pd.to_datetime(f[name], format="ISO8601", utc=True).dt.as_unit("us")
        elif type == "date":
            f[name] = f[name].to_numpy().astype("M8[D]").astype("M8[s]")
    return f

POLARS = {"int8": pl.Int8, "int16": pl.Int16, "int32": pl.Int32, "int64": pl.Int64,
          "uint8": pl.UInt8, "bool": pl.Boolean, "float16": pl.Float64, "float32": pl.Float32,
          "float64": pl.Float64, "string": pl.String, "time": pl.String, "date": pl.Date}

# How to say that an empty field is an empty string, before version 2 and since.
EMPTY = ({"missing_utf8_is_empty_string": True} if int(pl.__version__.split(".")[0]) < 2
         else {"empty_string_is_null": False})

def by_polars(path, types, header):
    f = pl.read_csv(path, schema={n: POLARS[t] for n, t in zip(header, types)},
                    **EMPTY)
    return f.with_columns(pl.col(name).str.to_datetime(time_unit="us", time_zone="UTC")
                          for name, type in zip(header, types) if type == "time")

# Python's csv before version 3.13 writes a carriage return without quotes around it.
def quoting(f, types):
    strings = [f[name] for name, type in zip(f.columns, types) if type == "string"]
    returns = any("\r" in text for column in strings for text in column)
    return csv.QUOTE_NONNUMERIC if returns else csv.QUOTE_MINIMAL

def numbers(series, type):
    if type == "date":
        return series.to_numpy().astype("M8[D]").astype("int64")
    if type == "time":
        return np.asarray(series.dt.tz_localize(None) if hasattr(series.dt, "tz_localize")
                          else series).astype("M8[us]").astype("int64")
    return series.to_numpy()

number = 1
while os.path.exists(f"{folder}/{number}.types"):
    types = open(f"{folder}/{number}.types").read().split()
    header = ["c" + str(i + 1) for i in range(len(types))]
    columns = [load(number, i + 1, type) for i, type in enumerate(types)]
    for who, read in (("pandas", by_pandas), ("polars", by_polars)):
        f = read(f"{folder}/{number}.csv", types, header)
        for i, (name, type) in enumerate(zip(header, types)):
            found = list(f[name]) if type == "string" else numbers(f[name], type)
            check(who, number, i, type, columns[i], found)
        out = f"{folder}/{number}.{who}.csv"
        if who == "pandas":
            f.to_csv(out, index=False, quoting=quoting(f, types))
        else:
            f.write_csv(out)
    number += 1
print("all right")
]=]

-- Times and dates of the years 1 to 9999, which the others have.
local function whole(low, high)
  return function(rows)
    local list = {}
    for i = 1, rows do
      list[i] = arrays.pick{low, high, -1, 0, math.floor(low + random() * (high - low))}
    end
    return locus.tensor(list, {dtype = "int64"}):view(rows)
  end
end

local COLUMNS = {string = frames.utf8, time = whole(-62135596800e6, 253402300799e6),
                 date = whole(-719162, 2932896)}
for _, dtype in ipairs{"int8", "int16", "int32", "int64", "uint8", "float32", "float64",
                       "float16"} do
  COLUMNS[dtype] = function(rows) return frames.bits(dtype, rows) end
end
function COLUMNS.bool(rows) return frames.bits("int8", rows):ge(0) end

local TYPES = {}
for type in pairs(COLUMNS) do TYPES[#TYPES + 1] = type end
table.sort(TYPES)

-- A frame, and the types of its columns. The first has all of them, the next ones a column each.
local function make(number)
  local list, types = {}, {}
  for i = 1, number == 1 and #TYPES or number <= #TYPES + 1 and 1 or random(2, 9) do
    types[i] = number == 1 and TYPES[i] or TYPES[number - 1] or arrays.pick(TYPES)
    local kind = (types[i] == "time" or types[i] == "date") and types[i] or nil
    list[i] = {"c" .. i, COLUMNS[types[i]](number == 1 and 1500 or random(1, 40)), kind}
    if #list > 1 and #list[i][2] ~= #list[1][2] then
      list[i][2] = COLUMNS[types[i]](#list[1][2])
    end
  end
  return locus.frame(list), types
end

local function hex(s)
  return (s:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) .. "\n"
end

local function hand_over(root, number, f, types)
  f:write_csv(("%s/%d.csv"):format(root, number))
  files.write(("%s/%d.types"):format(root, number), table.concat(types, " "))
  for i, name in ipairs(f:columns()) do
    local c, path = f:column(name), ("%s/%d.%d."):format(root, number, i)
    if types[i] == "string" then
      local lines = c:totable()
      for k, s in ipairs(lines) do lines[k] = hex(s) end
      files.write(path .. "hex", table.concat(lines))
    else
      c:save(path .. "npy")
    end
  end
end

local function all_numbers(strings)
  for _, text in ipairs(strings) do
    if text ~= "" and not tonumber((text:gsub("^%+", ""))) then return false end
  end
  return true
end

-- The fault of a column that was read without its type: numbers must be numbers, in the widest
-- dtype; strings stay, unless all of them are numbers; the others become strings.
local function guess_is_wrong(type, column, guess)
  local numbers = type:find("int") or type:find("float")
  if numbers and guess.dtype == (type:find("int") and "int64" or "float64") then
    guess = guess:to(type)
  elseif numbers or guess.dtype ~= "string" and type ~= "string" then
    return ("%s was taken for %s"):format(type, guess.dtype)
  elseif guess.dtype ~= "string" then
    return not all_numbers(column:totable()) and "strings were taken for " .. guess.dtype
  elseif type ~= "string" then
    return nil
  end
  return frames.difference(locus.frame{{"c", column}}, locus.frame{{"c", guess}})
end

-- Reads what a peer has written, once by types and once by guessing.
local function read(path, f, types)
  local given = f:types()
  for column, type in pairs(given) do -- bool is "True" in Python
    if type[1] == "bool" then given[column] = {"bool", {"true", "True"}, {"false", "False"}} end
  end
  local wrong = frames.difference(f, locus.read_csv(path, {types = given}))
  local guessed = locus.read_csv(path)
  for i, name in ipairs(f:columns()) do
    wrong = wrong or guess_is_wrong(types[i], f:column(name), guessed:column(name))
  end
  if wrong then error(("%s: %s"):format(path, wrong), 0) end
end

describe("pandas and polars #once", function()
  local name = files.python "pandas, polars"
  if not name then
    pending("are not here: LOCUS_TEST_PYTHON may name a Python that has them")
    return
  end

  it("read what locus writes, and write what locus reads", function()
    math.randomseed(17)
    support.in_folder({["/script.py"] = SCRIPT}, function(root)
      local list, types = {}, {}
      for number = 1, 20 do
        list[number], types[number] = make(number)
        hand_over(root, number, list[number], types[number])
      end
      local pipe = io.popen(("%s %s/script.py %s 2>&1"):format(name, root, root))
      assert.equal("all right\n", pipe:read("*a"))
      pipe:close()
      for number, f in ipairs(list) do
        read(("%s/%d.pandas.csv"):format(root, number), f, types[number])
        read(("%s/%d.polars.csv"):format(root, number), f, types[number])
      end
    end)
  end)
end)
