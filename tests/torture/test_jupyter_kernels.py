"""Kernels of a real Jupyter server are interrupted, restarted and ended at random moments of a run.

Tier: make test, in turn, short.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
import websocket

from tests.browser.server import LabServer
from tests.running import came, gone
from tests.torture.conftest import Tried
from tests.torture.test_kills import LEAVING

pytestmark = pytest.mark.in_turn

# A notebook's cell. The step file lies in a place that no other test uses.
CELL = """
from pathlib import Path
import labkit as lk
from labkit.bench import folders
folders.SHARED_MEMORY = Path({memory!r})
lk.run({loop!r}, steps=1_000_000, starts={starts!r})
"""
SWEEP = """
from pathlib import Path
from labkit.bench import folders
folders.SHARED_MEMORY = Path({memory!r})
folders.sweep_abandoned()
"""
ANSWER_SECONDS = 60
GONE_SECONDS = 2.0
WARM = 3  # the launcher and a spare worker with its reaper, which wait for the next run
MEMORY = Path("/dev/shm")


@pytest.fixture(scope="module")
def server(own_places: None) -> Iterator[LabServer]:
    with LabServer() as made:
        yield made


@pytest.fixture
def memory() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)


class Kernel:
    """One kernel of a server, as a notebook's page speaks to it."""

    def __init__(self, server: LabServer, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._server = server
        there = {process.pid for process in kernels(server)}
        self.id = server.ask("api/kernels", "POST", {"name": "python3"})["id"]
        address = server.url.replace("http", "ws", 1)
        self._address = f"{address}api/kernels/{self.id}/channels?token={server.token}"
        self._seconds = answer_seconds
        self._connect()
        self.run("1 + 1")  # it is up
        (self.process,) = (each for each in kernels(server) if each.pid not in there)

    def connect_again(self) -> None:
        """Reach the kernel anew: nobody has answered the server's pings for a while."""
        self._socket.close()
        self._connect()

    def _connect(self) -> None:
        self._socket = websocket.create_connection(self._address, timeout=self._seconds)

    def begin(self, code: str) -> str:
        """Ask for a cell to be run; return the number of the question."""
        number = uuid.uuid4().hex
        header = {"msg_id": number, "msg_type": "execute_request", "version": "5.3",
                  "session": number, "username": ""}  # fmt: skip
        content = {"code": code, "silent": False, "store_history": False, "user_expressions": {},
                   "allow_stdin": False, "stop_on_error": False}  # fmt: skip
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content,
                   "channel": "shell", "buffers": []}  # fmt: skip
        self._socket.send(json.dumps(message))
        return number

    def reply(self, number: str) -> dict[str, Any]:
        """Wait for the reply to a question."""
        while True:
            message = json.loads(self._socket.recv())
            told = message["parent_header"].get("msg_id") == number
            if told and message["msg_type"] == "execute_reply":
                return dict(message["content"])

    def run(self, code: str) -> dict[str, Any]:
        return self.reply(self.begin(code))

    def ask(self, what: str, method: str = "POST") -> None:
        self._server.ask(f"api/kernels/{self.id}{what}", method)

    def close(self) -> None:
        self._socket.close()
        self.ask("", "DELETE")


def kernels(server: LabServer) -> list[psutil.Process]:
    return [each for each in server.processes() if "ipykernel_launcher" in " ".join(each.cmdline())]


@contextmanager
def kernel(server: LabServer) -> Iterator[Kernel]:
    made = Kernel(server)
    try:
        yield made
    finally:
        made.close()


def tree_of(process: psutil.Process) -> list[psutil.Process]:
    return process.children(recursive=True)


@pytest.mark.parametrize("what", ["/interrupt", "/restart"])
def test_a_run_whose_kernel_is_interrupted_or_restarted_leaves_nothing(
    server: LabServer, memory: Path, rounds: int, dice: random.Random, tried: Tried, what: str
) -> None:
    amid = swept = 0
    for _ in range(rounds):
        with kernel(server) as it:
            starts = dice.choice(["nothing", "child", "daemon", "pool"])
            number = it.begin(CELL.format(memory=str(memory), loop=LEAVING, starts=starts))
            time.sleep(dice.uniform(0.5, 8))  # while TensorFlow is imported, too
            tree = tree_of(it.process)
            amid += any(memory.iterdir())
            it.ask(what)
            if what == "/interrupt":
                assert it.reply(number)["status"] in ("ok", "error")
                assert came(lambda: len(tree_of(it.process)) <= WARM, GONE_SECONDS)
            else:
                assert all(gone(each.pid, GONE_SECONDS) for each in tree)
            # One that is killed while the launcher imports leaves a folder to the next run's start.
            if what == "/restart" and not came(lambda: not any(memory.iterdir()), GONE_SECONDS):
                it.run(SWEEP.format(memory=str(memory)))
                swept += 1
            assert came(lambda: not any(memory.iterdir()), GONE_SECONDS)
            assert it.run("1 + 1")["status"] == "ok"
    assert swept <= max(1, rounds // 2)
    tried(rounds, f"kernels, {amid} of them amid a run")
