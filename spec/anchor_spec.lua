-- SPDX-License-Identifier: MIT
-- What C and compiled Lua hold while Lua runs in between: finalizers and metamethods may resize or
-- drop a tensor in the middle of a call. A crash would be the child's.
local locus = require "locus"
local support = require "spec.support"

local here = support.message

-- Runs a chunk in a child, with `x` shrunk by every finalizer that `trap()` sets.
local function child(chunk)
  local output, status = support.run([[
    local locus, ffi = require "locus", require "ffi"
    jit.off()
    collectgarbage("setpause", 50)
    collectgarbage("setstepmul", 1000)
    local x, shrunk = nil, 0
    local function shrink()
      if x then locus.nonzero(locus.ones(1), {out = x}) shrunk = shrunk + 1 end
    end
    local function trap() getmetatable(newproxy(true)).__gc = shrink end
  ]] .. chunk)
  assert.equal(0, status, output)
  return output
end

describe("a tensor that a finalizer resizes", function()
  it("is written where it is once the value has been read", function()
    assert.equal("done\n", child[[
      for k = 1, 60 do -- resized at the k-th instruction that runs
        local y, n = locus.zeros({100000}, {dtype = "int64"}), 0
        debug.sethook(function()
          n = n + 1
          if n == k then locus.nonzero(locus.ones(200000), {out = y}) end
        end, "", 1)
        pcall(function() y[50000] = 5LL end)
        debug.sethook()
      end
      print "done"
    ]])
  end)

  it("is turned into the table that it was when the call began", function()
    assert.equal("true\ttrue\n", child[[
      local whole = true
      for _ = 1, 1000 do
        x = locus.full({1000}, 2LL ^ 60)
        local y = x
        for _ = 1, 5 do trap() end
        local t = y:totable()
        if #t > 1 then
          for i = 1, 1000 do whole = whole and t[i] == 2LL ^ 60 end
        end
      end
      print(shrunk > 100, whole)
    ]])
  end)

  it("has the dimensions of its view checked against its present sizes", function()
    assert.equal("true\tnil\n", child[[
      local wrong
      local three = ffi.new("int64_t", 3)
      for _ = 1, 20000 do
        x = locus.zeros({1, 1, 1, 4}, {dtype = "int64"})
        trap()
        for _, f in ipairs{
          function() return x:transpose(three, 4) end, function() return x:select(4, 4) end,
          function() return x:narrow(4, three, 2) end, function() return x:slice(4, 1, 4) end,
          function() return x:unfold(4, three, 1) end, function() return x:permute(4, 3, 2, 1) end,
          function() return x:squeeze{1, 2} end, function() return x:unsqueeze(5) end,
          function() return x:flatten(three, 4) end,
        } do
          local ok, view = pcall(f)
          if ok and view:numel() ~= 0 then
            for d = 1, view:dim() do
              if view:size(d) < 0 or view:size(d) > 4 then wrong = view.shape end
            end
          end
        end
      end
      print(shrunk > 100, wrong)
    ]])
  end)
end)

describe("a key", function()
  it("is read without its metamethods", function()
    local x = locus.zeros(3, 3)
    local asked = 0
    local key = setmetatable({}, {__index = function(_, k)
      asked = asked + 1
      return k <= 2 and 2 or nil
    end})
    assert.same({3, 3}, support.shape(x[key]))
    x[key] = 7
    assert.equal(63, x:sum())
    assert.equal(0, asked)
    key = setmetatable({2, 3}, {__index = function() asked = asked + 1 return 1 end})
    assert.equal(7, x[key])
    x[key] = 8
    assert.equal(64, x:sum())
    assert.equal(0, asked)
  end)

  it("keeps its index tensors for the call even when it is weak", function()
    assert.equal("true\n", child[[
      local data = locus.arange(1000):view(10, 100)
      local same, count = true, 0
      for _ = 1, 200 do
        local key = setmetatable({locus.tensor({1, 2, 3}, {dtype = "int64"})}, {__mode = "v"})
        locus.fail_allocation(1, false) -- the call collects garbage
        local y = data[key]
        locus.fail_allocation(0)
        if y:size(1) == 3 then -- not when the key was empty before the call
          count = count + 1
          same = same and y:sum() == 44850
        end
      end
      print(same and count > 0)
    ]])
  end)
end)

describe("totable", function()
  it("refuses a size that no Lua table has, elements or not", function()
    local byte = locus.zeros({1}, {dtype = "uint8"})
    assert.equal("totable: 'input' is of size 4294967298, too large for a Lua table",
      here(function() byte:expand(2 ^ 32 + 2):totable() end))
    assert.equal("totable: 'input' is of size 67108865, too large for a Lua table",
      here(function() byte:expand(2 ^ 26 + 1):totable() end))
    local none = locus.zeros({0, 1}, {dtype = "uint8"}):expand(0, 2 ^ 62)
    assert.equal("totable: 'input' is of size 4611686018427387904x0, too large for a Lua table",
      here(function() none.T:totable() end))
    assert.same({{}, {}}, locus.zeros(2, 0):totable())
  end)
end)

describe("a decimal string", function()
  it("with an embedded NUL is refused", function()
    local options = {dtype = "int64"}
    assert.matches("is no number", here(locus.tensor, {"12\0abc"}, options))
    assert.matches("is no number", here(locus.tensor, {"12\0"}, options))
    assert.equal(12, locus.tensor({"12"}, options)[1])
  end)
end)

describe("Ctrl-C", function()
  -- The child is sent SIGINT 0.1 s into an operation that takes longer; how late it is seen.
  local function interrupted(prepare, operation)
    return support.run([[
      local locus, ffi = require "locus", require "ffi"
      ffi.cdef "typedef struct { long s, ns; } span; int clock_gettime(int, span *);"
      ffi.cdef "int getpid(void);"
      local function now()
        local t = ffi.new("span")
        ffi.C.clock_gettime(0, t)
        return tonumber(t.s) + tonumber(t.ns) / 1e9
      end
      ]] .. prepare .. [[

      collectgarbage() collectgarbage("stop")
      local stamp = os.tmpname()
      local signal = "sleep 0.1; date +%%s.%%N > %s; kill -INT %d"
      os.execute(("env -u LD_PRELOAD sh -c '" .. signal .. "' &"):format(stamp, ffi.C.getpid()))
      local ok, message = pcall(function() return ]] .. operation .. [[ end)
      local late = now() - tonumber(io.open(stamp):read("*a"))
      os.remove(stamp)
      print(ok, message, late < (os.getenv("LD_PRELOAD") and 0.5 or 0.05))
    ]])
  end

  local numbers = "local t = {} for i = 1, 1e7 do t[i] = i end"
  local tensors = "local one, t = locus.ones(1), {} for i = 1, 2e6 do t[i] = one end"
  for _, case in ipairs{
    {numbers, "locus.tensor(t, {dtype = 'float64'})"},
    {tensors, "locus.cat(t)"}, {tensors, "locus.stack(t)"},
    {"local x = locus.ones(1, 1):expand(2 ^ 23, 2)", "x:totable()"},
    {"local x = locus.ones(1):expand(2 ^ 24)", "x:totable()"},
  } do
    it("stops " .. case[2] .. " within 50 ms: " .. case[1]:match("^[^=]+= (.*)$"), function()
      local output
      for _ = 1, 3 do -- a busy machine may be late
        output = interrupted(case[1], case[2])
        if output:match("true\n") then break end
      end
      assert.equal("false\tinterrupted!\ttrue\n", (output:gsub("%(command line%):%d+: ", "")))
    end)
  end
end)
