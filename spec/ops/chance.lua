-- SPDX-License-Identifier: MIT
-- Calls that draw numbers, and of generators.
local locus = require "locus"
local text_of = require("spec.ops.large").text_of

local NO_TENSOR = "takes no tensor"

-- Arguments by name with a generator of a known state.
local function drawn(options, seed)
  options = options or {}
  options.generator = locus.generator(seed or 5)
  return options
end

return {
  answers = "chance_spec, philox_spec, sampling_spec",
  {"rand", function(f) return f(3, 2) end, unlaid = NO_TENSOR},
  {"randn", function(f) return f(3, 2) end, unlaid = NO_TENSOR},
  {"exponential", function(f) return f(3, 2) end, unlaid = NO_TENSOR},
  {"randn", form = "chance", alike = function(f, e)
    return f(e.shape, drawn(nil, e.count)), locus.randint(0, 100, e.shape, drawn(nil, e.count))
  end},
  {"rand", function(f, e) return f(2, 3, {out = e.full}) end, form = "into out",
   allocates = false},
  {"rand", function(f) return f(3, drawn {dtype = "float16"}) end, form = "of a generator"},
  {"rand_like randn_like", function(f, e) return f(e.x) end,
   laid = function(f, e) return f(e.x, drawn()) end, layouts = "float32 complex64"},
  {"randint", function(f) return f(10, {5}) end, unlaid = NO_TENSOR, large = function(_, n, marks)
    local least = 0.9 * n
    local die = locus.randint(0, 6, n, {dtype = "uint8"})
    local reals = locus.rand(n, {dtype = "float16"})
    return text_of(die[{{marks[4] - 1, n}}]:max() < 6, die:sum() > 2.5 * least,
      reals:sum({dtype = "float64"}) > 0.5 * least), "true, true, true"
  end},
  {"uniform_ normal_ exponential_ random_", function(f, e) return f(e.x) end, allocates = false,
   laid = function(f, e) return f(e:fresh "x", drawn()) end, layouts = "float32", writes = true},
  {"randperm", function(f) return f(5) end, unlaid = NO_TENSOR},
  {"shuffle", function(f, e) return f(e.x, 2) end,
   laid = function(f, e) return f(e.x, 1, drawn()) end, layouts = "int16"},
  {"shuffle_", function(f, e) return f(e.x) end,
   laid = function(f, e) return f(e:fresh "x", 1, drawn()) end, layouts = "int16", writes = true},
  {"bernoulli", function(f, e) return f(e.x / 6) end,
   laid = function(f, e) return f(e.x, 0.5, drawn()) end, layouts = "int16"},
  {"bernoulli", function(f, e) return f(e.x, 0.5, drawn {out = e.full}) end,
   form = "of one probability"},
  {"bernoulli_", function(f, e) return f(e.x, 0.5) end,
   laid = function(f, e) return f(e:fresh "x", 0.5, drawn()) end, layouts = "int16",
   writes = true},
  {"multinomial", function(f, e) return f(e.x, 2) end,
   laid = function(f, e) return f(e.x:abs(), 1, false, drawn()) end, layouts = "float32"},
  {"multinomial", function(f, e) return f(e.x, 5, true, drawn()) end, form = "with replacement"},
  {"choice", function(f, e) return f(e.x, {4}) end,
   laid = function(f, e) return f(e.x, {3}, drawn {dim = -1}) end, layouts = "int16"},
  {"choice", function(f, e) return f(e.y, {2}, drawn {p = {0.5, 0.5, 0}, replace = false}) end,
   form = "by probabilities"},

  {"generator manual_seed", function(f) return f(5) end, allocates = false, unlaid = NO_TENSOR},
  {"seed initial_seed", function(f) return f() end, allocates = false, unlaid = NO_TENSOR},
  {"get_rng_state", function(f) return f() end, unlaid = NO_TENSOR},
  {"set_rng_state", function(f) f(locus.get_rng_state()) end, unlaid = NO_TENSOR},
  {"generator:manual_seed", function(f) return f(locus.generator(1), 5) end, allocates = false},
  {"generator:seed generator:initial_seed", function(f) return f(locus.generator(1)) end,
   allocates = false},
  {"generator:get_state", function(f) return f(locus.generator(1)) end},
  {"generator:set_state", function(f, e)
    return f(locus.generator(1), locus.generator(2):get_state()), e
  end},

  {"uniform_", runner = "random", device = function(f, e)
    return f(e.x, drawn()), e.i:random_(drawn())
  end},
}
