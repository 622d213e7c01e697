# SPDX-License-Identifier: MIT
# Draws plot.dat of a results folder, a block for each panel, of: place, name, ms in locus, PyTorch,
# CuPy, CUB, and the floor. gnuplot -c bench/cuda/plot.gp FOLDER TITLE
folder = ARG1
data = folder . "/plot.dat"
load "bench/style.gp"
array names[5] = ["locus", "PyTorch", "CuPy", "floor", "CUB, Thrust"]
array columns[5] = [3, 4, 5, 7, 6]
set style fill solid
set ylabel "ms" offset 1

do for [format in "svg png"] {
  if (format eq "svg") {
    set terminal svg size 1000,760 font "sans-serif,13" background "#ffffff"
  } else {
    set terminal pngcairo size 1000,760 font "sans-serif,11" background "#ffffff"
  }
  set output folder . "/plot." . format
  set multiplot layout 2,2 title ARG2 . "\n " noenhanced
  do for [line = 1:5] {
    set label line "{/:Bold ".names[line]."}" at screen 0.1 + 0.14 * line, screen 0.955 center \
      tc rgb colours[line]
  }
  set logscale xy
  set format x "10^{%L}"
  set xlabel "keys" offset 0,0.4
  set title "searchsorted: float32, 10^{8} random values, into out"
  plot for [line = 1:5] data index 0 using 1:columns[line] pt line == 4 ? 0 : 7 \
    dt line == 4 ? 2 : 1 lw line == 1 ? 2.6 : 1.5 lc rgb colours[line]
  unset label
  unset logscale
  set yrange [0:*]
  set format x "%g"
  set xlabel "density"
  set title "nonzero: bool, 10^{9} elements, fresh"
  plot for [line = 1:5] data index 1 using 1:columns[line] pt line == 4 ? 0 : 7 \
    dt line == 4 ? 2 : 1 lw line == 1 ? 2.6 : 1.5 lc rgb colours[line]
  set xrange [0.5:5.5]
  unset xlabel
  set origin 0,0
  set size 1,0.47
  set title "where: float32, 10^{9} elements, into out"
  plot data index 2 using 1:3:xtic(2) with dots lc rgb "#ffffff", \
    for [line = 1:5] "" index 2 using ($1 + 0.15 * (line - 3)):columns[line]:(0.13) \
    with boxes lc rgb colours[line]
  set xrange [*:*]
  set yrange [*:*]
  unset multiplot
  unset output
}
