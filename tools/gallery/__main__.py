"""Makes the gallery from the recordings in the package.

    python -m tools.gallery [FILE]

FILE is docs/gallery.html unless told otherwise. `make gallery` does the same.
"""

from __future__ import annotations

import sys
from pathlib import Path

from labkit.causes import SLUGS
from labkit.lab.replay.recordings import shipped
from labkit.record.whole_file import write_whole
from tools.gallery.page import gallery

GALLERY = Path(__file__).parent.parent.parent / "docs" / "gallery.html"


def main() -> None:
    """Write the page and say how large it is."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else GALLERY
    text = gallery([shipped(slug) for slug in SLUGS])
    write_whole(target, text.encode(), "The gallery")
    print(f"{target}: {len(text.encode()):,} bytes")


if __name__ == "__main__":
    main()
