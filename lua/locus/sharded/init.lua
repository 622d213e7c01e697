-- SPDX-License-Identifier: MIT
-- Sharded tensors: rows that are spread over all ranks, and functions that answer for all of them
-- as one process would.
for file in ("making reductions masks bins order search unique"):gmatch("%S+") do
  require("locus.sharded." .. file)
end
