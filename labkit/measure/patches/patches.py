"""Several patched functions, now or once their modules are there.

Importing Keras or a drawing library costs seconds, reads settings that the reader's file may still
want to make, and would be the probe's doing. So what is deferred is patched between two steps, once
somebody else has imported its module.

Not by a post-import hook of wrapt's: it cannot be taken away again, runs within the step that
imports, and what it raises becomes an error of the reader's import. To ask whether there was an
import costs 0.04 to 0.07 us per step (docs/benchmarks.md, "Waiting for a module").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from labkit.measure.clock.timers import Timers
from labkit.measure.clock.timing import After, Before, Timed
from labkit.measure.patches.group import Group, PrivateName
from labkit.measure.patches.patch import Patch, timed_patch


class Patches:
    """Patched functions; one that is not there leaves its place unmeasured.

    Args:
        timers: The timers. The places of deferred functions are made at once, because a record's
            columns are fixed before its first step; where a module is never imported they stay 0,
            which is true.

    ``missing`` names what the installed packages do not have. A deferred place that has lost all
    its functions is recorded as not measured.
    """

    def __init__(self, timers: Timers) -> None:
        self._timers = timers
        self._patches: list[Patch] = []
        self._deferred: list[tuple[PrivateName, Group, Before | None, After | None]] = []
        self._hopes: Counter[tuple[str, str]] = Counter()
        self.missing: list[str] = []
        # Bound once: `self._look` is a new object each time it is read, and close() must remove the
        # very one that was added.
        self._looking = self._look

    def patch(
        self, *groups: Group, before: Before | None = None, after: After | None = None
    ) -> bool:
        """Patch the functions of some groups; return False if one is not there.

        Args:
            groups: The functions.
            before: Called with the positional arguments at every call, e.g. to meet the graphs.
            after: Called with the arguments and the result when a call has returned.
        """
        lost = len(self.missing)
        for group in groups:
            if group.deferred and group.place is not None:
                self._place(group)
                self._hopes[group.place] += len(group.names)
            for name in group.names:
                if group.deferred:
                    self._deferred.append((name, group, before, after))
                else:
                    self._time(name, group, before, after)
        if self._deferred and self._looking not in self._timers.deferred:
            self._timers.deferred.append(self._looking)
        self._look()
        return len(self.missing) == lost

    def replace(self, name: PrivateName, wrapped: Callable[[Timed], Timed]) -> bool:
        """Put in a function's place what is made of it; return False if it is not there."""
        owner = self.find(name)
        if owner is not None:
            original = getattr(owner, name.attribute)
            self._patches.append(Patch(owner, name.attribute, wrapped(original)))
        return owner is not None

    def _time(
        self, name: PrivateName, group: Group, before: Before | None, after: After | None
    ) -> bool:
        owner = self.find(name)
        if owner is not None:
            self._patches.append(
                timed_patch(owner, name.attribute, self._timers, self._place(group),
                            before=before, after=after, alone=group.alone)
            )  # fmt: skip
        return owner is not None

    def find(self, name: PrivateName) -> Any:
        """Return the class or module that has a function; None, and note it, if none has."""
        return name.owner_or_note(self.missing)

    def _place(self, group: Group) -> int | None:
        if group.place is None:
            return None
        return self._timers.add(*group.place, around=group.around)

    def _look(self) -> None:
        """Patch what has been imported; the timers ask before a step if there was an import."""
        waiting, self._deferred = self._deferred, []
        for name, group, before, after in waiting:
            if not name.loaded:
                self._deferred.append((name, group, before, after))
            elif not self._time(name, group, before, after) and group.place is not None:
                self._hopes[group.place] -= 1
                if not self._hopes[group.place]:
                    self._timers.give_up(self._timers.add(*group.place))

    def close(self) -> None:
        """Put all originals back, and wait for no more."""
        if self._looking in self._timers.deferred:
            self._timers.deferred.remove(self._looking)
        self._deferred.clear()
        for patch in reversed(self._patches):
            patch.close()
        self._patches.clear()


class _Names:
    """A module's names as attributes; the file of a cause need not be an imported module."""


class OwnFunctions:
    """Records the time of some functions of one module; they are found again by their names.

    Args:
        module: The module's names, as ``function.__globals__`` gives them.
        titles: For each function's name, the title of its place.
        timers: The timers.

    Raises:
        AttributeError: If the module has no such function.
    """

    def __init__(self, module: dict[str, Any], titles: Mapping[str, str], timers: Timers) -> None:
        owner = _Names()
        # It shares the module's own dictionary: what is set on it is set there.
        owner.__dict__ = module
        self._patches = [
            timed_patch(owner, name, timers, timers.add(name, title))
            for name, title in titles.items()
        ]

    def close(self) -> None:
        """Put the originals back."""
        for patch in reversed(self._patches):
            patch.close()
        self._patches.clear()
