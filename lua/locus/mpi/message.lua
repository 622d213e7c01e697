-- SPDX-License-Identifier: MIT
-- From one rank to another. Dtype and size travel ahead, under the same tag: MPI keeps the order of
-- messages from one rank to another under one tag.
local core = require "locus.core"
local declare = require "locus.call.declare"
local collective = require "locus.mpi.collective"
local header = require "locus.mpi.header"
local memory = require "locus.mpi.memory"
local raw = require "locus.mpi.raw"
local mpi = core.mpi

local MOST_TAG = 32766 -- one less than everywhere in MPI: collectives use 0

local function check_other(rank, tag)
  collective.check_rank(rank, "rank")
  if rank == collective.ranks() then declare.raise("'rank' is %d, this rank itself", rank) end
  if tag >= 0 and tag <= MOST_TAG then return tag + 1 end
  declare.raise("'tag' must be from 0 to %d, got %s", MOST_TAG, tag)
end

-- mpi.send(x, rank, ...): x to another rank, which must receive it from this one, under this tag.
-- Returns once x may be written to again, which may be when it is received.
mpi.send = declare.define("mpi.send(x:tensor, rank:integer, {tag:integer=0})",
  function(x, rank, tag)
    local own_tag = check_other(rank, tag)
    local from = memory.outgoing(x)
    raw.send(header.of(x), rank, own_tag)
    raw.send(from, rank, own_tag)
  end)

-- mpi.recv(rank, ...): the next tensor that another rank sends to this one under this tag. One that
-- does not fit `out` is lost.
mpi.recv = declare.define("mpi.recv(rank:integer, {tag:integer=0, out=nil})",
  function(rank, tag, out)
    local own_tag = check_other(rank, tag)
    local told = header.blank()
    raw.receive(told, rank, own_tag)
    local dtype, size, kind = header.read(told)
    local fits, answer, landing = pcall(memory.beside, nil, dtype, size, out, kind)
    if not fits then landing = core.empty(size, {dtype = dtype, device = "cpu"}) end
    raw.receive(landing, rank, own_tag)
    if not fits then error(answer, 0) end
    return memory.deliver(answer, landing)
  end)
