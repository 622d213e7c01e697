-- SPDX-License-Identifier: MIT
-- set_default_device: where tensors are made, and tables and numbers read, when nothing else says
-- it; and that operands elsewhere are copied, or refused by name.
local locus = require "locus"
local support = require "spec.support"

local message = support.message

describe("the default device #cuda", function()
  local before = locus.get_default_device()

  before_each(function() locus.set_default_device("cuda") end)
  after_each(function() locus.set_default_device(before) end)

  it("is what was set, and the current one for \"cuda\"", function()
    assert.equal("cuda:0", locus.get_default_device())
    locus.set_default_device("cpu")
    assert.equal("cpu", locus.get_default_device())
    locus.set_default_device("cuda:0")
    assert.equal("cuda:0", locus.get_default_device())
  end)

  it("follows the current device as \"cuda\", and not as \"cuda:0\" #emulator", function()
    finally(function() locus.cuda.set_device(0) end)
    locus.cuda.set_device(1)
    assert.same({"cuda:1", "cuda:1"}, {locus.get_default_device(), locus.zeros(2).device})
    locus.set_default_device("cuda:0")
    assert.same({"cuda:0", "cuda:0"}, {locus.get_default_device(), locus.add({1, 2}, 1).device})
  end)

  it("must be a device that there is", function()
    assert.equal("set_default_device: 'device' must be \"cpu\", \"cuda\" or \"cuda:<number>\", "
      .. "got \"gpu\"", message(locus.set_default_device, "gpu"))
    assert.equal("set_default_device: 'device' is missing", message(locus.set_default_device))
    assert.truthy(message(locus.set_default_device, "cuda:99"):find("^set_default_device: 'dev"))
    assert.equal("cuda:0", locus.get_default_device())
  end)

  it("is where every constructor makes its tensor", function()
    local made = {
      tensor = locus.tensor({1, 2}), scalar = locus.tensor(5), int = locus.tensor(5LL),
      empty = locus.empty(3), zeros = locus.zeros(2, 3), ones = locus.ones({2}),
      full = locus.full({2}, 7), arange = locus.arange(3), range = locus.range(1, 3),
      linspace = locus.linspace(0, 1, 5), FloatTensor = locus.FloatTensor(2),
      LongTensor = locus.LongTensor{1, 2}, Tensor = locus.Tensor(),
      from_string = locus.from_string("abcd", "uint8"), zeros_like = locus.zeros_like({1, 2}),
    }
    for name, x in pairs(made) do assert.equal(name .. " cuda:0", name .. " " .. x.device) end
    assert.same({97, 98, 99, 100}, made.from_string:totable())
    assert.same({1, 2}, made.LongTensor:totable())
    assert.equal(5, made.scalar:item())
  end)

  it("gives way to 'device', to 'out' and to a tensor", function()
    local here = locus.tensor({1, 2}, {device = "cpu"})
    local out = locus.zeros(2, {device = "cpu"})
    assert.equal("cpu", here.device)
    assert.equal(out, locus.zeros(2, {out = out}))
    assert.equal(out, locus.add({1, 2}, 3, {out = out}))
    for name, x in pairs{
      tensor = locus.tensor(here), like = locus.ones_like(here), typed = locus.FloatTensor(here),
      add = here + {3, 4}, where = locus.where({true, false}, here, {5, 6}),
      cat = locus.cat{{1, 2}, here}, stack = locus.stack{here, {1, 2}},
      zero_d = locus.add(locus.tensor(1, {device = "cpu"}), {1, 2}),
      from_ptr = locus.from_ptr(here:data(), 2),
    } do
      assert.equal(name .. " cpu", name .. " " .. x.device)
    end
  end)

  it("is where tables and numbers are computed", function()
    local sorted, order = locus.sort({3, 1})
    for name, x in pairs{
      add = locus.add({1, 2}, 3), sum = locus.sum({{1, 2}}, 1), max = (locus.max({1, 2}, 1)),
      sort = sorted, order = order, cat = locus.cat{{1}, {2}}, stack = locus.stack{1, 2},
      where = locus.where({true}, 1, 2), search = locus.searchsorted({1, 3}, {2}),
      nonzero = locus.nonzero({0, 1}), bincount = locus.bincount{1, 2}, all = locus.all(true, 1),
      least = (locus.min(3, 1)),
    } do
      assert.equal(name .. " cuda:0", name .. " " .. x.device)
    end
    assert.same({1, 3}, sorted:totable())
  end)

  it("gives numbers for numbers", function()
    assert.same({3, -3, true, 3, 2, 3, 1, 1},
      {locus.add(1, 2), locus.neg(3), locus.eq(3, 3), locus.cumsum(3, 1), locus.clamp(3, 1, 2),
       locus.argsort(3) + 2, locus.argmin(3), (locus.sort(1))})
    assert.same({3, 1}, {locus.sort(3)})
    assert.same({7, 1}, {(locus.max(7, 1)):item(), locus.argmax(7, 1):item()})
    local values = locus.zeros({})
    local at = locus.zeros({}, {dtype = "int64"})
    locus.sort(4, {out = {values, at}})
    assert.same({4, 1}, {values:item(), at:item()})
  end)
end)

describe("operands on different devices #cuda", function()
  local here = locus.tensor({1, 2, 3}, {device = "cpu"})
  local there = here:cuda()

  it("are refused by name", function()
    local function says(text, f, ...) assert.equal(text, message(f, ...)) end
    says("cat: 'tensors[2]' is on cpu, but 'tensors[1]' is on cuda:0", locus.cat, {there, here})
    says("stack: 'tensors[2]' is on cuda:0, but 'tensors[1]' is on cpu", locus.stack,
      {here, there})
    says("masked_select: 'mask' must be on cuda:0 as 'input' is, got cpu", locus.masked_select,
      there, here:gt(1))
    says("argsort: 'keys[2]' must be on cuda:0 as 'keys[1]' is, got cpu", locus.argsort,
      {there, here})
    says("bincount: 'weights' must be on cuda:0 as 'input' is, got cpu", locus.bincount,
      there:long(), here)
    says("index: the mask is on cpu, but 'input' is on cuda:0",
      function() return there[here:gt(1)] end)
    says("index: the index tensor is on cuda:0, but 'input' is on cpu",
      function() here[there:long()] = 5 end)
    says("searchsorted: 'values' must be on cuda:0 as 'sorted_sequence' is, got cpu",
      locus.searchsorted, there, here)
  end)

  it("are copied where one is written over the other", function()
    local x = there:clone()
    x[{{2, 3}}] = here:narrow(1, 1, 2)
    x[x:eq(1)] = locus.tensor({9}, {device = "cpu"})
    support.same(x, {3}, {9, 9, 2})
    x[locus.tensor({3, 1}):long():cuda()] = locus.tensor({7, 8}, {device = "cpu", dtype = "int32"})
    support.same(x, {3}, {8, 9, 7})
    x[x:gt(8)] = locus.tensor(4, {device = "cpu"})
    support.same(x, {3}, {8, 4, 7})
    local y = here:clone()
    y[y:gt(1)] = there:narrow(1, 2, 2) * 2
    support.same(y, {3}, {1, 4, 6})
  end)

  it("go together where one is 0-d and on the CPU", function()
    local two = locus.tensor(2, {device = "cpu"})
    support.same(locus.stack{there:select(1, 1), two}, {2}, {1, 2})
    support.same(there:searchsorted(two), {}, {2}, "int64")
    assert.equal("cuda:0", there:searchsorted(two).device)
  end)

  it("follow the tensors that tables stand beside", function()
    support.same(locus.cat{{5}, there}, {4}, {5, 1, 2, 3})
    assert.equal("cuda:0", locus.stack{{4, 5, 6}, there}.device)
    assert.equal("cuda:0", locus.bincount(there:long(), {1, 2, 3}).device)
  end)
end)
