-- SPDX-License-Identifier: MIT
-- Calls of what is about the module, its settings and memory.
local locus = require "locus"

local SETTING = "asks or sets a setting (create_spec, threads_spec, print_spec)"
local TELLS = "tells of the module (names_spec, memory_spec, help_spec, flushing_spec)"
local NO_TENSOR = "takes no tensor"

return {
  answers = "default_device_spec, threads_spec, tidy_spec, free_spec, names_spec, memory_spec, "
    .. "print_spec, help_spec, flushing_spec",
  {"set_default_device", function(f) return f(locus.get_default_device()) end, allocates = false,
   unlaid = NO_TENSOR},
  {"set_num_threads", function(f) return f(locus.get_num_threads()) end, allocates = false,
   unlaid = NO_TENSOR},
  {"tidy", function(f, e) return f(locus.add, e.x, 1) end, unlaid = NO_TENSOR},
  {"get_default_dtype set_default_dtype get_default_device get_num_threads set_printoptions "
    .. "get_printoptions", uncalled = SETTING, unlaid = NO_TENSOR},
  {"help instruction_sets live_bytes fail_allocation why_denormals_are_zero", uncalled = TELLS,
   unlaid = NO_TENSOR},
  {"free keep", uncalled = "frees or keeps, and makes none (free_spec, tidy_spec)",
   unlaid = "has no answer"},
  {"__gc __lt __le __concat __call __pairs __ipairs", uncalled = "raises, or is Lua's to call",
   unlaid = "raises, or is Lua's to call"},
}
