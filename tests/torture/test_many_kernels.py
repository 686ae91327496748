"""Many kernels on one machine, each with a run, as on a hub. Tier: make test, in turn, short."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

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
CELL = """
import labkit as lk
run = lk.run("graph_growth", steps=100)
assert run.state.name == "done" and len(run.steps) == 100, run.state
"""


@pytest.fixture
def server(own_places: None) -> Iterator[LabServer]:
    with LabServer() as made:
        yield made


def held(kernels: Sequence[Kernel]) -> int:
    """Return what kernels and all that they started hold, what they share split among them."""
    total = 0
    for kernel in kernels:
        for process in (kernel.process, *kernel.process.children(recursive=True)):
            total += process.memory_full_info().pss
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
                first = held(kernels)
        further = len(kernels) - 2
        assert further >= 1
        each = (held(kernels) - first) / further
        assert each < 1.15 * first / 2
        tried(len(kernels), "kernels on one machine, each with a run")
        tried(round(each / MB), "MB for each further one")

        for kernel in kernels:
            kernel.connect_again()
        began = time.monotonic()
        asked_at_once = [(kernel, kernel.begin(CELL)) for kernel in kernels]
        ended = [kernel.reply(number)["status"] for kernel, number in asked_at_once]
        assert ended == ["ok"] * len(kernels)
        tried(round(time.monotonic() - began), "s until all their runs at once were done")
