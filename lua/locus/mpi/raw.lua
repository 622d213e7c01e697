-- SPDX-License-Identifier: MIT
-- What src/bind/mpi.c has: messages of dense tensors on the CPU, unchecked.
return require("locus.core").internal.mpi_functions()
