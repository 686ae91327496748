"""Many kernels on one machine, each with a run, as on a hub. Tier: make test, in turn, short."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import psutil
import pytest

from tests.browser.server import LabServer
from tests.torture.conftest import Tried
from tests.torture.test_jupyter_kernels import Kernel

pytestmark = pytest.mark.in_turn

MB = 1_000_000
MOST_KERNELS = 40
ROOM_BYTES = 1_500 * MB  # left for the others on the machine
ANSWER_SECONDS = 300
SETTLE_SECONDS, LOOKS = 1.5, 5
CELL = """
import labkit as lk
run = lk.run("graph_growth", steps=100)
assert run.state.name == "done" and len(run.steps) == 100, run.state
"""


@pytest.fixture
def server(own_places: None) -> Iterator[LabServer]:
    with LabServer() as made:
        yield made


def held(kernels: Sequence[Kernel], kind: str = "Pss_Anon") -> int:
    """Return the bytes that kernels and all that they started hold, what is shared split.

    Args:
        kernels: The kernels.
        kind: ``Pss_Anon`` is what they have written themselves. Of ``Pss``, all that they hold, the
            libraries are split among all programs of the machine, and other tests end meanwhile
            (man 5 proc_pid_smaps).
    """
    # A run's worker takes a moment to end when its cell has answered.
    time.sleep(SETTLE_SECONDS)
    looks = []
    for _ in range(LOOKS):
        looks.append(sum(_held_now(kernel, kind) for kernel in kernels))
        time.sleep(SETTLE_SECONDS / LOOKS)
    return min(looks)


def _held_now(kernel: Kernel, kind: str) -> int:
    total = 0
    for process in (kernel.process, *kernel.process.children(recursive=True)):
        with suppress(OSError, IndexError):  # it ends, and holds nothing any more
            text = Path(f"/proc/{process.pid}/smaps_rollup").read_text("ascii")
            total += 1024 * int(text.partition(f"\n{kind}:")[2].split()[0])
    return total


def test_each_of_many_kernels_takes_as_much_as_the_first_ones_and_has_its_run(
    server: LabServer, rounds: int, tried: Tried
) -> None:
    asked = min(MOST_KERNELS, 2 + 2 * rounds)
    kernels: list[Kernel] = []
    with ExitStack() as undo:
        while len(kernels) < asked and psutil.virtual_memory().available > ROOM_BYTES:
            kernels.append(Kernel(server, ANSWER_SECONDS))
            undo.callback(kernels[-1].close)
            assert kernels[-1].run(CELL)["status"] == "ok"
            if len(kernels) == 2:
                first, first_in_all = held(kernels), held(kernels, "Pss")
        further = len(kernels) - 2
        assert further >= 1
        assert (held(kernels) - first) / further < 1.15 * first / 2
        each = (held(kernels, "Pss") - first_in_all) / further
        tried(len(kernels), "kernels on one machine, each with a run")
        tried(round(each / MB), "MB for each further one")

        for kernel in kernels:
            kernel.connect_again()
        began = time.monotonic()
        asked_at_once = [(kernel, kernel.begin(CELL)) for kernel in kernels]
        ended = [kernel.reply(number)["status"] for kernel, number in asked_at_once]
        assert ended == ["ok"] * len(kernels)
        tried(round(time.monotonic() - began), "s until all their runs at once were done")
