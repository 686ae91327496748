"""Late choke points: in packages that a loop may import or not, and that are not ours to import.

Importing Keras or a drawing library costs seconds, reads settings that the reader's file may still
want to make, and would be the probe's doing. So such a point is hooked in between two steps, once
somebody else has imported its module.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from labkit.measure.choke import ChokePoints, PrivateName
from labkit.measure.places import Places
from labkit.measure.timing import After, Before


@dataclass(frozen=True)
class _Waiting:
    name: PrivateName
    before: Before | None
    after: After | None
    alone: bool
    around: bool


class LatePoints:
    """Choke points that are hooked in as their modules appear.

    Args:
        places: The stopwatch. The places are made at once, because a record's columns are fixed
            before its first step; where a module is never imported they stay 0, which is true.

    ``missing`` names those whose module was imported and does not have them; a place that has lost
    all its points is recorded as not measured.
    """

    def __init__(self, places: Places) -> None:
        self._places = places
        self._points = ChokePoints(places)
        self._waiting: list[_Waiting] = []
        self._hopes: dict[str, int] = {}
        # Bound once: `self.look` is a new object each time it is read, and close() must remove the
        # very one that was added.
        self._look = self.look
        places.late.append(self._look)

    @property
    def missing(self) -> list[str]:
        """The names that the imported packages do not have."""
        return self._points.missing

    def hook(
        self,
        names: Iterable[PrivateName],
        *,
        before: Before | None = None,
        after: After | None = None,
        alone: bool = False,
        around: bool = False,
    ) -> None:
        """Hook in some more, now or when they appear; the arguments are as in `ChokePoints`."""
        for name in names:
            if name.place:
                self._places.add(name.place, name.title, around=around)
                self._hopes[name.place] = self._hopes.get(name.place, 0) + 1
            self._waiting.append(_Waiting(name, before, after, alone, around))
        self.look()

    def look(self) -> None:
        """Hook in what has appeared; the stopwatch asks before a step if there was an import."""
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            if each.name.loaded:
                self._hook(each)
            else:
                self._waiting.append(each)

    def _hook(self, each: _Waiting) -> None:
        lost = len(self.missing)
        self._points.hook([each.name], before=each.before, after=each.after, alone=each.alone,
                          around=each.around)  # fmt: skip
        place = each.name.place
        if place and len(self.missing) > lost:
            self._hopes[place] -= 1
            if not self._hopes[place]:
                self._places.give_up(self._places.add(place, each.name.title))

    def close(self) -> None:
        """Put all originals back, and wait for no more."""
        if self._look in self._places.late:
            self._places.late.remove(self._look)
        self._waiting.clear()
        self._points.close()
