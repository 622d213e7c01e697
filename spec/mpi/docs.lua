-- SPDX-License-Identifier: MIT
-- The examples of docs/mpi.md: behind `-->` stands what the last rank prints.
local check = require "spec.mpi.check"
local pages = require "spec.support.docs.pages"

local PAGE = "docs/mpi.md"

for _, block in ipairs(pages.blocks(pages.read(PAGE))) do
  if block.tag == "lua" then
    local env, printed = pages.environment()
    pages.run(("\n"):rep(block.line) .. table.concat(block.lines, "\n"), PAGE, env)
    if check.rank == check.size - 1 then
      for i, line in ipairs(printed) do printed[i] = pages.trim(line) end
      check.equal(table.concat(pages.said(block), "\n"), table.concat(printed, "\n"),
                  PAGE .. ":" .. block.line)
    end
  end
end
