"""What a killed kernel leaves on disk goes when the next run starts, and nothing else does.

Tier: make test.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from labkit.bench import folders
from labkit.bench.bench import Bench
from labkit.bench.folders import RunFolders
from labkit.bench.temporary import OURS, TemporaryFolder, sweep
from tests.running import FAULTY, ended

HOLDER = """
import sys
from pathlib import Path
from labkit.bench.temporary import TemporaryFolder
folder = TemporaryFolder("scratch", Path(sys.argv[1]))
(folder.path / "worker-0").mkdir()
print(folder.path, flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def kernel_with_a_folder(parent: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process, Path(process.stdout.readline().strip())


def test_the_folder_of_a_killed_process_is_swept_away_and_that_of_a_living_one_is_not(
    tmp_path: Path,
) -> None:
    kernels = (kernel_with_a_folder(tmp_path), kernel_with_a_folder(tmp_path))
    with kernels[0] as (killed, left), kernels[1] as (_, used):
        sweep([tmp_path])
        assert left.exists() and used.exists()
        killed.kill()
        killed.wait()
        sweep([tmp_path])
        assert not left.exists() and (used / "worker-0").is_dir()


@pytest.mark.parametrize(
    "name",
    ["labkit-runs", "labkit-scratch-mine", "labkit-run-12345678.zip", "my-labkit-run-12345678"],
)
def test_a_folder_of_somebody_s_own_is_never_swept_away(tmp_path: Path, name: str) -> None:
    own = tmp_path / name
    own.mkdir()
    sweep([tmp_path])
    assert own.is_dir()


def test_a_link_that_is_called_like_a_folder_of_ours_leads_the_sweep_nowhere(
    tmp_path: Path,
) -> None:
    target = tmp_path / "thesis"
    target.mkdir()
    (target / "chapter").touch()
    (tmp_path / "labkit-run-12345678").symlink_to(target)
    sweep([tmp_path])
    assert (target / "chapter").exists()


def test_the_folder_of_another_user_is_left_alone(tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give a folder away")
    other = tmp_path / "labkit-run-12345678"
    other.mkdir()
    os.chown(other, 65534, 65534)
    sweep([tmp_path])
    assert other.is_dir()


def test_a_place_that_cannot_be_looked_into_costs_the_next_one_nothing(tmp_path: Path) -> None:
    abandoned = tmp_path / "labkit-run-12345678"
    abandoned.mkdir()
    sweep([tmp_path / "nowhere", tmp_path])
    assert not abandoned.exists()


def test_a_folder_is_gone_once_it_is_removed_and_its_name_is_one_of_ours(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    with TemporaryFolder("cell", tmp_path) as folder:
        assert OURS.fullmatch(Path(folder).name)
        (Path(folder) / "file").touch()
    assert not Path(folder).exists() and len(os.listdir("/proc/self/fd")) == before


def test_a_folder_goes_however_deep_its_loop_has_dug(tmp_path: Path) -> None:
    folder = TemporaryFolder("scratch", tmp_path)
    here = os.getcwd()
    os.chdir(folder.path)
    for _ in range(3_000):
        os.mkdir("d")
        os.chdir("d")
    os.chdir(here)
    folder.remove()
    assert not folder.path.exists()


def test_a_folder_goes_though_its_loop_has_shut_its_own_eyes() -> None:
    program = (
        "import os\n"
        "from labkit.bench.temporary import TemporaryFolder\n"
        "if os.getuid() == 0:\n"
        "    os.setuid(65534)  # nobody shuts a folder to root\n"
        "folder = TemporaryFolder('scratch')\n"
        "(folder.path / 'shut').mkdir()\n"
        "(folder.path / 'shut' / 'file').touch()\n"
        "(folder.path / 'shut').chmod(0)\n"
        "folder.remove()\n"
        "print(folder.path.exists())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stdout == "False\n", done.stderr


def test_where_there_are_no_locks_a_folder_works_and_is_never_swept_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("labkit.bench.temporary.lock_folder", refuse)
    folder = TemporaryFolder("run", tmp_path)
    sweep([tmp_path])
    assert folder.path.is_dir()
    folder.remove()
    assert not folder.path.exists()


def test_each_run_sweeps_when_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "SHARED_MEMORY", tmp_path)
    with kernel_with_a_folder(tmp_path) as (killed, left):
        killed.kill()
    bench = Bench("plain")
    session = bench.start(FAULTY, steps=2)
    deadline = time.monotonic() + 20
    while left.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    ended(session)
    bench.close()


def test_where_shared_memory_is_nearly_full_a_run_s_files_lie_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "LEAST_FREE_BYTES", 10**18)
    made = RunFolders.make()
    assert folders.SHARED_MEMORY not in made.steps.path.parents
    made.remove()
    assert not made.steps.path.exists() and not made.scratch.path.exists()
