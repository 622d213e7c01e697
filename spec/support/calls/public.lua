-- SPDX-License-Identifier: MIT
-- Every public function and method: a list of {kind =, name =, f =, classes =}. The kind is the
-- class of a method, as lua/locus/help/pages.lua names it, and "tensor" for functions of the
-- module, too. The classes are those of meta.lua that may have it.
local core = require "locus.core"
local locus = require "locus"
require "locus.mpi" -- defines what is otherwise defined when it is first asked for
local objects = require "spec.support.calls.objects"

local list = {}

local function add(functions, kind, classes, prefix)
  for name, f in pairs(functions) do
    if type(f) == "function" then
      list[#list + 1] = {kind = kind, name = (prefix or "") .. name, f = f, classes = classes}
    end
  end
end

add(locus, "tensor", "locus.Shared locus")
add(core.methods, "tensor", "locus.Shared locus.Tensor")
add(locus.memory, "tensor", "locus.Memory", "memory.")
add(locus.cuda, "tensor", "locus.Cuda", "cuda.")
add(locus.mpi, "tensor", "locus.Mpi", "mpi.")
for _, object in ipairs(objects) do add(object.methods, object.prefix:sub(1, -2), object.class) end
add({searchsorted = core.internal.search_indexed}, "index", "locus.SearchIndex")

table.sort(list, function(a, b) return a.kind .. a.name < b.kind .. b.name end)
return list
