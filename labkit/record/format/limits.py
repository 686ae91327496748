"""How much a run file may hold: all that the largest run needs, and no more.

The largest run has the million steps that a bench runs at most. The widest one that labkit records,
a diagnosis, has 65 columns. A gzip file of 3 MB can unpack to 3 GB, so whoever reads must know when
to stop; the writer keeps to the same numbers, so what was saved can be read.
"""

from __future__ import annotations

MOST_NUMBERS = 100_000_000  # a million steps of a hundred columns; 0.8 GB once they are read
LONGEST_NUMBER = 26  # letters of a double in JSON, with the comma and the space after it
MOST_BYTES = LONGEST_NUMBER * MOST_NUMBERS

# The longest line is that of the facts. Most of it is evidence: a diagnosis reads 93 numbers a
# second, so 340,000 within the hour that a run may take at most, each of up to 34 letters.
MOST_READINGS = 400_000
MOST_LINE_BYTES = 20_000_000
# Probes tell of a thousand events of a kind; the largest are maps of memory, of 60 kB each.
MOST_EVENTS = 100_000
MOST_WORDS_BYTES = 128_000_000  # all lines but those of steps

MOST_LINE = 1_000  # letters of a title, a name, or what stands at a mark
# The log is cut at 32 kB; 8,000 pieces of a map of memory take 104,000 letters at most.
MOST_TEXT = 200_000
MOST_ENTRIES = 1_000  # toggles, settings, columns, counters
MOST_WORKERS = 1_000

# Beside the shortest step that a clock can tell, a longer one makes figures that mean nothing.
LEAST_SECONDS = 1e-9
MOST_SECONDS = 1e6  # eleven days
