-- SPDX-License-Identifier: MIT
-- An interrupt at any instruction of f:save(folder).
local locus = require "locus"
local support = require "spec.support"
local files = require "spec.support.text"

local STEP = support.thorough and 11 or support.slow and 397 or 97 -- instructions to the next one

local function with_folder(f)
  local root = files.new_folder()
  local ok, result = pcall(f, root .. "/frame")
  os.execute("rm -rf " .. support.quote(root))
  if not ok then error(result, 0) end
end

local function listed(folder)
  local pipe = io.popen("ls -A " .. support.quote(folder))
  local text = pipe:read("*a")
  pipe:close()
  return text
end

local function rows(value, count)
  return locus.frame{{"x", locus.full({count}, value)},
    {"s", locus.strings{"a"}:take(locus.ones(count):long())}}
end

-- Saves a frame with an interrupt after `count` instructions; gives whether it ended before.
local function ends(count, f, path, options)
  local function stop()
    debug.sethook()
    error("interrupted!", 0)
  end
  local ok, reason = pcall(function()
    debug.sethook(stop, "", count)
    f:save(path, options)
    debug.sethook()
  end)
  assert.is_true(ok or reason:find("interrupted!", 1, true) ~= nil, reason)
  return ok
end

-- Whether a folder holds that many rows of 0 and then that many of 1.
local function holds(path, zeros, ones)
  local f = locus.load(path)
  return #f == zeros + ones and f.s:eq("a"):all()
    and f.x:equal(locus.cat{locus.zeros(zeros), locus.ones(ones)})
end

describe("an interrupt in the middle of a save #host #once", function()
  before_each(function() jit.off() end)
  after_each(function() jit.on() end)

  it("leaves the frame before or the one after, and no lock", function()
    for _, append in ipairs {false, true} do
      local count, ended = math.random(STEP), false
      repeat
        with_folder(function(path)
          rows(0, 3):save(path)
          ended = ends(count, rows(1, 5), path, {append = append, wait = 0})
          local is_after = holds(path, append and 3 or 0, 5)
          assert.is_true(is_after or not ended and holds(path, 3, 0), count)
          rows(0, 2):save(path, {wait = 0})
          assert.is_true(holds(path, 2, 0), count)
          collectgarbage() -- for what a file was locked with when the interrupt came
          rows(0, 2):save(path)
          assert.matches("^frame\nframe.lock\ns%.[^\n]+\n.*x%.[^\n]+\n$", listed(path))
        end)
        count = count + STEP
      until ended
    end
  end)
end)
