/* SPDX-License-Identifier: MIT */
/* The keys of the hooks. */
#include "bind/ground/state.h"

#define HOOK(name, ffi) const char locus_hook_##name[] = "locus." #name;
LOCUS_HOOKS(HOOK)
#undef HOOK
