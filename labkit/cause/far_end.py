"""What answers slowly at the far end of a line: a store for records, a tracker for losses.

Both are threads of this process behind a real socket. Who asks waits there for the answer, as for a
disk or a network, and needs no processor meanwhile. The sockets are pairs and have no address: to a
port of the loopback another account of the machine could connect, and end the run.
"""

from __future__ import annotations

import json
import queue
import socket
import struct
import threading
import time
from collections.abc import Callable
from functools import cached_property
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from types import SimpleNamespace
from typing import Any

REPORT_EVERY = 10  # steps, where the tracker gets ten losses in one report


def far_away(seconds: float) -> Callable[[Any], Any]:
    """Return a function that asks a store for a number, as one would ask a disk or a network.

    Args:
        seconds: How long the store takes. The number is a float32 of NumPy's, and comes back.
    """
    idle: queue.SimpleQueue[socket.socket] = queue.SimpleQueue()

    def store(end: socket.socket) -> None:
        while request := end.recv(4):
            time.sleep(seconds)
            end.sendall(request)

    def ask(number: Any) -> Any:
        try:
            line = idle.get_nowait()
        except queue.Empty:  # one line for each that asks at the same time
            line, far_end = socket.socketpair()
            threading.Thread(target=store, args=(far_end,), daemon=True).start()
        line.sendall(number.tobytes())
        answer = number.dtype.type(struct.unpack("f", line.recv(4))[0])
        idle.put(line)
        return answer

    return ask


def start_tracker(seconds: float, counts: SimpleNamespace) -> HTTPConnection:
    """Start a tracker that takes so long to answer, and return a connection to it.

    Args:
        seconds: How long it takes to answer a report.
        counts: Its ``reports`` and ``losses`` are counted up.
    """

    class Answer(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # the connection stays open for the next report

        def do_POST(self) -> None:
            losses = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            time.sleep(seconds)
            counts.reports += 1
            counts.losses += len(losses)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *said: object) -> None:
            """Say nothing: a line for each report is a cost of its own."""

    tracker = HTTPConnection("tracker")
    tracker.auto_open = 0  # it is connected, and to nothing else
    tracker.sock, far_end = socket.socketpair()

    def answer() -> None:
        with far_end:
            Answer(far_end, ("the loop", 0), None)  # type: ignore[arg-type]  # it has no server

    threading.Thread(target=answer, daemon=True).start()
    return tracker


class Tracking:
    """Reports losses to a tracker at the far end: at each step, every tenth, or by a thread.

    Args:
        answer_seconds: How long the tracker takes to answer.
        report: Sends losses to it, and waits until it has answered.
    """

    def __init__(
        self, answer_seconds: float, report: Callable[[HTTPConnection, list[float]], object]
    ) -> None:
        self.counts = SimpleNamespace(reports=0, losses=0)  # what the tracker has got
        self._answer_seconds, self._report = answer_seconds, report
        self._unreported: list[float] = []

    def take(self, how: str, step: int, loss: float) -> None:
        """Report a step's loss ``each_step``, ``every_10`` or ``in_thread``."""
        if how == "in_thread":
            self._queue.put(loss)
            return
        self._unreported.append(loss)
        if how == "each_step" or step % REPORT_EVERY == 0:
            self._report(self._tracker, self._unreported)
            self._unreported.clear()

    # Made when they are first asked for: a loop that needs none of them has none.

    @cached_property
    def _tracker(self) -> HTTPConnection:
        return start_tracker(self._answer_seconds, self.counts)

    @cached_property
    def _queue(self) -> queue.SimpleQueue[float]:
        tracker = start_tracker(self._answer_seconds, self.counts)
        queued: queue.SimpleQueue[float] = queue.SimpleQueue()

        def report_what_came() -> None:
            while True:
                losses = [queued.get()]
                while not queued.empty():  # what came during the last report goes in one
                    losses.append(queued.get())
                self._report(tracker, losses)

        threading.Thread(target=report_what_came, daemon=True).start()
        return queued
