"""The network probe against a table of its own and against real bytes. Tier: make test."""

from __future__ import annotations

import math
import socket
import sys
from pathlib import Path

import pytest

from labkit.measure.machine.network import NetworkProbe
from tests.measure.watching import numbers_of

TABLE = """Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop
  dlo: 77777 5 0 0 0 0 0 0 77777 5 0 0
    lo: {lo} 5 0 0 0 0 0 0 {lo} 5 0 0
  eth0: {eth} 255 0 0 0 0 0 0 132 14 0 0
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "dev"
    path.write_text(TABLE.format(lo=1000, eth=5))
    return path


def test_a_step_is_charged_with_the_bytes_since_it_began(table: Path) -> None:
    probe = NetworkProbe(str(table))
    table.write_text(TABLE.format(lo=1234, eth=5))
    assert numbers_of(probe)[0] == 234
    probe.begin()
    assert numbers_of(probe)[0] == 0
    probe.close()


def test_another_interface_is_not_counted(table: Path) -> None:
    probe = NetworkProbe(str(table))
    table.write_text(TABLE.format(lo=1000, eth=999_999))
    assert numbers_of(probe)[0] == 0
    probe.close()


def test_where_nobody_counts_it_is_not_a_number(tmp_path: Path) -> None:
    probe = NetworkProbe(str(tmp_path / "missing"))
    probe.begin()
    assert math.isnan(numbers_of(probe)[0])
    probe.close()


def test_a_table_without_loopback_is_not_a_number(tmp_path: Path) -> None:
    (tmp_path / "dev").write_text("nothing of the kind\n")
    probe = NetworkProbe(str(tmp_path / "dev"))
    assert math.isnan(numbers_of(probe)[0])
    probe.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts by interface")
def test_bytes_sent_over_loopback_are_all_in_the_count() -> None:
    probe = NetworkProbe()
    sent = 0
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as near,
        server.accept()[0] as far,
    ):
        probe.begin()
        for _ in range(50):
            near.sendall(bytes(10_000))
            sent += 10_000
            received = 0
            while received < 10_000:
                received += len(far.recv(65_536))
    assert sent <= numbers_of(probe)[0]
    probe.close()
