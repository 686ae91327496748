"""The panel where anywidget is missing: the same controls from ipywidgets' own parts.

The picture is SVG text in an HTML widget. A Play widget in the browser beats, and each beat is
answered here, because updates from a thread do not reach the screen everywhere.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from labkit.cause import ON_OFF, Toggle
from labkit.record import LabkitError
from labkit.record.plain_text import one_line
from labkit.show import words
from labkit.show.controls import Controls
from labkit.show.curve import read_curve
from labkit.show.judge import Judge
from labkit.show.markup import element
from labkit.show.source import Player
from labkit.show.svg import curves_svg

GHOSTS = 3
BEAT_SECONDS = 0.5
TAGS = {"fix": " (fix)", "control": " (for comparison)", "cause": ""}


class CorePanel(widgets.VBox):  # type: ignore[misc]
    """The fallback panel of one lab.

    Args:
        player: What the controls act on.
        poll_seconds: How often the picture is drawn again while a run goes on.
        clock: Returns seconds; it paces the judging.
    """

    # ipywidgets 7 displays through this method, version 8 through `_repr_mimebundle_`; ours serves
    # both.
    _ipython_display_ = None

    def __init__(
        self,
        player: Player,
        *,
        poll_seconds: float = BEAT_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._player = player
        self._controls = Controls(player)
        self._judge = Judge(player, clock)
        self._turn = threading.RLock()
        self._writing = False
        self._error = ""
        self.run = widgets.Button(description="Run", button_style="primary", icon="play")
        self.halt = widgets.Button(description="Stop", icon="stop")
        self.save = widgets.Button(description="save run")
        self.report = widgets.Button(description="report")
        self.toggles = {toggle.name: _toggle_widget(toggle) for toggle in player.toggles}
        self.words = widgets.HTML()
        self.picture = widgets.HTML()
        # Hundreds of days long, so that it never comes to its end.
        self.beat = widgets.Play(interval=int(poll_seconds * 1000), min=0, max=100_000_000)
        self.beat.layout.display = "none"
        super().__init__()
        self.children = (
            widgets.HTML(element("strong", one_line(player.title))),
            widgets.HBox([self.run, self.halt, self.save, self.report]),
            widgets.HBox(list(self.toggles.values()), layout={"flex_flow": "row wrap"}),
            self.picture,
            self.words,
            self.beat,
        )
        self._connect()
        self.refresh()

    def _connect(self) -> None:
        self.run.on_click(lambda _button: self._press(self._controls.start))
        self.halt.on_click(lambda _button: self._press(self._controls.stop))
        self.save.on_click(lambda _button: self._press(self._controls.save, "saved as"))
        self.report.on_click(lambda _button: self._press(self._controls.report, "the report is"))
        self.beat.observe(lambda _change: self.refresh(), "value")
        for name, widget in self.toggles.items():
            widget.observe(lambda change, name=name: self._flip(name, change["new"]), "value")

    def _press(self, act: Callable[[], object], said: str = "") -> None:
        with self._turn:
            self._error = ""
            try:
                done = act()
                if said:
                    self._error = f"{said} {done}"
            except LabkitError as error:
                self._error = str(error)
            self.refresh()

    def _flip(self, name: str, value: object) -> None:
        # A value written by `refresh` is no click.
        if not self._writing:
            self._press(lambda: self._controls.flip(name, value))

    def refresh(self) -> None:
        """Draw what there is now."""
        with self._turn:
            self._writing = True
            try:
                for name, word in self._controls.values().items():
                    widget = self.toggles[name]
                    widget.value = word == "on" if isinstance(widget, widgets.Checkbox) else word
            finally:
                self._writing = False
            running = self._controls.running is not None
            self.run.disabled = running
            self.halt.disabled = not running
            _set_playing(self.beat, running)
            self._draw()

    def _draw(self) -> None:
        current = self._player.current
        if current is None:
            ready = "ready: predict, then press Run"
            self.words.value = _paragraphs([self._error, self._player.banner, ready])
            return
        said = self._judge.words(current)
        lines = [*said.verdict, said.machine]
        alt = words.alt_text(self._player.title, current.count, lines, ledger_line=said.ledger)
        runs = [current, *self._player.earlier[:GHOSTS]]
        self.picture.value = curves_svg([read_curve(run) for run in runs], alt, current.events)
        self.words.value = _paragraphs(
            [
                self._error,
                self._player.banner,
                words.state(current.state, current.count),
                *lines,
                said.ledger,
            ]
        )

    def _repr_mimebundle_(self, **_keywords: Any) -> dict[str, Any]:
        return {
            "text/plain": f"Panel of {one_line(self._player.title)}",
            "text/html": self.picture.value + self.words.value,
            "application/vnd.jupyter.widget-view+json": {
                "version_major": 2, "version_minor": 0, "model_id": self.model_id,
            },
        }  # fmt: skip


def _toggle_widget(toggle: Toggle) -> Any:
    fresh = " (fresh start)" if toggle.kind == "launch" else ""
    title = one_line(toggle.title) + TAGS[toggle.role] + fresh
    if toggle.choices == ON_OFF:
        return widgets.Checkbox(
            value=toggle.default == "on", description=title, indent=False,
            layout={"width": "auto", "margin": "0 12px 0 0"},
        )  # fmt: skip
    return widgets.Dropdown(
        options=list(toggle.choices), value=toggle.default, description=title,
        style={"description_width": "initial"}, layout={"width": "auto"},
    )  # fmt: skip


def _set_playing(beat: Any, playing: bool) -> None:
    # ipywidgets 7 calls the trait `_playing`, version 8 `playing`.
    name = "playing" if beat.has_trait("playing") else "_playing"
    if getattr(beat, name) != playing:
        setattr(beat, name, playing)


def _paragraphs(lines: list[str]) -> str:
    return "".join(element("p", line) for line in lines if line)
