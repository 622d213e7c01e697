# SPDX-License-Identifier: MIT
# How the bench's plots look; to be loaded.
set datafile missing "NaN"
set grid xtics ytics lc rgb "#e4e4e4" lw 0.6
set border 3 lc rgb "#808080"
set tics nomirror scale 0.5 tc rgb "#404040"
set style data linespoints
set pointsize 0.6
unset key
set lmargin 9
set rmargin 3
array colours[5] = ["#1f4e9c", "#e07b39", "#4c9f70", "#404040", "#9a5bb0"]
