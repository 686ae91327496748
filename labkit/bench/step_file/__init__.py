"""The step file: rows of doubles in a memory-mapped file, written by a worker, read by anyone.

Nothing is flushed or sent: a reader looks whenever it likes, a slow reader cannot hold up the
worker, and a killed worker loses nothing, because the pages belong to the file.

Layout: a page of header (magic, number of committed rows, columns, rows in this file once it is
full, else -1; all 64 bit), then the rows. The file grows piece by piece as rows come. Where its
place has no more room, which is soon in a container's 64 MB of shared memory, the rows go on in a
second file elsewhere, which has no header.

Read `layout` first, then `writer` and `reader`.
"""
