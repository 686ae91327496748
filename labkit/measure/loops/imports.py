"""Imports of a script: its own modules are compiled so that their loops tell, and some are awaited.

What is hooked in runs within the reader's import. What goes wrong in it is passed over: a module
is then what it would be without us.
"""

from __future__ import annotations

import contextlib
import os
import runpy
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

from labkit.measure.clock.source_names import KIT, REWRITTEN, library_folders, raised_by_kit
from labkit.measure.loops.source import compile_telling
from labkit.measure.patches.patch import Patch
from labkit.record.loop import SourceLoop

# Calls deep: fits into the stack of any thread of Linux (8 MB).
DEEP = 10_000


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
        except (RecursionError, MemoryError):
            code = compile(source, file, "exec", dont_inherit=True)
            # What Python compiles is at most a third as deep as it would have to be for this.
            try:
                with _recursion_limit(DEEP):
                    code, loops, self.passing[file] = compile_telling(source, file, self._next)
            except (RecursionError, MemoryError):
                return code
        for number, loop in enumerate(loops, start=self._next):
            # Two comprehensions may stand on one line: each has its own number.
            self._numbers.setdefault(loop, number)
            self._found(number, loop)
        self._next += len(loops)
        return code

    def is_readers(self, file: str) -> bool:
        """Tell whether a file is one of the reader's own, as it was written."""
        return not file.startswith(self._not_readers) and REWRITTEN not in os.path.basename(file)


@contextlib.contextmanager
def _recursion_limit(calls: int) -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, calls))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def compile_imports(sources: Sources) -> tuple[Patch, ...]:
    """Have the reader's own modules compiled so that their loops tell, however they are loaded.

    By ``import``, from a file by its path, or by `runpy`; not what a program executes itself with
    `exec`, nor what a loader of its own compiles.

    Returns:
        What puts Python's own functions back when it is closed.
    """

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        file = self.path
        if type(self) is not SourceFileLoader or not sources.is_readers(file):
            return compiled_by_python(self, fullname)
        return sources.compile(self.get_data(file), file)

    def compile_file(source: Any, file: str, mode: str) -> CodeType:
        if not sources.is_readers(file):
            return compile(source, file, mode, dont_inherit=True)
        return sources.compile(source, file)

    compiled_by_python = SourceFileLoader.get_code
    # Where runpy finds no compiled file it calls `compile` with the whole of it and "exec".
    vars(runpy).setdefault("compile", compile)
    return (
        Patch(SourceFileLoader, "get_code", get_code),
        Patch(runpy, "compile", compile_file),
    )


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
