/* SPDX-License-Identifier: MIT */
/* Whole files that replace others in one step. A new file is written beside the old one, synced to
** the disk, and renamed. Programs that read, map or copy the old one keep it, and it stays in its
** place until the new one is complete. */
#ifndef LOCUS_REPLACE_H
#define LOCUS_REPLACE_H

#include <limits.h>
#include <sys/stat.h>

#include "core/error.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

enum { LOCUS_NAME_ROOM = 256 }; /* of the name of a file, with its zero */

/* Cleared before it begins. */
typedef struct locus_replacement {
  int folder, file;       /* descriptors, while `is_open` */
  bool is_open, replaces; /* whether there is an old file to replace, of that `status` */
  struct stat status;
  char name[LOCUS_NAME_ROOM];   /* of the file, within its folder */
  char beside[LOCUS_NAME_ROOM]; /* of the new one; "": it has none yet */
} locus_replacement;

typedef enum locus_place {
  LOCUS_BESIDE,   /* a regular file, or none: file is the new one, open for writing */
  LOCUS_IN_PLACE, /* a pipe, a device, an open file of /proc: written to as it is */
  LOCUS_NOWHERE,  /* it cannot be: errno says why */
} locus_place;

/* Begins a new file for that path. A symbolic link is followed: its target is replaced, the link
** stays. A file that may not be written to is not replaced. */
locus_place locus_replacement_begin(locus_replacement *r, const char *path);
/* The same for a name in an open folder, where no link is followed. */
locus_place locus_replacement_begin_in(locus_replacement *r, int folder, const char *name);

/* The data to sync: nothing; the file, before it is renamed; the file and its folder. */
typedef enum locus_sync { LOCUS_NO_SYNC, LOCUS_SYNC_FILE, LOCUS_SYNC } locus_sync;

/* Puts the file in its place, with the permissions and, if that is allowed, the owner of the old
** one. Returns 0 or the system's error number, and closes both. */
int locus_replacement_publish(locus_replacement *r, locus_sync sync);
/* Removes the new file, if it has not been published. */
void locus_replacement_drop(locus_replacement *r);

#endif
