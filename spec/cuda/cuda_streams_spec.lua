-- SPDX-License-Identifier: MIT
-- CUDA's streams, events, page-locked memory, copies that do not wait, and two devices. The
-- emulator does a stream's work when it is waited for: an early reader finds the old.
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local cuda, message, same = locus.cuda, support.message, support.same

-- The emulator's own functions, for specs alone.
ffi.cdef "int64_t locus_emulator_waits(void); int locus_emulator_last_error(int error);"
local function emulator()
  cuda.is_available() -- loads it
  return ffi.load(package.searchpath("locus.cuda_emu", package.cpath))
end

local function waits(f)
  local before = emulator().locus_emulator_waits()
  f()
  return tonumber(emulator().locus_emulator_waits() - before)
end

local function collect()
  collectgarbage()
  collectgarbage()
end

describe("page-locked memory #cuda", function()
  it("holds what was copied into it", function()
    for _, dtype in ipairs(support.dtypes) do
      for _, shape in ipairs{{}, {0}, {5}, {2, 3}} do
        local x = locus.arange(support.numel(shape)):remainder(2):to(dtype):view(shape)
        local pinned = x:pin_memory()
        assert.is_true(pinned:is_pinned())
        assert.is_false(x:is_pinned())
        same(pinned, shape, support.values(x), dtype)
        assert.equal(pinned, pinned:pin_memory())
        assert.is_true(pinned:view(-1):is_pinned())
      end
    end
    same(locus.arange(6):view(2, 3):t():pin_memory(), {3, 2}, {0, 3, 1, 4, 2, 5})
  end)

  it("is refused for what lies on a device", function()
    local x = locus.zeros(2):cuda()
    assert.is_false(x:is_pinned())
    assert.equal("pin_memory: 'input' is on cuda:0, but only memory of the CPU can be page-locked",
      message(x.pin_memory, x))
  end)

  it("is not used again before a copy has read it", function()
    local stream = cuda.Stream()
    local there = cuda.with_stream(stream, function()
      return locus.full({1000}, 7):pin_memory():cuda(0, true)
    end)
    collect() -- the page-locked tensor
    local other = locus.full({1000}, 8):pin_memory()
    stream:synchronize()
    assert.is_true(there:eq(7):all())
    assert.is_true(other:eq(8):all())
  end)

  it("is used again afterwards #emulator", function()
    local address = tonumber(ffi.cast("intptr_t", locus.zeros(3e5):pin_memory():data()))
    collect()
    cuda.synchronize(0)
    cuda.synchronize(1)
    local again = locus.zeros(3e5):pin_memory()
    assert.equal(address, tonumber(ffi.cast("intptr_t", again:data())))
    cuda.empty_cache()
    assert.is_true(again:eq(0):all())
  end)
end)

describe("a copy that does not wait #cuda", function()
  it("waits for page-locked memory alone where it is not asked to #emulator", function()
    local here, there = locus.zeros(10), locus.zeros(10):cuda()
    local pinned = here:pin_memory()
    assert.equal(1, waits(function() there:copy_(pinned) end))
    assert.equal(0, waits(function() there:copy_(pinned, true) end))
    assert.equal(1, waits(function() there:copy_(here, true) end))
    assert.equal(0, waits(function() pinned:copy_(there, {non_blocking = true}) end))
    assert.equal(0, waits(function() pinned:cuda(0, true) end))
    assert.equal(0, waits(function() pinned:to("cuda", {non_blocking = true}) end))
    assert.equal(0, waits(function() there:to("cpu", {non_blocking = true}) end))
    assert.equal(1, waits(function() pinned:to("cuda", "float32", {non_blocking = true}) end))
    assert.equal(1, waits(function() there:cpu() end))
    assert.equal(0, waits(function() there:cuda(1) end))
  end)

  it("is done when its stream was waited for", function()
    local there = locus.arange(5):cuda()
    local here = there:to("cpu", {non_blocking = true})
    assert.is_true(here:is_pinned())
    cuda.current_stream():synchronize()
    same(here, {5}, {0, 1, 2, 3, 4})
    local back = locus.zeros(5):cuda():copy_(here:mul_(2), true)
    same(back, {5}, {0, 2, 4, 6, 8})
    local turned = locus.zeros(2, 3):cuda():t():copy_(locus.arange(6):view(3, 2):pin_memory(), true)
    same(turned, {3, 2}, {0, 1, 2, 3, 4, 5})
  end)

  it("keeps its source until it is done", function()
    local here
    do
      local there = locus.full({1000}, 3, {device = "cuda"})
      here = there:to("cpu", {non_blocking = true})
    end
    collect()
    local other = locus.full({1000}, 4, {device = "cuda"})
    cuda.synchronize()
    assert.is_true(here:eq(3):all())
    assert.is_true(other:eq(4):all())
  end)
end)

describe("a stream #cuda", function()
  it("is the current one where it was chosen #emulator", function()
    local stream, default = cuda.Stream(), cuda.default_stream()
    assert.equal(default, cuda.current_stream())
    assert.equal("cuda:0", stream.device)
    assert.equal("cuda:1", cuda.Stream(1).device)
    assert.equal("cuda:1", cuda.Stream("cuda:1").device)
    assert.equal("[CUDA stream on cuda:0]", tostring(stream))
    assert.is_not.equal(stream, default)
    assert.is_true(stream.cuda_stream ~= nil)
    assert.is_true(default.cuda_stream == nil)
    cuda.set_stream(stream)
    assert.equal(stream, cuda.current_stream(0))
    assert.equal(cuda.default_stream(1), cuda.current_stream(1))
    cuda.set_stream(default)
    assert.equal(default, cuda.current_stream())
  end)

  it("is the current one while with_stream calls", function()
    local stream = cuda.Stream()
    local function f(...)
      assert.equal(stream, cuda.current_stream())
      return select("#", ...), ...
    end
    assert.same({3, 1, nil, 2}, {cuda.with_stream(stream, f, 1, nil, 2)})
    assert.equal(cuda.default_stream(), cuda.current_stream())
    local ok, said = pcall(cuda.with_stream, stream, function() error({7}) end)
    assert.same({false, {7}}, {ok, said})
    assert.equal(cuda.default_stream(), cuda.current_stream())
    assert.equal("cuda.with_stream: 'f' must be a function, got the number 3",
      message(cuda.with_stream, stream, 3))
  end)

  it("does its work in order, beside others #emulator", function()
    local a, b = cuda.Stream(), cuda.Stream()
    local x = locus.zeros(10, {device = "cuda"})
    a:wait_stream(cuda.current_stream())
    cuda.with_stream(a, function() x:add_(1):mul_(3) end)
    b:wait_stream(a)
    cuda.with_stream(b, function() x:add_(2) end)
    cuda.current_stream():wait_stream(b)
    assert.is_false(b:query())
    same(x, {10}, {5, 5, 5, 5, 5, 5, 5, 5, 5, 5})
    assert.is_true(a:query() and b:query())
  end)

  it("waits for no other that it was not told to wait for #emulator", function()
    local here = locus.zeros(5):pin_memory()
    local x = locus.ones(5, {device = "cuda"})
    local stream = cuda.Stream()
    cuda.synchronize()
    x:add_(1) -- on the default stream
    cuda.with_stream(stream, function() here:copy_(x, true) end)
    stream:synchronize()
    same(here, {5}, {1, 1, 1, 1, 1})
    same(x, {5}, {2, 2, 2, 2, 2})
  end)

  it("lets memory be used again behind the work of all streams", function()
    local stream, here = cuda.Stream(), locus.zeros(1000):pin_memory()
    do
      local x = locus.full({1000}, 5, {device = "cuda"})
      stream:wait_stream(cuda.current_stream())
      cuda.with_stream(stream, function() here:copy_(x, true) end)
    end
    collect() -- x, whose memory the stream still reads
    local later = locus.full({1000}, 6, {device = "cuda"})
    cuda.current_stream():synchronize()
    stream:synchronize()
    assert.is_true(here:eq(5):all())
    assert.is_true(later:eq(6):all())
  end)

  it("may be dropped with work in it, and while it is the current one", function()
    local here = locus.zeros(5):pin_memory()
    do
      local stream = cuda.Stream()
      cuda.with_stream(stream, function() here:copy_(locus.ones(5, {device = "cuda"}), true) end)
      cuda.set_stream(cuda.Stream())
    end
    collect()
    assert.is_not.equal(cuda.default_stream(), cuda.current_stream())
    cuda.set_stream(cuda.default_stream())
    collect()
    cuda.synchronize()
    same(here, {5}, {1, 1, 1, 1, 1})
  end)

  it("is current no more once another thread has freed it #native", function()
    ffi.cdef[[
      void *luaL_newstate(void); void luaL_openlibs(void *L); void lua_close(void *L);
      int luaL_loadstring(void *L, const char *s); int lua_pcall(void *L, int, int, int);
      const char *lua_tolstring(void *L, int, size_t *);
      int pthread_create(void *thread, void *, void *, void *); int pthread_join(uintptr_t, void *);
    ]]
    local lua, L, thread = ffi.C, ffi.C.luaL_newstate(), ffi.new("uintptr_t[1]")
    lua.luaL_openlibs(L)
    lua.luaL_loadstring(L, ([[
      package.path, package.cpath = %q, %q
      local cuda = require("locus").cuda
      cuda.set_stream(cuda.Stream())]]):format(package.path, package.cpath))
    local failed = lua.lua_pcall(L, 0, 0, 0)
    assert.equal(0, failed, failed ~= 0 and ffi.string(lua.lua_tolstring(L, -1, nil)))
    assert.is_true(cuda.current_stream().cuda_stream ~= nil)
    assert.equal(0, lua.pthread_create(thread, nil, ffi.cast("void *", lua.lua_close), L))
    assert.equal(0, lua.pthread_join(thread[0], nil))
    local later = cuda.Stream() -- perhaps where the freed one was
    assert.is_true(cuda.current_stream().cuda_stream == nil)
    assert.is_true(later.cuda_stream ~= nil)
    same(locus.ones(3, {device = "cuda"}):add(1), {3}, {2, 2, 2})
  end)

  it("is known, and freed, when the module was loaded again", function()
    local stream = cuda.Stream()
    local loaded = {}
    for name, value in pairs(package.loaded) do
      if name:find("^locus") and name ~= "locus.core" then
        loaded[name], package.loaded[name] = value, nil
      end
    end
    local again = require "locus"
    for name, value in pairs(loaded) do package.loaded[name] = value end
    again.cuda.set_stream(stream)
    assert.equal(stream.cuda_stream, again.cuda.current_stream().cuda_stream)
    again.cuda.set_stream(again.cuda.default_stream())
  end)

  it("says what is wrong #emulator", function()
    local stream = cuda.Stream()
    assert.equal("cuda.Stream: 'device' is \"cuda:7\", but there are 2 CUDA devices, "
      .. "counted from cuda:0", message(cuda.Stream, 7))
    assert.equal("cuda.set_stream: 'stream' must be a stream, as cuda.Stream() makes, "
      .. "got the number 1", message(cuda.set_stream, 1))
    assert.equal("wait_event: 'event' must be an event, as cuda.Event() makes, got a userdata",
      message(stream.wait_event, stream, stream))
    assert.equal("a stream has no 'foo'", message(function() return stream.foo end))
    assert.is_false(pcall(function() stream.foo = 1 end))
  end)
end)

describe("an event #cuda", function()
  it("passes when its stream has come there #emulator", function()
    local event = cuda.Event()
    assert.is_true(event:query())
    event:synchronize()
    event:wait()
    assert.is_nil(event.device)
    assert.equal("[CUDA event, not recorded]", tostring(event))
    local x = locus.ones(5, {device = "cuda"})
    assert.equal(event, event:record())
    assert.equal("cuda:0", event.device)
    assert.equal("[CUDA event on cuda:0]", tostring(event))
    assert.is_false(event:query())
    event:synchronize()
    assert.is_true(event:query())
    same(x, {5}, {1, 1, 1, 1, 1})
  end)

  it("lets a stream wait #emulator", function()
    local stream, here = cuda.Stream(), locus.zeros(3):pin_memory()
    local x = locus.ones(3, {device = "cuda"}):mul_(4)
    local event = cuda.current_stream():record_event()
    x:add_(1) -- behind the event
    stream:wait_event(event)
    cuda.with_stream(stream, function() here:copy_(x, true) end)
    stream:synchronize()
    same(here, {3}, {4, 4, 4})
    local again = stream:record_event(event)
    assert.equal(event, again)
    event:wait(stream)
    event:wait()
    cuda.synchronize()
  end)

  it("tells the time between two", function()
    local begin, done = cuda.Event{enable_timing = true}, cuda.Event{enable_timing = true}
    local now = require("system").monotime -- busted's own
    local before = now()
    begin:record()
    local x = locus.arange(1000, {device = "cuda"}):add_(1)
    done:record()
    local time, most = begin:elapsed_time(done), (now() - before) * 1000 + 1 -- two clocks
    assert.is_true(time > 0 and time < most, time)
    assert.is_true(begin:query() and done:query())
    assert.equal(500500, x:sum())
    assert.equal("elapsed_time: 'end_event' was made without enable_timing",
      message(begin.elapsed_time, begin, cuda.Event():record()))
    assert.equal("elapsed_time: 'end_event' was not recorded",
      message(begin.elapsed_time, begin, cuda.Event{enable_timing = true}))
  end)

  it("tells time on one device alone #emulator", function()
    local begin, other = cuda.Event{enable_timing = true}, cuda.Event{enable_timing = true}
    begin:record(cuda.default_stream(0))
    other:record(cuda.default_stream(1))
    assert.equal("elapsed_time: 'end_event' was recorded on cuda:1, but 'self' on cuda:0",
      message(begin.elapsed_time, begin, other))
    assert.is_false(cuda.default_stream(0) == cuda.default_stream(1))
  end)

  it("belongs to one device #emulator", function()
    local event = cuda.Event():record()
    assert.equal("record: 'stream' is on cuda:1, but the event was recorded on cuda:0",
      message(event.record, event, cuda.default_stream(1)))
    cuda.default_stream(1):wait_event(event)
    cuda.synchronize(1)
    assert.is_true(event:query())
  end)
end)

describe("two devices #cuda #emulator", function()
  it("exchange tensors of every dtype and layout", function()
    for _, dtype in ipairs(support.dtypes) do
      for _, layout in ipairs(support.layouts) do
        local x = support.laid(locus.arange(12):remainder(2):to(dtype):view(3, 4), layout)
        local there = x:cuda(0):cuda(1)
        assert.equal("cuda:1", there.device)
        same(there, {3, 4}, support.values(x), dtype)
        same(locus.zeros(3, 4, {dtype = dtype, device = "cuda:0"}):copy_(there), {3, 4},
          support.values(x), dtype)
      end
    end
  end)

  it("keep the order of both their streams", function()
    local a, b = cuda.Stream(0), cuda.Stream(1)
    cuda.set_stream(a)
    cuda.set_stream(b)
    local x = locus.ones(5, {device = "cuda:0"}):mul_(3)
    local y = locus.zeros(5, {device = "cuda:1"}):copy_(x):add_(1)
    x:zero_()
    local here = y:cpu()
    cuda.set_stream(cuda.default_stream(0))
    cuda.set_stream(cuda.default_stream(1))
    same(here, {5}, {4, 4, 4, 4, 4})
  end)

  it("do not mix in one call", function()
    local x, y = locus.zeros(3):cuda(0), locus.zeros(3):cuda(1)
    assert.equal("add: 'other' is on cuda:1, but 'input' is on cuda:0", message(x.add, x, y))
    assert.truthy(message(x.searchsorted, x, {1}, {out = y:long()}):find("cuda:1", 1, true))
    assert.equal("cuda:1", (y + {1, 2, 3}).device)
  end)
end)

-- CUDA keeps the last error of a thread, and what is not ready yet counts as one.
describe("an answer that is no error #cuda", function()
  local function busy()
    local x, stream = locus.ones(1000, {device = "cuda"}), cuda.Stream()
    cuda.synchronize()
    cuda.with_stream(stream, function() x:add_(1) end)
    return stream
  end

  it("is not the next call's error: a stream that has work left", function()
    busy():query()
    assert.equal(10, locus.ones(5, {device = "cuda"}):add(1):sum())
    busy():query()
    same(locus.tensor({3, 1, 2}, {device = "cuda"}):sort(), {3}, {1, 2, 3}) -- CUB's own launches
  end)

  it("is not the next call's error: an event that has not passed", function()
    busy():record_event():query()
    assert.equal(10, locus.ones(5, {device = "cuda"}):add(1):sum())
  end)

  it("is not the next call's error: page-locked memory that is still used", function()
    local there = locus.empty(1000, {device = "cuda"})
    for _ = 1, 3 do
      there:copy_(locus.ones(1000):pin_memory(), true)
      collect()
      locus.ones(1000):pin_memory()
      assert.equal(2000, there:add(1):sum())
    end
  end)

  it("leaves no last error behind, for this library or another #emulator", function()
    assert.is_false(busy():query())
    assert.equal(0, emulator().locus_emulator_last_error(0))
  end)
end)
