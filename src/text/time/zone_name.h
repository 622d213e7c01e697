/* SPDX-License-Identifier: MIT */
/* The names of time zones. */
#ifndef LOCUS_TEXT_ZONE_NAME_H
#define LOCUS_TEXT_ZONE_NAME_H

#include "text/time/zone.h"

/* The zone of a name. It is a file in the folder that the environment variable TZDIR names, or in
** /usr/share/zoneinfo: Europe/Berlin. "UTC" needs no file. +05:30 is always as far ahead;
** CET-1CEST,M3.5.0,M10.5.0/3 is a rule of POSIX; "local" is the one of the environment variable TZ,
** or of this machine. */
int locus_zone_open(const char *name, time_zone **zone, locus_context *cx);

/* Whether all bytes may be in a name: those of files and rules, which are printable. */
bool locus_is_zone_name(const char *name);

/* The bytes on which the answer of locus_zone_open depends besides the name: TZDIR, or for "local"
** TZ too, as one text, cut where there is no room. */
enum { ZONE_PLACE = 512 };
void locus_zone_place(const char *name, char place[ZONE_PLACE]);

#endif
