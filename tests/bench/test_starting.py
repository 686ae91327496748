"""Numbers of a run are in range, and Python's own. Tier: make test."""

from __future__ import annotations

import numpy as np
import pytest

from labkit.bench.starting import check_range
from labkit.record import LabkitError


@pytest.mark.parametrize("value", [7, np.int64(7), np.uint8(7)])
def test_whole_numbers_of_any_kind_are_taken_as_pythons_own(value: object) -> None:
    """Seen: ``steps = np.int64(7)`` was told to choose a whole number."""
    assert type(check_range("steps", value, 1, 9)) is int
    assert check_range("steps", value, 1, 9) == 7


@pytest.mark.parametrize("value", [True, np.True_, 7.0, np.float64(7), "7", None, 0, np.int64(10)])
def test_what_is_none_or_out_of_range_is_refused(value: object) -> None:
    with pytest.raises(LabkitError, match=r"^steps = .* choose a whole number from 1 to 9\.$"):
        check_range("steps", value, 1, 9)
