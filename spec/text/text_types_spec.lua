-- SPDX-License-Identifier: MIT
-- The rows of src/text/read/text_type.def: each word has an oracle here, is written so that it
-- reads back, and stands in messages, docs and lua/locus/meta/frame.lua.
local core = require "locus.core"
local frames = require "spec.support.data.frames"
local kinds = require("locus.frame.column").kinds
local locus = require "locus"
local pages = require "spec.support.docs.pages"
local support = require "spec.support"
local surplus = require "locus.call.surplus"

local rows = core.internal.text_types()

-- By word: fields and what they are worth, a field that is not of the type, the type itself where
-- the word alone is none.
local ORACLES = {
  bool = {{"true", true}, {"false", false}, wrong = "maybe", type = {"bool", "true", "false"}},
  time = {{"1970-01-01T00:00:01.5Z", 1500000}, {"2000-01-01 01:00+01:00", 946684800000000},
          wrong = "yesterday"},
  date = {{"1970-01-03", 2}, {"1969-12-31", -1}, wrong = "2026-02-29"},
  ipv4 = {{"0.0.1.2", 258}, {"255.255.255.255", 2 ^ 32 - 1}, wrong = "1.2.3.256"},
  request_path = {{"GET /a/b?c HTTP/1.1", "/a/b"}, {"/10", "/10"}},
  string = {{"0010", "0010"}, {"a b", "a b"}},
}

local function oracle(word)
  return ORACLES[word]
    or error(("the type %q has no oracle in spec/text/text_types_spec.lua"):format(word))
end

local function read(word, fields)
  return locus.read_csv({text = "x\n" .. table.concat(fields, "\n") .. "\n"},
                        {types = {x = oracle(word).type or word}})
end

describe("a type of columns #once", function()
  for _, row in ipairs(rows) do
    local word = row.word

    it(("%s reads what its oracle says"):format(word), function()
      local fields, wanted = {}, {}
      for i, pair in ipairs(oracle(word)) do fields[i], wanted[i] = pair[1], pair[2] end
      local x = read(word, fields).x
      for i, value in ipairs(wanted) do assert.is_true(value == x[i], fields[i]) end
      local wrong = oracle(word).wrong
      if not wrong then return end
      local ok, message = pcall(read, word, {fields[1], wrong})
      assert.is_false(ok, wrong)
      if row.called ~= "" then
        assert.truthy(message:find("is not " .. row.called, 1, true), message)
      end
    end)

    it(("%s is written so that it reads back"):format(word), function()
      local fields = {}
      for i, pair in ipairs(oracle(word)) do fields[i] = pair[1] end
      local f = read(word, fields)
      local text = f:write_csv()
      local again = locus.read_csv({text = text}, {types = {x = oracle(word).type or word}})
      for i = 1, #fields do
        assert.is_true(f.x[i] == again.x[i], ("%s becomes %s"):format(fields[i], text))
      end
    end)

    it(("%s is a kind of frames' columns, if it is written as one"):format(word), function()
      local is_kind = row.means ~= "VALUE" and row.means ~= "STRING"
      assert.equal(is_kind, kinds[word] or false, word)
      if not is_kind then return end
      local quoted = ('"%s"'):format(word)
      local alias = pages.read("lua/locus/meta/frame.lua"):match("alias locus%.Kind ([^\n]+)")
      assert.truthy(alias:find(quoted, 1, true),
                    ("locus.Kind of lua/locus/meta/frame.lua has no %s"):format(quoted))
      assert.truthy(("|%s|"):format(surplus.kinds.kind):find(("|%s|"):format(word), 1, true),
                    ("'kind' of lua/locus/call/surplus.lua has no %s"):format(word))
    end)

    it(("%s stands in messages, docs and meta"):format(word), function()
      local ok, message = pcall(locus.read_csv, {text = "x\n1\n"}, {types = {x = "no such type"}})
      assert.is_false(ok)
      assert.truthy(message:find(" " .. word .. " ", 1, true), word .. " is not in: " .. message)
      local quoted = ('"%s"'):format(word)
      local found = false
      for line in pages.read("docs/columns.md"):gmatch("[^\n]+") do
        found = found or (line:match("^|([^|]*)|") or ""):find(quoted, 1, true) ~= nil
      end
      assert.is_true(found, ("no row of docs/columns.md begins with %s"):format(quoted))
      local alias = pages.read("lua/locus/meta/frame.lua"):match("alias locus%.ColumnType ([^\n]+)")
      assert.truthy(alias:find(quoted, 1, true) or type(oracle(word).type) == "table",
                    ("locus.ColumnType of lua/locus/meta/frame.lua has no %s"):format(quoted))
    end)
  end

  it("is read by the fuzzer of readers, and by the plain reader that it compares with", function()
    local plans, plain = pages.read("fuzz/plan.c"), pages.read("fuzz/naive_column.c")
    local count = 0
    for id in pages.read("src/text/read/text_type.def"):gmatch("\nTYPE%(([%w_]+),") do
      local called = ("TEXT_%s%%f[^%%w_]"):format(id)
      count = count + 1
      assert.truthy(plain:find(called), "fuzz/naive_column.c has no TEXT_" .. id)
      -- Those types are what GUESS_INTEGER becomes when it fails.
      assert.truthy(plans:find(called) or id:find("^GUESS_"), "fuzz/plan.c has no TEXT_" .. id)
    end
    assert.is_true(count > 8)
  end)

  it("that is a kind stands among the random columns of frames", function()
    local there = {}
    for _, entry in ipairs(frames.columns) do there[entry[1][1] or entry[1]] = true end
    there.duration = true -- which no text has
    for word in pairs(kinds) do
      assert.is_true(there[word], "spec/support/data/frames.lua makes no column of " .. word)
    end
  end)

  it("has a row for each oracle", function()
    local words = {}
    for _, row in ipairs(rows) do words[row.word] = true end
    for word in pairs(ORACLES) do assert.is_true(words[word], word) end
  end)

  it("converts a missing time to the unit of its column, or raises", function()
    local day = locus.time "2020-01-01"
    for word, want in pairs {time = "2020-01-01T00:00:00Z", date = "2020-01-01"} do
      local unit = word == "time" and "s" or nil
      local f = locus.read_json({text = "{}"}, {types = {t = {word, unit = unit, missing = day}}})
      assert.equal(want, tostring(f.t[1]))
    end
    assert.matches("which a time in s cannot hold", support.message(locus.read_csv, {text = "t\n"},
      {types = {t = {"time", unit = "s", missing = day + 1}}}))
  end)
end)
