"""What a machine or a container allows, and how small it is called. Tier: make test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from labkit.bench import machine
from labkit.bench.machine import Allowed
from tools.memory import memory_group

GB = 1_000_000_000


class Groups:
    """Control groups in a folder, as a kernel shows them."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "groups"
        self.own = folder / "own"
        self.own.write_text("0::/\n")

    def limit(self, group: str = "", **files: str) -> None:
        folder = self.root / group
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name.replace("__", ".")).write_text(text)

    def allowed(self, **environment: str) -> Allowed:
        return Allowed(self.root, self.own, environment)


@pytest.fixture
def groups(tmp_path: Path) -> Groups:
    return Groups(tmp_path)


def unlimited() -> int:
    return int(psutil.virtual_memory().available)


def test_a_containers_limit_is_the_room(groups: Groups) -> None:
    groups.limit(memory__max="2000000000\n", memory__current="500000000\n")
    assert groups.allowed().memory_room() == 1_500_000_000
    groups.limit(memory__current="2000000001")
    assert groups.allowed().memory_room() == 0


def test_a_service_is_held_by_its_own_group_and_by_those_above_it_alone(groups: Groups) -> None:
    groups.own.write_text("0::/system.slice/jupyter-anna.service\n")
    groups.limit("system.slice/jupyter-ben.service", memory__max="1000", memory__current="0")
    assert groups.allowed().memory_room() == pytest.approx(unlimited(), rel=0.2)
    groups.limit("system.slice/jupyter-anna.service", memory__max="900000000", memory__current="0")
    assert groups.allowed().memory_room() == 900_000_000
    groups.limit("system.slice", memory__max="800000000", memory__current="100000000")
    assert groups.allowed().memory_room() == 700_000_000


@pytest.mark.parametrize("most", ["max\n", "9223372036854771712\n", "", "rubbish"])
def test_a_container_without_limit_leaves_the_machines_room(groups: Groups, most: str) -> None:
    groups.limit(memory__max=most, memory__current="500000000\n")
    assert groups.allowed().memory_room() == pytest.approx(unlimited(), rel=0.2)


STAT = """anon 300000000
file 700000000
file_mapped 250000000
inactive_file 400000000
active_file 200000000
"""
OLD_STAT = """cache 1
mapped_file 2
inactive_file 3
active_file 4
total_cache 700000000
total_mapped_file 250000000
total_inactive_file 400000000
total_active_file 200000000
"""


def test_contents_of_files_that_nobody_maps_take_no_room(groups: Groups) -> None:
    groups.limit(memory__max="2000000000", memory__current="1000000000", memory__stat=STAT)
    assert groups.allowed().memory_room() == 1_350_000_000


def test_a_group_of_version_1_counts_under_whatever_name_the_machine_has_for_it(
    groups: Groups,
) -> None:
    groups.own.write_text("4:memory:/docker/4711\n3:cpu,cpuacct:/docker/4711\n")
    used = {"memory__limit_in_bytes": "2000000000", "memory__usage_in_bytes": "1000000000"}
    # In the container its own group is the root, and asked for the files of all groups below it.
    groups.limit("memory", **used, memory__stat=OLD_STAT)
    assert groups.allowed().memory_room() == 1_350_000_000


@pytest.mark.parametrize("stat", ["", "rubbish\n", "inactive_file much\n", "file_mapped 99\n"])
def test_where_nothing_is_said_of_files_all_that_is_used_counts(groups: Groups, stat: str) -> None:
    groups.limit(memory__max="2000000000", memory__current="500000000", memory__stat=stat)
    assert groups.allowed().memory_room() == 1_500_000_000


FILE_BYTES = 100_000_000
# Joins the group, holds some memory, then has a file's contents in memory that nobody maps.
READER = f"""
import os, sys
from labkit.bench.machine import Allowed
open(sys.argv[1] + "/cgroup.procs", "w").write(str(os.getpid()))
rooms = [Allowed(environment={{}}).memory_room()]
held = os.urandom({FILE_BYTES})
rooms.append(Allowed(environment={{}}).memory_room())
open(sys.argv[2], "wb").write(held)
os.sync()
rooms.append(Allowed(environment={{}}).memory_room())
print(*rooms)
"""


def test_a_real_group_has_less_room_for_memory_held_and_no_less_for_files(tmp_path: Path) -> None:
    with memory_group(400_000_000) as group:
        if group.folder is None:
            pytest.skip("this system lets nobody make a control group here")
        command = [sys.executable, "-c", READER, str(group.folder), str(tmp_path / "file")]
        said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
        empty, held, read = map(int, said.stdout.split())
    assert 300_000_000 < empty <= 400_000_000
    assert held == pytest.approx(empty - FILE_BYTES, abs=0.2 * FILE_BYTES)
    assert read == pytest.approx(held, abs=0.2 * FILE_BYTES)


def test_the_limit_a_hub_names_counts_where_no_group_has_one(groups: Groups) -> None:
    held = psutil.Process().memory_info().rss
    room = groups.allowed(MEM_LIMIT=str(held + GB)).memory_room()
    # Pages shared with others are counted in part, and started processes as well.
    assert 0 < room < 2 * GB
    endless = {"memory__limit_in_bytes": "9223372036854771712", "memory__usage_in_bytes": "1"}
    groups.limit("memory", **endless)
    assert groups.allowed(MEM_LIMIT=str(held + GB)).memory_room() < 2 * GB
    groups.limit(memory__max="2000000000", memory__current="500000000")
    assert groups.allowed(MEM_LIMIT="1").memory_room() == 1_500_000_000


@pytest.mark.parametrize("said", ["", "None", "lots", "inf", "nan"])
def test_a_hub_that_names_no_limit_sets_none(groups: Groups, said: str) -> None:
    allowed = groups.allowed(MEM_LIMIT=said, CPU_LIMIT=said)
    assert allowed.memory_room() == pytest.approx(unlimited(), rel=0.2)
    assert allowed.cores() == Allowed(groups.root, groups.own, {}).cores()


@pytest.mark.parametrize("share", ["150000 100000", "50000 100000"])
def test_a_share_below_two_cores_is_one(groups: Groups, share: str) -> None:
    groups.limit(cpu__max=share)
    assert groups.allowed().cores() == 1


def test_a_quota_of_version_1_and_the_limit_a_hub_names_count_as_well(groups: Groups) -> None:
    assert groups.allowed(CPU_LIMIT="1.0").cores() == 1
    groups.limit("cpu", cpu__cfs_quota_us="100000", cpu__cfs_period_us="100000")
    assert groups.allowed().cores() == 1


@pytest.mark.parametrize("share", ["max 100000", "9900000 100000"])
def test_a_share_of_more_than_there_is_takes_nothing_away(groups: Groups, share: str) -> None:
    free = groups.allowed().cores()
    groups.limit(cpu__max=share)
    groups.limit("cpu", cpu__cfs_quota_us="-1", cpu__cfs_period_us="100000")
    assert groups.allowed().cores() == free


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
    monkeypatch.setattr(machine, "usable_cores", lambda: cores)
    monkeypatch.setattr(machine, "memory_room", lambda: int(room))
    assert machine.small_machine() == said


def test_this_very_machine_has_a_core_and_room() -> None:
    assert machine.usable_cores() >= 1 and machine.memory_room() > 0
