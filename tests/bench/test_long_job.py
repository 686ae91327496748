"""A job of any length reaches its worker, though a signal cuts what is written.

Tier: quick.
"""

from __future__ import annotations

import os
import threading
from types import SimpleNamespace

import pytest

from labkit.bench.session.worker_handle import WorkerHandle

ONCE = 1_000  # bytes that go through before the signal


def test_a_line_that_is_cut_by_signals_arrives_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    read, commands = os.pipe()
    whole = os.write
    handle = object.__new__(WorkerHandle)
    handle._worker = SimpleNamespace(commands=commands)  # type: ignore[assignment]
    handle._commands_lock = threading.RLock()
    handle._commands_open = True
    cut = [0]

    def cut_short(file: int, data: bytes) -> int:
        cut[0] += 1
        return whole(file, data[:ONCE])

    with monkeypatch.context() as patched:
        patched.setattr("labkit.bench.session.worker_handle.os.write", cut_short)
        handle._send(b"x" * (5 * ONCE) + b"\n")
    os.close(commands)
    with open(read, "rb") as pipe:
        assert pipe.read() == b"x" * (5 * ONCE) + b"\n"
    assert cut[0] == 6
