"""The checksum of a run file's lines: it tells a changed number, which all other rules let pass."""

from __future__ import annotations

import zlib

MOST_CHECKSUM = 2**32 - 1


def checksum_of(line: str, before: int = 0) -> int:
    """Return the CRC-32 (as in gzip, RFC 1952) of all lines so far, in UTF-8.

    How a line ends is left out, for an editor or a mail may change that.

    Args:
        line: The next line.
        before: The checksum of the lines before it.
    """
    return zlib.crc32(line.rstrip("\r\n").encode("utf-8", "surrogatepass") + b"\n", before)
