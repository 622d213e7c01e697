-- SPDX-License-Identifier: MIT
-- How string columns print.
local core = require "locus.core"
local list_text = require "locus.print".list
local registry = require "locus.call.registry"
local internal = core.internal

local MOST_SHOWN = 40 -- bytes of a string

-- In quotes, with control characters escaped; a long one is cut between characters of UTF-8.
local function quoted(text)
  local last = MOST_SHOWN
  while last > MOST_SHOWN - 4 and text:find("^[\128-\191]", last + 1) do last = last - 1 end
  local shown = internal.visible(text:sub(1, last), true)
  return '"' .. shown .. '"' .. (#text > last and "..." or "")
end

local function text_of(ids, dictionary)
  local function texts_at(positions)
    local texts, wanted = {}, core.tensor(positions, {dtype = "int64", device = ids.device})
    for i, id in ipairs(ids[wanted]:totable()) do
      texts[i] = quoted(internal.dictionary_name(dictionary, id))
    end
    return texts
  end
  local names = internal.dictionary_count(dictionary)
  local device = ids.device ~= "cpu" and " on " .. ids.device or ""
  return list_text(#ids, texts_at, ("[string column of size %d, %d name%s%s]"):format(
    #ids, names, names == 1 and "" or "s", device))
end

return function(strings)
  local events = registry.once(strings.metatable)
  function events.__tostring(column) return strings.ask(column, text_of) end
end
