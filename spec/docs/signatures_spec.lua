-- SPDX-License-Identifier: MIT
-- The signatures in the docs are what functions take: names, order, what goes by name alone, what
-- may be left out, and what it then is. So are those that begin the comments above functions.
local core = require "locus.core"
local declare = require "locus.call.declare"
local locus = require "locus"
local pages = require "locus.help.pages"
local public = require "spec.support.calls.public"
local recorded = require "spec.support.calls.recorded"
local signature = require "locus.help.signature"

-- Functions that do not say what they take.
local SILENT = "is_tensor get_default_dtype instruction_sets get_num_threads keep live_bytes "
  .. "fail_allocation cuda.with_stream why_denormals_are_zero"

-- These ask for it themselves: two values of randint are high and size, and one of
-- repeat_interleave is the repeats.
local ASKED = {["randint/high"] = true, ["randint/size"] = true,
               ["repeat_interleave/repeats"] = true}

local function full_name(kind, name) return kind == "tensor" and name or kind .. ":" .. name end

-- All signatures by "kind:name".
local documented = {}
for _, section in ipairs(pages.all()) do
  for _, entry in ipairs(section.defined) do
    local key = entry.kind .. ":" .. entry.name
    documented[key] = documented[key] or {}
    for _, sig in ipairs(entry.signatures) do table.insert(documented[key], sig) end
  end
end

local unknown = {}

-- The value of a literal of Lua; `unknown` for other words, such as base-1.
local function literal(text)
  local f = loadstring("return " .. text)
  local ok, value = pcall(f and setfenv(f, {}) or error)
  if ok and (value ~= nil or text == "nil") then return value end
  return unknown
end

-- The fault of one parameter of a signature; nil if there is none.
local function differs(told, taken, function_name)
  if told.name ~= taken.name then return told.name .. " is " .. taken.name end
  if (told.named or false) ~= (taken.named or false) then return told.name .. ": by name or not" end
  if (told.sizes or false) ~= (taken.sizes or false) then return told.name .. ": several or one" end
  local where = function_name .. "/" .. told.name
  if not taken.sizes and not ASKED[where]
    and (told.default ~= nil) ~= (taken.optional or false) then
    return told.name .. ": may it be left out?"
  end
  if taken.otherwise and taken.otherwise ~= told.default then
    return ("%s: %s is declared"):format(told.name, taken.otherwise)
  end
  local default = told.default and literal(told.default)
  if taken.default ~= nil and default ~= unknown and default ~= taken.default then
    return ("%s: %s by default"):format(told.name, tostring(taken.default))
  end
end

local function by_name(a, b) return a.name < b.name end

-- The parameters in their order, those by name alone sorted; without self where there is one.
local function in_order(params, self)
  local list, named = {}, {}
  for i, param in ipairs(params) do
    if i > 1 or not self then table.insert(param.named and named or list, param) end
  end
  table.sort(named, by_name)
  for _, param in ipairs(named) do list[#list + 1] = param end
  return list
end

-- The fault of a signature; nil if there is none.
local function wrong(sig, params, function_name)
  local told, taken = in_order(sig), in_order(params, sig.receiver)
  for i = 1, math.max(#told, #taken) do
    if not told[i] then return taken[i].name .. " is not told" end
    if not taken[i] then return told[i].name .. " is not taken" end
    local what = differs(told[i], taken[i], function_name)
    if what then return what end
  end
end

-- Several signatures of one name as one: the first, and what the others have by name alone.
local function united(signatures)
  local all, there = {receiver = signatures[1].receiver}, {}
  for k, sig in ipairs(signatures) do
    for _, param in ipairs(sig) do
      if not there[param.name] and (k == 1 or param.named) then all[#all + 1] = param end
      there[param.name] = true
    end
  end
  return all
end

-- The faults of the signatures of a function; nil if one of them is right, or all as one.
local function wrong_all(signatures, params, name)
  local what
  for _, sig in ipairs(signatures) do
    if not sig.field then
      local one = params and wrong(sig, params, name)
      if not one then return nil end
      what = what or one
    end
  end
  return what and wrong(united(signatures), params, name) and what
end

describe("the docs have the signature #host #once", function()
  it("of every function and method", function()
    local found, count = {}, 0
    for _, entry in ipairs(public) do
      local params = declare.parameters(entry.f)
      local signatures = documented[entry.kind .. ":" .. entry.name]
      local what = not signatures and "there is none"
        or wrong_all(signatures or {}, params, entry.name)
      if params then count = count + 1 end
      if what then found[#found + 1] = full_name(entry.kind, entry.name) .. ": " .. what end
    end
    assert.same({}, found)
    assert.is_true(count > 600, count)
  end)

  it("of no other ones", function()
    local known, found = {}, {}
    for _, entry in ipairs(public) do known[entry.kind .. ":" .. entry.name] = true end
    for key, signatures in pairs(documented) do
      for _, sig in ipairs(signatures) do
        local of_device = key:find("^stream:") or key:find("^event:")
        if not sig.field and not known[key] and not of_device then found[#found + 1] = sig.text end
      end
    end
    assert.same({}, found)
  end)

  it("where the functions say nothing, too", function()
    local silent = {}
    for _, entry in ipairs(public) do
      if not declare.parameters(entry.f) then silent[#silent + 1] = entry.name end
    end
    local wanted = {}
    for name in SILENT:gmatch("%S+") do wanted[#wanted + 1] = name end
    table.sort(silent)
    table.sort(wanted)
    assert.same(wanted, silent)
  end)
end)

-- The answer of a function, as text, without addresses and the parts that depend on them, such as
-- the pages of an index; functions that draw numbers draw the same.
local function answer(f, args)
  locus.manual_seed(1)
  local results = {pcall(f, unpack(args, 1, args.n))}
  for i, result in ipairs(results) do
    if core.is_tensor(result) then
      results[i] = ("%s %s"):format(tostring(result), tostring(result.shape))
    else
      results[i] = tostring(result):gsub("0x%x+", ""):gsub("%d+ bytes", "")
    end
  end
  return table.concat(results, "; ")
end

-- The same arguments with tensors of their own, since functions in place write to them.
local function copied(args)
  local list = {n = args.n}
  for i = 1, args.n do list[i] = core.is_tensor(args[i]) and args[i]:clone() or args[i] end
  return list
end

-- The place of a parameter among the function's; whether the arguments lack it.
local function place(params, name)
  for i, param in ipairs(params) do
    if param.name == name then return i end
  end
end

local function lacks(args, params, i)
  local last = args[args.n]
  local named = type(last) == "table" and last[params[i].name] ~= nil
  return not named and (params[i].named or args.n < i or args[i] == nil)
end

-- Another value than a default, of its type.
local function other_than(value)
  if type(value) == "boolean" then return not value end
  return type(value) == "number" and (value == 1 and 0 or value + 1) or nil
end

-- Whether the function answers the same without the argument as with its default, for each call
-- that lacks it; and whether it answers something else with another value.
local function check_default(entry, params, i, value)
  local other, same, taken = other_than(value), true, false
  local sensitive = other == nil
  for _, args in ipairs(recorded[entry.kind .. ":" .. entry.name] or {}) do
    if lacks(args, params, i) then
      local plain = answer(entry.f, copied(args))
      local with = answer(entry.f, recorded.with(copied(args), params, i, value))
      local raises = with:find("^false;") and not plain:find("^false;") -- as side beside right
      same, taken = same and (raises or plain == with), taken or not raises
      sensitive = sensitive
        or answer(entry.f, recorded.with(copied(args), params, i, other)) ~= plain
    end
  end
  return same and taken, sensitive, taken
end

-- Defaults of these functions whose calls answer the same whatever is given: waiting, the order of
-- equal elements, limits that are not reached, and what those calls do not ask.
local ALIKE = {}
for name in ([[
  arange/start allclose/atol allclose/rtol allclose/equal_nan bincount/minlength bucketize/right
  copy_/non_blocking
  cuda.Event/enable_timing cuda/non_blocking to/non_blocking argsort/stable sort/stable chunks/limit
  chunks/rest chunks/rows chunks/skip_blanks read_csv/rest read_csv/skip_blanks read_csv/limit
  read_json/limit read_json/rest
  read_log/limit read_log/rest read_log/skip searchsorted/check index:searchsorted/base
  index:searchsorted/out_int32 index:searchsorted/right
]]):gmatch("%S+") do ALIKE[name] = true end

describe("defaults in the docs #host #once", function()
  it("are those of functions that do not declare them", function()
    local found, alike, count = {}, {}, 0
    for _, entry in ipairs(public) do
      local params = declare.parameters(entry.f)
      local sig = (documented[entry.kind .. ":" .. entry.name] or {})[1]
      for _, param in ipairs(params and sig or {}) do
        local value = param.default and literal(param.default)
        local i = place(params, param.name)
        if value ~= nil and value ~= unknown and params[i].default == nil then
          local same, sensitive, taken = check_default(entry, params, i, value)
          count = count + (taken and 1 or 0)
          local name = full_name(entry.kind, entry.name) .. "/" .. param.name
          if taken and not same then found[#found + 1] = name .. " is not " .. param.default end
          if not sensitive then alike[name] = true end
        end
      end
    end
    assert.same({}, found)
    assert.same(ALIKE, alike)
    assert.is_true(count > 100, count)
  end)
end)

-- The comments of a file, each as one line.
local function comments_in(path)
  local list, within = {}, false
  for line in io.lines(path) do
    local text = line:match("^/%* (.*)$") or line:match("^%*%* ?(.*)$") or line:match("^%-%- (.*)$")
    if text and within and not line:find("^/") then list[#list] = list[#list] .. " " .. text
    elseif text then list[#list + 1] = text end
    within = text ~= nil
  end
  return list
end

-- The signatures that comments above functions begin with: {text =, path =}.
local function comments()
  local list = {}
  local pipe = io.popen("ls src/bind/*/*.c lua/locus/*.lua lua/locus/*/*.lua")
  for path in pipe:lines() do
    for _, text in ipairs(comments_in(path)) do
      local name, rest = text:match("^([%a_][%w_:]*)(%b())")
      if name then list[#list + 1] = {text = name .. rest:gsub("=([,})])", "%1"), path = path} end
    end
  end
  pipe:close()
  return list
end

-- Files whose functions have names of public ones and are not these.
local OTHERS = {["src/bind/text/builder.c"] = true, ["lua/locus/frame/argsort.lua"] = true,
                ["lua/locus/tensor/slice.lua"] = true, ["src/bind/bytes/mpi.c"] = true}

describe("comments above functions #host #once", function()
  it("name their parameters in order", function()
    local found, count = {}, 0
    local params_of = {}
    for _, entry in ipairs(public) do
      local params = declare.parameters(entry.f)
      params_of[entry.name] = params_of[entry.name] or {}
      if params then table.insert(params_of[entry.name], params) end
    end
    for _, comment in ipairs(comments()) do
      local sig = signature.parse((comment.text:gsub(",? ?{?%.%.%.}?%)$", ")")))
      local what
      local known = sig and not OTHERS[comment.path] and params_of[sig.name]
      for _, params in ipairs(known or {}) do
        local at, names = 1, {}
        for _, param in ipairs(params) do names[param.name] = true end
        what = nil
        for k, param in ipairs(sig) do
          if param.named then
            if not names[param.name] then what = param.name end
          else
            if k == 1 and params[1] and param.name ~= params[1].name then at = 2 end
            if not params[at] or params[at].name ~= param.name then what = what or param.name end
            at = at + 1
          end
        end
        if not what then break end
      end
      if known then count = count + 1 end
      if what then found[#found + 1] = ("%s: %s: %s"):format(comment.path, comment.text, what) end
    end
    assert.same({}, found)
    assert.is_true(count > 150, count)
  end)
end)
