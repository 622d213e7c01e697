#!/bin/sh
# SPDX-License-Identifier: MIT
# Plants one defect after the other in a copy of the kernels; the tests must catch each. A defect is
# the name of a test, a file of cuda or of its rooms, and a sed command that changes it. Everything
# is built once; for each defect, as many at a time as there are cores, only what it touches is
# built again.
# mutants.sh [FOLDER [TEST...]]: works in FOLDER (build-simt/mutants), on all defects or those of
# these tests.
set -eu
# Misaligned vectors work on this CPU, but on no GPU.
export KERNEL_FLAGS="-O0 -fsanitize=alignment -fno-sanitize-recover=alignment"

# One defect in the folder of all: `mutants.sh one TEST FILE COMMAND`. Says what became of it.
if [ "${1:-}" = one ]; then
  shift
  tree=$(mktemp -d tree.XXXXXX)
  cp -Rp src cuda "$tree"
  mkdir "$tree/build" # dependencies name their folder
  cp -Rp build/*.o build/*.d build/emu "$tree/build"
  cd "$tree"
  file=$(ls cuda/"$2" cuda/include/*/"$2" 2>/dev/null) || :
  sed -i "$3" "$file"
  outcome="not caught"
  if cmp -s "$file" "../$file"; then
    outcome="changes nothing"
  elif ! make -s -f cuda/test/Makefile BUILD=build FLAGS="$KERNEL_FLAGS" "build/$1_test" >log 2>&1
  then
    outcome="does not compile"
  else
    for order in 0 1 7; do
      LOCUS_EMU_ORDER=$order timeout 300 "build/$1_test" >log 2>&1 && continue
      outcome="caught in order $order"
      break
    done
  fi
  cd ..
  rm -rf "$tree"
  printf '%s: %s: %s\n' "$outcome" "$2" "$3"
  [ "${outcome#caught}" != "$outcome" ]
  exit
fi

root=$(cd "$(dirname "$0")/../.." && pwd)
work=${1:-$root/build-simt/mutants}
[ $# -eq 0 ] || shift
chosen=" $* "
rm -rf "$work"
mkdir -p "$work"
cp -Rp "$root/src" "$root/cuda" "$work"
cd "$work"
: >defects

mutant() {
  [ "$chosen" = "  " ] || [ "${chosen#* "$1" }" != "$chosen" ] || return 0
  printf '%s\0' "$@" >>defects
}

# One barrier less.
mutant nonzero block.h '/ block_scan(/,/^}/{/__syncthreads/d}'
mutant nonzero block.h '/ block_sum(/,/^}/{/__syncthreads/d}'
mutant nonzero mask.cu '/^    __syncthreads();$/d'
mutant nonzero set_bits.h 's/^  __syncthreads();$//'
mutant searchsorted search_tree.h 's/^  __syncthreads();$//'
mutant searchsorted search_tree.h 's/^    __syncthreads();$//'
mutant copy find.cu '/__syncthreads/d'
mutant copy copy.cu '0,/^    __syncthreads/{/^    __syncthreads/d}'
mutant copy copy.cu '/^    __syncthreads();$/{N;s/.*\n  }$/  }/}'
mutant copy find.cu 's/^    __syncthreads();$/    if (half >= 32) __syncthreads();/'
mutant scan running.h '/SIMT_DEVICE V join_before(/,/^}/{/__syncthreads/d}'
mutant scan running.h '/before = C::join(before, total)/,/__syncthreads/{/__syncthreads/d}'
mutant scan running.h '/scan_rows(rows_of_cells/,/^}/{s/__syncwarp();$//}'
mutant reduce reduce_tree.h '/__syncthreads/d'
mutant reduce reduce.cu '/__syncthreads/d'
mutant kth kth_digits.h '0,/^  __syncthreads();$/{/^  __syncthreads();$/d}'
mutant kth kth_digits.h '/^  __syncthreads();$/{N;s/.*\n  uint32_t/  uint32_t/}'
# One block needs another of its launch.
mutant nonzero mask.cu 's/(uint16_t)set;/set + (blockIdx.x % 8 == 7 ? counts[blockIdx.x - 1] : 0);/
  s/set\[c\] += pieces.element\[i\]/set[c] += i == 6 ? 0 : pieces.element[i]/'
# More threads than the kernel's bound.
mutant where where.cu 's/SIMT_BOUNDS(WHERE_THREADS/& \/ 2/'
# A lane that leaves before the others need it.
mutant searchsorted search_levels.h 's/i - threadIdx.x % WARP_LANES < s.numel/i < s.numel/'
mutant tied_ranks tied_ranks.cu 's/i - row + 1, -1/i + 1, -1/'
mutant tied_ranks tied_ranks.cu 's/row + job.n - i, 1/job.rows * job.n - i, 1/'
mutant tied_ranks tied_ranks.cu 's/else high = middle;/else high = middle - 1;/'
mutant tied_ranks equality.h 's/magnitude > (U)equality.infinity/false/'
mutant nonzero equality.h 's/magnitude > (U)equality.infinity/false/'
mutant nonzero equality.h 's/magnitude == 0/false/'
mutant nonzero mask.cu 's/x - NUMBERS/x - 1/'
mutant nonzero mask.cu 's/(end + 63)/(end + 31)/'
mutant nonzero mask.h 's/begin < end; begin/begin + threadIdx.x < end; begin/'
# One too many, or too few.
mutant nonzero runs.cu 's/(total >> 16) + base/base/'
mutant nonzero runs.cu 's/(63 - i % 64)/(62 - i % 64)/'
mutant nonzero runs.cu 's/^  __syncthreads();$//'
mutant nonzero set_bits.h 's/return parts_of(numel, TILE);/return numel \/ TILE;/'
mutant nonzero set_bits.h 's/back > 0; back--/back > 1; back--/'
mutant nonzero set_bits.h 's/head < count ? head : count/head/'
mutant nonzero mask.h 's/i + v.size > in.numel/i + v.size > in.numel + 1/'
mutant nonzero mask.h 's/ELEMENTS <= in.numel/ELEMENTS <= in.numel + 1/'
mutant nonzero mask.h 's/(WHOLE || i < end)/true/'
mutant nonzero nonzero.cu 's/x >= size;/x > size;/'
mutant searchsorted search_tree.h 's/(int64_t)found\[q\] + 1, n/(int64_t)found[q], n/'
mutant searchsorted search_tree.h 's/half; left > 0;/half; left > 1;/'
mutant searchsorted search_tree.h 's/past < stop ? past : stop/stop/'
mutant searchsorted search_levels.h 's/: last_key<K>();/: 0;/'
mutant searchsorted search_levels.h 's/(i + 1) \* node_keys<K> - 1/(i + 1) * node_keys<K> - 2/'
mutant unsorted lookup.cu 's/left = part - 1;/left = part - 2;/'
mutant where where.cu 's/whole = where_aligned(row, cut) ? end/whole = true ? end/'
mutant where where.cu 's/: cut.length;/: cut.length - 1;/'
mutant elementwise elementwise.h 's/i = n \/ N \* N + this_thread/i = n \/ N * N + 1 + this_thread/'
mutant elementwise elementwise.h 's/(grid, out) && aligned(out.data, VECTOR_BYTES)/(grid, out)/'
mutant reduce reduce_tree.h 's/distance = lanes \/ 2/distance = lanes \/ 4/'
mutant reduce reduce_tree.h 's/after = W::join(there, after)/after = there/'
mutant reduce reduce_methods.h 's/p.score == nan ? 0 : p.score + 1/p.score + 1/'
mutant reduce reduce_methods.h 's/a.count + b.count/a.count/'
mutant reduce reduce_methods.h 's/ - b.centre//'
mutant reduce reduce_tree.h 's/if (j < count) take/if (j < count - 1) take/'
mutant reduce reduce.cu 's/ends ? members\[there\]/false ? members[there]/'
mutant scan running.h 's/piece > 0 ? through\[i - 1\] : C::none()/C::none()/'
mutant scan running.h 's/before = C::join(before, total);//'
mutant scan scan.cu 's/a.position > b.position ? a : b/b/'
mutant scan scan.cu 's/v.position + s.base/v.position/'
mutant segment segment.cu 's/< (uint64_t)g)/<= (uint64_t)g)/'
mutant segment segment.cu 's/SHORT_GROUP + 1/SHORT_GROUP + 2/'
mutant segment segment_methods.h 's/l < (int)(end - j)/l < (int)(end - j) - 1/'
mutant segment segment_methods.h 's/j + WARP_LANES + lane < end/j + 2 * WARP_LANES + lane < end/'
mutant kth kth.cu 's/while (count > 1)/while (count > 2)/'
mutant kth kth.cu 's/offsets\[low + half\] <= element/offsets[low + half] < element/'
mutant kth kth.cu 's/of.segment_bits <= 32/of.segment_bits <= 33/'
mutant kth kth.cu 's/bits + of.segment_bits <= 64/of.segment_bits <= 64/'
mutant kth kth.cu 's/job.segments + 1 : 0/job.segments : 0/'
mutant kth kth.cu 's/from - begin + job.base/from + job.base/'
mutant kth kth_digits.h 's/digit < DIGITS)/digit < DIGITS - 1)/'
mutant kth kth_digits.h 's/rank - before >= count/rank - before > count/'
mutant kth kth_digits.h 's/i < HISTOGRAMS; i++/i < HISTOGRAMS - 1; i++/'
mutant kth kth_digits.h 's/(bits - 1) \/ DIGIT_BITS \* DIGIT_BITS/bits - DIGIT_BITS/'
mutant kth kth_digits.h 's/span < job.n - first ? first + span : job.n/job.n/'
mutant kth kth_digits.h 's/first + piece \* DIGITS/first + (piece + 1) * DIGITS/'
mutant copy copy.cu 's/row < SQUARE \&\& row < y_left/row < SQUARE/'
mutant nonzero mask.cu 's/dense(grid, in) && aligned(in.data, VECTOR_BYTES)/dense(grid, in)/'
# The wrong one of several.
mutant reduce reduce_methods.h 's/a.position < b.position ? a : b/b/'
mutant copy find.cu 's/threadIdx.x + half\] < first/threadIdx.x + half] > first/'
mutant sort sort.cu 's/((int64_t)values\[i\], from)/((int64_t)values[i] \/ 2 * 2, from)/'
mutant segment segment_runs.cu 's/begin == end/false/'
mutant index index.cu 's/keys\[i + 1\] == keys\[i\]/false/'
mutant index index.cu 's/i > 0 && keys\[i - 1\] == keys\[i\]/false/'
mutant index index.cu 's/combine.afresh ?/false ?/'
mutant index index.cu 's/LOCUS_BINARY_minimum}(a, x)/LOCUS_BINARY_maximum}(a, x)/'
mutant index index.cu 's/found = index != base - 1/found = index >= 0/'
mutant index index.cu 's/found ? array\[place\] : missing/missing/'
mutant kth kth.cu 's/atomicMin/atomicMax/'
mutant kth kth.cu 's/of.job.descending ? ones/false ? ones/'
mutant kth kth.cu 's/find((int64_t)numbers\[i\])/find(i)/'
mutant kth kth.cu 's/i - s \* wanted.number\]/0]/'
mutant kth kth.cu 's/s \* job.rank_step/s * wanted.number/'
mutant kth kth.cu 's/if (!fits(c, \*job) ||/if (!(fits(c, *job), true) ||/'
mutant kth kth_digits.h 's/POSITIONS ? key == known.key :/POSITIONS ? true :/'
mutant kth kth_digits.h 's/^  \*at = 0;$//'
mutant kth kth_digits.h 's/^  known->rank = rank - before;$//'
mutant repeats repeats.cu 's/ends\[middle\] > place/ends[middle] >= place/'
mutant repeats repeats.cu 's/slice - block \* job.block.number/slice/'
mutant repeats repeats.cu 's/low - slice) \* job.slice.number/low - slice)/'
mutant repeats repeats.cu 's/ || !aligned(job->in, (uint64_t)bytes)//'
mutant repeats repeats.cu 's/!aligned(job->out, (uint64_t)bytes)/false/'
mutant repeats repeats.cu 's/(block \* job.n + low/(low/'
mutant asof asof.cu 's/ - !forward;/ - 1;/'
mutant asof asof.cu 's/ \&\& keys\[at\] == group//'
mutant asof nearest.cu 's/job.after\[i\] : -1/job.after[i] : 0/'
mutant asof nearest.cu 's/job.before\[i\] : 0/job.before[i] : 1/'
mutant asof asof.cu 's/row < limit/row <= limit/'
mutant asof asof.cu 's/key < group ||/false ||/'
mutant asof asof.cu 's/(uint64_t)job.groups + 1/(uint64_t)job.groups/'
mutant index bincount.cu 's/i > 0 && keys\[i - 1\] == keys\[i\]/false/'
mutant segment segment_methods.h 's/l < WARP_LANES; l++) p = W::join(p, from_lane(now, l/& ^ 1/'
mutant segment segment.cu 's/atomicMin/atomicMax/'
mutant segment segment_methods.h 's/number_of(end - 1)/& \/ 2 * 2/'
# Places of 32 bits.
mutant far places.h 's/+= step \* stride\[k\]\[d\];/+= (int)(step * stride[k][d]);/'
# The contents of an index are made again.
mutant searchsorted search_index.h 's/if (!already)/if (true)/'
mutant searchsorted searchsorted.cu '/indexed.sorter.data = nullptr;/d'
# The wrong answer for a special value.
mutant reduce reduce_methods.h 's/r == nan ? r : nan - 1 - r/nan - r/'
mutant segment segment_methods.h 's/if (end - begin < 2) return (double)NAN;//'
mutant segment reduce_methods.h 's/r == nan ? r : nan - 1 - r/nan - r/'
mutant kth kth.cu 's/job.index ? x : unrank/true ? x : unrank/'
mutant kth kth.cu 's/job.index ? x : unrank/false ? x : unrank/'
mutant kth rank.h 's/: (U)(bits - middle)/: (U)(bits - middle + (bits == (U)~(U)0))/'
mutant kth rank.h 's/bits < middle ? (U)(middle/bits <= middle ? (U)(middle/'
mutant kth kth_digits.h 's/index ? job.row(i)\[known.from\]/false ? job.row(i)[known.from]/'
mutant kth ../src/core/jobs/kth.h 's/ranks\[i\] < n;/ranks[i] <= n;/'
mutant sort rank.h 's/if (magnitude > locus_infinity_bits(E::dtype)) return/if (false) return/'
mutant index index.cu 's/+= j - i/= j - i/'
mutant compare compare.cu 's/return EXACT(a, relation, b)/return (double)a relation b/'
mutant compare compare.cu 's/swapped ? mirrored(job.op\[i\]) : job.op\[i\]/job.op[i]/'
mutant nonzero mask.cu 's/locus_nonzero_bits(in.dtype)/UINT64_MAX/'
mutant searchsorted search_probe.h 's/!(value < back)/value == back/'
mutant searchsorted search_probe.h 's/magnitude > infinity ? infinity :/false ? infinity :/'
mutant searchsorted search_probe.h 's/through && key != key/false/'
mutant searchsorted search_probe.h 's/if (value > high) return {high, true};//'
mutant searchsorted search_probe.h 's/magnitude == 0 ? sign | 1 :/false ? 0 :/'
mutant searchsorted search_probe.h 's/!EXACT(value, <, back)/!((double)value < back)/'
mutant where where.cu 's/(wanted ? t.word\[i\] : ~t.word\[i\]) \& used/t.word[i] \& used/'
mutant where where.cu 's/0x1100 + 0x1111 \* within/0x1100/'

# Without a defect the tests pass, all or those that are asked for.
# shellcheck disable=SC2086 # one word per test
sh cuda/test/run build $chosen >log 2>&1 || { cat log; exit 1; }
xargs -0 -n 3 -P "$(getconf _NPROCESSORS_ONLN)" sh cuda/test/mutants.sh one <defects
