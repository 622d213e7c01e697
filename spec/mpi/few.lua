-- SPDX-License-Identifier: MIT
-- The scripts that follow take a dtype of each width and kind in place of all.
require "spec.mpi.check".dtypes = {"bool", "float16", "int32", "int64", "float64", "complex128"}
