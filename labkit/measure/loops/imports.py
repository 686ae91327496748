"""Imports of a script: its own modules are compiled so that their loops tell, and some are awaited.

An import hook runs within the reader's import. What goes wrong in one is passed over: a module is
then what it would be without us.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import FrozenImporter, ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

from labkit.measure.clock.source_names import KIT, library_folders, raised_by_kit
from labkit.measure.loops.source import compile_telling
from labkit.record.loop import SourceLoop


class Sources:
    """Compiles the reader's files, and knows all their loops by number.

    Args:
        first: The number of the first loop.
        found: Called with each loop that is new and its number.

    ``passing`` has for each file the names that hold something new at each turn of a loop.
    """

    def __init__(self, first: int, found: Callable[[int, SourceLoop], object]) -> None:
        self._next = first
        self._found = found
        self._numbers: dict[SourceLoop, int] = {}
        self.passing: dict[str, frozenset[str]] = {}
        self._not_readers = (*library_folders(), KIT)

    def number(self, loop: SourceLoop) -> int:
        """Return the number of a loop, a new one for one that was not seen before."""
        if loop not in self._numbers:
            self._numbers[loop] = self._next
            self._next += 1
            self._found(self._numbers[loop], loop)
        return self._numbers[loop]

    def compile(self, source: bytes, file: str) -> CodeType:
        """Compile a file so that its loops tell; as it stands, where that cannot be done.

        Raises:
            SyntaxError, ValueError: If it is not Python.
        """
        try:
            code, loops, self.passing[file] = compile_telling(source, file, self._next)
        except RecursionError:
            return compile(source, file, "exec", dont_inherit=True)
        for number, loop in enumerate(loops, start=self._next):
            # Two comprehensions may stand on one line: each has its own number.
            self._numbers.setdefault(loop, number)
            self._found(number, loop)
        self._next += len(loops)
        return code

    def is_readers(self, file: str) -> bool:
        """Tell whether a file is one of the reader's own."""
        return not file.startswith(self._not_readers)


class _TellingLoader(SourceFileLoader):
    def __init__(self, name: str, file: str, sources: Sources) -> None:
        super().__init__(name, file)
        self._sources = sources

    def get_code(self, fullname: str) -> CodeType:
        return self._sources.compile(self.get_data(self.path), self.path)


class ReaderModules(MetaPathFinder):
    """Finds the reader's own modules, to be compiled so that their loops tell."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module of the reader's; None for any other."""
        # As with Python, what is built into it comes before any file of that name.
        if name in sys.builtin_module_names or FrozenImporter.find_spec(name) is not None:
            return None
        found = PathFinder.find_spec(name, path, target)
        if found is None or type(found.loader) is not SourceFileLoader or not found.origin:
            return None
        if not self._sources.is_readers(found.origin):
            return None
        found.loader = _TellingLoader(name, found.origin, self._sources)
        return found


def _nothing() -> None:
    """Be called for a module that is executed anew."""


class AfterImport(MetaPathFinder):
    """Calls a function when a module has been imported.

    Args:
        functions: By the module's name. One that is there already is imported no more.
    """

    def __init__(self, functions: Mapping[str, Callable[[], object]]) -> None:
        self._functions = dict(functions)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module that is awaited as others find it; None for any other."""
        # To look for it is not to import it yet: a program may ask whether it is there.
        if name not in self._functions:
            return None
        others = (each for each in sys.meta_path if each is not self)
        found = next(filter(None, (each.find_spec(name, path, target) for each in others)), None)
        if found is not None and found.loader is not None:
            execute = found.loader.exec_module

            def execute_and_call(module: ModuleType) -> None:
                execute(module)
                try:
                    self._functions.pop(name, _nothing)()
                except Exception as error:
                    # It may also be the program's own, of a handler of signals that came meanwhile.
                    if not raised_by_kit(error):
                        raise

            with contextlib.suppress(AttributeError):  # of a module that is written in C
                found.loader.exec_module = execute_and_call  # type: ignore[method-assign]
        return found
