-- SPDX-License-Identifier: MIT
-- The part of .ci/layers that reads files as a whole, in src, mpi, cuda and lua. Neither source
-- files nor Lua files may depend on each other in a circle. A header declares only functions that
-- the source file of its name defines. One finding a line.
package.path = ".ci/?.lua;" .. package.path
local shell = require "shell"

-- Headers that declare what several files of their folder define.
local FACES = {
  ["src/core/number/decimal.h"] = true,    -- numbers as text: shortest.c, fixed.c, scientific.c
  ["src/op/op.h"] = true,           -- all ops
  ["src/op/fold.h"] = true,         -- those that make one of many
  ["src/cpu/block/block.h"] = true, -- what moves blocks: casts.c, moves.c
  ["src/bind/bind.h"] = true,       -- all bindings, from the ground up
  ["cuda/emu/cudart.h"] = true,     -- the emulated runtime, under the names of CUDA's
}

local found = 0

local function finding(place, ...)
  print(place .. ": " .. string.format(...))
  found = found + 1
end

local function list(folder, endings)
  local _, output = shell.run(("find %s -type f"):format(folder))
  local files = {}
  for path in output:gmatch("[^\n]+") do
    if endings[path:match("%.(%w+)$")] then files[#files + 1] = path end
  end
  table.sort(files)
  return files
end

-- -- Circles --------------------------------------------------------------------------------------

-- The strongly connected components of more than one file, by Tarjan's algorithm; edges: by file, a
-- set of the files that it uses.
local function circles(files, edges)
  local index, low, on, stack, count, all = {}, {}, {}, {}, 0, {}
  local function visit(file)
    count = count + 1
    index[file], low[file], on[file] = count, count, true
    stack[#stack + 1] = file
    for other in pairs(edges[file] or {}) do
      if not index[other] then
        visit(other)
        low[file] = math.min(low[file], low[other])
      elseif on[other] then
        low[file] = math.min(low[file], index[other])
      end
    end
    if low[file] ~= index[file] then return end
    local members = {}
    repeat
      local member = table.remove(stack)
      on[member] = nil
      members[#members + 1] = member
    until member == file
    if #members > 1 then
      table.sort(members)
      all[#all + 1] = members
    end
  end
  for _, file in ipairs(files) do
    if not index[file] then visit(file) end
  end
  return all
end

local function name_circles(files, edges, how)
  for _, members in ipairs(circles(files, edges)) do
    local within = {}
    for _, member in ipairs(members) do within[member] = true end
    local uses = {}
    for _, member in ipairs(members) do
      for other, by in pairs(edges[member]) do
        if within[other] then uses[#uses + 1] = ("%s %s %s (%s)"):format(member, how, other, by) end
      end
    end
    table.sort(uses)
    finding(members[1], "a circle: %s", table.concat(uses, ", "))
  end
end

-- -- C --------------------------------------------------------------------------------------------

-- The text without comments, strings and what the preprocessor alone reads, lines kept.
local function code_of(path)
  local text = shell.read(path)
  local function lines_of(part) return (part:gsub("[^\n]+", "")) end
  text = text:gsub("\\\n", " \n"):gsub("/%*.-%*/", lines_of):gsub("//[^\n]*", "")
  text = text:gsub('"[^"\n]*"', '""')
  return (text:gsub("ISA%(([%w_]+)%)", "ISA_%1"))
end

-- The variable for other files that a line at the left margin declares or defines.
local function variable_of(line)
  return line:match("^extern [^(]-(locus_[%w_]+)[%[;,]")
    or line:match("^[^(]-(locus_[%w_]+)%s*[=;]") or line:match("^[^(]-(locus_[%w_]+)%[.*[=;]")
end

-- Whether a line may begin something that other files can use.
local function is_global(line)
  return line:find("^[%a_]") and not (line:find("^typedef") or line:find("^static")
    or line:find("^LOCUS_INLINE") or line:find("^template") or line:find("^struct [%w_]+ {"))
end

-- The function that a line at the left margin declares or begins to define, if other files can call
-- it. In C its prefix says so; in C++ (`named` is true) any function counts that is neither a
-- kernel nor a method.
local function function_of(line, named)
  local name = line:match("^[^=]-([%a_][%w_]*)%(")
  if not name or name:find("^locus_") or name:find("^ISA_") then return name end
  local scope = line:match("([%w_>]+)::~?[%w_]+%(")
  local is_ours = scope == nil or scope == "locus" or scope == "simt"
  return named and is_ours and not line:find("^SIMT_") and not line:find("^namespace")
    and not name:find("^[%u_]+$") and name ~= "alignas" and name or nil
end

-- The names that a file defines or a header declares for others: calls f(name, line, defines) for
-- each.
local function each_global(code, named, f)
  local number, open = 0, nil
  for line in (code .. "\n"):gmatch("(.-)\n") do
    number = number + 1
    if open then
      open.text = open.text .. line
    elseif is_global(line) then
      local name = function_of(line, named)
      local variable = not line:find("^[^=]-[%a_][%w_]*%(") and variable_of(line)
      if variable then
        f(variable, number, not line:find("^extern"))
      elseif name then
        open = {name = name, line = number, text = line}
      end
    end
    local ends = open and open.text:match("[;{]")
    if ends then
      f(open.name, open.line, ends == "{")
      open = nil
    end
  end
end

-- x of src/op/x.c; a header of cuda/include has the name of a source of cuda.
local function stem(path) return path:match("([^/]*)%.%w+$") end
local function is_header(path) return path:find("%.h$") ~= nil end
local function is_named(path) return path:find("^cuda/") ~= nil end -- C++, in namespaces

-- src/op of src/op/where.c, cuda of cuda/where.cu.
local function layer_of(path) return path:match("^src/%w+") or path:match("^%w+") end

-- By name, the one source file that defines it.
local function definitions(codes)
  local defined, twice = {}, {}
  for path, code in pairs(codes) do
    if not is_header(path) then
      each_global(code, is_named(path), function(name, _, defines)
        if not defines then return end
        twice[name] = twice[name] or (defined[name] and defined[name] ~= path)
        defined[name] = path
      end)
    end
  end
  for name in pairs(twice) do defined[name] = nil end
  return defined
end

local function check_header(path, code, defined)
  if FACES[path] then return end
  each_global(code, is_named(path), function(name, line)
    local owner = defined[name]
    if owner and layer_of(owner) == layer_of(path) and stem(owner) ~= stem(path) then
      finding(("%s:%d"):format(path, line), "declares %s, which %s defines", name, owner)
    end
  end)
end

local function check_c(folder)
  local codes, edges = {}, {}
  local files = list(folder, {c = true, h = true, inc = true, cu = true, cpp = true})
  for _, path in ipairs(files) do codes[path] = code_of(path) end
  local defined = definitions(codes)
  for _, path in ipairs(files) do
    if is_header(path) then check_header(path, codes[path], defined) end
    edges[path] = {}
    for name in codes[path]:gmatch("[%a_][%w_]*") do
      local owner = defined[name]
      if owner and owner ~= path and not is_header(path) then edges[path][owner] = name end
    end
  end
  name_circles(files, edges, "uses")
end

-- -- Lua ------------------------------------------------------------------------------------------

local function check_lua()
  local files, edges = list("lua", {lua = true}), {}
  for _, path in ipairs(files) do edges[path] = {} end
  for _, path in ipairs(files) do
    local text = shell.read(path):gsub("%-%-[^\n]*", "")
    for name in text:gmatch('require%s*%(?"([%w_.]+)"') do
      local target = "lua/" .. name:gsub("%.", "/")
      target = edges[target .. ".lua"] and target .. ".lua" or target .. "/init.lua"
      if edges[target] then edges[path][target] = name end
    end
  end
  name_circles(files, edges, "requires")
end

for _, folder in ipairs { "src", "mpi", "cuda" } do check_c(folder) end
check_lua()
os.exit(found == 0 and 0 or 1)
