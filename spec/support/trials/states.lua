-- SPDX-License-Identifier: MIT
-- The work that several Lua states run at once (states.c): ops of every family that threads share,
-- each answer the same every time, while the number of threads changes.
local locus = require "locus"

local x = locus.arange(20000) * 7919 % 1013
local index = (x % 100 + 1):long()
local seq, mask = locus.arange(0, 1013, 3), x:gt(500)
local index_of = {x:sort()}

local ops = {
  function() return (-x):sum() end,
  function() return (x + 1):mul_(x):mean() end,
  function() return x:to("int16"):to("float32"):sum() end,
  function() return x:view(100, 200):cumsum(2):max() end,
  function() return x:view(200, 100):sum(1):argmax() end,
  function() return x:eq(12):any() end,
  function() return seq[index]:sum() end,
  function() return mask:nonzero():sum() end,
  function() return x[mask]:sum() end,
  function() return locus.where(mask, x, 0):count_nonzero() end,
  function() return seq:searchsorted(x):sum() end,
  function() return x:searchsorted(seq, {sorter = index_of[2]}):sum() end,
  function() return x:argsort():narrow(1, 5000, 10):sum() end,
  function() return index:bincount():max() end,
  function() return select(2, pcall(x.to, x, "uint8")) end,
  function() return tostring(locus.linspace(0, 1, 3000)) end,
}

local answers = {}
for i, op in ipairs(ops) do answers[i] = op() end
for round = 1, 20 do
  for i, op in ipairs(ops) do
    local answer = op()
    if answer ~= answers[i] then
      error(("op %d gives %s, then %s"):format(i, tostring(answers[i]), tostring(answer)))
    end
  end
  locus.set_num_threads(1 + round % 5)
  if round % 5 == 0 then collectgarbage() end
end
