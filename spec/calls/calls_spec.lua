-- SPDX-License-Identifier: MIT
-- spec/support/calls has a call of every public function, but of those that are named here.
local core = require "locus.core"
local locus = require "locus"
local calls = require "spec.support.calls"

-- Why a function needs none: it takes no tensor and makes none, or is about the device.
local REASONS = {
  ["asks or sets a setting (create_spec, threads_spec, default_device_spec, print_spec)"] =
    "get_default_dtype set_default_dtype get_default_device get_num_threads set_printoptions "
    .. "get_printoptions",
  ["tells of the module or of any value (names_spec, memory_spec, help_spec, flushing_spec)"] =
    "help instruction_sets is_tensor live_bytes fail_allocation why_denormals_are_zero",
  ["frees or keeps, and makes none (free_spec, tidy_spec)"] = "free keep",
  ["needs a device (cuda_spec)"] = "cuda pin_memory",
}

-- By name; a method of what is made of tensors is "frame:sort".
local function functions()
  local names = {}
  local function add(part, prefix)
    for name, value in pairs(part) do
      if type(value) == "function" then names[prefix .. name] = true end
    end
  end
  add(locus, "")
  add(core.methods, "")
  for _, object in ipairs(require "spec.support.calls.objects") do
    add(object.methods, object.prefix)
  end
  return names
end

describe("spec/support/calls", function()
  it("calls every public function, but those that need no call", function()
    local missing, covered = {}, {}
    for _, entry in ipairs(calls) do covered[entry.calls or ""] = true end
    for _, names in pairs(REASONS) do
      for name in names:gmatch("%S+") do
        assert.is_true(functions()[name], name)
        assert.is_nil(covered[name], name)
        covered[name] = true
      end
    end
    for name in pairs(functions()) do
      if not covered[name] then missing[#missing + 1] = name end
    end
    table.sort(missing)
    assert.same({}, missing)
  end)

  it("names functions that are there", function()
    local known, unknown = functions(), {}
    for _, entry in ipairs(calls) do
      if entry.calls and not known[entry.calls] then unknown[#unknown + 1] = entry.name end
    end
    assert.same({}, unknown)
  end)
end)
