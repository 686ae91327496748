"""Workers that meet at every step: how they find each other, and how they end.

Tier: make test, in turn.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from labkit.bench.bench import Bench
from labkit.bench.isolation import cluster
from labkit.bench.isolation.cluster import cluster_variables, free_ports
from labkit.bench.supervision.limits import Limits
from labkit.record import LabkitError
from tests.running import ended, stepped

pytestmark = pytest.mark.in_turn

COLLECTIVE = str(Path(__file__).parents[1] / "collective_loop.py")
FOREVER = 1_000_000


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_one_worker_is_no_cluster() -> None:
    assert cluster_variables(1) == [{}]


def test_each_worker_is_told_all_addresses_and_its_own_number() -> None:
    told = [json.loads(each["TF_CONFIG"]) for each in cluster_variables(3)]
    assert [each["task"] for each in told] == [{"type": "worker", "index": n} for n in range(3)]
    addresses = told[0]["cluster"]["worker"]
    assert all(each["cluster"]["worker"] == addresses for each in told)
    assert len(set(addresses)) == 3
    assert all(address.startswith("127.0.0.1:") for address in addresses)


def test_the_ports_are_free_and_none_is_given_twice(taken_port: int) -> None:
    ports = free_ports(20)
    assert len(set(ports)) == 20 and taken_port not in ports
    for port in ports:
        with socket.socket() as each:
            each.bind(("127.0.0.1", port))


def test_where_no_port_is_left_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refused(socket.socket):
        def bind(self, address: object) -> None:
            raise OSError(98, "Address already in use")

    monkeypatch.setattr(cluster.socket, "socket", Refused)
    with pytest.raises(LabkitError) as caught:
        cluster_variables(2)
    sentence = str(caught.value)
    assert "No free port was found for 2 workers" in sentence and "one worker" in sentence
    assert "\n" not in sentence


def test_the_workers_see_each_other_at_every_step_and_end_as_they_should(bench: Bench) -> None:
    session = bench.start(COLLECTIVE, steps=50, limits=Limits(memory_bytes=2_000_000_000))
    run = ended(session).snapshot()
    # Each step asserts that the sum over both workers is 3: 1 of the one and 2 of the other.
    assert run.state.name == "done" and run.state.reason == ""
    assert len(run.steps) == 50 and [len(steps) for steps in run.others] == [50]
    # Half of the free memory each would be all of it.
    assert [link.job.memory_bytes for link in session.links] == [1_000_000_000] * 2


@pytest.mark.full
def test_a_proxy_does_not_come_between_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    # Nobody answers at the port of this proxy. The bench is new: a launcher keeps the environment
    # it was started with.
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    made = Bench()
    try:
        limits = Limits(setup_seconds=30)
        session = ended(made.start(COLLECTIVE, steps=3, limits=limits))
        assert session.state.name == "done", session.state.reason
    finally:
        made.close()


@pytest.mark.parametrize("held", [0, 1])
def test_a_port_taken_in_the_last_moment_ends_in_one_sentence(
    bench: Bench,
    without_networks: None,
    monkeypatch: pytest.MonkeyPatch,
    taken_port: int,
    held: int,
) -> None:
    def ports(count: int) -> list[int]:
        found = free_ports(count)
        found[held] = taken_port
        return found

    monkeypatch.setattr(cluster, "free_ports", ports)
    session = ended(bench.start(COLLECTIVE, steps=5), 60)
    assert session.state.name == "failed" and session.count == 0
    reason = session.state.reason
    assert reason.startswith(f"Worker {held}: ") and "has taken the worker's port" in reason
    assert "run again" in reason and "\n" not in reason and len(reason) < 300


def test_stop_ends_both_workers_and_is_no_fault_of_either(bench: Bench) -> None:
    # Whichever hears it first leaves the other alone in the step they share.
    for steps in (2, 7, 12):
        session = stepped(bench.start(COLLECTIVE, steps=FOREVER), steps)
        session.stop()
        ended(session, 20)
        assert session.state.name == "stopped"
        assert session.state.reason == f"Stopped after {session.count:,} steps."
        assert session.state.traceback == ""


def test_stop_while_one_waits_for_the_other_for_ever_ends_both_in_time(bench: Bench) -> None:
    limits = Limits(stop_seconds=1.0)
    toggles = {"absent": "on"}
    session = stepped(bench.start(COLLECTIVE, toggles=toggles, steps=FOREVER, limits=limits), 5)
    time.sleep(0.3)  # both are in the step that never ends
    began = time.monotonic()
    session.stop()
    ended(session, 20)
    # The limit, the look at it every quarter of a second, and the end of two processes.
    assert time.monotonic() - began < limits.stop_seconds + 4.0
    assert session.state.name == "stopped" and session.count == 5
    assert "did not end within 1 s" in session.state.reason


def test_a_worker_that_fails_is_named_and_the_other_ends_with_it(bench: Bench) -> None:
    session = stepped(bench.start(COLLECTIVE, steps=FOREVER), 5)
    second = session.links[1]
    second.kill()
    ended(session, 20)
    assert session.state.name in ("killed", "failed") and not session.state.completed
    assert "\n" not in session.state.reason and session.count >= 5


def test_a_worker_whose_partner_stays_away_is_ended_when_it_falls_silent(bench: Bench) -> None:
    limits = Limits(silent_seconds=1.0)
    toggles = {"absent": "on"}
    session = ended(bench.start(COLLECTIVE, toggles=toggles, steps=FOREVER, limits=limits), 30)
    assert session.state.name == "silent" and "after step 5" in session.state.reason
