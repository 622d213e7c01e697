#!/bin/sh
# SPDX-License-Identifier: MIT
# Guess: Text that somebody appended to a .gz file by >> is an error to readers of gzip.
# Seen: gzip's own tool warns; Python's gzip and isal 1.9.1 raise. indexed_gzip 1.10.3 and
# rapidgzip 0.16.2 end at the last whole member as if the file ended there, and deflate 0.9.0 ends
# at the first member, even where a whole one follows.
# Where: RFC 1952, section 2.2: members follow one another with nothing between them.
# For users: Rows that were appended after compression are lost without a word. locus names the
# offset.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check indexed_gzip==1.10.3 rapidgzip==0.16.2 deflate==0.9.0 isal==1.9.1
cd "$folder"
venv/bin/python - >seen <<'END'
import gzip, deflate, indexed_gzip, rapidgzip
from importlib.metadata import version
from isal import igzip
print(*(name + " " + version(name) for name in ("indexed_gzip", "rapidgzip", "deflate", "isal")))
a, b = (gzip.compress(text, mtime = 0) for text in (b"a\n", b"b\n"))
def through(reader, bytes):
    with open("x.gz", "wb") as file: file.write(bytes)
    with reader("x.gz") as file: return file.read()
readers = {
    "gzip": gzip.decompress, "isal": igzip.decompress,
    "indexed_gzip": lambda bytes: through(indexed_gzip.IndexedGzipFile, bytes),
    "rapidgzip": lambda bytes: through(rapidgzip.open, bytes),
    "deflate": lambda bytes: bytes_of(deflate.gzip_decompress(bytes)),
}
bytes_of = bytes
for title, text in {"two members": a + b, "a member and text": a + b"b\n"}.items():
    for name, read in readers.items():
        try: print(title + ":", name, read(text))
        except Exception as error: print(title + ":", name, "raises")
END
cat >expected <<'END'
indexed_gzip 1.10.3 rapidgzip 0.16.2 deflate 0.9.0 isal 1.9.1
two members: gzip b'a\nb\n'
two members: isal b'a\nb\n'
two members: indexed_gzip b'a\nb\n'
two members: rapidgzip b'a\nb\n'
two members: deflate b'a\n'
a member and text: gzip raises
a member and text: isal raises
a member and text: indexed_gzip b'a\n'
a member and text: rapidgzip b'a\n'
a member and text: deflate b'a\n'
END
cat seen
diff expected seen || { echo "$0: this has changed"; exit 1; }
