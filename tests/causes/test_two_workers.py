"""Two workers do what they declare: expensive, flat, and every byte of it counted.

Tier: make test, in turn; a second size is marked full.
"""

from __future__ import annotations

import socket
import sys
from statistics import median

import pytest

from labkit.bench.bench import Bench
from labkit.bench.isolation.cluster import free_ports
from labkit.cause import Meeting
from labkit.causes import load
from labkit.record import Run
from labkit.show.inside.meeting_step import meeting_run
from tests.causes.curves import assert_clock, assert_rests, play
from tests.running import ended, stepped

pytestmark = pytest.mark.in_turn

CAUSE = load("two_workers")
SIZE = 256
WEIGHT_BYTES = 4 * SIZE**2
COUNTED = pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts loopback bytes")


def bytes_a_step(run: Run) -> float:
    """Return the median: whatever else talks on this machine talks now and then."""
    return median(run.steps.column("loopback_bytes")[2:])


def test_both_workers_take_every_step_together_and_keep_the_same_weights(bench: Bench) -> None:
    run = play(bench, "two_workers", 40, size=SIZE)
    assert set(run.steps.column("replicas")) == {2.0}
    other = run.others[0]
    assert run.steps.column("weight") == other.column("weight") and len(other) == 40
    # Their batches differ, so equal weights are proof that gradients were exchanged.
    alone = play(bench, "two_workers", 40, size=SIZE, workers="1")
    assert set(alone.steps.column("replicas")) == {1.0} and not alone.others
    assert alone.steps.column("weight")[0] != run.steps.column("weight")[0]


@COUNTED
def test_a_step_sends_the_gradients_there_and_back_and_never_more(bench: Bench) -> None:
    run = play(bench, "two_workers", 60, size=SIZE)
    # Around a ring of two each worker sends one half of its gradients, then one half of the sums.
    assert 2 * WEIGHT_BYTES < bytes_a_step(run) < 2.2 * WEIGHT_BYTES
    sent = run.steps.column("loopback_bytes")
    assert median(sent[-20:]) == pytest.approx(median(sent[2:22]), rel=0.02)


@pytest.mark.full
@COUNTED
def test_four_times_the_weights_are_four_times_the_bytes(bench: Bench) -> None:
    small, large = (play(bench, "two_workers", 20, size=size) for size in (256, 512))
    assert bytes_a_step(large) == pytest.approx(4 * bytes_a_step(small), rel=0.1)


@COUNTED
def test_one_worker_sends_nothing(bench: Bench) -> None:
    run = play(bench, "two_workers", 40, size=SIZE, workers="1")
    assert bytes_a_step(run) < 0.02 * WEIGHT_BYTES


def test_two_workers_are_expensive_and_flat(bench: Bench) -> None:
    run = assert_rests(bench, "two_workers", 150, still=("replicas",), size=SIZE)
    alone = play(bench, "two_workers", 60, size=SIZE, workers="1")
    expensive, cheap = (median(each.steps.seconds[10:]) for each in (run, alone))
    assert_clock(expensive > 1.5 * cheap, expensive, cheap)


@COUNTED
def test_every_tenth_step_sends_a_tenth_in_teeth_of_ten(bench: Bench) -> None:
    run = play(bench, "two_workers", 60, size=SIZE, exchange="every tenth step")
    sent = run.steps.column("loopback_bytes")
    assert all(each > 1.5 * WEIGHT_BYTES for each in sent[9::10])
    assert median(sent) < 0.02 * WEIGHT_BYTES
    # The weights change with the exchange and only with it, and are the same on both sides.
    weights = run.steps.column("weight")
    assert len(set(weights[9:19])) == 1 and len(set(weights)) == 7
    assert weights == run.others[0].column("weight")


@pytest.mark.parametrize(
    ("exchange", "meet"), [("every step", 1), ("every tenth step", 10), ("never", 0)]
)
def test_who_came_first_and_waited_is_read_of_both_workers(
    bench: Bench, exchange: str, meet: int
) -> None:
    run = play(bench, "two_workers", 41, size=SIZE, exchange=exchange)
    for steps in (run.steps, run.others[0]):
        met = [place for place, each in enumerate(steps.column("meet_seconds"), 1) if each > 0]
        assert met == ([place for place in range(1, 42) if not place % meet] if meet else [])
    assert isinstance(CAUSE.mechanism, Meeting)
    inside = meeting_run(CAUSE.mechanism, run)
    assert inside is not None and len(inside.workers) == 2
    assert inside.title == f"inside step {40 if meet == 1 else 39 if meet else 40}"
    done = [[part.of for part in worker.parts] for worker in inside.workers]
    assert all(each[0] == "walked" and each.count("all") <= bool(meet) for each in done)
    # Of the other all may be waiting: beside other programs one leaves later than its partner.
    assert any("all" in each for each in done) == bool(meet), "who comes last exchanges at once"
    assert sum("fresh" in each for each in done) == bool(meet), "one of two comes first"


def test_two_processes_that_exchange_nothing_are_not_what_is_expensive(bench: Bench) -> None:
    apart = play(bench, "two_workers", 60, size=SIZE, exchange="never")
    together = play(bench, "two_workers", 60, size=SIZE)
    assert len(set(apart.steps.column("weight"))) == 1
    cheap, expensive = (median(run.steps.seconds[10:]) for run in (apart, together))
    assert_clock(cheap < 0.6 * expensive, cheap, expensive)


def test_stop_leaves_no_worker_behind(bench: Bench) -> None:
    session = stepped(bench.start("two_workers", sizes={"size": SIZE}, steps=100_000), 20)
    session.stop()
    ended(session, 20)
    assert session.state.name == "stopped"


def test_its_toggles_cannot_be_flipped_while_it_runs(bench: Bench) -> None:
    # Flipped live, one worker would come to a meeting that the other has given up.
    assert {toggle.kind for toggle in CAUSE.toggles} == {"launch"}


def test_a_port_that_was_taken_meanwhile_is_one_clear_sentence(
    bench: Bench, without_networks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as held:
        held.bind(("0.0.0.0", 0))
        held.listen()
        ports = [held.getsockname()[1], *free_ports(1)]
        monkeypatch.setattr("labkit.bench.isolation.cluster.free_ports", lambda count: ports)
        run = play(bench, "two_workers", 2, completed=False)
    assert run.state.name == "failed"
    assert "Another program has taken the worker's port" in run.state.reason
