-- SPDX-License-Identifier: MIT
-- Looks for words in the pages of docs/: in names, in titles and in their texts.
local markdown = require "locus.help.markdown"
local pages = require "locus.help.pages"
local terminal = require "locus.help.terminal"

local full_name = pages.full_name

-- Small letters, and words without hyphens: "as-of" is "asof", "1-D" stays.
local function folded(text)
  return (text:lower():gsub("(%a)%-%f[%a]", "%1"))
end

-- The lines of a section's text, without its code: of a table one for each row.
local function texts_of(section)
  if section.texts then return section.texts end
  local texts = {}
  for _, block in ipairs(section.blocks) do
    texts[#texts + 1] = block.text and markdown.plain(block.text)
    for _, row in ipairs(block.rows or {}) do
      texts[#texts + 1] = markdown.plain(table.concat(row, "; ")):gsub("^[; ]+", "")
    end
  end
  section.texts = texts
  return texts
end

-- A text cut to a line: the one that has the word, or the first one.
local function line_with(text, word)
  local lines = terminal.wrap(text, 100)
  for _, line in ipairs(lines) do
    if folded(line):find(word, 1, true) then return line end
  end
  return lines[1]
end

-- The first sentence of a section that has the word, else its first one, cut to a line. A line of
-- code alone, such as a signature, is none.
local function sentence_with(section, word)
  local first
  for _, text in ipairs(texts_of(section)) do
    text = text:gsub("^`[^`]*`$", ""):gsub("^`[^`]*`: ", "")
    for sentence in (text .. " "):gmatch("(.-[.:]) ") do
      first = first or sentence
      if folded(sentence):find(word, 1, true) then return line_with(sentence, word) end
    end
    first = first or text ~= "" and text or nil
    if folded(text):find(word, 1, true) then return line_with(text, word) end
  end
  return line_with(first or "", word)
end

-- How well a name or a title fits the search: 3 the same, 2 its beginning, 1 a part.
local function likeness(name, text)
  local at = name:find(text, 1, true)
  return name == text and 3 or at == 1 and 2 or at and 1 or 0
end

-- The same, or .5 where the name is one of the words alone.
local function likeness_of_words(name, text, parts)
  local best = likeness(name, text)
  for _, part in ipairs(parts) do
    if name == part then best = math.max(best, .5) end
  end
  return best
end

-- The text of a section for a search: how well it goes, and the name that it goes with.
local function hit(section, text, parts)
  local best, name = -1, nil
  for _, entry in ipairs(section.defined) do
    local other = entry.kind == "tensor" and 0 or 0.25 -- of tensors first
    local score = math.max(likeness_of_words(entry.name:lower(), text, parts) - other,
      likeness(full_name(entry), text))
    if score > best then best, name = score, full_name(entry) end
  end
  if not name then
    name = section.level == 1 and section.page or section.page .. "#" .. section.title:lower()
    best = likeness(folded(section.title), text)
  end
  local defined = {}
  for i, entry in ipairs(section.defined) do defined[i] = entry.name .. " " .. full_name(entry) end
  local all = folded(("%s %s %s"):format(table.concat(defined, " "), section.title,
    table.concat(texts_of(section), " ")))
  for _, part in ipairs(parts) do
    if not all:find(part, 1, true) then return nil end
  end
  local phrase, named = all:find(text, 1, true), #section.defined > 0
  return best * 2 + (phrase and 1 or 0) + (named and 1 or 0), name
end

-- The places of the words of a text, in names and in their texts: a list of {name =, line =} whose
-- names help.text knows, the best ones first.
return function(text)
  text = folded(text):match("^%s*(.-)%s*$")
  local parts, list = {}, {}
  for part in text:gmatch("%S+") do parts[#parts + 1] = part end
  for order, section in ipairs(#parts > 0 and pages.all() or {}) do
    local score, name = hit(section, text, parts)
    if score then
      list[#list + 1] = {name = name, line = sentence_with(section, parts[1]),
                         score = score, order = order}
    end
  end
  table.sort(list, function(a, b)
    if a.score ~= b.score then return a.score > b.score end
    return a.order < b.order
  end)
  for i, found in ipairs(list) do list[i] = {name = found.name, line = found.line} end
  return list
end
