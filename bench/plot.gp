# SPDX-License-Identifier: MIT
# Draws plot.dat of a results folder, four blocks of: size, locus, PyTorch, NumPy, limit.
# gnuplot -c bench/plot.gp FOLDER TITLE
folder = ARG1
data = folder . "/plot.dat"
set datafile missing "NaN"
set logscale xy
set format x "10^{%L}"
set format y "%g"
set grid xtics ytics lc rgb "#e4e4e4" lw 0.6
set border 3 lc rgb "#808080"
set tics nomirror scale 0.5 tc rgb "#404040"
set lmargin 9
set rmargin 3
array titles[4] = ["searchsorted: float32, 10^{6} random values", "nonzero: bool, density 0.1", \
                   "where: float32, random condition", "argsort: float32, stable"]
array units[4] = ["ns per value", "ns per element", "ns per element", "ns per element"]
array sizes[4] = ["length of the sequence", "elements", "elements", "elements"]

do for [format in "svg png"] {
  if (format eq "svg") {
    set terminal svg size 1000,760 font "sans-serif,13" background "#ffffff"
  } else {
    set terminal pngcairo size 1000,760 font "sans-serif,11" background "#ffffff"
  }
  set output folder . "/plot." . format
  set multiplot layout 2,2 title ARG2 noenhanced
  do for [panel = 1:4] {
    set title titles[panel] enhanced
    set xlabel sizes[panel] offset 0,0.4
    set ylabel units[panel] offset 1
    if (panel == 1) { set key top left reverse Left samplen 2; set yrange [*:10000<*] } else { unset key; set yrange [*:*] }
    plot data index panel - 1 using 1:4 with linespoints pt 7 ps 0.6 lw 1.6 lc rgb "#4c9f70" title "NumPy", \
         "" index panel - 1 using 1:3 with linespoints pt 7 ps 0.6 lw 1.6 lc rgb "#e07b39" title "PyTorch", \
         "" index panel - 1 using 1:2 with linespoints pt 7 ps 0.7 lw 2.6 lc rgb "#1f4e9c" title "locus", \
         "" index panel - 1 using 1:5 with lines dt 2 lw 1.2 lc rgb "#404040" title "limit of the machine"
  }
  unset multiplot
  unset output
}
