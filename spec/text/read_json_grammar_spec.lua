-- SPDX-License-Identifier: MIT
-- read_json takes what is JSON by RFC 8259 and refuses all else, wherever it stands, also in values
-- that no column wants; and it agrees with a reader that is written as the grammar is about random
-- documents and about what becomes of them by an edit.
local cases = require "spec.support.data.json_cases"
local documents = require "spec.support.data.json_documents"
local json = require "spec.support.models.json"
local locus = require "locus"

local random = math.random
local seed = tonumber(os.getenv "LOCUS_JSON_SEED") or os.time() % 1000000

-- The frame, or nil and the error.
local function read(text, options)
  local ok, answer = pcall(locus.read_json, {text = text}, options)
  if ok then return answer end
  assert.matches("read_json: ", answer)
  return nil, answer
end

local WANTED = {types = {a = "string"}}
local OTHER = {types = {b = {"int64", missing = -1}}}

-- How each value may stand in a record, and the options.
local PLACES = {
  wanted = {'{"a":%s}', WANTED}, unwanted = {'{"a":%s}', OTHER}, guessed = {'{"a":%s}'},
  between = {'{"b":1,"a":%s,"c":2}\n', OTHER}, nested = {'{"c":{"a":[%s]}}', OTHER},
  below = {'{"c":{"a":%s}}', {types = {x = {"string", path = "c.a"}}}},
  item = {'{"c":[0,%s]}', {types = {x = {"string", path = "c[1]"}}}},
  second = {'{"a":1,"b":2}\n{"b":2,"a":%s}\n', WANTED}, array = {'[{"a":%s},{"b":3}]', WANTED},
  last = {'[{"b":1},{"c":%s}]', OTHER},
}

-- These are none or two elements of an array, and so right there.
local AS_ITEMS = {[""] = "nested", [" "] = "nested", ["1,5"] = "both"}

local function placed(place, value)
  return (PLACES[place][1]:gsub("%%s", function() return value end))
end

local function shown(text)
  return ("%q"):format(#text < 100 and text or text:sub(1, 100) .. "...")
end

describe("the grammar of JSON", function()
  it("takes every value that has its form", function()
    for _, list in ipairs {cases.right.values, cases.open.accepted} do
      for _, value in ipairs(list) do
        for place, how in pairs(PLACES) do
          local f, problem = read(placed(place, value), how[2])
          assert(f, ("%s %s: %s"):format(place, shown(value), tostring(problem)))
        end
      end
    end
  end)

  it("refuses every other value", function()
    for _, list in ipairs {cases.wrong.values, cases.open.refused} do
      for _, value in ipairs(list) do
        for place, how in pairs(PLACES) do
          local f = read(placed(place, value), how[2])
          local is_list = (place == "nested" or place == "item") and AS_ITEMS[value]
          assert((f ~= nil) == (is_list == place or is_list == "both"),
            ("%s %s is taken"):format(place, shown(value)))
        end
      end
    end
  end)

  it("is kept by whole texts", function()
    for _, options in pairs {wanted = WANTED, other = OTHER, guessed = {}} do
      for _, text in ipairs(cases.right.texts) do
        local f, problem = read(text, options)
        assert(f or problem:find("no columns") or problem:find("empty"),
          ("%s: %s"):format(shown(text), tostring(problem)))
      end
      for _, text in ipairs(cases.wrong.texts) do
        assert(not read(text, options), shown(text) .. " is taken")
      end
    end
  end)

  it("has the classes that the model says #once", function()
    for list, is in pairs {[cases.right.values] = true, [cases.open.accepted] = true,
                           [cases.wrong.values] = false} do
      for _, value in ipairs(list) do assert((json.decode(value) ~= nil) == is, shown(value)) end
    end
  end)
end)

-- Whether text is JSON by the model, and its strings are Unicode.
local function is_right(text)
  local made = json.decode(text)
  return made and made.keys and json.is_unicode(made) or false
end

-- The text of a value in a string column; nil for one that is compared by what it means.
local function text_of(value)
  if value == nil or value == json.null then return "" end
  if type(value) ~= "table" then return tostring(value) end
  return value.number
end

describe("random documents", function()
  setup(function() math.randomseed(seed) end)
  local types = {a = "string", b = "string", x = {"string", path = "user.x"},
                 deep = {"string", path = "deep.key"}}
  local paths = {a = {"a"}, b = {"b"}, x = {"user", "x"}, deep = {"deep", "key"}}

  local function at(made, path)
    for _, key in ipairs(path) do
      if type(made) ~= "table" or not made.keys then return nil end
      made = json.member(made, key)
    end
    return made
  end

  local function check(f, row, made, line)
    for name, path in pairs(paths) do
      local value, got = at(made, path), f[name][row]
      local wanted = text_of(value)
      if wanted then
        assert(wanted == got, ("seed %d: %s of %s is %s"):format(seed, name, line, shown(got)))
      else
        assert.same(value, json.decode(got))
      end
    end
  end

  it("are read as the model reads them", function()
    local lines = {}
    for i = 1, 600 do lines[i] = documents.object(documents.keys, 4) end
    local f = assert(read(table.concat(lines, "\n"), {types = types}))
    local g = assert(read("[" .. table.concat(lines, ",\n") .. "]", {types = types}))
    for i, line in ipairs(lines) do
      local made = assert(json.decode(line))
      check(f, i, made, line)
      check(g, i, made, line)
    end
  end)

  local EDITS = '{}[]:,"\\ \t\r\0\1\127\128\195\2550123456789.-+eEtruefalsn/u'

  local function edited(line)
    local place, byte = random(#line), random(#EDITS)
    local new = EDITS:sub(byte, byte)
    local how = random(4)
    if how == 1 then return line:sub(1, place - 1) .. line:sub(place + 1) end
    if how == 2 then return line:sub(1, place) .. new .. line:sub(place + 1) end
    if how == 3 then return line:sub(1, place - 1) .. new .. line:sub(place + 1) end
    local to = math.min(#line, place + random(8))
    return line:sub(1, place - 1) .. line:sub(to + 1)
  end

  it("are taken or refused as the model does after an edit", function()
    local taken = 0
    for _ = 1, 3000 do
      local line = documents.object(documents.keys, 3)
      for _ = 1, random(2) do line = #line > 0 and edited(line) or line end
      if line:find "[^ \t\r]" then
        local right = is_right(line)
        local f, problem = read(line, {types = types})
        assert(right == (f ~= nil), ("seed %d: %q, %s"):format(seed, line, tostring(problem)))
        if right then
          check(f, 1, json.decode(line), line)
          taken = taken + 1
        end
      end
    end
    assert.is_true(taken > 300 and taken < 2700, taken)
  end)
end)
