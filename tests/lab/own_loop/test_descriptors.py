"""A loop that is watched where no file descriptor is left: it goes on, or a sentence says why not.

Tier: make test, in turn.
"""

from __future__ import annotations

import errno
import os
from contextlib import ExitStack

import pytest

import labkit as lk
from labkit.bench.worker import standard_probes
from labkit.lab.own_loop import watching
from labkit.record import LabkitError
from tests.lab.loop_file import HEALTHY, loop_of
from tests.running import descriptors_left

pytestmark = [pytest.mark.usefixtures("nothing_stays_hooked"), pytest.mark.in_turn]


@pytest.mark.parametrize("moment", ["named_probe", "looks", "describe"])
def test_a_refusal_of_the_system_while_watching_begins_is_a_sentence_and_leaves_nothing_patched(
    monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """That nothing stays is asked by the fixture of this file."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(standard_probes if moment == "named_probe" else watching, moment, refuse)
    with pytest.raises(LabkitError, match="The loop cannot be watched: no file descriptor is left"):
        next(iter(lk.watch(range(9))))


@pytest.mark.parametrize("left", range(5))
def test_without_a_descriptor_left_a_loop_is_not_watched_or_goes_on_and_nothing_is_kept_open(
    left: int,
) -> None:
    """Recorded: it was a bare OSError, and a descriptor was lost at each attempt."""
    for _ in lk.watch(range(9)):
        pass  # what is imported for the first one would find no file later
    before = os.listdir("/dev/fd")
    with descriptors_left(left):
        try:
            assert len(list(lk.watch(range(9)))) == 9 and left
        except LabkitError as error:
            assert str(error).startswith("The loop cannot be watched: no file descriptor is left")
    assert len(os.listdir("/dev/fd")) == len(before)


def test_a_loop_goes_on_where_meanwhile_no_descriptor_is_left() -> None:
    """Recorded: it ended with an OSError of what looked at it."""
    step = loop_of(HEALTHY)()
    with ExitStack() as meanwhile:
        for number in (w := lk.watch(range(600))):
            if number == 200:
                meanwhile.enter_context(descriptors_left(0))
            if number == 400:
                meanwhile.close()
            step()
    assert len(w.run.steps) == 600
    assert lk.diagnose(w).diagnosis.memory.label == "flat"
