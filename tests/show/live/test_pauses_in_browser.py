"""How steps that pause are drawn, in a real Chromium. Tier: make test, in turn."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Browser

from labkit.record import Verdict
from tests.show.page import opened
from tests.show.standin import StandInPlayer, StandInRun

pytestmark = [pytest.mark.browser, pytest.mark.in_turn]


class PausingPlayer(StandInPlayer):
    """A player of runs that are called spikes up to the first flip, and nothing afterwards."""

    def _verdict(self, source: StandInRun, start: int, end: int) -> Verdict:
        if start:
            return Verdict("too_short", None, None, None, "few_steps", end - start)
        return Verdict(
            "spikes", 0.0, -0.1, 0.1, steps=end, first_seconds=3e-4, last_seconds=3e-4,
            spike_period=10, spike_share=0.98, spike_seconds=0.2,
        )  # fmt: skip


def test_pauses_stand_as_single_bars_and_what_only_pauses_is_a_line(browser: Browser) -> None:
    """Seen: a collection at every tenth step and one at each looked the same."""
    with opened(browser, PausingPlayer()) as it:
        it.start()
        it.run.append(np.where(np.arange(100) % 10 == 9, 0.2, 3e-4))
        it.page.uncheck("input[name=grow]")
        it.page.wait_for_function("root.labkit.marks().length === 1")
        it.page.wait_for_function("root.view.fits.some((fit) => fit.label.includes('every'))")
        it.run.append(np.full(20, 0.2))
        it.caught_up()
        it.page.evaluate("""() => {
          window.bars = [];
          const was = CanvasRenderingContext2D.prototype.fillRect;
          CanvasRenderingContext2D.prototype.fillRect = function (left, top, wide, high) {
            const { bottom } = root.view.chart.box;
            if (high > 50 && Math.abs(top + high - bottom) < 1) window.bars.push(left);
            return was.call(this, left, top, wide, high);
          };
          root.view.redraw();
        }""")
        it.drawn()
        flip = it.page.evaluate("""(() => {
          const { box, range, scene } = root.view.chart;
          const at = scene.curve.xOfStep(100, scene.across);
          return box.left + (box.right - box.left) * (at - range[0]) / (range[1] - range[0]);
        })()""")
        bars = set(it.page.evaluate("window.bars"))
        assert len(bars) >= 8
        assert max(bars) < flip
