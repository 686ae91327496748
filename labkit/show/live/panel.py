"""The live panel: one self-contained widget a lab, drawn in the browser.

The browser pulls what is new with a custom message and gets its answer at once, so the panel
survives page reloads, hidden tabs, several views and platforms where a push gets lost. It knows a
`Player` and nothing of processes; it never waits for the loop.

Messages: the view sends ``{t, id, run, since, marks, max}`` with ``t`` one of pull, start, stop,
pause (``on``), asks (``on``: to pause at a flip), set (``name``, ``value``), save, report, table.
Each is answered with one ``data`` message and at most one buffer; `labkit.show.live.answer` says
what is in them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import anywidget
import traitlets

from labkit.cause import ON_OFF, Toggle
from labkit.record import LabkitError
from labkit.record.plain_text import one_line
from labkit.show.charts.step_chart import step_chart
from labkit.show.inside.of_cause import inside_of, picture_of
from labkit.show.live.answer import MOST_VALUES, Answers
from labkit.show.live.controls import Controls
from labkit.show.live.guess import Guess
from labkit.show.live.judge import Judge
from labkit.show.live.source import Player
from labkit.show.markup import Markup, element, joined
from labkit.show.page import browser_files, sendable
from labkit.show.table import table_rows
from labkit.show.thinning import read_curve

# In this order; each file may use what the ones before it declare.
SCRIPTS = (
    "buckets.js", "format.js", "scales.js", "marks.js", "fits.js", "second_guess.js", "chart.js",
    "zoom.js", "bars.js", "link.js", "view.js", "inside.js", "theme.js", "keys.js", "presenter.js",
    "panel.js",
)  # fmt: skip


class Panel(anywidget.AnyWidget):
    """The live panel of one lab; display it in the cell that made it.

    Args:
        player: What the controls act on.
        poll_seconds: How often the browser asks while a run goes on; more on a small machine.
        presenter: Large type, and keys to run and toggle, for a projector.
        guess: Who has the curve that was guessed, to be drawn under the measured one.
        clock: Returns seconds; it paces the judging.
    """

    _esm = browser_files(*SCRIPTS)
    _css = browser_files("panel.css")
    _facts = traitlets.Dict().tag(sync=True)
    # ipywidgets 7 would display through this method and leave out the static picture.
    _ipython_display_ = None

    def __init__(
        self,
        player: Player,
        *,
        poll_seconds: float = 0.7,
        presenter: bool = False,
        guess: Guess | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._player = player
        self._controls = Controls(player)
        self._judge = Judge(player, clock)
        self._answers = Answers(player, self._controls, self._judge, guess)
        # Callbacks arrive on whichever thread the kernel chose, several at a time.
        self._turn = threading.RLock()
        facts = {
            "title": one_line(player.title),
            "poll_seconds": poll_seconds,
            "sleep_seconds": 120,
            "max": MOST_VALUES,
            "presenter": presenter,
            "toggles": [_toggle_facts(toggle) for toggle in player.toggles],
        }
        super().__init__(_facts=sendable(facts))
        self.on_msg(self._on_message)

    def _on_message(self, _widget: object, message: object, _buffers: object) -> None:
        if not isinstance(message, Mapping):
            return
        with self._turn:
            extra: dict[str, Any] = {}
            try:
                extra = self._do(message)
            except LabkitError as error:
                extra = {"error": str(error)}
            except Exception as error:
                extra = {"error": _fault(error)}
            try:
                content, buffers = self._answers.to(message)
            except Exception as error:
                # Without an answer the view would say that the kernel is gone.
                content, buffers = {"error": _fault(error)}, []
            told = sendable({"t": "data", "id": message.get("id"), **content, **extra})
            self.send(told, buffers=buffers)

    def _do(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Carry out a command and return what the answer says of it."""
        kind = message.get("t")
        current = self._player.current
        if kind == "start":
            self._controls.start()
        elif kind == "stop":
            self._controls.stop()
        elif kind == "pause":
            self._controls.pause(bool(message.get("on")))
        elif kind == "asks":
            self._controls.pauses_at_flips = bool(message.get("on"))
        elif kind == "set":
            self._controls.flip(message.get("name"), message.get("value"))
            if current is not None and self._controls.running is None:
                return {"said": "this will act in the next run: press Run"}
        elif kind == "save":
            return {"said": f"saved as {self._controls.save()}"}
        elif kind == "report":
            return {"said": f"the report is {self._controls.report()}"}
        elif kind == "table" and current is not None:
            return {"table": table_rows(current.snapshot(), self._answers.lanes(current))}
        return {}

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        # Viewers without a kernel (GitHub, nbviewer) show the next best form: a picture in words.
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            bundle[0]["text/html"] = self._static_html()
            bundle[0]["text/plain"] = f"Panel of {one_line(self._player.title)}"
        return bundle

    def _static_html(self) -> Markup:
        title = element("strong", one_line(self._player.title))
        current = self._player.current
        if current is None:
            return element(
                "p", title, ": run this cell to see the live panel. Run it once more after a run, "
                "and the picture stays in the saved notebook.",
            )  # fmt: skip
        with self._turn:
            said = self._judge.words(current)
            alt = self._answers.alt(current, said)
        run = current.snapshot()
        inside = inside_of(self._player.mechanism, run)
        told = (self._player.banner, *said.verdict, said.machine, said.ledger)
        return joined([
            element("p", title),
            step_chart([read_curve(run)], alt, fits=[said.fits], events=run.events),
            picture_of(inside),
            *(element("p", line) for line in told if line),
        ])  # fmt: skip


def _toggle_facts(toggle: Toggle) -> dict[str, Any]:
    return {
        "name": toggle.name,
        "title": toggle.title,
        "choices": list(toggle.choices),
        "two_way": toggle.choices == ON_OFF,
        "ordered": toggle.ordered,
        "role": toggle.role,
        "kind": toggle.kind,
        "value": toggle.default,
    }


def _fault(error: Exception) -> str:
    return (
        f"Something went wrong inside labkit ({type(error).__name__}: {error}); please report it."
    )
