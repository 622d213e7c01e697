-- SPDX-License-Identifier: MIT
-- require, for a file of ours that is loaded when it is first needed. Ctrl-C or a lack of memory
-- may end that anywhere. `require` keeps marks of the files that were being loaded, and then
-- refuses them. Here the marks go, and the files are loaded anew.
local registry = require "locus.call.registry"

local marks = {userdata = true, number = true} -- no file of ours gives such a value

local function forget_marks()
  for name, value in pairs(package.loaded) do
    if marks[type(value)] and name:find("^locus%.") then package.loaded[name] = nil end
  end
end

return function(name)
  local ok, result = pcall(require, name)
  if ok then return result end
  if not tostring(result):find("loop or previous error", 1, true) then error(result, 0) end
  registry.begin() -- before the marks go: the files register their names again
  forget_marks()
  return require(name)
end
