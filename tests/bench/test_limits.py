"""How small this machine is, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from labkit.bench import limits


def in_container(folder: Path, most: str, used: str) -> int:
    (folder / "memory.max").write_text(most)
    (folder / "memory.current").write_text(used)
    return limits.memory_room(folder)


def test_a_containers_limit_is_the_room(tmp_path: Path) -> None:
    assert in_container(tmp_path, "2000000000\n", "500000000\n") == 1_500_000_000


def test_a_container_without_limit_leaves_the_machines_room(tmp_path: Path) -> None:
    assert in_container(tmp_path, "max\n", "500000000\n") > 0


def test_a_container_over_its_limit_has_no_room(tmp_path: Path) -> None:
    assert in_container(tmp_path, "1000\n", "2000\n") == 0


@pytest.mark.parametrize(
    ("cores", "room", "said"),
    [
        (1, 8e9, "one core"),
        (2, 1.5e9, "1.5 GB of memory"),
        (1, 0.9e9, "one core and 0.9 GB of memory"),
        (2, 8e9, ""),
        (64, 2.2e9, ""),
    ],
)
def test_a_small_machine_is_told_from_any_other(
    monkeypatch: pytest.MonkeyPatch, cores: int, room: float, said: str
) -> None:
    monkeypatch.setattr(limits, "usable_cores", lambda: cores)
    monkeypatch.setattr(limits, "memory_room", lambda: int(room))
    assert limits.small_machine() == said


def test_at_least_one_core_is_usable() -> None:
    assert limits.usable_cores() >= 1
