"""What a call of a patched function costs, and waiting for a module, beside the package wrapt.

TensorFlow depends on wrapt, so it is always there. The same body stands in both wrappers. wrapt has
an extension in C, and does the same in Python where that was not built: it is measured both ways,
each in a process of its own, because its post-import hooks cannot be taken away again.

Usage: python -m tools.bench.benchmarks.patches     One such process; prints JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import timeit
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from labkit.measure.clock.timers import NONE, Timers
from labkit.measure.patches.patch import Patch, timed_patch
from labkit.measure.patches.patches import Patches
from labkit.measure.registry import TABLES
from tools.bench.figure import Figure

# Many short rounds, all ways in turn, by processor time: the best of them was disturbed by nobody.
CALLS, ROUNDS, TURNS = 2_000, 20, 15
MODULES = 300
NOTHING, TIMED = "nothing measured", "timed"
ASKING, LOOKING = "asking before a step", "looking after an import"
EMPTY, AWAITING = "import of an empty module", "the same, others awaited"
NOTE = f"processor time, best of {ROUNDS * TURNS} rounds"


class Owner:
    """Has what is called: a method, and functions as a module has them."""

    def method(self, a: object) -> None:
        """Do nothing."""


module: Any = type(sys)("functions")
module.one, module.two = lambda a: None, lambda a, b: None
module.three, module.four = lambda a, b, c: None, lambda a, b, c, d: None
# By what a table says of it: what is patched, and a call of it.
CALLED: dict[str, tuple[Any, str, str]] = {
    "function of 1": (module, "one", "module.one(1)"),
    "function of 2": (module, "two", "module.two(1, 2)"),
    "function of 3": (module, "three", "module.three(1, 2, 3)"),
    "function of 4": (module, "four", "module.four(1, 2, 3, 4)"),
    "method of 1": (Owner, "method", "instance.method(1)"),
}


def measure() -> list[Figure]:
    """Return nanoseconds of ours beside wrapt's, with its extension and without."""
    with_c, without = _process(""), _process("1")

    def row(group: str, name: str, ours: str, theirs: str, bare: str, note: str) -> Figure:
        rivals = {"unpatched": with_c[bare]} if bare else {}
        if theirs:
            rivals |= {"wrapt": with_c[theirs], "wrapt without C": without[theirs]}
        return Figure(group, name, with_c[ours], "ns", note=note, rivals=rivals)

    names = {f"{called}, {what}": called for called in CALLED for what in (NOTHING, TIMED)}
    waiting = "waiting for a module"
    return [
        *(row("a patched call", name, f"labkit, {name}", f"wrapt, {name}", called, NOTE)
          for name, called in names.items()),
        row(waiting, ASKING, ASKING, "", "", "wrapt is asked by every import instead"),
        row(waiting, LOOKING, LOOKING, "", "", f"for {with_c['awaited']:.0f} functions"),
        row(waiting, EMPTY, EMPTY, AWAITING, "", f"processor time, best of {MODULES}"),
    ]  # fmt: skip


def _process(disabled: str) -> dict[str, float]:
    command = [sys.executable, "-m", "tools.bench.benchmarks.patches"]
    # wrapt reads it when it is imported.
    environment = os.environ | {"WRAPT_DISABLE_EXTENSIONS": disabled}
    done = subprocess.run(command, env=environment, capture_output=True, check=True, text=True)
    nanoseconds: dict[str, float] = json.loads(done.stdout)
    return nanoseconds


def _calls() -> dict[str, float]:
    turns = [_turn() for _ in range(TURNS)]
    return {name: min(turn[name] for turn in turns) for name in turns[0]}


def _turn() -> dict[str, float]:
    nanoseconds = {}
    for called, (owner, name, code) in CALLED.items():
        nanoseconds[called] = _best(code, CALLS)
        for what in (NOTHING, TIMED):
            for whose, patch in (("labkit", _labkit), ("wrapt", _wrapt)):
                put_back = patch(owner, name, what)
                nanoseconds[f"{whose}, {called}, {what}"] = _best(code, CALLS)
                put_back()
    return nanoseconds


def _best(code: str | Callable[[], object], calls: int) -> float:
    names = {"module": module, "instance": Owner(), "modules": sys.modules, "known": 0}
    timer = timeit.Timer(code, timer=time.process_time, globals=names)
    return min(timer.repeat(ROUNDS, calls)) / calls * 1e9


def _labkit(owner: Any, name: str, what: str) -> Callable[[], None]:
    if what == TIMED:
        timers = Timers(time.perf_counter)
        return timed_patch(owner, name, timers, timers.add("place", "place")).close
    original = getattr(owner, name)

    def passing(*args: Any, **keywords: Any) -> Any:
        return original(*args, **keywords)

    return Patch(owner, name, passing).close


def _wrapt(owner: Any, name: str, what: str) -> Callable[[], None]:
    import wrapt

    kept = vars(owner)[name]
    timers = Timers(time.perf_counter)
    place = timers.add("place", "place")
    clock, thread, ident = timers.clock, timers.thread, threading.get_ident
    seconds, hand = timers.seconds, timers.hand

    def passing(wrapped: Any, instance: Any, args: Any, keywords: Any) -> Any:
        return wrapped(*args, **keywords)

    def recorded(wrapped: Any, instance: Any, args: Any, keywords: Any) -> Any:
        """Do what labkit's own wrapper does."""
        if ident() != thread:
            return wrapped(*args, **keywords)
        outer, now = hand.place, clock()
        if outer != NONE:
            seconds[outer] += now - hand.since
        hand.place = place
        hand.since = now
        try:
            return wrapped(*args, **keywords)
        finally:
            now = clock()
            seconds[place] += now - hand.since
            hand.place = outer
            hand.since = now

    wrapt.wrap_function_wrapper(owner, name, recorded if what == TIMED else passing)
    return lambda: setattr(owner, name, kept)


def _imports() -> dict[str, float]:
    """Return what an import costs, and what it costs to ask whether there was one."""
    import wrapt

    timers = Timers(time.perf_counter)
    groups = [group for table in TABLES.values() for group in table.groups if group.deferred]
    Patches(timers).patch(*groups)
    awaited = [name for group in groups for name in group.names if not name.loaded]
    nanoseconds = {
        ASKING: _best("len(modules) != known", CALLS),
        LOOKING: _best(timers.deferred[0], 10),
        "awaited": float(len(awaited)),
    }
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        for number in range(3 * MODULES):
            (Path(folder) / f"empty_{number}.py").touch()
        _import_all(range(MODULES))  # the first ones take longer in any case
        nanoseconds[EMPTY] = _import_all(range(MODULES, 2 * MODULES))
        for name in awaited:
            wrapt.register_post_import_hook(lambda module: None, name.module)
        nanoseconds[AWAITING] = _import_all(range(2 * MODULES, 3 * MODULES))
    return nanoseconds


def _import_all(numbers: range) -> float:
    spent = []
    for number in numbers:
        began = time.process_time()
        import_module(f"empty_{number}")
        spent.append(time.process_time() - began)
    return min(spent) * 1e9


if __name__ == "__main__":
    print(json.dumps(_calls() | _imports()))
