-- SPDX-License-Identifier: MIT
-- Calls that make, convert and copy tensors.
local locus = require "locus"
local large = require "spec.ops.large"

local WIDTHS = "uint8 int16 float32 int64 complex128"
local NO_TENSOR = "takes no tensor"

local function of_x(f, e) return f(e.x) end

return {
  answers = "create_spec, arange_spec, table_spec, ffi_spec, copy_spec, convert_spec, names_spec, "
    .. "index_spec, cuda_streams_spec",
  {"tensor", function(f) return f({{1, 2}, {3, 4}}) end, form = "of a table"},
  {"full", function(f) return f({3}, 7) end, unlaid = NO_TENSOR, large = function(_, n)
    local half = {dtype = "float16"}
    return large.text_of(locus.full(n, 3, {dtype = "uint8"})[n], locus.ones(n, half)[n],
      locus.linspace(0, 1, n, half)[n], locus.arange(1, n + 1)[n]), ("3, 1, 1, %.0f"):format(n)
  end},
  {"arange", function(f) return f(0, 5, 0.5) end, unlaid = NO_TENSOR},
  {"arange", function(f) return f(5) end, form = "starting at 0"},
  {"linspace", function(f) return f(0, 1, 5) end, unlaid = NO_TENSOR},
  {"range", function(f) return f(1, 5) end, unlaid = NO_TENSOR},
  {"empty zeros ones", function(f) return f(3, 4) end, unlaid = NO_TENSOR},
  {"zeros_like", of_x, layouts = "float32", large = "uint8"},
  {"ones_like", of_x, layouts = "float32", large = "uint8"},
  {"empty_like", of_x, laid = function(f, e) return f(e.x):size() end, layouts = "float32"},
  {"full_like", function(f, e) return f(e.x, 3) end, layouts = "float32"},
  {"LongTensor", function(f) return f{1, 2} end, laid = of_x, layouts = "int16"},
  {"Tensor DoubleTensor FloatTensor HalfTensor BFloat16Tensor IntTensor ShortTensor CharTensor "
    .. "ByteTensor BoolTensor", function(f, e) return f(e.seq:to("float16")) end, laid = of_x,
   layouts = "int16"},
  {"from_string", function(f) return f("abcd", "uint8") end, unlaid = NO_TENSOR},
  {"from_ptr", function(f, e) return f(e.x:data(), 6) end, unlaid = NO_TENSOR},

  {"short half bfloat16 bool", function(f, e) return f(e.y) end, laid = of_x,
   layouts = "int32 float64", large = "uint8"},
  {"float double long char byte", function(f, e) return f(e.y) end, laid = of_x,
   layouts = "int32 float64"},
  {"int", of_x, layouts = "int32 float64"},
  {"to", function(f, e) return f(e.x, "int16") end,
   laid = function(f, e) return f(e.x, {dtype = e.dtype}) end, layouts = WIDTHS},
  {"to", function(f, e) return f(e.x, "cpu", "int16") end, form = "a device and a dtype",
   laid = function(f, e) return f(e.x, "complex128"), f(e.x, "float16") end, layouts = "uint8"},
  {"tensor", laid = function(f, e) return f(e.x, {dtype = e.dtype}) end, layouts = WIDTHS},
  {"clone", of_x, layouts = WIDTHS, large = "uint8"},
  {"contiguous", function(f, e) return f(e.x:t()) end, form = "of a transpose", laid = of_x,
   layouts = WIDTHS, large = "uint8"},
  {"cpu", of_x, allocates = false, layouts = WIDTHS},
  {"cuda pin_memory", laid = of_x, layouts = WIDTHS, uncalled = "needs a device (cuda_spec)"},

  {"copy_", function(f, e) return f(e.x:narrow(2, 1, 2), e.x:narrow(2, 2, 2)) end,
   form = "from itself", laid = function(f, e) return f(e:fresh "x", e.y) end, layouts = WIDTHS,
   writes = true},
  {"copy_", laid = function(f, e) return f(e:fresh "x", e.mask) end, layouts = "float32",
   writes = true},
  {"copy_", form = "of another", large = function(x, _, marks)
    return large.beside(marks, function(to, from) return to:clone():copy_(from) end, x, x + 1)
  end},
  {"fill_", function(f, e) return f(e:fresh "x", 5) end, allocates = false, layouts = WIDTHS,
   writes = true, large = "uint8"},

  {"size dim nDimension numel nElement element_size", of_x, allocates = false, layouts = "int16"},
  {"stride storage_offset is_contiguous isContiguous is_pinned", of_x, allocates = false,
   unlaid = "tells of the layout"},
  {"totable", of_x, layouts = "int16"},
  {"data", of_x, unlaid = "tells of the layout"},
  {"item", function(f, e) return f(e.y:narrow(1, 2, 1)) end, laid = of_x, layouts = "int16"},
  {"iter", of_x, allocates = false, layouts = "int16", laid = function(f, e)
    local seen = {}
    for i, value in f(e.x) do seen[#seen + 1] = {i, value} end
    return seen
  end},
  {"__tostring", of_x, allocates = false, layouts = "int16",
   large = function(x) return tostring(x):find("uint8", 1, true) ~= nil, true end},
  {"__len", of_x, allocates = false, layouts = "int16"},
  {"is_tensor", laid = of_x, layouts = "int16", uncalled = "tells of any value (names_spec)"},

  {"contiguous", runner = "copy", device = function(_, e)
    return e:matrix(7):t():contiguous(), e.x:clone(), e.x:to("int16"), e.x:to("complex64"),
      locus.cat({e.x, e.x}, 1)
  end},
  {"to", runner = "find", device = function(f, e)
    local whole = f(e.x, "int32")
    return f(e.x:double(), "int32"), whole:remainder(whole:clamp(1, 5))
  end},
  {"arange", runner = "ramp", device = function(f, e)
    return f(e.n, {device = e.device}), locus.linspace(0, 1, e.n, {device = e.device})
  end},
}
