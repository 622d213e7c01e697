-- SPDX-License-Identifier: MIT
-- Random documents of JSON, and random frames that write_json writes, are what Python's json says
-- that they are; where LOCUS_TEST_PYTHON, or else python3, runs.
local documents = require "spec.support.data.json_documents"
local files = require "spec.support.text"
local json = require "spec.support.models.json"
local locus = require "locus"
local support = require "spec.support"

local random = math.random
local seed = tonumber(os.getenv "LOCUS_JSON_SEED") or os.time() % 1000000
local python = os.getenv "LOCUS_TEST_PYTHON" or "python3"
local has_python = os.execute(support.quote(python) .. " -c 'import json' 2>/dev/null")
has_python = has_python == 0 or has_python == true

-- read: lines of JSON, and for each a line of columns, the texts as hexadecimal digits. Numbers
-- stay texts, so that nothing is rounded; arrays and objects are compared by what they mean.
-- write: what the values of lines are, as hexadecimal digits with a letter for their kind.
local SCRIPT = [=[
import json, struct, sys

class Number(str): pass

def loads(text):
    def refuse(word): raise ValueError(word)
    return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=refuse)

def at(value, path):
    for step in path:
        if isinstance(step, int):
            value = value[step] if type(value) is list and step < len(value) else None
        else:
            value = value.get(step) if type(value) is dict else None
    return value

def same(text, value):
    if value is None: return text == ""
    if value is True: return text == "true"
    if value is False: return text == "false"
    if type(value) in (list, dict): return loads(text) == value
    return text == value

def read(lines, columns, paths):
    wrong = 0
    with open(lines, newline="\n", encoding="utf-8") as lines, open(columns) as columns:
        for number, (line, row) in enumerate(zip(lines, columns, strict=True)):
            value = loads(line)
            for path, text in zip(paths, row.rstrip("\n").split(" ")):
                text = bytes.fromhex(text).decode()
                if not same(text, at(value, path)):
                    wrong += 1
                    if wrong < 4: print("line", number + 1, path, repr(text), at(value, path))
    print("differences:", wrong)

def spell(value):
    if value is None: return "null"
    if value is True or value is False: return str(value).lower()
    if type(value) is int: return "i%d" % value
    if type(value) is float: return "f" + struct.pack(">d", value).hex()
    return "s" + value.encode().hex()

def write(path, array):
    with open(path, newline="\n", encoding="utf-8") as file:
        items = json.load(file) if array else [json.loads(line) for line in file]
    for item in items:
        print(" ".join(key.encode().hex() + ":" + spell(value) for key, value in item.items()))

def floats(path):
    with open(path) as file:
        for line in file:
            print(struct.pack(">d", json.loads(line, parse_int=float)["x"]).hex())

if sys.argv[1] == "floats": floats(sys.argv[2])
elif sys.argv[1] == "read": read(sys.argv[2], sys.argv[3], eval(sys.argv[4]))
else: write(sys.argv[2], sys.argv[1] == "array")
]=]

local function hex(text)
  return (text:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

describe("Python's json #host", function()
  local folder
  setup(function()
    math.randomseed(seed)
    folder = files.new_folder()
    files.write(folder .. "/peer.py", SCRIPT)
  end)
  teardown(function() os.execute("rm -r " .. support.quote(folder)) end)

  -- What the script prints; it must end well.
  local function run(...)
    local words = {support.quote(python), folder .. "/peer.py"}
    for _, word in ipairs {...} do words[#words + 1] = support.quote(word) end
    local pipe = io.popen(table.concat(words, " ") .. " 2>&1; echo status $?")
    local said = pipe:read "*a"
    pipe:close()
    local printed, status = said:match "^(.*)status (%d+)\n$"
    assert.equal("0", status, ("seed %d: %s"):format(seed, said))
    return printed
  end

  -- A column of any strings.
  local function strings(rows)
    local list = {}
    for i = 1, rows do list[i] = assert(json.decode(documents.string(random(0, 30)))) end
    return locus.strings(list)
  end

  -- Doubles of any bits.
  local function floats(rows)
    local list = {}
    for i = 1, rows do list[i] = (random() - 0.5) * 2 ^ random(-1074, 1023) end
    for i = 1, rows, 7 do list[i] = random(-1e6, 1e6) / 2 ^ random(0, 20) end
    list[random(rows)], list[random(rows)] = -0.0, locus.nan
    return locus.tensor(list)
  end

  local function spelled(f)
    local rows, columns = {}, {}
    for _, name in ipairs(f:columns()) do
      local c = f[name]
      local bits = not locus.is_tensor(c) and "" or c.dtype
      for i, value in ipairs(c:totable()) do
        local text
        if bits == "float64" then
          text = value ~= value and "null" or "f" .. hex(locus.tensor {value}:tobytes():reverse())
        elseif bits == "int64" then
          text = "i" .. (type(value) == "number" and ("%.0f"):format(value)
            or tostring(value):gsub("LL$", ""))
        else
          text = type(value) == "boolean" and tostring(value) or "s" .. hex(value)
        end
        columns[i] = (columns[i] and columns[i] .. " " or "") .. hex(name) .. ":" .. text
      end
    end
    for i = 1, #f do rows[i] = columns[i] end
    return table.concat(rows, "\n") .. "\n"
  end

  it("reads what write_json writes", function()
    if not has_python then return pending "there is no Python" end
    for round = 1, 6 do
      local rows = random(1, 2000)
      local wide = locus.arange(0, rows):long() * 9007199254740993
      local f = locus.frame {{"s", strings(rows)}, {"x", floats(rows)}, {"n", wide - 12345},
        {"b", (wide % 3):eq(1)}, {'k"\\\n\195\164', strings(rows)}}
      local array = round % 2 == 0
      f:write_json(folder .. "/x.json", {array = array})
      local said = run(array and "array" or "lines", folder .. "/x.json")
      local wanted = spelled(f):gmatch "[^\n]+"
      for line in said:gmatch "[^\n]+" do
        assert.equal(wanted(), line, ("seed %d, round %d"):format(seed, round))
      end
      assert.is_nil(wanted())
    end
  end)

  local PATHS = {a = {"a"}, b = {"b"}, first = {"x", 0}, second = {"x", 1}, name = {"user", "a"},
                 deep = {"deep", "key"}, inner = {"deep", "x", 1, "b"},
                 ["longer than a word of eight bytes"] = {"longer than a word of eight bytes"}}
  local TYPES = {a = "string", b = "string", first = {"string", path = "x[0]"},
                 second = {"string", path = "x[1]"}, name = {"string", path = "user.a"},
                 deep = {"string", path = "deep.key"}, inner = {"string", path = "deep.x[1].b"},
                 ["longer than a word of eight bytes"] = "string"}

  it("reads documents as read_json does", function()
    if not has_python then return pending "there is no Python" end
    for _ = 1, 4 do
      local lines, names, paths = {}, {}, {}
      for i = 1, 1500 do lines[i] = documents.object(documents.keys, 4) end
      files.write(folder .. "/lines.json", table.concat(lines, "\n") .. "\n")
      local f = locus.read_json(folder .. "/lines.json", {types = TYPES})
      local rows = {}
      for name, path in pairs(PATHS) do
        names[#names + 1] = name
        local steps = {}
        for k, step in ipairs(path) do steps[k] = ("%q"):format(step):gsub('^"(%d+)"$', "%1") end
        paths[#paths + 1] = "[" .. table.concat(steps, ",") .. "]"
      end
      for k, name in ipairs(names) do
        for i, value in ipairs(f[name]:totable()) do
          rows[i] = (k > 1 and rows[i] .. " " or "") .. hex(value)
        end
      end
      files.write(folder .. "/columns", table.concat(rows, "\n") .. "\n")
      local said = run("read", folder .. "/lines.json", folder .. "/columns",
        "[" .. table.concat(paths, ",") .. "]")
      assert.equal("differences: 0\n", said, ("seed %d: %s"):format(seed, said))
    end
  end)

  it("reads numbers as read_json does", function()
    if not has_python then return pending "there is no Python" end
    local lines = {}
    for i = 1, 3000 do lines[i] = '{"x":' .. documents.number() .. "}" end
    files.write(folder .. "/numbers.json", table.concat(lines, "\n") .. "\n")
    local x = locus.read_json(folder .. "/numbers.json", {types = {x = "float64"}}).x
    local said = run("floats", folder .. "/numbers.json"):gmatch "%x+"
    for i, value in ipairs(x:totable()) do
      local got = hex(locus.tensor {value}:tobytes():reverse())
      assert.equal(said(), got, ("seed %d: %s"):format(seed, lines[i]))
    end
    assert.equal(3000, #x)
  end)
end)
