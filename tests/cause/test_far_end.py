"""The far end of a line: a tracker that answers slowly, and to nobody else. Tier: make quick."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, NotConnected
from types import SimpleNamespace

import pytest

from labkit.cause.far_end import start_tracker


@pytest.fixture
def counts() -> SimpleNamespace:
    return SimpleNamespace(reports=0, losses=0)


@pytest.fixture
def tracker(counts: SimpleNamespace) -> Iterator[HTTPConnection]:
    before = threading.active_count()
    with closing(start_tracker(0.05, counts)) as started:
        yield started
    while threading.active_count() > before:  # it ends with the line
        time.sleep(0.01)


def test_a_report_waits_for_the_answer_and_is_counted(
    tracker: HTTPConnection, counts: SimpleNamespace
) -> None:
    for losses in ([1.0], [2.0, 3.0]):
        began = time.monotonic()
        tracker.request("POST", "/losses", json.dumps(losses))
        assert tracker.getresponse().read() == b""
        assert time.monotonic() - began >= 0.05
    assert vars(counts) == {"reports": 2, "losses": 3}


def test_a_tracker_has_no_address_to_which_another_account_could_connect(
    tracker: HTTPConnection,
) -> None:
    """Seen: another account sent 5 GB to its port, and the run was ended."""
    assert tracker.sock.family == socket.AF_UNIX
    assert not tracker.sock.getsockname() and not tracker.sock.getpeername()


def test_a_tracker_that_is_gone_is_not_looked_for_elsewhere(tracker: HTTPConnection) -> None:
    tracker.close()
    with pytest.raises(NotConnected):
        tracker.request("POST", "/losses", "[]")
