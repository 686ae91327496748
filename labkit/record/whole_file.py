"""A file that is written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from labkit.record.errors import LabkitError


def write_whole(target: Path, data: bytes, what: str) -> None:
    """Write a file; one of that name is replaced.

    Args:
        target: Where.
        data: All of it.
        what: What is saved, for the sentence of an error, e.g. ``"The run"``.

    Raises:
        LabkitError: If it cannot be written there; what was there before is untouched.
    """
    part = None
    try:
        if target.exists() and not target.is_file():
            # A pipe or a device, such as /dev/stdout: renaming would put a file in its place.
            target.write_bytes(data)
            return
        # Written beside the target and renamed, or a full disk would leave half a file behind.
        handle, part = tempfile.mkstemp(dir=target.parent, prefix=".labkit-", suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(part, 0o644)
        os.replace(part, target)
    except OSError as error:
        if part is not None and os.path.exists(part):
            os.unlink(part)
        raise LabkitError(
            f"{what} could not be saved to {str(target)!r} ({error.strerror}); choose a folder "
            "that exists, has room and that you may write to."
        ) from error
