-- SPDX-License-Identifier: MIT
-- The tables of docs/from_torch7.md and docs/from_numpy.md: every row says what is written here,
-- and all of it runs, also what the last column adds.
local locus = require "locus"
local pages = require "spec.support.docs.pages"

local PAGES = {"docs/from_torch7.md", "docs/from_numpy.md"}

-- The x, y and so on of the pages, new for each expression, since some write.
local function environment(path)
  local env = setmetatable({locus = locus, path = path}, {__index = _G})
  env.x, env.y = locus.tensor{3, 1, 4, 1, 5, 2}, locus.tensor{2, 7, 1, 8, 2, 8}
  env.w, env.t = locus.tensor{1, 2, 1, 3, 1, 2}, locus.tensor{0, 1, 2, 3, 5, 8}
  env.v, env.m = locus.tensor{5, 1, 9}, locus.tensor{{3, 1, 2}, {6, 5, 4}, {7, 9, 8}}
  env.i, env.mask = locus.LongTensor{2, 1, 3}, env.x:gt(2)
  env.x:save(path)
  return env
end

-- An expression whose value nobody takes, or statements.
local function run(source, path)
  local threads, dtype = locus.get_num_threads(), locus.get_default_dtype()
  local chunk = loadstring("return " .. source) or assert(loadstring(source))
  local good, problem = pcall(setfenv(chunk, environment(path)))
  locus.set_num_threads(threads)
  locus.set_default_dtype(dtype)
  if not good then error(problem, 0) end
end

local function spans(cell) return cell:gmatch "`([^`]+)`" end

-- Whether code in the last column is locus' own and whole.
local function is_call(code) return code:find "^locus%.%w+[({]" or code:find "^[xm][:%[]" end

-- Whether a row has something to run: the heads of tables have not, nor have tables of two columns.
local function is_entry(cells)
  return #cells > 2 and cells[#cells] ~= "what is different"
end

-- f(line, code) for every piece of a page that must run; gives the number of rows.
local function each_call(page, f)
  local count = 0
  for _, row in ipairs(pages.rows(page)) do
    local cells = row.cells
    if is_entry(cells) then
      local ours, more = cells[#cells - 1], cells[#cells]
      assert(ours:find "`", page .. ":" .. row.line .. ": nothing is written here")
      for code in spans(ours) do f(row.line, code) end
      for code in spans(more) do
        if is_call(code) then f(row.line, code) end
      end
      count = count + 1
    end
  end
  return count
end

for _, page in ipairs(PAGES) do
  describe(page, function()
    it("writes what runs", function()
      local failed, path = {}, os.tmpname()
      local count = each_call(page, function(line, code)
        local good, problem = pcall(run, code, path)
        if not good then failed[#failed + 1] = line .. ": " .. code .. ": " .. problem end
      end)
      os.remove(path)
      assert.same({}, failed)
      assert.is_true(count > 60, count)
    end)
  end)
end
