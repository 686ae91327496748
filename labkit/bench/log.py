"""The log: the file a worker's descriptors 1 and 2 go to, kept small while it is written."""

from __future__ import annotations

from pathlib import Path

LARGEST_BYTES = 1_000_000
HEAD_BYTES = 16_000
TAIL_BYTES = 16_000


def trim_log(path: Path) -> None:
    """Cut the file back to its head when it has grown too large.

    The worker appends, so it goes on writing behind the cut; a flood of prints can neither fill
    the disk nor block the loop.
    """
    try:
        if path.stat().st_size > LARGEST_BYTES:
            with path.open("r+b") as file:
                file.truncate(HEAD_BYTES)
                file.seek(0, 2)
                file.write(b"\n[... cut: more was printed than is kept ...]\n")
    except OSError:
        return


def read_log(path: Path) -> str:
    """Return what was printed: all of it, or head and tail with a note between them."""
    try:
        raw = path.read_bytes()
    except OSError:  # it is not there, or no descriptor is left
        return ""
    if len(raw) > HEAD_BYTES + TAIL_BYTES:
        cut = f"\n[... cut: {len(raw) - HEAD_BYTES - TAIL_BYTES:,} bytes ...]\n".encode()
        raw = raw[:HEAD_BYTES] + cut + raw[-TAIL_BYTES:]
    return raw.decode(errors="replace")
