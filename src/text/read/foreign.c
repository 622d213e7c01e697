/* SPDX-License-Identifier: MIT */
/* A signature is long enough that no text begins with it. "PK" alone may be the name of a column,
** and so may "PAR1", behind which Parquet has a control byte. */
#include "text/read/foreign.h"

#include <string.h>

#define UTF_16 "is UTF-16: convert it to UTF-8; write io.popen(\"iconv -f UTF-16 -t UTF-8 FILE\")"
#define UTF_32 "is UTF-32: convert it to UTF-8; write io.popen(\"iconv -f UTF-32 -t UTF-8 FILE\")"
#define AS_CSV "; write it as CSV, or take its columns by locus.from_arrow_stream"
#define ARROW "is in Arrow's format" AS_CSV
#define PICKLE "is a pickle of Python's; write it as CSV, or as .npy by numpy.save"
#define TWICE(form) "is compressed twice, at last by " form "; decompress it once before"
#define PICTURE "is a picture, and no text"

typedef struct signature {
  const char *bytes;
  int length;
  const char *meaning;
} signature;

#define SIGNATURE(bytes, meaning)         \
  {                                       \
    bytes, (int)sizeof bytes - 1, meaning \
  }

/* The longer of two that begin alike comes first. */
static const signature signatures[] = {
    SIGNATURE("\xff\xfe\0\0", UTF_32),
    SIGNATURE("\0\0\xfe\xff", UTF_32),
    SIGNATURE("\xff\xfe", UTF_16),
    SIGNATURE("\xfe\xff", UTF_16),
    SIGNATURE("\x93NUMPY", "is a tensor in NumPy's format; write locus.load(path)"),
    SIGNATURE("PK\3\4", "is a zip archive; write locus.load(path) for one of NumPy's, or "
                        "io.popen(\"unzip -p FILE\") for text"),
    SIGNATURE("PK\5\6", "is an empty zip archive"),
    SIGNATURE("PAR1\1", "is Parquet" AS_CSV),
    SIGNATURE("ARROW1\1", ARROW),
    SIGNATURE("\xff\xff\xff\xff", ARROW),
    SIGNATURE("FEA1\1", ARROW),
    SIGNATURE("ORC\1", "is ORC" AS_CSV),
    SIGNATURE("Obj\1", "is Avro" AS_CSV),
    SIGNATURE("SQLite format 3\0", "is a database of SQLite; write "
                                   "io.popen(\"sqlite3 -csv -header FILE 'SELECT ...'\")"),
    SIGNATURE("\x1f\x9d", "is compressed by compress; write io.popen(\"gzip -dc FILE\")"),
    SIGNATURE("\x1f\x8b", TWICE("gzip")),
    SIGNATURE("\x28\xb5\x2f\xfd", TWICE("zstd")),
    SIGNATURE("\xfd"
              "7zXZ\0",
              TWICE("xz")),
    SIGNATURE("BZh9\x17rE8P\x90", TWICE("bzip2")),
    SIGNATURE("BZh91AY&SY", TWICE("bzip2")),
    SIGNATURE("\4\"M\x18", TWICE("lz4")),
    SIGNATURE("\2!L\x18", "is compressed by an old lz4; write io.popen(\"lz4 -dc FILE\")"),
    SIGNATURE("]\0\0\x80\0", "is compressed by lzma; write io.popen(\"xz -dc --format=lzma "
                             "FILE\")"),
    SIGNATURE("LZIP\1", "is compressed by lzip; write io.popen(\"lzip -dc FILE\")"),
    SIGNATURE("\x89LZO\0\r\n", "is compressed by lzop; write io.popen(\"lzop -dc FILE\")"),
    SIGNATURE("\xff\6\0\0sNaPpY", "is compressed by snappy; write it as gzip or zstd"),
    SIGNATURE("7z\xbc\xaf\x27\x1c", "is an archive of 7z; write io.popen(\"7z x -so FILE\")"),
    SIGNATURE("Rar!\x1a\7", "is an archive of rar; write io.popen(\"unrar p -inul FILE\")"),
    SIGNATURE("\x89HDF", "is HDF5; write it as CSV, or as .npy by numpy.save"),
    SIGNATURE("MATLAB 5.0 MAT-file", "is in MATLAB's format; write it as CSV"),
    SIGNATURE("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is a spreadsheet; save it as CSV"),
    SIGNATURE("\x80\2", PICKLE),
    SIGNATURE("\x80\3", PICKLE),
    SIGNATURE("\x80\4", PICKLE),
    SIGNATURE("\x80\5", PICKLE),
    SIGNATURE("\x89PNG", PICTURE),
    SIGNATURE("GIF89a\1", PICTURE),
    SIGNATURE("GIF87a\1", PICTURE),
    SIGNATURE("%PDF-1.", "is a PDF; write io.popen(\"pdftotext -layout FILE -\")"),
    SIGNATURE("\xff\xd8\xff", PICTURE),
    SIGNATURE("\x7f"
              "ELF",
              "is a program, and no text"),
};

/* Whether a byte matches: \1 stands for any byte that no text has behind such a word, and the 9 of
** bzip2 for a block size from 1 to 9. */
static bool fits(const signature *s, const char *bytes, int64_t i)
{
  const unsigned char byte = (unsigned char)bytes[i];

  if (s->bytes[i] == '\1')
    return byte >= 0x80 || (byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r');
  if (s->bytes[i] == '9') return byte >= '1' && byte <= '9';
  return bytes[i] == s->bytes[i];
}

/* Archives of tar begin with the name of a file, and have their mark behind it. */
static bool is_tar(const char *bytes, int64_t count)
{
  enum { PLACE = 257, LENGTH = 5 };
  return count >= PLACE + LENGTH && memcmp(bytes + PLACE, "ustar", LENGTH) == 0 &&
         memchr(bytes, 0, PLACE);
}

const char *locus_foreign(const char *bytes, int64_t count, bool ended, bool *undecided)
{
  *undecided = false;
  if (is_tar(bytes, count)) return "is a tar archive; write io.popen(\"tar -xOf FILE\")";
  for (size_t k = 0; k < sizeof signatures / sizeof *signatures; k++) {
    const signature *s = &signatures[k];
    int64_t same = 0;
    if (count > 0 && bytes[0] != s->bytes[0]) continue; /* which is no \1 and no 9 */
    while (same < count && same < s->length && fits(s, bytes, same)) same++;
    if (same == s->length && !*undecided) return s->meaning;
    if (same == count && !ended) *undecided = true;
  }
  return NULL;
}

void locus_foreign_begin(uint8_t places[256])
{
  for (int byte = 0; byte < 256; byte++) {
    const char each[] = {(char)byte, (char)byte, (char)byte};
    for (size_t k = 0; k < sizeof signatures / sizeof *signatures; k++)
      for (int i = 0; i < FOREIGN_FIRST; i++)
        if (i >= signatures[k].length || fits(&signatures[k], each, i))
          places[byte] = (uint8_t)(places[byte] | 1 << i);
  }
}
