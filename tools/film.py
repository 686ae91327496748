"""A short film of a part of a page: pictures taken now and then, as one GIF that plays anywhere.

A GIF is shown by GitHub, by browsers and by every program for slides, and needs no codec.
"""

from __future__ import annotations

import io
import time
from itertools import pairwise
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator

PALETTE = 64
LAST_MS = 2_500  # how long the last picture stays


class Film:
    """Takes pictures of a part of a page and joins them.

    Args:
        first: The element at its top, as wide as what is filmed.
        last: The element at its foot, at the end of the film.
    """

    def __init__(self, first: Locator, last: Locator) -> None:
        self._first, self._last = first, last
        self._pictures: list[tuple[float, bytes]] = []

    def take(self, seconds: float, every_seconds: float) -> None:
        """Take pictures for so long, so far apart: each takes processor time from what is shown."""
        page = self._first.page
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            # Of the page: the elements' own pictures differ in size while they grow.
            self._pictures.append((now, page.screenshot(animations="disabled")))
            rest = every_seconds - (time.monotonic() - now)
            page.wait_for_timeout(max(0.0, 1e3 * rest))

    def save(self, path: Path) -> None:
        """Write what was taken as an endless GIF, each picture as long as it stood."""
        box, foot = self._first.bounding_box(), self._last.bounding_box()
        assert box is not None and foot is not None
        right, bottom = box["x"] + box["width"], foot["y"] + foot["height"]
        cut = (round(box["x"]), round(box["y"]), round(right), round(bottom))
        images = [Image.open(io.BytesIO(raw)).convert("RGB").crop(cut) for _, raw in self._pictures]
        palette = _together(images).quantize(PALETTE, dither=Image.Dither.NONE)
        frames = [
            each.quantize(palette=palette, dither=Image.Dither.NONE).copy() for each in images
        ]
        times = [moment for moment, _ in self._pictures]
        stood = [1e3 * (after - moment) for moment, after in pairwise(times)]
        frames[0].save(
            path, save_all=True, append_images=frames[1:], duration=[*map(round, stood), LAST_MS],
            loop=0, optimize=False,
        )  # fmt: skip


def _together(images: list[Image.Image]) -> Image.Image:
    """Return all pictures, small, in one: a palette of it has the colours of all."""
    small = [each.resize((each.width // 2, each.height // 2), Image.Resampling.NEAREST)
             for each in images]  # fmt: skip
    whole = Image.new("RGB", (small[0].width, sum(each.height for each in small)))
    top = 0
    for each in small:
        whole.paste(each, (0, top))
        top += each.height
    return whole
