-- SPDX-License-Identifier: MIT
-- The calls of spec/support/calls that draw numbers.

return function(on_pair, each)
  local function drawn(locus, more)
    local options = more or {}
    options.generator = locus.generator(5)
    return options
  end

  each("rand randn exponential", function(f) return f(3, 2) end)
  each("rand_like randn_like", function(f, a) return f(a.x) end)
  each("randint", function(f) return f(10, {5}) end)
  each("uniform_ normal_ exponential_ random_", function(f, a) return f(a.x) end, false)
  on_pair("rand into out", function(a, locus) return locus.rand(2, 3, {out = a.full}) end, false)
  on_pair("rand of a generator", function(_, locus)
    return locus.rand(3, drawn(locus, {dtype = "float16"}))
  end)

  each("randperm", function(f) return f(5) end)
  each("shuffle", function(f, a) return f(a.x, 2) end)
  each("shuffle_", function(f, a) return f(a.x) end)
  each("bernoulli", function(f, a) return f(a.x / 6) end)
  on_pair("bernoulli of one probability", function(a, locus)
    return a.x:bernoulli(0.5, drawn(locus, {out = a.full}))
  end)
  each("bernoulli_", function(f, a) return f(a.x, 0.5) end)
  each("multinomial", function(f, a) return f(a.x, 2) end)
  on_pair("multinomial with replacement", function(a, locus)
    return a.x:multinomial(5, true, drawn(locus))
  end)
  each("choice", function(f, a) return f(a.x, {4}) end)
  on_pair("choice by probabilities", function(a, locus)
    return a.y:choice({2}, drawn(locus, {p = {0.5, 0.5, 0}, replace = false}))
  end)

  each("generator manual_seed", function(f) return f(5) end, false)
  each("seed initial_seed", function(f) return f() end, false)
  each("get_rng_state", function(f) return f() end)
  on_pair("set_rng_state", function(_, locus) locus.set_rng_state(locus.get_rng_state()) end)
  on_pair("generator:manual_seed", function(_, locus)
    return locus.generator(1):manual_seed(5)
  end, false)
  on_pair("generator:seed", function(_, locus) return locus.generator(1):seed() end, false)
  on_pair("generator:initial_seed", function(_, locus)
    return locus.generator(1):initial_seed()
  end, false)
  on_pair("generator:get_state", function(_, locus) return locus.generator(1):get_state() end)
  on_pair("generator:set_state", function(a, locus)
    return locus.generator(1):set_state(locus.generator(2):get_state()), a
  end)
end
