# SPDX-License-Identifier: MIT
"""How long a kernel would take at least on a GPU, by its counts: the longest of the times that
memory, the second-level cache, the issue of instructions and the first-level cache want. An
estimate: no latency, no launch, nothing that waits for something else."""
import dataclasses

SECTOR = 32  # bytes

# Of compute capability 9.0.
REGISTERS, REGISTER_UNIT, WARP_UNIT = 65536, 256, 4  # of a processor; a warp; warps
SHARED, SHARED_UNIT, SHARED_OWN = 228 * 1024, 128, 1024  # the last for each block, by the system
MOST_THREADS, MOST_BLOCKS, LANES = 2048, 32, 32


@dataclasses.dataclass(frozen=True)
class Gpu:
    """What a GPU's data sheet says; but no sheet gives the second-level cache's speed, which is
    assumed here."""
    name: str
    memory: float                # bytes a second
    cache: float = 5.5e12        # bytes a second
    processors: int = 132
    clock: float = 1.755e9
    issue: int = 4               # warp instructions a cycle and processor

    def cycles(self, count, each=1):
        """Seconds for so much, where every processor does `each` a cycle."""
        return count / (self.processors * self.clock * each)


GPUS = [Gpu("H100", 3.35e12), Gpu("H200", 4.8e12)]
MEMORY = ("memory", "cache")  # the bounds that are memory's own


def up(value, unit):
    return -(-value // unit) * unit


def threads(registers, shared, block):
    """How many threads of such blocks a processor holds; `shared` is all of a block's."""
    warps = -(-block // LANES)
    by_registers = REGISTERS // up(registers * LANES, REGISTER_UNIT) // WARP_UNIT * WARP_UNIT
    blocks = min(by_registers // warps, SHARED // up(shared + SHARED_OWN, SHARED_UNIT),
                 MOST_THREADS // (warps * LANES), MOST_BLOCKS)
    return blocks * warps * LANES


def bounds(gpu, kernel):
    """Seconds that each resource wants for a kernel's counts. The first-level cache and shared
    memory pass 128 bytes a cycle."""
    return {
        "memory": kernel["memory_bytes"] / gpu.memory,
        "cache": kernel["cache_bytes"] / gpu.cache,
        "issue": gpu.cycles(kernel["instructions"], gpu.issue),
        "first level": gpu.cycles(kernel["passes"] + kernel["sectors"] * SECTOR / 128),
    }


def estimate(gpu, kernel):
    """The time, and what bounds it."""
    wanted = bounds(gpu, kernel)
    bound = max(wanted, key=wanted.get)
    return wanted[bound], bound
