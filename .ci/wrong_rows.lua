-- SPDX-License-Identifier: MIT
-- For .ci/recipes: wrong rows of reduce.def that compile. They are added to the copy of the tree
-- and removed again.
local trial = require "trial"

-- The least element that is not NaN, by doubles, which hold no int64 past 2^53.
local BY_DOUBLES = [[
static void begin_range(partial *p)
{
  p->whole = 0;
  p->level[0].re = NAN;
}
static void take_range(partial *p, const void *run, int64_t n)
{
  const double *x = run;
  for (int64_t i = 0; i < n; i++)
    if (x[i] == x[i] && (p->whole++ == 0 || x[i] < p->level[0].re)) p->level[0].re = x[i];
}
static void join_range(partial *p, const partial *next)
{
  if (next->whole && (!p->whole || next->level[0].re < p->level[0].re))
    p->level[0] = next->level[0];
  p->whole += next->whole;
}
static void answer_range(const partial *p, int64_t n, void *out)
{
  (void)n;
  *(double *)out = p->level[0].re;
}
static const method range_of_doubles = {LOCUS_f64, LOCUS_f64, begin_range, take_range, never,
                                     join_range, answer_range, NULL, NULL, NULL};
BY_KIND(range, range_of_doubles, range_of_doubles, range_of_doubles, range_of_doubles)
]]

-- A reduction of a name that the module has; then one whose answers are not its oracle's.
local kept = {}
for _, path in ipairs { "src/core/reduce.def", "src/cpu/run/reduce.c",
  "spec/support/models/reductions.lua" } do
  kept[path] = trial.read(path)
end
trial.append("src/core/reduce.def", "REDUCE(range, PRESENT)\n")
trial.before("src/cpu/run/reduce.c", "/* Norms and variances are", BY_DOUBLES)
trial.build("core")
trial.not_loaded("locus: 'range' is registered twice, in src/bind")
trial.replace("src/core/reduce.def", "range", "lowest")
trial.replace("src/cpu/run/reduce.c", "BY_KIND(range,", "BY_KIND(lowest,")
trial.oracle("lowest", "nanmin")
trial.build("core")
trial.answers("locus.lowest{3, 2, 7}, locus.nanmin{3, 2, 7}", "2\t2")
trial.named("reduce", "a reduction lowest is right of any two values", "lowest of int64")
for path, text in pairs(kept) do trial.write(path, text) end
