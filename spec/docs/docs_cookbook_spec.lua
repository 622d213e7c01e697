-- SPDX-License-Identifier: MIT
-- docs/cookbook.md: every recipe is a question, a sentence or two and one block that prints
-- something, in five to fifteen lines of code. docs_spec.lua runs the blocks.
local pages = require "spec.support.docs.pages"

local PAGE = "docs/cookbook.md"
-- The topics that the page must answer, as words of its questions.
local SUBJECTS = {
  "by group", "quote before each trade", "histogram", "at random", "with weights", "longest run",
  "outliers", "join", "largest k%?", "largest k of each group", "duplicates", "stream",
}

-- The questions, and what stands below each.
local function recipes()
  local list, recipe = {}, nil
  for line in io.lines(PAGE) do
    local question = line:match "^### (.*)$"
    if question then
      recipe = {question = question, answer = ""}
      list[#list + 1] = recipe
    elseif line:find "^## " then
      recipe = nil
    elseif recipe then
      recipe.answer = recipe.answer .. line .. "\n"
    end
  end
  return list
end

-- How many lines of a block are code, and how many say what is printed.
local function count(lines)
  local code, output = 0, 0
  for _, line in ipairs(lines) do
    code = code + (line:find "^%-%->" and 0 or 1)
    output = output + (line:find "%-%->" and 1 or 0)
  end
  return code, output
end

describe(PAGE .. " #host #once", function()
  it("is made of questions, each with a short block that prints its answer", function()
    local list = recipes()
    assert.is_true(#list >= 30, #list)
    for _, recipe in ipairs(list) do
      local blocks = pages.blocks(recipe.answer)
      assert.truthy(recipe.question:find "%?$", recipe.question)
      assert.equal(1, #blocks, recipe.question)
      assert.equal("lua", blocks[1].tag, recipe.question)
      local code, output = count(blocks[1].lines)
      assert.is_true(code >= 5 and code <= 15, recipe.question .. " " .. code)
      assert.is_true(output > 0, recipe.question)
    end
  end)

  it("has an answer for what is asked most", function()
    local questions = {}
    for i, recipe in ipairs(recipes()) do questions[i] = recipe.question end
    local all = table.concat(questions, "\n")
    for _, subject in ipairs(SUBJECTS) do assert.truthy(all:find(subject), subject) end
  end)
end)
