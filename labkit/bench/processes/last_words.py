"""The last words of a process: what it wrote before it ended in a way nobody foresaw."""

from __future__ import annotations

import os
import tempfile

MOST_BYTES = 4_000
MOST_CHARACTERS = 200


class LastWords:
    """A file without a name that takes a process's standard error.

    Attributes:
        file: To be handed to the process; it costs one descriptor until `close`.
    """

    def __init__(self) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process

    def line(self) -> str:
        """Return the last line that was written; Python's is the one that names the error."""
        try:
            size = os.fstat(self.file.fileno()).st_size
            end = os.pread(self.file.fileno(), MOST_BYTES, max(0, size - MOST_BYTES))
        except (OSError, ValueError):
            return ""
        lines = [line.strip() for line in end.decode(errors="replace").splitlines() if line.strip()]
        return lines[-1][:MOST_CHARACTERS] if lines else ""

    def close(self) -> None:
        """Let the file go."""
        self.file.close()
