"""Search of the reader's own files for the line that makes or keeps one more of something."""

from __future__ import annotations

import linecache
import os
import re
from collections.abc import Callable, Iterable, Iterator

from labkit.diagnosis.evidence import INSTANCES
from labkit.diagnosis.findings.memory import KERNEL_CACHE
from labkit.record.source_line import SourceLine

# The last name of a path, which may be a key.
LAST_NAME = re.compile(r"""(?P<key>\[['"])?(?P<name>\w+)(?:['"]\])?$""")
# What makes more of what has a name; who calls it has a cache.
ADDS = (
    r"\s*(?:\(|\.(?:append|appendleft|extend|insert|add|update|setdefault|put|push)\s*\(|\[[^\]]*\]\s*=[^=]"
    r"|\+=|=[^=].*(?:\bappend|concat|stack)\w*\(.*(?<!\w){name}(?!\w)|=\s*{name}\s*\+)"
)
# What makes one more of what no place is timed for, by its counter.
MAKES_ONE = {
    "log_handlers": re.compile(r"\.addHandler\("),
    "open_files": re.compile(
        r"(?<!\w)(?:open|fdopen|memmap|socket|\w*File|\w*Writer|\w*Handler)\("
    ),
    "threads": re.compile(r"(?<!\w)(?:Thread|Timer|ThreadPool\w*|Pool|Process|\w*Writer)\("),
    # Within ``with`` it is closed at the end of that.
    "open_tapes": re.compile(r"^(?!\s*with\b).*\bGradientTape\("),
    # Each call gets a kernel of its own where it has a seed of its own.
    KERNEL_CACHE: re.compile(r"\btf\.random\.(?!stateless_|set_seed|Generator|experimental)\w+\("),
}


def line_that_adds_to(
    path: str, files: Iterable[str], called: frozenset[tuple[str, int]]
) -> SourceLine | None:
    """Return a line that adds to what is kept under a name: in a function that is called, if any.

    Args:
        path: As in ``history``, ``self.memory`` or ``state['rows']``, as the reader would write it.
        files: The reader's.
        called: Where functions begin that the step calls.
    """
    last = LAST_NAME.search(path)
    if last is None:
        return None
    name = re.escape(last["name"])
    owner = rf"\[['\"]{name}['\"]\]" if last["key"] else rf"(?<!\w){name}(?!\w)"
    adds = re.compile(owner + ADDS.format(name=name))
    found = [*_lines(files, lambda code: bool(adds.search(code)), ("#", "def "))]
    return next((line for line in found if _function(line) in called), next(iter(found), None))


def line_that_makes(
    counter: str, files: Iterable[str], called: frozenset[tuple[str, int]]
) -> SourceLine | None:
    """Return a line that makes one more of what is counted: in a function that is called, if any.

    Args:
        counter: One of `MAKES_ONE`; of another there is none.
        files: The reader's.
        called: Where functions begin that the step calls.
    """
    makes = MAKES_ONE.get(counter)
    if makes is None:
        return None
    found = [*_lines(files, lambda code: bool(makes.search(code)), ("#", "def ", "class "))]
    return next((line for line in found if _function(line) in called), next(iter(found), None))


def line_that_instantiates(instances: str, files: Iterable[str]) -> SourceLine | None:
    """Return the first line that makes an object of a class.

    Args:
        instances: The counter of its objects alive.
        files: The reader's.
    """
    name = re.escape(instances.removeprefix(INSTANCES))
    makes = re.compile(rf"(?<!\w){name}\s*\(")
    return next(_lines(files, lambda code: bool(makes.search(code)), ("#", "def ", "class ")), None)


def with_code(file: str, line: int) -> SourceLine:
    """Return a line with its code, which is empty where the file is not to be had.

    Args:
        file: Its path.
        line: The line's number, from 1.
    """
    return SourceLine(file, line, linecache.getline(file, line).strip())


def _function(line: SourceLine) -> tuple[str, int]:
    """Return the file and first line of the function around a line, 0 where there is none."""
    for number in range(line.line, 0, -1):
        if linecache.getline(line.file, number).lstrip().startswith(("def ", "async def ")):
            return os.path.basename(line.file), number
    return os.path.basename(line.file), 0


def _lines(
    files: Iterable[str], fits: Callable[[str], bool], but: tuple[str, ...]
) -> Iterator[SourceLine]:
    for file in sorted(files):
        for number, code in enumerate(linecache.getlines(file), start=1):
            if fits(code) and not code.lstrip().startswith(but):
                yield SourceLine(file, number, code.strip())
