/* SPDX-License-Identifier: MIT */
/* Names of zones: files of the system, offsets, rules. */
#include "text/time/zone_name.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "text/time/moment.h"
#include "text/time/rule.h"
#include "text/time/tzif.h"

enum { MOST_BYTES = 1 << 20, MOST_NAME = 255, MOST_PATH = 1024 };

static const char *folder(void)
{
  const char *const named = getenv("TZDIR");
  return named && *named ? named : "/usr/share/zoneinfo";
}

void locus_zone_place(const char *name, char place[ZONE_PLACE])
{
  const char *const tz = strcmp(name, "local") == 0 ? getenv("TZ") : NULL;
  snprintf(place, ZONE_PLACE, "%s\n%s", folder(), tz ? tz : "-");
}

/* -- Zones without a file ---------------------------------------------------------------------- */

static int make_rule(const time_rule *rule, time_zone **zone, locus_context *cx)
{
  int64_t at[RULE_CHANGES], cycle;
  int32_t ahead[RULE_CHANGES + 1];
  zone_changes changes = {0, RULE_CHANGES, at, ahead};
  bool always;

  locus_rule_add(rule, INT64_MIN, &changes, &cycle, &always);
  return locus_zone_make(&changes, cycle, always, zone, cx);
}

/* +05:30, or a rule; *is says whether the name is one. The sign of UTC+2 is the other way round in
** POSIX than people mean it, so that is none. */
static int open_rule(const char *name, bool *is, time_zone **zone, locus_context *cx)
{
  const char *const end = name + strlen(name), *place;
  time_rule rule = {0};
  int64_t ahead;

  *is = (*name == '+' || *name == '-') && locus_take_offset(name, end, &ahead) == end;
  if (*is) rule.standard = (int32_t)ahead;
  else *is = locus_parse_rule(name, end, &rule, &place) == NULL;
  if (!*is) return 0;
  if (strncmp(name, "UTC", 3) == 0 || strncmp(name, "GMT", 3) == 0) {
    if (rule.standard == 0 && !rule.changes) return make_rule(&rule, zone, cx);
    return locus_fail(cx,
                      "zone '%s' means the opposite to POSIX: write '+02:00' for 2 hours ahead "
                      "of UTC",
                      name);
  }
  return make_rule(&rule, zone, cx);
}

/* -- Files ------------------------------------------------------------------------------------- */

/* Reads all of the file; *size is negative where it cannot be, errno says why. */
static int read_file(const char *path, unsigned char *bytes, int64_t room, int64_t *size)
{
  struct stat about;
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe does not make us wait */
  ssize_t count = -1;

  *size = -1;
  if (file < 0) return errno;
  int reason = fstat(file, &about) ? errno : S_ISREG(about.st_mode) ? 0 : EISDIR;
  if (reason == 0) {
    int64_t length = 0;
    while ((count = read(file, bytes + length, (size_t)(room - length))) > 0) length += count;
    if (count < 0) reason = errno;
    else *size = length;
  }
  close(file);
  return reason;
}

static int fail_file(const char *name, const char *path, int reason, locus_context *cx)
{
  struct stat about;

  if (reason == EISDIR)
    return locus_fail(cx, "zone '%s' is no file: %s; write a name such as Europe/Berlin", name,
                      path);
  if (reason != ENOENT && reason != ENOTDIR)
    return locus_fail(cx, "cannot read zone '%s' from %s: %s", name, path, strerror(reason));
  if (stat(folder(), &about))
    return locus_fail(cx,
                      "cannot read zone '%s': there is no folder %s; install the package tzdata, "
                      "or name the folder of zones in TZDIR",
                      name, folder());
  return locus_fail(cx,
                    "zone '%s' is unknown: there is no file %s (the package tzdata has the zones, "
                    "tzdata-legacy old names such as US/Eastern)",
                    name, path);
}

static int open_file(const char *name, const char *path, time_zone **zone, locus_context *cx)
{
  unsigned char *const bytes = locus_memory_alloc(MOST_BYTES + 1);
  int64_t size;
  int status;

  if (!bytes) return locus_fail_memory(cx, MOST_BYTES + 1);
  const int reason = read_file(path, bytes, MOST_BYTES + 1, &size);
  if (reason) status = fail_file(name, path, reason, cx);
  else if (size > MOST_BYTES)
    status =
        locus_fail(cx, "%s is no file of a time zone: it has more than %d bytes", path, MOST_BYTES);
  else status = locus_tzif_parse(bytes, size, path, zone, cx);
  locus_memory_free(bytes, MOST_BYTES + 1);
  return status;
}

/* Whether no part of the name is "..", ".", or empty. */
static bool stays_inside(const char *name)
{
  for (const char *at = name;; at++) {
    const size_t length = strcspn(at, "/");
    if (length == 0 || (length <= 2 && strspn(at, ".") >= length)) return false;
    at += length;
    if (!*at) return true;
  }
}

static int open_local(time_zone **zone, locus_context *cx)
{
  const char *tz = getenv("TZ");
  struct stat about;

  if (tz && *tz == ':') tz++;
  if (tz && *tz == '/') return open_file("local", tz, zone, cx);
  if (tz && !locus_is_zone_name(*tz ? tz : "UTC"))
    return locus_fail(cx, "the environment variable TZ is no name of a zone");
  if (tz && strcmp(tz, "local") != 0) return locus_zone_open(*tz ? tz : "UTC", zone, cx);
  if (stat("/etc/localtime", &about)) return locus_zone_open("UTC", zone, cx);
  return open_file("local", "/etc/localtime", zone, cx);
}

bool locus_is_zone_name(const char *name)
{
  const size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                     "0123456789+-_/.,:<>");
  return length > 0 && length <= MOST_NAME && !name[length];
}

int locus_zone_open(const char *name, time_zone **zone, locus_context *cx)
{
  char path[MOST_PATH];
  struct stat about;
  bool is = false;

  if (strcmp(name, "local") == 0) return open_local(zone, cx);
  if (strcmp(name, "UTC") == 0) return open_rule("UTC0", &is, zone, cx);
  const bool inside = stays_inside(name);
  if (inside && snprintf(path, sizeof path, "%s/%s", folder(), name) >= (int)sizeof path)
    return locus_fail(cx, "the path of zone '%s' is too long", name);
  if (inside && stat(path, &about) == 0) return open_file(name, path, zone, cx);
  LOCUS_TRY(open_rule(name, &is, zone, cx));
  if (is) return 0;
  if (inside) return open_file(name, path, zone, cx);
  return locus_fail(cx, "zone '%s' is outside of %s: write a name such as Europe/Berlin", name,
                    folder());
}
