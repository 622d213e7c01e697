-- SPDX-License-Identifier: MIT
-- The module table and the fields of a tensor: what there is, what an unknown name is told.

local locus = require "locus"
local names = require "locus.names.advice"
local objects = require "spec.support.calls.objects"
local pages = require "spec.support.docs.pages"
local read = require("spec.support.text").read
local support = require "spec.support"

local message = support.message

-- The sentence raised by reading a field.
local function missing(of, name)
  return message(function() return of[name] end)
end

describe("the module #once", function()
  it("creates no global", function()
    local text = support.run([[
      local before = {}
      for name in pairs(_G) do before[name] = true end
      require "locus"
      for name in pairs(_G) do
        if not before[name] then print(name) end
      end]])
    assert.equal("", text)
  end)

  it("has the dtypes as strings, a version, nan and inf", function()
    for _, dtype in ipairs(support.dtypes) do
      assert.equal(dtype, locus[dtype])
    end
    assert.equal("string", type(locus.version))
    assert.is_true(locus.nan ~= locus.nan)
    assert.equal(1 / 0, locus.inf)
  end)

  it("tells tensors from other values", function()
    assert.is_true(locus.is_tensor(locus.zeros(1)))
    for _, value in ipairs { 1, "x", {}, true, print, io.stdout, 5LL } do
      assert.is_false(locus.is_tensor(value))
    end
    assert.is_false(locus.is_tensor(nil))
    assert.is_false(locus.is_tensor())
  end)

  it("keeps what is internal to itself", function()
    local core = require "locus.core"
    assert.not_nil(core.internal.raise)
    local halves = { -- what Lua's functions stand on
      format_time = true, nanstd = true, nanvar = true, search_index = true,
      segment = true, std = true, var = true,
    }
    for name in pairs(core.internal) do
      if not halves[name] then
        assert.is_nil(rawget(locus, name), name)
      end
    end
    for _, name in ipairs { "internal", "metatable", "streams", "events" } do
      assert.not_nil(core[name])
      assert.is_nil(rawget(locus, name))
    end
    for _, name in ipairs { "live_bytes", "fail_allocation", "instruction_sets", "isa",
      "set_default_dtype", "get_default_dtype", "set_printoptions", "tensor", "where", "nonzero",
      "searchsorted" } do
      assert.not_nil(rawget(locus, name))
    end
  end)

  it("has the functions of every file of src/bind", function()
    local list, count = read("src/bind/bind.h"):match("#define LOCUS_BIND%b()(.-[^\\])\n"), 0
    for path in io.popen("ls src/bind/*.c src/bind/*/*.c"):lines() do
      for name in read(path):gmatch("const locus_entry locus_bind_([%w_]+)") do
        assert.truthy(list:find("(" .. name .. ")", 1, true), path .. " is not in LOCUS_BIND")
        count = count + 1
      end
    end
    assert.is_true(count > 20)
  end)

  it("takes exactly the hooks that the core has", function()
    local setup = (require "locus.core").internal.setup
    assert.equal("locus: the core has no hook 'sizes'", message(setup, { sizes = {} }))
    assert.equal("locus: the core's hook 'size' is missing", message(setup, {}))
    local given = { size = {}, source = "", declared = {}, meant = print, stream = {}, event = {},
      mean = print, classify = print }
    assert.equal("locus: the core's hook 'int64' is missing", message(setup, given))
  end)

  it("names the nearest of an unknown name", function()
    assert.equal("locus has no 'tensr'; did you mean 'tensor'?", missing(locus, "tensr"))
    assert.equal("locus has no 'nonzeros'; did you mean 'nonzero'?", missing(locus, "nonzeros"))
    assert.equal("locus has no 'searchSorted'; did you mean 'searchsorted'?",
      missing(locus, "searchSorted"))
    assert.equal("locus has no 'isTensor'; did you mean 'is_tensor'?", missing(locus, "isTensor"))
    assert.equal("locus has no 'xyzzyplugh'", missing(locus, "xyzzyplugh"))
    assert.equal("locus has no '5'", missing(locus, 5))
    assert.equal("locus has no '" .. ("x"):rep(50) .. "'", missing(locus, ("x"):rep(50)))
  end)

  it("knows other libraries' names, and which names are methods", function()
    assert.equal("locus has no 'cmul'; write x * y", missing(locus, "cmul"))
    assert.equal("locus has no 'concatenate'; write locus.cat(tensors)",
      missing(locus, "concatenate"))
    assert.equal("locus has no 'is_between'; write x:between(low, high)",
      missing(locus, "is_between"))
    assert.equal("locus has no 'float'; write locus.float32", missing(locus, "float"))
    assert.equal("locus has no 'contiguous'; write x:contiguous(...)", missing(locus, "contiguous"))
    assert.equal("locus has no 'loadtxt'; write locus.read_csv(path, {separator = \" \"})",
      missing(locus, "loadtxt"))
    assert.equal("locus has no 'DataFrame'; write locus.frame{{\"name\", column}}",
      missing(locus, "DataFrame"))
    assert.equal("a tensor has no 'fillna'; write x:fill_missing(value)",
      missing(locus.zeros(1), "fillna"))
  end)

  it("says whose a name is, and offers no other for being spelled alike", function()
    for name, said in pairs {
      rsqrt = "; write x:sqrt():reciprocal()", geometric = ", which PyTorch and Torch7 have",
      isclose = ", which PyTorch and NumPy have", trace = ", which PyTorch, NumPy and Torch7 have",
      outer = ", which PyTorch and NumPy have", fft = ", which PyTorch and NumPy have",
      unique_values = ", which NumPy has", unravel_index = ", which PyTorch and NumPy have",
      read_excel = ", which pandas and polars have", scan_ipc = ", which polars has",
      cross_ = ", which PyTorch, NumPy and Torch7 have", FloatStorage = ", which Torch7 has",
    } do
      assert.equal("locus has no '" .. name .. "'" .. said, missing(locus, name))
      assert.equal("a tensor has no '" .. name .. "'" .. said, missing(locus.zeros(1), name))
    end
    assert.equal("locus has no 'serchsorted'; did you mean 'searchsorted'?",
      missing(locus, "serchsorted"))
    assert.equal("locus has no 'f.t'", missing(locus, "f.t"))
    assert.equal("locus has no 'arg sort'; did you mean 'argsort'?", missing(locus, "arg sort"))
  end)

  it("reads other libraries' names when an error is made, and raises without them, too", function()
    local text = support.run([[
      local locus = require "locus"
      local before = package.loaded["locus.names.advice"] or package.loaded["locus.names.peers"]
      package.path = ""
      print(before, (select(2, pcall(function() return locus.rsqrt end)):gsub("^.-: ", "")))
    ]])
    assert.equal("nil\tlocus has no 'rsqrt'\n", text)
  end)

  it("raises at the caller's line and can be extended", function()
    local ok, text = pcall(function() return locus.nosuchname end)
    local line = debug.getinfo(1, "l").currentline - 1
    assert.is_false(ok)
    assert.truthy(text:find("names_spec.lua:" .. line .. ": locus has no", 1, true), text)
    locus.nosuchname = 5
    assert.equal(5, locus.nosuchname)
    locus.nosuchname = nil
  end)
end)

describe("a tensor #once", function()
  local x = locus.zeros(2, 3, { dtype = "int32" })

  it("has the fields of PyTorch", function()
    assert.same({ "int32", locus.get_default_device(), 2 }, { x.dtype, x.device, x.ndim })
    assert.is_true(x.shape == x:size())
    assert.same({ "3x2", "2", "0-d", "4x3x2" }, { tostring(x.T.shape),
      tostring(locus.zeros(2).T.shape), tostring(locus.tensor(1).T.shape),
      tostring(locus.zeros(2, 3, 4).T.shape) })
    x.T:select(1, 2):fill_(7)
    assert.same({ { 0, 7, 0 }, { 0, 7, 0 } }, x:totable())
  end)

  it("has sizes, strides and Torch7's names for them", function()
    assert.same({ 2, 3, 2, 3 }, { x:size(1), x:size(2), x:size(-2), x:size(-1) })
    assert.same({ 6, 6, 2, 2 }, { x:numel(), x:nElement(), x:dim(), x:nDimension() })
    assert.same({ 3, 1 }, { x:stride(1), x:stride(2) })
    assert.same({ true, true, false },
      { x:is_contiguous(), x:isContiguous(), x:t():isContiguous() })
    assert.same({ 1, 2 }, { x:storage_offset(), x:select(2, 2):storage_offset() })
    assert.equal(4, x:element_size())
    assert.equal("size: 'dim' must be in 1..2 or -2..-1, got 3", message(x.size, x, 3))
    assert.equal("size: 'dim' must be in 1..2 or -2..-1, got 0", message(x.size, x, 0))
    local zero_d = locus.tensor(1)
    assert.equal("size: 'input' is 0-d and has no sizes", message(zero_d.size, zero_d, 1))
  end)

  it("names the nearest of an unknown name", function()
    assert.equal("a tensor has no 'nonzer'; did you mean 'nonzero'?", missing(x, "nonzer"))
    assert.equal("a tensor has no 'srot'; did you mean 'sort'?", missing(x, "srot"))
    assert.equal("a tensor has no 'maen'; did you mean 'mean'?", missing(x, "maen"))
    assert.equal("a tensor has no 'fill'; did you mean 'fill_'?", missing(x, "fill"))
    assert.equal("a tensor has no 'int64'; write x:to(\"int64\")", missing(x, "int64"))
    assert.equal("a tensor has no 'version'; write locus.version", missing(x, "version"))
    assert.equal("a tensor has no 'maskedSelect'; did you mean 'masked_select'?",
      missing(x, "maskedSelect"))
    assert.equal("a tensor has no 'maskedFill'; did you mean 'masked_fill'?",
      missing(x, "maskedFill"))
    assert.equal("a tensor has no 'dtypes'; did you mean 'dtype'?", missing(x, "dtypes"))
    assert.equal("a tensor has no 'xyzzyplugh'", missing(x, "xyzzyplugh"))
  end)

  it("knows other libraries' names, and which names are functions", function()
    assert.equal("a tensor has no 'cmul'; write x * y", missing(x, "cmul"))
    assert.equal("a tensor has no 'astype'; write x:to(dtype)", missing(x, "astype"))
    assert.equal("a tensor has no 'expand_dims'; write x:unsqueeze(dim)", missing(x, "expand_dims"))
    assert.equal("a tensor has no 'greater'; write x:gt(y)", missing(x, "greater"))
    assert.equal("a tensor has no 'cat'; write locus.cat(...)", missing(x, "cat"))
  end)

  it("says what to write for pairs, ipairs and a call", function()
    assert.equal("a tensor cannot be called; write x[i], or for i, v in x:iter() do",
      message(function() return x(1) end))
    assert.equal("a tensor cannot be called; write x[i], or for i, v in x:iter() do",
      message(function() for _ in x do error("never") end end))
    for _, event in ipairs {"__pairs", "__ipairs"} do -- which only some builds of LuaJIT ask for
      assert.equal("pairs and ipairs take no tensor; write for i, v in x:iter() do",
        message(getmetatable(x)[event], x))
    end
  end)

  it("takes no new fields", function()
    assert.truthy(message(function() x.foo = 1 end):find("'foo'", 1, true))
    assert.truthy(message(function() x.shape = { 3, 2 } end):find("'shape'", 1, true))
    assert.equal("2x3", tostring(x.shape))
  end)

  it("raises at the caller's line", function()
    local ok, text = pcall(function() return x.nosuchname end)
    local line = debug.getinfo(1, "l").currentline - 1
    assert.is_false(ok)
    assert.truthy(text:find("names_spec.lua:" .. line .. ": a tensor has no", 1, true), text)
  end)
end)

describe("the hints #once", function()
  local core = require "locus.core"
  local fields = { dtype = true, device = true, shape = true, ndim = true, T = true }

  it("stand for names there are not", function()
    for name in pairs(names.hints) do
      assert.is_nil(core.methods[name], name)
      assert.is_nil(rawget(locus, name), name)
    end
    for name in pairs(names.module_hints) do
      assert.is_nil(rawget(locus, name), name)
    end
  end)

  it("of frames, groups and string columns stand for names there are not", function()
    for file, prefix in pairs {frame = "frame:", group = "group:", strings = "strings:"} do
      local text = pages.read(("lua/locus/frame/%s.lua"):format(file))
      local hints, methods = loadstring("return " .. text:match("hints = (%b{})"))(), nil
      for _, object in ipairs(objects) do
        if object.prefix == prefix then methods = object.methods end
      end
      assert.is_truthy(next(hints))
      for name in pairs(hints) do assert.is_nil(methods[name], prefix .. name) end
    end
  end)

  it("lead to names there are", function()
    for _, hints in ipairs { names.hints, names.module_hints } do
      for name, text in pairs(hints) do
        for method in text:gmatch("[x)][:.]([%a_][%w_]*)") do
          assert.is_true(core.methods[method] ~= nil or fields[method] ~= nil, name)
        end
        for called in text:gmatch("locus%.([%w_]+)") do
          assert.not_nil(rawget(locus, called), name)
        end
      end
    end
  end)
end)
