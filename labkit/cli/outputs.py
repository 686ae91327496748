"""The files that a diagnosis leaves, its page and its run: looked at first, and written last."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from labkit.cli.files import check_writable, may_replace, version
from labkit.cli.interrupt import held_back
from labkit.cli.words import Save, Words
from labkit.record import LabkitError, Run
from labkit.record.file import save_run

if TYPE_CHECKING:  # what judges takes as long to load as a script takes to start
    from labkit.lab.own_loop.diagnosed import Diagnosed


class Outputs:
    """The page and the run, each where it was asked for.

    Args:
        out: Where the page goes; None for nowhere.
        save: Where the run goes; None for nowhere.
        read: The files that are read: none of them may be written.

    Raises:
        LabkitError: If one of them cannot be written there.
    """

    def __init__(self, out: str | None, save: str | None, read: Iterable[str] = ()) -> None:
        self._out, self._save = out, save
        # What a script has written there since is its own, and is not replaced.
        self._versions: dict[str, object] = {}
        if out is not None:
            self._versions[out] = version(Path(out))
            check_writable(Path(out), inputs=read)
        if save is not None:
            self._versions[save] = version(Path(save))
            inputs = [*read, *([] if out is None else [out])]
            check_writable(Path(save), inputs=inputs, option="--save", of_runs=True)

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
