"""The folder in which files are saved that nobody has named a place for."""

from __future__ import annotations

import tempfile
from pathlib import Path


def default_folder() -> Path:
    """Return the current folder; that for temporary files where somebody has removed it."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path(tempfile.gettempdir())
