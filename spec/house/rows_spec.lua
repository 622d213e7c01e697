-- SPDX-License-Identifier: MIT
-- The rows of the families in src/core, and what is easily forgotten of a new row: the random
-- callers whose answers are known, the calls on 2^31 elements, and what docs/ops.md says of the
-- errors of functions of libm.
local calls = require "spec.ops"
local numbers = require "spec.support.models.numbers"
local pages = require "spec.support.docs.pages"

-- The words of these files, without comments.
local function words_of(pattern)
  local words = {}
  local pipe = io.popen("ls " .. pattern)
  for path in pipe:lines() do
    local text = pages.read(path):gsub("%-%-[^\n]*", ""):gsub("/%*.-%*/", "")
    for word in text:gmatch("[%a_][%w_]*") do words[word] = true end
  end
  pipe:close()
  return words
end

-- The rows of a .def file: {name=, cells= (the text below the row)}.
local function rows_of(family)
  local text = pages.read(("src/core/%s.def"):format(family)):gsub("/%*.-%*/", "")
  local rows = {}
  for line in text:gmatch("[^\n]+") do
    local name = line:match("^%u+%(([%w_]+),")
    if name then rows[#rows + 1] = {name = name, cells = ""}
    elseif #rows > 0 then rows[#rows].cells = rows[#rows].cells .. line .. "\n" end
  end
  return rows
end

-- How a row is called: any of these is a call of it.
local CALLED = {
  scan = function(name) return {"cum" .. name} end,
  reduce = function(name)
    return {name, "a" .. name, (name:gsub("%d+$", "")), name == "count" and "count_nonzero" or name}
  end,
}

local function same(name) return {name} end

local function missing(rows, family, words)
  local names = {}
  for _, row in ipairs(rows) do
    local found = false
    for _, name in ipairs((CALLED[family] or same)(row.name)) do found = found or words[name] end
    if not found then names[#names + 1] = row.name end
  end
  return table.concat(names, " ")
end

describe("every row #once #host", function()
  local known = words_of("fuzz/callers/known/*.lua")
  -- The oracles that the callers share with the specs.
  for _, oracles in ipairs {numbers.unary, numbers.floating, numbers.binary, numbers.logical,
                            numbers.comparisons(numbers.less, numbers.same)} do
    for name in pairs(oracles) do known[name] = true end
  end
  local large = {}
  for _, entry in ipairs(calls.rows) do
    large[entry.name] = large[entry.name] or entry.row.large
    known[entry.name] = known[entry.name] or entry.row.alike
  end

  for _, family in ipairs {"unary", "binary", "compare", "reduce", "scan", "segment"} do
    local rows = rows_of(family)

    it(("of %s.def has an oracle in fuzz/callers/known"):format(family), function()
      assert.is_true(#rows > 0)
      assert.equal("", missing(rows, family, known), "fuzz/callers/known has no oracle of")
    end)

    if family ~= "segment" then -- where one row stands for all: they differ in what they add
      it(("of %s.def has a case of 2^31 elements in spec/ops"):format(family), function()
        assert.equal("", missing(rows, family, large), "spec/ops has no row with `large` of")
      end)
    end
  end

  -- Exact, or rounded right by IEEE 754.
  local EXACT = {sign = true, sqrt = true, remainder = true, fmod = true, floor_divide = true}

  it("that calls libm stands in the table of ulps of docs/ops.md, and bench/ulps.c", function()
    local ops, ulps, named = pages.read("docs/ops.md"), words_of("bench/ulps.c"), {}
    local count = 0
    for _, family in ipairs {"unary", "binary"} do
      for _, row in ipairs(rows_of(family)) do
        if row.cells:find("MATH2?%(") and not EXACT[row.name] then
          count = count + 1
          if not ops:find(("\n| `%s` | "):format(row.name), 1, true) then
            named[#named + 1] = "docs/ops.md: " .. row.name
          end
          if family == "binary" and not ulps[row.name] then -- of the others it has all
            named[#named + 1] = "bench/ulps.c: " .. row.name
          end
        end
      end
    end
    assert.is_true(count > 15)
    assert.equal("", table.concat(named, ", "))
  end)
end)
