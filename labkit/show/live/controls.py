"""What a viewer's buttons and toggles do with a player, whichever viewer draws them.

Knows the rules (a launch toggle flipped during a run starts afresh, a flip between runs waits for
the next Run) and nothing of widgets, messages or drawing.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from labkit.cause import Toggle
from labkit.record import ChoiceError, LabkitError, ToggleValue
from labkit.record.saving.default_folder import default_folder
from labkit.record.saving.whole_file import write_whole
from labkit.show.live.source import Player, Source
from labkit.show.report.report import save_report
from labkit.show.verdict.glance import headline


class Controls:
    """The toggles as they stand on the screen, and what pressing something does.

    Args:
        player: What the controls act on.

    Attributes:
        pauses_at_flips: Whether a run in progress waits before the first step that a flip changes.
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self.pauses_at_flips = False
        self._chosen = {toggle.name: toggle.default for toggle in player.toggles}
        self._seen_run: str | None = None
        self._seen: dict[str, ToggleValue] = {}

    @property
    def running(self) -> Source | None:
        """The run in progress, if there is one."""
        current = self._player.current
        return None if current is None or current.state.ended else current

    def values(self) -> Mapping[str, str]:
        """Return the word each toggle shows; follows flips made elsewhere, e.g. in a cell."""
        current = self._player.current
        if current is not None:
            fresh = current.name != self._seen_run
            now = dict(current.toggles)
            for name, value in now.items():
                # Only a change counts: the worker answers a little later than the click, and until
                # then the old value would undo what the learner sees.
                if name in self._chosen and (fresh or self._seen.get(name) != value):
                    self._chosen[name] = self._toggle(name).word(value)
            self._seen_run, self._seen = current.name, now
        return dict(self._chosen)

    def start(self) -> Source:
        """Start a fresh run with the toggles as they stand."""
        started = self._player.start(dict(self.values()))
        # What was chosen is what was started; only later changes are news.
        self._seen_run, self._seen = started.name, dict(started.toggles)
        return started

    def stop(self) -> None:
        """Stop the run in progress, if any."""
        self._player.stop()

    def pause(self, on: bool) -> None:
        """Have the run in progress, if any, wait before its next step, or go on.

        Raises:
            LabkitError: If it must not be kept waiting.
        """
        if self.running is not None:
            self.running.pause(on)

    def flip(self, name: object, value: object) -> None:
        """Set a toggle to one of its choices, at once where a run is in progress.

        Args:
            name: The toggle's.
            value: One of its choices.

        Raises:
            LabkitError: If there is no such toggle or choice, or the player refuses; or if the loop
                was to wait and must not be kept waiting, which the next flip does not ask of it.
        """
        toggle = self._toggle(name)
        word = toggle.word(toggle.parse(value))
        before = self.values()[toggle.name]
        self._chosen[toggle.name] = word
        running = self.running
        if running is None:
            return
        waits = toggle.kind == "live" and self.pauses_at_flips and not running.paused
        try:
            if waits:
                self._hold(running)
            if toggle.kind == "live":
                self._player.set(toggle.name, word)
            elif before != word:
                self.start()
        except Exception:
            # The screen must not show a setting that the loop never got, nor a loop that waits.
            self._chosen[toggle.name] = before
            if waits and running.paused:
                running.pause(False)
            raise

    def _hold(self, running: Source) -> None:
        """Have a run wait; one that must not be kept waiting is asked for it once only."""
        try:
            running.pause(True)
        except LabkitError:
            self.pauses_at_flips = False
            raise

    def save(self) -> str:
        """Save the run on show and return its path.

        Raises:
            LabkitError: If there is none yet, or the player cannot save it.
        """
        return self._player.save(self._on_show("save"))

    def report(self) -> str:
        """Write a report of the run on show into the current folder, and its curve as a picture.

        Returns:
            The report's path and the picture's name, in words. A run of one step has no picture.

        Raises:
            LabkitError: If there is none yet, or the report cannot be written.
        """
        from labkit.show.charts.figure import draw_runs  # it brings matplotlib

        current = self._on_show("report")
        told, lanes = self._player.judge(current), self._player.lanes
        stamp = time.strftime("%Y%m%d-%H%M%S")
        wanted = default_folder() / f"{current.name}-{stamp}.html"
        # Another kernel may report a run of this name within the same second.
        file = save_report([told], wanted, lanes=lanes, replace=False)
        if len(told.run.steps) < 2:
            return str(file)
        said = headline(told)
        drawn = draw_runs([told.run], diagnoses=[told], lanes=lanes, headline=said)
        picture = file.with_suffix(".svg")
        try:
            picture = write_whole(picture, drawn.svg, "The picture", replace=False)
        except LabkitError as error:  # the report is there, and its reader must learn where
            return f"{file}; {error}"
        return f"{file}; for slides there is {picture.name} beside it"

    def _on_show(self, to: str) -> Source:
        current = self._player.current
        if current is None:
            raise LabkitError(f"There is no run to {to} yet; press Run first.")
        return current

    def _toggle(self, name: object) -> Toggle:
        for toggle in self._player.toggles:
            if toggle.name == name:
                return toggle
        raise ChoiceError("toggle", name, (toggle.name for toggle in self._player.toggles))
