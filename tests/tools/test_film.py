"""The film in the README: it moves, each picture stands as long as it stood, and it is small.

Tier: make test, in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence
from playwright.sync_api import Browser

from tests.browser.chromium import chromium_or_skip
from tools.film import LAST_MS, Film

pytestmark = [pytest.mark.in_turn, pytest.mark.browser]

DOCS = Path(__file__).parents[2] / "docs"
MOST_BYTES = 1_500_000
PAGE = """<body style="margin:30px"><div id="all" style="width:200px;background:#fff">
<div id="box" style="height:40px;background:#c25500"></div></div>
<script>setTimeout(() => { box.style.height = "90px"; box.style.background = "#0072b2"; }, 600)
</script></body>"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium_or_skip() as started:
        yield started


def test_a_film_has_the_last_size_and_shows_what_changed_when_it_did(
    browser: Browser, tmp_path: Path
) -> None:
    page = browser.new_page()
    page.set_content(PAGE)
    film = Film(page.locator("#all"), page.locator("#box"))
    film.take(1.5, 0.2)
    film.save(tmp_path / "film.gif")
    page.close()
    with Image.open(tmp_path / "film.gif") as image:
        assert image.size == (200, 90)
        durations, colours = [], []
        for frame in ImageSequence.Iterator(image):
            durations.append(frame.info["duration"])
            colours.append(frame.convert("RGB").getpixel((100, 20)))
    assert colours[0] == (0xC2, 0x55, 0) and colours[-1] == (0, 0x72, 0xB2)
    # Pictures that are alike are one; the last stays for a look, beside what it stood.
    assert durations[-1] >= LAST_MS and sum(durations) - LAST_MS == pytest.approx(1500, abs=500)


def test_the_films_of_the_docs_move_and_are_small() -> None:
    file = DOCS / "panel.gif"
    assert file.stat().st_size <= MOST_BYTES
    with Image.open(file) as image:
        pictures = [np.asarray(each.convert("RGB")) for each in ImageSequence.Iterator(image)]
    assert len(pictures) > 10
    assert (pictures[0] != pictures[-1]).any(axis=2).mean() > 0.02
