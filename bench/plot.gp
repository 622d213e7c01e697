# SPDX-License-Identifier: MIT
# Draws plot.dat of a results folder, for each of these panels a block of: size, locus, PyTorch,
# NumPy, limit. gnuplot -c bench/plot.gp FOLDER TITLE "1 2 3 4"
folder = ARG1
panels = words(ARG3)
rows = (panels + 1) / 2
data = folder . "/plot.dat"
load "bench/style.gp"
set logscale xy
set format x "10^{%L}"
set format y "%g"
array titles[4] = ["searchsorted: float32, 10^{6} random values", "nonzero: bool, density 0.1", \
                   "where: float32, random condition", "argsort: float32, stable"]
array names[4] = ["locus", "PyTorch", "NumPy", "limit of the machine"]
array units[4] = ["ns per value", "ns per element", "ns per element", "ns per element"]
array sizes[4] = ["length of the sequence", "elements", "elements", "elements"]

do for [format in "svg png"] {
  if (format eq "svg") {
    set terminal svg size 1000,380 * rows font "sans-serif,13" background "#ffffff"
  } else {
    set terminal pngcairo size 1000,380 * rows font "sans-serif,11" background "#ffffff"
  }
  set output folder . "/plot." . format
  set multiplot layout rows,2 title ARG2 . "\n " noenhanced
  do for [line = 1:4] {
    set label line "{/:Bold ".names[line]."}" at screen 0.1 + 0.16 * line, \
      screen 1 - 0.09 / rows center tc rgb colours[line]
  }
  do for [block = 0:panels - 1] {
    panel = word(ARG3, block + 1) + 0
    set title titles[panel] enhanced
    set xlabel sizes[panel] offset 0,0.4
    set ylabel units[panel] offset 1
    plot for [line = 1:4] data index block using 1:line + 1 pt line < 4 ? 7 : 0 \
      dt line < 4 ? 1 : 2 lw line == 1 ? 2.6 : 1.5 lc rgb colours[line]
    unset label
  }
  unset multiplot
  unset output
}
