"""Checks of the card, each in a process forked from one that has imported TensorFlow and no more.

So a check costs a tenth of a second and not the seconds of the import, has options of its own, and
may end as it likes: it may hang, or abort.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import IO, NoReturn

from tests.card.build import card_environment

ROOT = Path(__file__).parents[2]


@dataclasses.dataclass(frozen=True)
class Ended:
    """How a check ended: its exit status, minus the signal that ended it, or None if it hung."""

    status: int | None
    output: str


@dataclasses.dataclass(frozen=True)
class Checks:
    """The process that forks, as the tests see it."""

    process: subprocess.Popen[str]

    def run(self, check: str, seconds: float = 60, **options: int | str | bool) -> Ended:
        """Run ``module:function`` of the folder ``checks`` on a card with these options."""
        order = {
            "check": check, "seconds": seconds,
            "environment": card_environment(**options),  # type: ignore[arg-type]
        }  # fmt: skip
        assert self.process.stdin is not None and self.process.stdout is not None
        print(json.dumps(order), file=self.process.stdin, flush=True)
        return Ended(**json.loads(self.process.stdout.readline()))

    def fault(self, check: str, seconds: float = 60, **options: int | str | bool) -> str:
        """The same for a check that must find nothing: what it found, empty if nothing."""
        ended = self.run(check, seconds, **options)
        return "" if ended.status == 0 else f"{check} ended with {ended.status}\n{ended.output}"


@contextlib.contextmanager
def checks() -> Iterator[Checks]:
    """Start the process that has TensorFlow and a card, and end it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.card.forking"],
        cwd=ROOT, env={**os.environ, **card_environment()},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    with process:
        yield Checks(process)
        assert process.stdin is not None
        process.stdin.close()


def _serve() -> None:
    import tensorflow  # noqa: F401

    for line in sys.stdin:
        order = json.loads(line)
        with (
            # TensorFlow removes what it writes there at Python's end, which a check does not reach.
            tempfile.TemporaryDirectory() as folder,
            tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output,
        ):
            process_id = os.fork()
            if process_id == 0:
                tempfile.tempdir = folder
                _check(order, output)
            status = _wait(process_id, order["seconds"])
            output.seek(0)
            print(json.dumps({"status": status, "output": output.read()[-8000:]}), flush=True)


def _check(order: dict[str, object], output: IO[str]) -> NoReturn:
    os.dup2(output.fileno(), 1)
    os.dup2(output.fileno(), 2)
    status = 1
    try:
        environment = order["environment"]
        assert isinstance(environment, dict)
        os.environ.update(environment)
        module, _, function = str(order["check"]).partition(":")
        getattr(import_module(f"tests.card.checks.{module}"), function)()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _wait(process_id: int, seconds: float) -> int | None:
    deadline = time.monotonic() + seconds
    while True:
        ended, status = os.waitpid(process_id, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            os.kill(process_id, signal.SIGKILL)
            os.waitpid(process_id, 0)
            return None
        time.sleep(0.01)


if __name__ == "__main__":
    _serve()
