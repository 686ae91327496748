"""A paused run waits between two steps, and nothing of its time or of its end is lost by that.

Tier: make test.
"""

from __future__ import annotations

import time
from types import SimpleNamespace

import numpy as np
import pytest

from labkit.bench.bench import Bench
from labkit.bench.session.pause import Pause
from labkit.bench.session.session import Session
from labkit.bench.supervision.limits import Limits
from labkit.bench.worker.kernel import LONGEST_PAUSE_SECONDS
from labkit.record import LabkitError
from tests.bench.test_faults import FAULTY
from tests.running import ended, stepped

ENDLESS = 1_000_000
PAUSE = 1.5


def begun(bench: Bench, *, limits: Limits | None = None, slug: str = "history") -> Session:
    return stepped(bench.start(slug, steps=ENDLESS, limits=limits, toggles=_still(slug)), 30)


def _still(slug: str) -> dict[str, object]:
    return {"how": "appended"} if slug == "history" else {}


def paused(session: Session) -> int:
    """Pause a run, and return how many steps it has then."""
    session.pause(True)
    count = -1
    while count != session.count:  # the step in progress still ends
        count = session.count
        time.sleep(0.3)
    return count


def test_no_step_is_made_until_somebody_goes_on_and_no_step_has_the_pause_in_it(
    bench: Bench,
) -> None:
    session = begun(bench)
    count = paused(session)
    time.sleep(PAUSE)
    assert session.count == count and session.paused and session.state.name == "running"
    session.pause(False)
    stepped(session, count + 30)
    assert not session.paused
    session.stop()
    steps = ended(session).snapshot().steps
    assert max(steps.seconds[count - 5 : count + 25]) < PAUSE / 2
    apart = np.diff(np.asarray(steps.column("start_seconds")))
    assert max(apart[count - 5 : count + 5]) < PAUSE / 2, "nor has the time between them"


def test_what_is_flipped_in_a_pause_is_in_force_at_the_next_step(bench: Bench) -> None:
    session = begun(bench)
    count = paused(session)
    session.set("fix", "running_mean")
    time.sleep(0.2)
    session.pause(False)
    stepped(session, count + 5)
    session.stop()
    (flip,) = [event for event in ended(session).events if event.kind == "toggle"]
    assert flip.step == count


def test_neither_silence_nor_the_run_s_time_is_counted_in_a_pause(bench: Bench) -> None:
    session = begun(bench, limits=Limits(wall_seconds=3.0, silent_seconds=1.0))
    count = paused(session)
    time.sleep(4.0)
    assert not session.state.ended
    session.pause(False)
    stepped(session, count + 30)
    assert ended(session, 30).state.name == "time_limit"


def test_stop_ends_a_paused_run_at_once(bench: Bench) -> None:
    session = begun(bench)
    count = paused(session)
    session.stop()
    assert ended(session, 10).state.name == "stopped" and not session.paused
    assert len(session.snapshot().steps) == count


def test_who_presses_quickly_ends_where_the_last_press_says(bench: Bench) -> None:
    session = begun(bench)
    for _ in range(20):
        session.pause(True)
        session.pause(False)
    count = session.count
    stepped(session, count + 20)
    session.pause(False)
    session.pause(True)
    count = paused(session)
    assert session.paused and session.count == count
    session.stop()
    ended(session)


def test_a_worker_that_never_comes_to_its_pause_is_no_longer_taken_for_paused() -> None:
    now = 0.0
    commands: list[dict[str, object]] = []
    worker = SimpleNamespace(job=SimpleNamespace(is_readers=False))

    class Links(list[SimpleNamespace]):
        def command(self, **said: object) -> None:
            commands.append(said)

    pause = Pause(Links([worker]), lambda: now)  # type: ignore[arg-type]
    pause.switch(True, ended=False)
    now = LONGEST_PAUSE_SECONDS
    assert pause.on and commands == [{"do": "pause", "on": True}]
    now += 60
    assert not pause.on, "else no limit of time would end what hangs"
    pause.switch(True, ended=False)
    assert pause.on
    pause.is_over()
    assert not pause.on


def test_a_kernel_that_is_gone_leaves_no_paused_worker(bench: Bench) -> None:
    session = begun(bench)
    paused(session)
    bench.close()  # and the fixture looks at what is left
    assert session.state.ended


def test_what_must_not_be_kept_waiting_says_so(bench: Bench) -> None:
    own = stepped(bench.start(FAULTY, steps=ENDLESS), 5)
    with pytest.raises(LabkitError, match="cannot be paused"):
        own.pause(True)
    own.stop()
    ended(own)
    with pytest.raises(LabkitError, match="has ended, so it cannot be paused"):
        own.pause(True)
