"""The files that a diagnosis leaves: its page and its run."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Mapping
from pathlib import Path

from labkit.cli.files import may_replace, version
from labkit.cli.interrupt import held_back
from labkit.cli.words import Save, Words
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.record import LabkitError, Run
from labkit.record.file import save_run


class Outputs:
    """The page and the run, each where it was asked for.

    Args:
        out: Where the page goes; None for nowhere.
        save: Where the run goes; None for nowhere.
        before: The version of what stood at each before the first run. What a script has written
            there since is its own, and is not replaced.
    """

    def __init__(self, out: str | None, save: str | None, before: Mapping[str, object]) -> None:
        self._out, self._save = out, save
        self._versions = dict(before)

    def keep(self, said: Diagnosed, words: Words) -> None:
        """Write both, and say where they are.

        Args:
            said: What is told at the end.
            words: Keep the files.
        """
        for path, saved, named in self._wanted(said):
            words.keep(saved, Path(path), replace=named)

    def keep_meanwhile(self, said: Diagnosed) -> None:
        """Write both before a fresh run confirms them, so that what kills us then takes neither.

        Nothing is said of it, and whatever is in the way is told of at the end. A pipe or a device
        would get them twice, and gets them at the end alone.

        Args:
            said: What the fresh run is to confirm.
        """
        for path, saved, named in self._wanted(said):
            file = Path(path)
            if named and (file.is_file() or not file.exists()):
                with held_back(), contextlib.suppress(LabkitError, OSError):
                    saved(file)
                    self._versions[path] = version(file)

    def keep_unjudged(self, run: Run, words: Words) -> None:
        """Write a run that could not be judged, and say where it is.

        Args:
            run: It.
            words: Keep the file.
        """
        if self._save is not None:
            file = Path(self._save)
            words.keep(functools.partial(save_run, run), file, replace=may_replace(file, run))

    def _wanted(self, said: Diagnosed) -> Iterator[tuple[str, Save, bool]]:
        """Yield each path, what writes it, and whether it may stand under that very name."""
        if self._out is not None:
            yield self._out, said.save, self._unchanged(self._out)
        if self._save is not None:
            named = self._unchanged(self._save) and may_replace(Path(self._save), said.run)
            yield self._save, functools.partial(save_run, said.run), named

    def _unchanged(self, path: str) -> bool:
        return version(Path(path)) == self._versions[path]
