/* SPDX-License-Identifier: MIT */
/* Files that are written beside others. If the system can (O_TMPFILE), the new file has no name
** until it is complete, so a killed program leaves nothing behind. Elsewhere it is
** "name.0123456789abcdef.writing". */
#ifdef __linux__
#define _GNU_SOURCE /* O_TMPFILE */
#endif
#include "core/system/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_LINKS = 40, MOST_TRIES = 100, LONGEST_KEPT = 200 };

/* -- Where a path leads ------------------------------------------------------------------------ */

/* Splits a path into its folder, which takes its place, and the name behind it; NULL: it has no
** name that a file could have. */
static const char *split(char *path, char *name)
{
  char *slash = strrchr(path, '/');
  const char *last = slash ? slash + 1 : path;

  if (!*last || strlen(last) >= LOCUS_NAME_ROOM || !strcmp(last, ".") || !strcmp(last, ".."))
    return NULL;
  strcpy(name, last);
  if (!slash) strcpy(path, ".");
  else slash[slash == path] = '\0';
  return name;
}

/* Whether the links in a folder name open files, beside which no file can be made. */
static bool has_open_files(const char *folder)
{
  char real[PATH_MAX];

  if (!realpath(folder, real)) return false;
  return !strncmp(real, "/proc/", 6) || !strncmp(real, "/dev/fd", 7);
}

/* Follows a link of that name in that folder, if it is one: the path becomes the link's target. 1
** if it followed a link, 0 if there is none, -1 if the link leads nowhere or to an open file. */
static int follow(char *path)
{
  char folder[PATH_MAX], name[LOCUS_NAME_ROOM], target[PATH_MAX];
  struct stat status;

  if (lstat(path, &status) || !S_ISLNK(status.st_mode)) return 0;
  strcpy(folder, path);
  if (!split(folder, name) || has_open_files(folder)) return -1;
  const ssize_t length = readlink(path, target, sizeof target - 1);
  if (length <= 0) return -1;
  target[length] = '\0';
  if (target[0] == '/') {
    strcpy(path, target);
    return 1;
  }
  const size_t before = strlen(folder);
  if (before + 1 + (size_t)length >= PATH_MAX) return -1;
  memcpy(path, folder, before);
  path[before] = '/';
  strcpy(path + before + 1, target);
  return 1;
}

/* -- The new file ------------------------------------------------------------------------------ */

/* A name that no file in the folder has, most likely. */
static void choose_name(locus_replacement *r)
{
  static uint64_t calls;
  struct timespec now;

  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t word = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  word ^= (uint64_t)getpid() << 40 ^ __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) << 24;
  word *= 0x9E3779B97F4A7C15;
  const bool fits = strlen(r->name) <= LONGEST_KEPT;
  snprintf(r->beside, sizeof r->beside, "%.*s%s%016llx.writing", LONGEST_KEPT, fits ? r->name : "",
           fits ? "." : "", (unsigned long long)word);
}

static int open_nameless(const locus_replacement *r, mode_t mode)
{
#ifdef O_TMPFILE
  if (access("/proc/self/fd", X_OK) == 0)
    return openat(r->folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
#endif
  (void)r, (void)mode;
  return -1;
}

/* No other user may read the new file before it has the permissions of the old one. */
static locus_place open_beside(locus_replacement *r)
{
  const mode_t mode = r->replaces ? 0600 : 0666;

  r->is_open = true;
  r->file = open_nameless(r, mode);
  for (int i = 0; r->file < 0 && i < MOST_TRIES; i++) {
    choose_name(r);
    r->file = openat(r->folder, r->beside, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode);
    if (r->file < 0 && errno != EEXIST) break;
  }
  if (r->file >= 0) return LOCUS_BESIDE;
  const int reason = errno;
  r->beside[0] = '\0';
  locus_replacement_drop(r);
  errno = reason;
  return LOCUS_NOWHERE;
}

/* Examines the file of that name; the folder is open. */
static locus_place look(locus_replacement *r)
{
  r->replaces = fstatat(r->folder, r->name, &r->status, AT_SYMLINK_NOFOLLOW) == 0;
  if (!r->replaces) return errno == ENOENT ? LOCUS_BESIDE : LOCUS_NOWHERE;
  if (!S_ISREG(r->status.st_mode)) return LOCUS_IN_PLACE;
  r->replaces = faccessat(r->folder, r->name, W_OK, AT_EACCESS) == 0;
  return r->replaces ? LOCUS_BESIDE : LOCUS_NOWHERE;
}

static locus_place begin(locus_replacement *r)
{
  const locus_place place = look(r);

  if (place == LOCUS_BESIDE) return open_beside(r);
  const int reason = errno;
  close(r->folder);
  errno = reason;
  return place;
}

locus_place locus_replacement_begin_in(locus_replacement *r, int folder, const char *name)
{
  if (strlen(name) >= LOCUS_NAME_ROOM) {
    errno = ENAMETOOLONG;
    return LOCUS_NOWHERE;
  }
  strcpy(r->name, name);
  r->folder = fcntl(folder, F_DUPFD_CLOEXEC, 0);
  return r->folder < 0 ? LOCUS_NOWHERE : begin(r);
}

locus_place locus_replacement_begin(locus_replacement *r, const char *path)
{
  char place[PATH_MAX];
  int followed = 1;

  if (strlen(path) >= PATH_MAX) return LOCUS_IN_PLACE; /* which cannot be opened */
  strcpy(place, path);
  for (int i = 0; followed == 1 && i < MOST_LINKS; i++) followed = follow(place);
  if (followed || !split(place, r->name)) return LOCUS_IN_PLACE;
  if (has_open_files(place)) return LOCUS_IN_PLACE;
  r->folder = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return r->folder < 0 ? LOCUS_NOWHERE : begin(r);
}

/* -- Its place --------------------------------------------------------------------------------- */

/* Permissions that come with an owner are not given to another. */
static int keep_permissions(const locus_replacement *r)
{
  struct stat own;
  mode_t mode = r->status.st_mode & 07777;

  if (!r->replaces) return 0;
  if (fstat(r->file, &own)) return -1;
  const bool other = own.st_uid != r->status.st_uid || own.st_gid != r->status.st_gid;
  if (other && fchown(r->file, r->status.st_uid, r->status.st_gid) &&
      fchown(r->file, (uid_t)-1, r->status.st_gid))
    mode &= ~(mode_t)(S_ISUID | S_ISGID);
  return fchmod(r->file, mode);
}

/* Gives the new file a name. */
static int link_beside(locus_replacement *r)
{
  char open_file[64];

  if (r->beside[0]) return 0;
  snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", r->file);
  for (int i = 0; i < MOST_TRIES; i++) {
    choose_name(r);
    if (linkat(AT_FDCWD, open_file, r->folder, r->beside, AT_SYMLINK_FOLLOW) == 0) return 0;
    if (errno != EEXIST) break;
  }
  const int reason = errno;
  r->beside[0] = '\0';
  errno = reason;
  return -1;
}

/* Waits until the disk has the folder; some systems cannot be asked that. */
static int sync_folder(int folder)
{
  if (fsync(folder) == 0 || errno != EIO) return 0;
  return -1;
}

static int publish(locus_replacement *r, locus_sync sync)
{
  if (keep_permissions(r) || (sync && fsync(r->file)) || link_beside(r) ||
      renameat(r->folder, r->beside, r->folder, r->name))
    return -1;
  r->beside[0] = '\0';
  return sync == LOCUS_SYNC ? sync_folder(r->folder) : 0;
}

int locus_replacement_publish(locus_replacement *r, locus_sync sync)
{
  const int reason = publish(r, sync) ? errno : 0;

  locus_replacement_drop(r);
  return reason;
}

void locus_replacement_drop(locus_replacement *r)
{
  if (!r->is_open) return;
  if (r->beside[0]) unlinkat(r->folder, r->beside, 0);
  if (r->file >= 0) close(r->file);
  close(r->folder);
  r->is_open = false;
}
