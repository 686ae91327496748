"""A script that exits has ended as its shell would say. Tier: make quick."""

from __future__ import annotations

import pytest

from labkit.bench.worker.script.script_end import ended_by


@pytest.mark.parametrize("code", [None, 0, False, 256])
def test_a_status_of_nought_is_no_failure(code: object) -> None:
    assert ended_by(SystemExit(code)).name == "done"


@pytest.mark.parametrize(("code", "status"), [(3, 3), (True, 1), (-1, 255), (257, 1), ("no", 1)])
def test_any_other_is_a_failure_and_told_as_the_shell_has_it(code: object, status: int) -> None:
    state = ended_by(SystemExit(code))
    assert (state.name, state.reason) == ("failed", f"The script ended with status {status}.")
