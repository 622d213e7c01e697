-- SPDX-License-Identifier: MIT
-- The tables of docs/features.md: every call of ours runs as it stands there, and of the names of
-- PyTorch, NumPy and polars none is forgotten, and none made up: lua/locus/names/peers.lua and, for
-- names that no user types, spec/support/docs/features.lua say which of theirs are about these
-- tasks.
local locus = require "locus"
local known = require "spec.support.docs.features"
local objects = require "spec.support.calls.objects"
local pages = require "spec.support.docs.pages"
local peers = require "locus.names.peers"

local PAGE = "docs/features.md"
local PLACES = {PyTorch = 3, NumPy = 4, polars = 8}

-- The rows of the tables that have a column for each library: {line, cells}.
local function rows()
  local list = {}
  for _, row in ipairs(pages.rows(PAGE)) do
    if #row.cells ~= 2 and row.cells[1] ~= "task" then list[#list + 1] = row end
  end
  return list
end

local function spans(cell) return cell:gmatch("`([^`]+)`") end

-- The x, y and so on of the page, new for each call, since some write.
local function environment()
  local env = setmetatable({locus = locus, lo = 1, hi = 4, k = 2}, {__index = _G})
  env.x, env.y = locus.tensor{3, 1, 4, 1, 5, 2}, locus.tensor{2, 7, 1, 8, 2, 8}
  env.w, env.t = locus.tensor{1, 2, 1, 3, 1, 2}, locus.tensor{0, 1, 2, 3, 5, 8}
  env.v, env.m = locus.tensor{5, 1, 9}, locus.tensor{{3, 1, 2}, {6, 5, 4}, {7, 9, 8}}
  env.mask = locus.tensor{true, false, true, false, true, false}
  env.i, env.ids = locus.LongTensor{4, 6, 5}, locus.LongTensor{1, 2, 1, 3, 3, 1}
  env.c = locus.strings{"IBM", "AAPL", "IBM", "MSFT", "AAPL", "IBM"}
  env.d = locus.strings{"AAPL", "AAPL", "IBM", "IBM", "MSFT", "MSFT"}
  env.f = locus.frame{{"time", env.t}, {"sym", env.c}, {"price", env.x}}
  env.h = locus.frame{{"time", env.t + 1}, {"sym", env.d}, {"bid", env.y}}
  env.g = env.f:group("sym")
  function env.fn() end
  return env
end

-- Expressions, assignments and chunks that return.
local function compile(source)
  return loadstring("return " .. source, "=call") or assert(loadstring(source, "=call"))
end

local function run(source) return setfenv(compile(source), environment())() end

describe(PAGE .. " #once", function()
  it("has a cell for each library in every row", function()
    local count = 0
    for _, row in ipairs(rows()) do
      count = count + 1
      assert.equal(8, #row.cells, PAGE .. ":" .. row.line)
    end
    assert.is_true(count > 150)
  end)

  it("has calls that run, or a reason why there is none", function()
    local failed = {}
    local function fail(row, what) failed[#failed + 1] = PAGE .. ":" .. row.line .. ": " .. what end
    for _, row in ipairs(rows()) do
      local ours = row.cells[2]
      if ours == "" or ours == "`-`" then fail(row, "neither a call nor a reason") end
      if ours:sub(1, 3) ~= "`-`" then
        for source in spans(ours) do
          local ok, message = pcall(run, source)
          if not ok then fail(row, source .. ": " .. tostring(message)) end
        end
      end
    end
    assert.same({}, failed)
  end)
end)

-- The names in a library's column: what is one word, with the table it is in. Operators and other
-- notation are none.
local function named(place)
  local names = {}
  for _, row in ipairs(rows()) do
    for span in spans(row.cells[place]) do
      if span:find("^[%a_][%w_.]*$") then names[span] = true end
    end
  end
  return names
end

local function add(names, list)
  for name in (list or ""):gmatch("%S+") do
    assert.is_nil(names[name], name)
    names[name] = true
  end
end

-- The names of a library that are about these tasks, and the others.
local function names_of(library)
  local features, rest = {}, {}
  for _, peer in ipairs(peers) do
    if peer[1] == library and known[library].rest then
      add(features, peer.features)
      add(rest, peer.rest)
    end
  end
  add(features, known[library].features)
  add(rest, known[library].rest)
  return features, rest
end

-- The names of one set that are not in another.
local function without(names, others)
  local list = {}
  for name in pairs(names) do
    if not others[name] then list[#list + 1] = name end
  end
  table.sort(list)
  return list
end

describe("the names on " .. PAGE .. " of #once", function()
  for library, place in pairs(PLACES) do
    it(library .. " are all that search, select, order, group or count, and no other", function()
      local features, rest = names_of(library)
      local there = named(place)
      assert.same({}, without(features, there))
      assert.same({}, without(there, features))
      for name in pairs(features) do assert.is_nil(rest[name], name) end
    end)
  end
end)

-- The names that are ours: of the module, of tensors and of what is made of them.
local function ours()
  local names = {}
  local function add_all(part)
    for name in pairs(part) do names[name] = true end
  end
  add_all(locus)
  add_all(locus.methods)
  for _, object in ipairs(objects) do add_all(object.methods) end
  return names
end

it("a row of " .. PAGE .. " without a call names nothing that there is #once", function()
  local there, shown, stale = ours(), "", {}
  for _, row in ipairs(rows()) do shown = shown .. " " .. row.cells[2] end
  for _, row in ipairs(rows()) do
    for _, place in pairs(row.cells[2]:sub(1, 3) == "`-`" and PLACES or {}) do
      for span in spans(row.cells[place]) do
        local name = span:match("[%w_]+$")
        if name and there[name] and not shown:find("%f[%w_]" .. name .. "%f[^%w_]") then
          stale[#stale + 1] = ("%s:%d: %s is there by now"):format(PAGE, row.line, span)
        end
      end
    end
  end
  assert.same({}, stale)
end)
