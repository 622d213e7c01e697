-- SPDX-License-Identifier: MIT
-- Every call of spec/ops, stopped by Ctrl-C whenever it asks, and calls of more work,
-- which ask in more places; spec/support/trials/polls.c runs this.
local ffi = require "ffi"
local failing = require "spec.support.trials.failing"

ffi.cdef "int polls_stop(int k);"

local more = {}

-- A call of numbers with few ties or many, of each dtype that is sorted in a way of its own.
local function each(size, call)
  for dtype, most in pairs {uint8 = 200, int16 = 2e4, float32 = 1e6, int64 = 1e6, float64 = 1e6} do
    for _, ties in ipairs {7, most} do
      more[#more + 1] = {
        name = ("%d %s, %d"):format(size, dtype, ties),
        make = function(locus)
          local n = locus.arange(size, {dtype = "int64"})
          return {x = ((n * 7919) % 104729 % ties):to(dtype)}
        end,
        call = function(locus, a) return call(a.x, locus) end,
      }
    end
  end
end

for _, size in ipairs {200, 3000, 12000} do
  each(size, function(x) return x:sort() end)
  each(size, function(x) return x:kthvalue(size / 2) end)
end
each(70000, function(x) return x:sort() end)
each(3000, function(x) return x:sort{indices = false} end)
each(70000, function(x) return x:sort{indices = false} end)
for _, size in ipairs {3000, 70000} do -- of which many agree in their highest bits, not in all
  more[#more + 1] = {
    name = size .. " far apart",
    make = function(locus)
      local n = locus.arange(size, {dtype = "int64"})
      return {x = (n % 2):lshift(62) + n * 7919 % 104729}
    end,
    call = function(_, a) return a.x:sort() end,
  }
end
each(6000, function(x) return x:view(60, 100):sort(1) end)
each(6000, function(x) return x:view(60, 100):sort(2) end)
each(6000, function(x) return x:view(60, 100):median(1) end)
each(6000, function(x, locus) return locus.rank(x) end)
each(6000, function(x, locus) return locus.unique(x) end)
for _, groups in ipairs {7, 900} do -- whose rows lie in mixed order, and one behind the other
  for _, sorted in ipairs {false, true} do
    more[#more + 1] = {
      name = ("agg of %d groups%s"):format(groups, sorted and " that ascend" or ""),
      make = function(locus)
        local n = locus.arange(5000)
        local ids = sorted and (n * groups / 5000):long() or (n * 7919 % 104729 % groups):long()
        return {g = locus.group_by(ids), x = n % 31, y = (n * 17 % 101):long()}
      end,
      call = function(_, a)
        return a.g:agg{{"a", "sum", a.x}, {"b", "std", a.x}, {"c", "max", a.y}, {"d", "mean", a.y},
                       {"e", "last", a.x}, {"f", "quantile", a.x, .9}, {"g", "quantile", a.x, .1}}
      end,
    }
  end
end

failing({
  arm = ffi.C.polls_stop,
  disarm = function() return ffi.C.polls_stop(0) end,
  message = "interrupted!$", each = 12, endless = true,
}, nil, more)
