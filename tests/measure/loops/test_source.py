"""A file whose loops tell is the same program: results, errors, lines. Tier: make test."""

from __future__ import annotations

import builtins
import marshal
import sys
import textwrap
import time
import traceback
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from labkit.measure.loops import imports
from labkit.measure.loops.imports import Sources
from labkit.measure.loops.source import (
    ENTER,
    GO_THROUGH,
    GO_THROUGH_MAP,
    LEAVE,
    TURN,
    compile_telling,
)
from labkit.measure.loops.turns import Turns
from labkit.record.loop import SourceLoop


class Told:
    """Takes what loops tell, as `Turns` does."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def go_through(self, number: int, items: Iterable[Any]) -> Iterator[Any]:
        self.words.append(f"enter {number}")
        for item in items:
            self.words.append(f"turn {number}")
            yield item
        self.words.append(f"leave {number}")

    def say(self, word: str) -> Any:
        return lambda number: self.words.append(f"{word} {number}")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    made = Told()
    monkeypatch.setattr(builtins, GO_THROUGH, made.go_through, raising=False)

    def go_through_map(number: int, function: object, items: Iterable[Any]) -> Iterable[Any]:
        own = function is not map and function is not None
        return items if own else made.go_through(number, iter(items))

    monkeypatch.setattr(builtins, GO_THROUGH_MAP, go_through_map, raising=False)
    for name, word in ((ENTER, "enter"), (TURN, "turn"), (LEAVE, "leave")):
        monkeypatch.setattr(builtins, name, made.say(word), raising=False)
    return made


def ran(code: str, *, telling: bool) -> tuple[dict[str, Any], str]:
    """Run a program; return its names that are plain values, and what it raised with its lines."""
    source = textwrap.dedent(code)
    compiled = compile(source, "program.py", "exec", dont_inherit=True)
    if telling:
        compiled, _, _ = compile_telling(source.encode(), "program.py", 1)
    names: dict[str, Any] = {"__name__": "program"}
    raised = ""
    try:
        exec(compiled, names)
    except Exception as error:
        frames = [
            (frame.name, frame.lineno)
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == "program.py"
        ]
        raised = f"{error!r} {frames}"
    plain = (int, float, str, list, tuple, dict, set)
    return {n: v for n, v in names.items() if isinstance(v, plain) and n[:2] != "__"}, raised


PROGRAMS = {
    "a loop with else": """
        found = []
        for each in range(5):
            found.append(abs(each))
        else:
            found.append("over")
        """,
    "break and continue": """
        found = []
        for each in range(9):
            if each % 2:
                continue
            if each > 5:
                break
            found.append(str(each))
        else:
            found.append("never")
        """,
    "a while that is left in three ways": """
        def count(kind):
            step = 0
            while step < 10:
                step = sum([step, 1])
                if kind == "return" and step == 4:
                    return step
                if kind == "break" and step == 6:
                    break
            else:
                return -step
            return step
        found = [count(kind) for kind in ("return", "break", "end")]
        """,
    "an iterator that the body asks as well": """
        source = iter(range(10))
        pairs = []
        for each in source:
            pairs.append((each, next(source)))
        """,
    "a generator, its value and its close": """
        closed = []
        def batches():
            try:
                for each in range(3):
                    got = yield str(each)
                return len("over")
            finally:
                closed.append("closed")
        def outer():
            value = yield from batches()
            yield value
        found = list(outer())
        for first in batches():
            break
        """,
    "comprehensions within each other": """
        table = [[abs(row * column) for column in range(3)] for row in range(3) if abs(row) != 1]
        names = {str(key): {str(value) for value in range(key)} for key in range(4)}
        """,
    "generator expressions, read whole, in part, within each other and not at all": """
        whole = sum(abs(each) for each in range(-3, 3))
        first = next(str(each) for each in range(5))
        some = any(abs(each) > 1 for each in range(5))
        table = [sum(abs(row * column) for column in range(3)) for row in range(3)]
        unread = (str(each) for each in range(3))
        pairs = [(one, next(unread)) for one in (str(each) for each in range(3))]
        class Model:
            sizes = tuple(abs(size) for size in range(3))
        found = Model.sizes
        del unread
        """,
    "map, of one and of several, read in part, not at all, within itself, and another's": """
        doubled = list(map(lambda each: 2 * each, range(4)))
        sums = list(map(lambda *both: sum(both), range(4), [1, 2]))
        first = next(map(lambda each: each + 1, [5]))
        unread = map(lambda each: 1 / 0, range(3))
        table = [list(map(lambda each: each * row, range(3))) for row in range(3)]
        numbers = list(map(int, "1 2".split()))
        spread = list(map(*[lambda each: -each, [1, 2]]))
        def own(map, items):
            return map(lambda each: each, items)
        found = own(lambda function, items: (len(items), function(1)), [1, 2, 3])
        try:
            list(map(lambda each: 1 / each, [1, 0]))
        except ZeroDivisionError as error:
            said = str(error)
        del unread
        """,
    "names in a class and after the loop": """
        class Model:
            layers = []
            for size in range(3):
                layers.append(str(size))
        found, last = Model.layers, Model.size
        """,
    "coroutines": """
        import asyncio
        async def numbers():
            for each in range(3):
                await asyncio.sleep(0)
                yield abs(each)
        async def main():
            found = [each async for each in numbers()]
            for each in found:
                await asyncio.sleep(0)
            return found
        found = asyncio.run(main())
        """,
    "annotations of the future, a walrus, unpacking": """
        '''A docstring.'''
        from __future__ import annotations
        rest = []
        for first, *others in [(1, 2, 3), (4, 5)]:
            if (size := len(others)) > 1:
                rest.append(size)
        def later(x: Nowhere) -> Never: ...
        kind = later.__annotations__["x"]
        """,
    "an error in the body": """
        def train(steps):
            for each in range(steps):
                print(1 / (each - 2), file=None)
        import sys, io
        sys_out, sys.stdout = sys.stdout, io.StringIO()
        try:
            train(5)
        finally:
            sys.stdout = sys_out
        """,
    "an error of the iterator": """
        def broken():
            yield 1
            raise KeyError("no data")
        total = 0
        for each in broken():
            total += abs(each)
        """,
    "what is no iterable": """
        for each in 5:
            print(each)
        """,
}


@pytest.mark.parametrize("code", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_it_does_what_the_file_does(code: str, told: Told) -> None:
    assert ran(code, telling=True) == ran(code, telling=False)


def test_turns_are_told_in_order_and_an_outer_loop_has_the_smaller_number(told: Told) -> None:
    ran(
        """
        for epoch in range(2):
            for batch in range(2):
                str(batch)
        step = 0
        while step < 1:
            step = int(1)
        """,
        telling=True,
    )
    inner = ["enter 2", "turn 2", "turn 2", "leave 2"]
    epochs = ["enter 1", "turn 1", *inner, "turn 1", *inner, "leave 1"]
    assert told.words == [*epochs, "enter 3", "turn 3", "leave 3"]


def test_a_loop_that_calls_nothing_tells_nothing(told: Told) -> None:
    ran("total = 0\nfor each in (1, 2):\n    total += each\n", telling=True)
    assert told.words == []


def test_a_loop_that_multiplies_matrices_tells_though_it_calls_nothing(told: Told) -> None:
    code = """
        class Matrix:
            def __matmul__(self, other):
                return other
        w = Matrix()
        for each in (1, 2):
            w @ each
        """
    ran(code, telling=True)
    assert told.words == ["enter 1", "turn 1", "turn 1", "leave 1"]


def test_each_loop_is_known_with_its_line_and_code(tmp_path: Path) -> None:
    found: dict[int, SourceLoop] = {}
    sources = Sources(7, found.__setitem__)
    code = b"import os\nfor a, b in zip([1], [2]):\n    while len('x') > a:\n        break\n"
    sources.compile(code, "train.py")
    assert found == {
        7: SourceLoop("for", "train.py", 2, "for a, b in zip([1], [2]):", 4),
        8: SourceLoop("while", "train.py", 3, "while len('x') > a:", 4),
    }
    assert found[7].contains("train.py", 4) and not found[8].contains("train.py", 2)
    again = sources.number(SourceLoop("fit", "train.py", 9, "model.fit(x)"))
    assert again == 9 == sources.number(SourceLoop("fit", "train.py", 9, "model.fit(x)"))


@pytest.mark.parametrize(
    "deep",
    [
        "x = " + "+".join(["len('a')"] * 2000),
        "if x == 0: pass\n" + "".join(f"elif x == {number}: pass\n" for number in range(1, 900)),
        "x = ''" + ".strip()" * 900,
    ],
    ids=["a sum", "conditions", "calls"],
)
def test_the_loops_of_a_file_that_is_nested_deeply_tell(deep: str) -> None:
    """Seen: such a file was not watched, and something else was said to be the reason."""
    found: dict[int, SourceLoop] = {}
    source = f"x = 0\n{deep}\nfor y in map(len, []):\n    pass\n".encode()
    with pytest.raises(RecursionError):
        compile_telling(source, "deep.py", 1)
    before = sys.getrecursionlimit()
    Sources(1, found.__setitem__).compile(source, "deep.py")
    assert [each.kind for each in found.values()] == ["for"]
    assert sys.getrecursionlimit() == before


def test_what_is_too_deep_even_so_is_compiled_as_it_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(imports, "DEEP", 0)
    names: dict[str, Any] = {}
    code = Sources(1, lambda *_: None).compile(b"x = " + b"+".join([b"len('a')"] * 800), "deep.py")
    exec(code, names)
    assert names["x"] == 800


def test_what_is_too_deep_for_python_is_told_as_python_tells_it() -> None:
    with pytest.raises((RecursionError, MemoryError)):
        Sources(1, lambda *_: None).compile(b"x = " + b"+".join([b"1"] * 20_000), "deep.py")


def test_a_file_that_is_not_python_is_told_as_python_tells_it() -> None:
    with pytest.raises(SyntaxError) as raised:
        Sources(1, lambda *_: None).compile(b"for x in:\n    pass\n", "broken.py")
    assert raised.value.filename == "broken.py" and raised.value.lineno == 1


def test_a_function_that_is_saved_by_its_code_runs_where_nobody_looks() -> None:
    code = """
        def work(rows):
            found, left = [int(row) for row in rows], 2
            for row in rows:
                found.append(len(row))
            while left:
                left -= len("x")
            return found, left
    """
    compiled, loops, _ = compile_telling(textwrap.dedent(code).encode(), "program.py", 1)
    names: dict[str, Any] = {}
    exec(compiled, names)
    saved = marshal.dumps(names["work"].__code__)
    assert [each.kind for each in loops] == ["comprehension", "for", "while"]
    assert not hasattr(builtins, GO_THROUGH)
    loaded = types.FunctionType(marshal.loads(saved), {})
    assert loaded(["1", "22"]) == ([1, 22, 1, 2], 0)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_code_of_a_loop_is_that_of_its_line_whatever_its_file_has_before(end: str) -> None:
    text = "# coding: latin-1\n\f\nname = '\xe9\x85\x1c'\nfor each in name:\n    print(each)\n"
    _, (loop,), _ = compile_telling(text.replace("\n", end).encode("latin-1"), "program.py", 1)
    assert (loop.line, loop.code) == (4, "for each in name:")


def test_loops_need_no_name_that_the_program_could_take_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object) -> Any:
        raise ImportError("no imports after start-up")

    code = "def turns(rows):\n    found = 0\n    for row in rows:\n        found += row.__len__()\n"
    compiled, _, _ = compile_telling(f"{code}    return found\n".encode(), "program.py", 1)
    names: dict[str, Any] = {"__builtins__": {}}
    exec(compiled, names)
    monkeypatch.setattr(builtins, "__import__", refused)
    assert names["turns"](["1", "22"]) == 3


def test_what_a_compiler_takes_apart_has_the_bytecode_that_it_has_with_python() -> None:
    """Numba compiles a function's own bytecode, and knows no names of ours."""
    code = """
        def njit(function=None, **options):
            return function or (lambda each: each)

        @njit
        def one(rows):
            for row in rows:
                print(row)

        @njit(parallel=True)
        def two(rows):
            return [abs(row) for row in rows]

        def three(rows):
            while rows:
                rows.pop()

        def four(rows):
            while rows:
                rows.pop()

        three = njit(three)
    """
    source = textwrap.dedent(code)
    plain: dict[str, Any] = {}
    exec(compile(source, "program.py", "exec", dont_inherit=True), plain)
    telling: dict[str, Any] = {}
    compiled, loops, _ = compile_telling(source.encode(), "program.py", 1)
    exec(compiled, telling)
    same = [
        plain[name].__code__.co_code == telling[name].__code__.co_code
        for name in ("one", "two", "three", "four")
    ]
    assert same == [True, True, True, False]
    assert len(loops) == 1


def test_a_map_of_a_function_is_a_loop_and_one_of_pythons_own_is_none() -> None:
    source = b"losses = list(map(train, data))\nnumbers = list(map(int, words))\nx = data.map(f)\n"
    _, loops, _ = compile_telling(source, "train.py", 1)
    assert [(each.kind, each.line) for each in loops] == [("map", 1)]


@pytest.mark.parametrize(
    "made", ["(float(x) for x in rows)", "map(float, rows)"], ids=["expression", "map"]
)
def test_an_iterator_is_asked_for_where_python_asks_for_it(
    made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen: a loader that shuffles when it is asked took other random numbers than with Python."""
    code = f"""
        told = []
        class Rows:
            def __iter__(self):
                told.append("asked")
                return iter([1, 2])
        rows = Rows()
        made = {made}
        told.append("made")
        told += list(made)
        """
    plain, _ = ran(code, telling=False)
    turns = Turns(time.perf_counter)
    monkeypatch.setattr(builtins, GO_THROUGH, turns.go_through, raising=False)
    monkeypatch.setattr(builtins, GO_THROUGH_MAP, turns.go_through_map, raising=False)
    assert ran(code, telling=True)[0]["told"] == plain["told"] == ["asked", "made", 1.0, 2.0]


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "in_another_thread"])
@pytest.mark.parametrize(
    "made", ["(float(x) for x in rows)", "map(lambda x: float(x), rows)"], ids=["expression", "map"]
)
def test_an_iterator_is_never_asked_for_its_iterator(
    made: str, elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen: a loader that begins anew when it is asked, and returns itself, was asked twice, and
    one that has a ``__next__`` alone ended the script."""
    code = f"""
        asked = []
        class Rows:
            left = 3
            def __iter__(self):
                asked.append("again")
                self.left = 3
                return self
            def __next__(self):
                if not self.left:
                    raise StopIteration
                self.left -= 1
                return self.left
        class Bare:
            __next__ = Rows.__next__
            left = 3
        class Rest:
            def __iter__(self):
                return Bare()
        rows = Rows()
        told = list({made}) + list({made})
        rows = Rest()
        told += list({made})
        """
    plain, _ = ran(code, telling=False)
    turns = Turns(time.perf_counter)
    if elsewhere:
        turns.stop()
    monkeypatch.setattr(builtins, GO_THROUGH, turns.go_through, raising=False)
    monkeypatch.setattr(builtins, GO_THROUGH_MAP, turns.go_through_map, raising=False)
    said, _ = ran(code, telling=True)
    assert (said["told"], said["asked"]) == (plain["told"], plain["asked"])
    assert plain["asked"] == ["again"] * 2 and plain["told"] == [2.0, 1.0, 0.0] * 3
