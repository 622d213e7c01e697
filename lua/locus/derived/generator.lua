-- SPDX-License-Identifier: MIT
-- Generators of numbers that look random, and the one that is taken where none is given. All that
-- a generator keeps is its seed, and how many blocks of words have been used: docs/chance.md is the
-- specification.
local core = require "locus.core"
local declare = require "locus.call.declare"
local registry = require "locus.call.registry"
local int64 = require("locus.tensor.cdata").int64 -- nil under plain Lua 5.1
local internal = core.internal

local WORD = 2 ^ 32

-- The state of each generator: high and low, the halves of its seed; first, the first block that
-- has not been used.
local generator = {}
local metatable = {__metatable = "generator", __index = generator}
local events = registry.once(metatable)

local function state_of(g)
  local state = internal.state(g, metatable)
  if not state then
    declare.raise("'generator' must be made by locus.generator, got %s", internal.describe(g))
  end
  return state
end

local function seed_with(state, seed)
  local low = tonumber(seed % WORD)
  if low < 0 then low = low + WORD end
  state.high = tonumber((seed - low) / WORD) % WORD
  state.low, state.first = low, 0
end

-- The integer of two halves, at least -2^63: a number, or int64 where that cannot hold it.
local function whole(high, low)
  if high >= WORD / 2 then high = high - WORD end
  local number = high * WORD + low
  if math.abs(number) < 2 ^ 53 then return number end
  if not int64 then declare.raise("the seed is beyond 2^53, which needs LuaJIT") end
  return int64(high, low)
end

-- 53 bits that nobody can foresee.
local function entropy()
  local file = io.open("/dev/urandom", "rb")
  local bytes = file and file:read(7)
  if file then file:close() end
  if not bytes or #bytes < 7 then
    local words = internal.format("%d %.9f %s", os.time(), os.clock(), tostring({}))
    local sum = 7
    for i = 1, #words do sum = (sum * 263 + words:byte(i)) % 2 ^ 44 end
    return sum
  end
  local sum = bytes:byte(1) % 32
  for i = 2, 7 do sum = sum * 256 + bytes:byte(i) end
  return sum
end

local function new(seed)
  local state = {}
  seed_with(state, seed or entropy())
  return internal.object(metatable, state)
end

local default -- made when it is first asked for

-- The given generator, or else the default one; an error if it is something else.
local function chosen(g)
  if g ~= nil then return state_of(g) end
  default = default or new()
  return state_of(default)
end

-- Seeds anew: all that follows depends on the seed alone.
generator.manual_seed = declare.define("manual_seed(generator:any, seed:integer)",
  function(g, seed)
    seed_with(state_of(g), seed)
    return g
  end)

-- Seeds with a number that nobody can foresee, and answers with it.
generator.seed = declare.define("seed(generator:any)", function(g)
  local state, seed = state_of(g), entropy()
  seed_with(state, seed)
  return seed
end)

-- The last seed.
generator.initial_seed = declare.define("initial_seed(generator:any)", function(g)
  local state = state_of(g)
  return whole(state.high, state.low)
end)

local function get_state(state)
  return core.tensor({state.high, state.low, state.first}, {dtype = "int64", device = "cpu"})
end

local function set_state(state, given)
  local right = internal.dtype_of(given) == "int64" and core.methods.dim(given) == 1 and #given == 3
  local high, low, first
  if right then
    high, low, first = unpack(core.methods.totable(given))
    high, low, first = tonumber(high), tonumber(low), tonumber(first)
    right = high >= 0 and high < WORD and low >= 0 and low < WORD and first >= 0 and first < 2 ^ 53
  end
  if not right then declare.raise("'state' must come from get_state") end
  state.high, state.low, state.first = high, low, first
end

-- The state, for set_state.
generator.get_state = declare.define("get_state(generator:any)", function(g)
  return get_state(state_of(g))
end)

-- Goes on where that generator stood.
generator.set_state = declare.define("set_state(generator:any, state:tensor)", function(g, state)
  set_state(state_of(g), state)
  return g
end)

function events.__newindex()
  internal.raise("a generator has no fields; write g:manual_seed(seed)")
end
function events.__describe() return "a generator" end
function events.__tostring(g)
  local state = internal.state(g, metatable)
  return internal.format("[generator of seed %s, %d blocks used]",
    whole(state.high, state.low), state.first)
end
setmetatable(generator, {__index = function(_, key)
  internal.raise(("a generator has no '%s'; it has manual_seed, seed, initial_seed, get_state and "
    .. "set_state"):format(declare.shown(key)))
end})

-- generator(seed): a new one, of that seed, else of one that nobody can foresee.
-- Source: https://pytorch.org/docs/stable/generated/torch.Generator.html
declare.func("generator(seed:integer=nil)", new)

-- manual_seed(seed): seeds the default generator, and answers with it.
-- Source: https://pytorch.org/docs/stable/generated/torch.manual_seed.html
declare.func("manual_seed(seed:integer)", function(seed)
  seed_with(chosen(), seed)
  return default
end)

-- seed(): seeds it with what nobody can foresee, and answers with that.
-- Source: https://pytorch.org/docs/stable/generated/torch.seed.html
declare.func("seed()", function()
  local state, seed = chosen(), entropy()
  seed_with(state, seed)
  return seed
end)

-- initial_seed(): what it was seeded with last.
-- Source: https://pytorch.org/docs/stable/generated/torch.initial_seed.html
declare.func("initial_seed()", function()
  local state = chosen()
  return whole(state.high, state.low)
end)

-- get_rng_state(), set_rng_state(state): where it stands, and to go on from there.
-- Source: https://pytorch.org/docs/stable/generated/torch.get_rng_state.html
declare.func("get_rng_state()", function() return get_state(chosen()) end)
declare.func("set_rng_state(state:tensor)", function(state) set_state(chosen(), state) end)

local draws = {methods = generator}

-- Raises unless that is a generator or nil.
function draws.check(g) chosen(g) end

-- Every element of the tensor becomes a number of the generator, as internal.random has it; the
-- blocks are then used.
function draws.into(input, g, how, a, b)
  local state = chosen(g)
  local blocks = internal.random(input, how, state.high, state.low, state.first, a, b)
  state.first = state.first + blocks
  return input
end

-- Raises where a dtype cannot have such numbers.
function draws.check_dtype(dtype, how, a, b) internal.random(dtype, how, 0, 0, 0, a, b) end

-- A new tensor of such numbers, or `out`.
function draws.new(size, options, g, how, a, b)
  chosen(g)
  local dtype = options.dtype or options.out and internal.dtype_of(options.out)
    or core.get_default_dtype()
  draws.check_dtype(dtype, how, a, b)
  local made = core.empty(size, options)
  return draws.into(made, g, how, a, b)
end

return draws
