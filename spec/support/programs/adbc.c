/* SPDX-License-Identifier: MIT */
/* A driver of ADBC for specs: it counts what lives and what is released in the wrong order, and
** fails where it is told to. "rows 5 2" is a query of 2 batches of 5 rows, "bound" gives the values
** back that were bound. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/exchange/arrow.h"

typedef uint8_t status;
typedef struct failure {
  char *message;
  int32_t vendor_code;
  char sqlstate[5];
  void (*release)(struct failure *);
} failure;
typedef struct object {
  void *data, *driver;
} object;
typedef struct stream {
  int (*get_schema)(struct stream *, locus_arrow_schema *);
  int (*get_next)(struct stream *, locus_arrow_array *);
  const char *(*get_last_error)(struct stream *);
  void (*release)(struct stream *);
  void *private_data;
} stream;
/* Of a database or a connection only the first two. */
typedef struct statement {
  int64_t below; /* how many hang on it */
  struct statement *parent;
  char query[200], table[100], mode[100];
  locus_arrow_array bound;
  locus_arrow_schema bound_schema;
} statement;

enum { DATABASE, CONNECTION, STATEMENT, STREAM, ARRAY, SCHEMA, FAILURE, KINDS };
static int live[KINDS], disorder, newest = 1001000, left;
static char failing[100], notes[20000];

int fake_live(int kind)
{
  return live[kind];
}
int fake_disorder(void)
{
  return disorder;
}
void fake_version(int version)
{
  newest = version;
}
const char *fake_notes(void)
{
  return notes;
}
void fake_forget(void)
{
  notes[0] = 0;
}

/* The function of that name fails at its n-th call from now on, and at all later ones. */
void fake_fail(const char *name, int n)
{
  snprintf(failing, sizeof failing, "%s", name);
  left = n;
}

static void note(const char *what, const char *more)
{
  const size_t used = strlen(notes);
  snprintf(notes + used, sizeof notes - used, "%s%s%s;", what, *more ? " " : "", more);
}

static void release_failure(failure *f)
{
  free(f->message);
  live[FAILURE]--;
  f->release = NULL;
}

static int fails(const char *name)
{
  return !strcmp(failing, name) && --left <= 0;
}

static status done(const char *name, failure *f)
{
  note(name, "");
  if (!fails(name)) return 0;
  char text[200];
  snprintf(text, sizeof text, "alas,\n  %s failed.\n", name);
  f->message = strdup(text);
  memcpy(f->sqlstate, "42P01", 5);
  f->release = release_failure;
  live[FAILURE]++;
  return 9;
}

/* -- Databases and connections ----------------------------------------------------------------- */

/* Hangs an object on another one. */
static void hang(object *o, object *on)
{
  statement *s = o->data;
  s->parent = on->data;
  if (s->parent) s->parent->below++;
  else disorder++;
}

static status begin(const char *name, object *o, int kind, failure *f)
{
  const status s = done(name, f);
  if (s) return s;
  o->data = calloc(1, sizeof(statement));
  live[kind]++;
  return 0;
}

static status end(const char *name, object *o, int kind, failure *f)
{
  statement *s = o->data;
  if (!s || s->below) disorder++;
  if (s && s->parent) s->parent->below--;
  free(s);
  o->data = NULL;
  live[kind]--;
  return done(name, f);
}

static status database_new(object *o, failure *f)
{
  return begin("DatabaseNew", o, DATABASE, f);
}
static status database_init(object *o, failure *f)
{
  return (void)o, done("DatabaseInit", f);
}
static status database_release(object *o, failure *f)
{
  return end("DatabaseRelease", o, DATABASE, f);
}
static status database_set(object *o, const char *name, const char *value, failure *f)
{
  (void)o, note(name, value);
  return done("DatabaseSetOption", f);
}
static status connection_new(object *o, failure *f)
{
  return begin("ConnectionNew", o, CONNECTION, f);
}
static status connection_init(object *o, object *database, failure *f)
{
  const status s = done("ConnectionInit", f);
  if (!s) hang(o, database);
  return s;
}
static status connection_release(object *o, failure *f)
{
  return end("ConnectionRelease", o, CONNECTION, f);
}
static status connection_set(object *o, const char *name, const char *value, failure *f)
{
  (void)o, note(name, value);
  return done("ConnectionSetOption", f);
}
static status commit(object *o, failure *f)
{
  return (void)o, done("ConnectionCommit", f);
}
static status rollback(object *o, failure *f)
{
  return (void)o, done("ConnectionRollback", f);
}

/* -- Arrays ------------------------------------------------------------------------------------ */

static void release_schema(locus_arrow_schema *s)
{
  for (int i = 0; i < s->n_children; i++) s->children[i]->release(s->children[i]);
  if (s->n_children) free(s->children[0]), free(s->children);
  live[SCHEMA]--;
  s->release = NULL;
}

static void release_array(locus_arrow_array *a)
{
  for (int i = 0; i < a->n_children; i++) a->children[i]->release(a->children[i]);
  if (a->n_children) free(a->children[0]), free(a->children);
  free(a->private_data);
  free(a->buffers);
  live[ARRAY]--;
  a->release = NULL;
}

static void describe(locus_arrow_schema *s, const char *format, const char *name)
{
  *s = (locus_arrow_schema){.format = format, .name = name, .release = release_schema};
  live[SCHEMA]++;
}

static void fill(locus_arrow_array *a, int64_t rows, int64_t buffers)
{
  *a = (locus_arrow_array){.length = rows, .n_buffers = buffers, .release = release_array};
  a->buffers = calloc((size_t)buffers, sizeof *a->buffers);
  live[ARRAY]++;
}

/* Rows of one column, the whole numbers from `first` on. */
static void batch(locus_arrow_array *a, int64_t rows, int64_t first)
{
  int64_t *values = malloc((size_t)(rows ? rows : 1) * sizeof *values);
  for (int64_t i = 0; i < rows; i++) values[i] = first + i;
  fill(a, rows, 1);
  a->n_children = 1;
  a->children = malloc(sizeof *a->children);
  a->children[0] = malloc(sizeof *a);
  fill(a->children[0], rows, 2);
  a->children[0]->buffers[1] = a->children[0]->private_data = values;
}

/* -- Streams ----------------------------------------------------------------------------------- */

typedef struct reading {
  int64_t rows, batches, given;
  statement *of;
  bool is_bound; /* whether its bound values are the rows */
} reading;

static int get_schema(stream *s, locus_arrow_schema *to)
{
  reading *r = s->private_data;
  if (!r) return disorder++, 5;
  if (fails("get_schema")) return 5;
  describe(to, "+s", "");
  if (r->is_bound) {
    live[SCHEMA]--;
    *to = r->of->bound_schema; /* which is asked for once */
    r->of->bound_schema.release = NULL;
    return 0;
  }
  to->n_children = 1;
  to->children = malloc(sizeof *to->children);
  to->children[0] = malloc(sizeof *to);
  describe(to->children[0], "l", "i");
  return 0;
}

static int get_next(stream *s, locus_arrow_array *to)
{
  reading *r = s->private_data;
  if (!r) return disorder++, 5;
  if (fails("get_next")) return 5;
  to->release = NULL;
  if (r->given >= r->batches) return 0;
  if (r->is_bound) {
    *to = r->of->bound;
    r->of->bound.release = NULL;
  } else {
    batch(to, r->rows, r->given * r->rows + 1);
  }
  r->given++;
  return 0;
}

static const char *last_error(stream *s)
{
  return (void)s, "the rows\n are gone";
}

static void release_stream(stream *s)
{
  reading *r = s->private_data;
  r->of->below--;
  free(r);
  s->private_data = NULL;
  live[STREAM]--;
  s->release = NULL;
  note("release stream", "");
}

/* -- Statements -------------------------------------------------------------------------------- */

static status statement_new(object *connection, object *o, failure *f)
{
  const status s = begin("StatementNew", o, STATEMENT, f);
  if (!s) hang(o, connection);
  return s;
}

static void unbind(statement *s)
{
  if (s->bound.release) s->bound.release(&s->bound);
  if (s->bound_schema.release) s->bound_schema.release(&s->bound_schema);
}

static status statement_release(object *o, failure *f)
{
  unbind(o->data);
  return end("StatementRelease", o, STATEMENT, f);
}

static status set_query(object *o, const char *query, failure *f)
{
  statement *s = o->data;
  snprintf(s->query, sizeof s->query, "%s", query);
  return done("StatementSetSqlQuery", f);
}

static status set_option(object *o, const char *name, const char *value, failure *f)
{
  statement *s = o->data;
  if (!strcmp(name, "adbc.ingest.target_table")) snprintf(s->table, sizeof s->table, "%s", value);
  if (!strcmp(name, "adbc.ingest.mode")) snprintf(s->mode, sizeof s->mode, "%s", value);
  note(name, value);
  return done("StatementSetOption", f);
}

static status prepare(object *o, failure *f)
{
  return (void)o, done("StatementPrepare", f);
}

static status bind(object *o, locus_arrow_array *a, locus_arrow_schema *schema, failure *f)
{
  statement *s = o->data;
  const status failed = done("StatementBind", f);
  if (failed) return failed;
  unbind(s);
  s->bound = *a;
  s->bound_schema = *schema;
  a->release = NULL;
  schema->release = NULL;
  return 0;
}

static status execute(object *o, stream *out, int64_t *changed, failure *f)
{
  statement *s = o->data;
  reading r = {0, 0, 0, s, !strcmp(s->query, "bound")};
  const status failed = done("StatementExecuteQuery", f);
  if (failed) return failed;
  if (s->table[0]) {
    char text[30];
    snprintf(text, sizeof text, "%lld", (long long)s->bound.length);
    note("ingested", text);
  }
  *changed = strcmp(s->query, "unknown") ? 3 : -1;
  if (!out) return 0;
  long long rows = 0, batches = 0;
  sscanf(s->query, "rows %lld %lld", &rows, &batches);
  r.rows = rows, r.batches = r.is_bound ? 1 : batches;
  *out = (stream){get_schema, get_next, last_error, release_stream, malloc(sizeof r)};
  memcpy(out->private_data, &r, sizeof r);
  live[STREAM]++;
  s->below++;
  return 0;
}

/* -- The driver -------------------------------------------------------------------------------- */

status AdbcDriverInit(int version, void *driver, failure *f)
{
  void (**table)(void) = driver;
#define AT(place, function) table[place] = (void (*)(void))function
  note("init", version == 1001000 ? "1.1" : "1.0");
  if (version > newest) return 2;
  const status failed = done("AdbcDriverInit", f);
  if (failed) return failed;
  memset(driver, 0, version == 1001000 ? 464 : 232);
  AT(3, database_init), AT(4, database_new), AT(5, database_set), AT(6, database_release);
  AT(7, commit), AT(12, connection_init), AT(13, connection_new), AT(14, connection_set);
  AT(16, connection_release), AT(17, rollback), AT(18, bind), AT(20, execute);
  AT(23, statement_new), AT(24, prepare), AT(25, statement_release), AT(26, set_option);
  AT(27, set_query);
  return 0;
}
