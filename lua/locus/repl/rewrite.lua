-- SPDX-License-Identifier: MIT
-- The rewriting of typed Lua before it runs: a local of the outermost block is there in later
-- lines, too, and loops can be stopped by Ctrl-C although LuaJIT compiles them.
local lex = require "locus.repl.lex"

-- The names that rewritten source looks up: a table whose fields become locals of the session, a
-- function that every loop calls, and one that hands on the line's answers.
local rewrite = {LOCALS = "__locus_locals", CHECK = "__locus_check", RESULTS = "__locus_results"}

local OPENS = {["function"] = true, ["if"] = true, ["repeat"] = true}
local CLOSES = {["end"] = true, ["until"] = true}

-- The blocks around each token, as each(i, token, depth, loop): loop is true for the word behind
-- which a loop's body begins.
local function walk(tokens, each)
  local stack = {}
  for i, t in ipairs(tokens) do
    local word = t.kind == "keyword" and t.text or ""
    if CLOSES[word] then stack[#stack] = nil end
    local loop = word == "repeat" or word == "do" and stack[#stack] == "head"
    each(i, t, #stack, loop)
    if word == "for" or word == "while" then stack[#stack + 1] = "head"
    elseif word == "do" and loop then stack[#stack] = "block"
    elseif word == "do" or OPENS[word] then stack[#stack + 1] = "block"
    end
  end
end

-- The last of the names in `a, b, c`, which begins at token i.
local function last_name(tokens, i)
  while tokens[i + 1] and tokens[i + 1].text == "," do i = i + 2 end
  return i
end

-- Collects the replacements of bytes for the local statement at token i.
local function promote(tokens, i, edits)
  local first = tokens[i]
  if tokens[i + 1].text == "function" then
    edits[#edits + 1] = {first.first, first.last, ""}
    edits[#edits + 1] = {tokens[i + 2].first, tokens[i + 2].first - 1, rewrite.LOCALS .. "."}
    return
  end
  local last = last_name(tokens, i + 1)
  edits[#edits + 1] = {first.first, first.last, ""}
  for k = i + 1, last, 2 do
    edits[#edits + 1] = {tokens[k].first, tokens[k].first - 1, rewrite.LOCALS .. "."}
  end
  if not tokens[last + 1] or tokens[last + 1].text ~= "=" then
    edits[#edits + 1] = {tokens[last].last + 1, tokens[last].last, " = nil"}
  end
end

-- The tokens that may come before a statement on the same level.
local ENDS = {[")"] = true, ["]"] = true, ["}"] = true, [";"] = true, ["..."] = true,
              ["end"] = true, ["nil"] = true, ["true"] = true, ["false"] = true}

-- Whether `const` at token i declares, as in LuaJITs since 2026-07; it may be a name as well.
local function is_const(tokens, i)
  local before, behind = tokens[i - 1], tokens[i + 1]
  if tokens[i].text ~= "const" or not behind then return false end
  if behind.kind ~= "name" and behind.text ~= "function" then return false end
  return not before or ENDS[before.text] or before.kind == "name" or before.kind == "number"
    or before.kind == "string"
end

local function apply(text, edits)
  local parts, at = {}, 1
  for _, edit in ipairs(edits) do
    parts[#parts + 1] = text:sub(at, edit[1] - 1) .. edit[3]
    at = edit[2] + 1
  end
  return table.concat(parts) .. text:sub(at)
end

-- The names that rewritten source looks up are locals, which stay if a function or the line itself
-- gets another environment.
local NAMES = {rewrite.LOCALS, rewrite.CHECK, rewrite.RESULTS}

local function kept(text)
  local used = {}
  for _, name in ipairs(NAMES) do
    if text:find(name, 1, true) then used[#used + 1] = name end
  end
  local list = table.concat(used, ", ")
  return list ~= "" and ("local %s = %s; "):format(list, list) or ""
end

-- The source with locals promoted and loops that look up; it has the same lines. Only for source
-- that compiles.
function rewrite.source(text)
  local tokens, edits = lex.code(text), {}
  walk(tokens, function(i, t, depth, loop)
    if loop then
      edits[#edits + 1] = {t.last + 1, t.last, " " .. rewrite.CHECK .. "();"}
    elseif depth == 0 and (t.text == "local" and t.kind == "keyword" or is_const(tokens, i)) then
      promote(tokens, i, edits)
    end
  end)
  text = apply(text, edits)
  return kept(text) .. text
end

return rewrite
