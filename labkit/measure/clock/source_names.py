"""Source names: whose code a function is, and how its file is written for a reader."""

from __future__ import annotations

import contextlib
import os
import site
import sys
import sysconfig
from collections.abc import Collection, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import FrameType, MappingProxyType

from labkit.measure.clock.frame_names import frame_reader, is_of_function

_KIT = Path(__file__).parents[2]
KIT = str(_KIT) + os.sep
# labkit's own frames around a step; the loops of its causes are what is looked at.
_AROUND_THE_STEP = tuple(str(_KIT / room) + os.sep for room in ("measure", "bench", "lab"))
_CAUSES = str(_KIT / "causes") + os.sep
# Those in whose loops TensorFlow works; to look where they are imports none of them.
PACKAGES = ("tensorflow", "keras", "numpy")
# TensorFlow rewrites functions into files of random names; one name for all keeps counts together.
REWRITTEN = "__autograph_generated_file"


def library_folders() -> tuple[str, ...]:
    """Return where Python's own modules and installed packages lie, each with its last slash."""
    paths = sysconfig.get_paths()
    own = [paths[key] for key in ("stdlib", "platstdlib")]
    # Debian's packages and those of a user are in folders that `sysconfig` does not name.
    found = [*own, *map(os.path.realpath, own), paths["purelib"], paths["platlib"]]
    found += [*site.getsitepackages(), site.getusersitepackages()]
    # And what ``pip install --target`` has put anywhere else is found by its own folder.
    for name in PACKAGES:
        with contextlib.suppress(ImportError, ValueError):
            if spec := find_spec(name):
                found += spec.submodule_search_locations or ()
    return tuple(dict.fromkeys(path + os.sep for path in found))


def raised_by_kit(error: BaseException) -> bool:
    """Tell whether an error was raised in labkit's own code, or in a package that it called."""
    libraries = library_folders()
    ours, traceback = False, error.__traceback__
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if file.startswith(KIT):
            ours = True
        elif not file.startswith((*libraries, "<frozen ")):
            ours = False
        traceback = traceback.tb_next
    return ours


class SourceNames:
    """Knows the reader's files from a package's, by where they lie."""

    def __init__(self) -> None:
        self._installed = library_folders()
        self._read_names = frame_reader()
        found = {os.path.abspath(path) for path in sys.path if path}
        self._roots = sorted((path + os.sep for path in found), key=len, reverse=True)
        self._short: dict[str, str] = {}
        self._own: dict[str, bool] = {}

    def is_around_the_step(self, file: str) -> bool:
        """Return whether this is the kit's own code, which runs before and after every step."""
        return file.startswith(_AROUND_THE_STEP)

    def is_readers(self, file: str) -> bool:
        """Return whether the reader wrote it: a real file that no package brought."""
        if file.startswith(_CAUSES) or REWRITTEN in file:
            return True
        if file.startswith("<ipython") or file.startswith("<cell"):
            return True
        return not file.startswith(("<", *_AROUND_THE_STEP, *self._installed))

    def line(self, frame: FrameType | None) -> tuple[str, int] | None:
        """Return the reader's file and line that a frame was called from; None if from none.

        What TensorFlow has rewritten is passed over: its lines are in no file of the reader's.
        """
        while frame is not None:
            file = frame.f_code.co_filename
            if self.is_own(file):
                return file, frame.f_lineno
            frame = frame.f_back
        return None

    def is_own(self, file: str) -> bool:
        """Return whether the reader wrote it, as it stands; asked once for each file."""
        own = self._own.get(file)
        if own is None:
            own = self._own[file] = self.is_readers(file) and REWRITTEN not in file
        return own

    def names_in_use(
        self, passing: Mapping[str, Collection[str]] = MappingProxyType({})
    ) -> Iterator[tuple[str, object]]:
        """Yield what the names of the reader's functions that run in this thread hold.

        Those of the innermost come first, and after those of each function its module's.

        Args:
            passing: For a file those of its names that are left out.
        """
        frame: FrameType | None = sys._getframe(1)
        modules: set[int] = set()
        while frame is not None:
            if self.line(frame) == (frame.f_code.co_filename, frame.f_lineno):
                left_out = passing.get(frame.f_code.co_filename, ())
                new = id(frame.f_globals) not in modules
                modules.add(id(frame.f_globals))
                for names in [self._local_names(frame)] + [frame.f_globals] * new:
                    yield from [pair for pair in names.items() if pair[0] not in left_out]
            frame = frame.f_back

    def _local_names(self, frame: FrameType) -> Mapping[str, object]:
        if is_of_function(frame):
            return self._read_names(frame)
        return {} if frame.f_locals is frame.f_globals else frame.f_locals

    def running(self) -> tuple[str, int] | None:
        """Return the reader's file and line that this thread is in; None if in none."""
        return self.line(sys._getframe(1))

    def short(self, file: str) -> str:
        """Return ``"loop.py"`` for the reader's file, ``"keras/src/x.py"`` for a package's."""
        if file not in self._short:
            self._short[file] = self._shorten(file)
        return self._short[file]

    def _shorten(self, file: str) -> str:
        if REWRITTEN in file:
            return "<autograph>"
        if file.startswith("<"):
            return file
        if self.is_readers(file):
            return os.path.basename(file)
        root = next((root for root in self._roots if file.startswith(root)), "")
        return file[len(root) :].replace(os.sep, "/") if root else os.path.basename(file)
