"""The ledger's picture has the ledger's numbers. Tier: make quick."""

from __future__ import annotations

from dataclasses import replace

from labkit.record import Column, Ledger, LedgerRow
from labkit.show.bars import MOST_PARTS, OTHERS, bars

COLUMNS = (Column("session_run_seconds", "session run", "s", "place"),)
LEDGER = Ledger(
    0.010,
    (
        LedgerRow("session_run_seconds", 0.008, 0.8, first_seconds=0.002),
        LedgerRow("tracing", 0.001, 0.1, first_seconds=-0.0001),
        LedgerRow("unexplained", 0.001, 0.1, first_seconds=0.003),
    ),
)


def test_each_part_has_its_start_and_its_end_and_none_is_below_nothing() -> None:
    first, second, rest = bars(LEDGER, COLUMNS)
    assert (first.title, first.first_seconds, first.last_seconds) == ("session run", 0.002, 0.010)
    assert second.first_seconds == 0.0 and second.last_seconds == 0.0009
    assert rest.title == "unexplained" and rest.last_seconds == 0.004


def test_many_parts_are_told_together() -> None:
    rows = [replace(LEDGER.rows[0], place=f"place {k}") for k in range(9)]
    told = bars(Ledger(0.08, (*rows, LEDGER.rows[-1])), ())
    assert len(told) == MOST_PARTS + 1 and told[-2].title == OTHERS
    assert sum(each.first_seconds for each in told[:-1]) == sum([0.002] * 9)


def test_without_what_a_step_began_with_there_is_no_picture() -> None:
    assert bars(Ledger(), COLUMNS) == ()
    rows = (replace(LEDGER.rows[0], first_seconds=None), *LEDGER.rows[1:])
    assert bars(Ledger(0.01, rows), COLUMNS) == ()


def test_a_part_that_cannot_be_seen_is_not_named() -> None:
    tiny = replace(LEDGER.rows[0], place="tiny", seconds=1e-5, first_seconds=1e-5)
    told = bars(Ledger(0.08, (LEDGER.rows[0], tiny, LEDGER.rows[-1])), ())
    assert [each.title for each in told] == ["session run", "unexplained"]
