"""What a step file looks like: its header's places and the sizes of its pieces."""

from __future__ import annotations

import mmap

MAGIC = int.from_bytes(b"labstep2", "little")
# The header's places, in numbers of 64 bit.
MAGIC_PLACE, COUNT_PLACE, COLUMNS_PLACE, ROWS_HERE_PLACE = range(4)
# In the last of them, as long as the first file takes all rows.
NOT_FULL = -1

# What a map of a file may begin at: a multiple of this.
PAGE_BYTES = mmap.ALLOCATIONGRANULARITY
# With as many rows, pieces of rows of any width begin at such a multiple.
PAGE_ROWS = PAGE_BYTES // 8
# Pieces double up to this size: reserved in a moment, and rarely asked for.
LARGEST_PIECE_BYTES = 8_000_000
