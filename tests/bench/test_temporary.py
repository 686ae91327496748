"""What a killed kernel leaves on disk goes when the next run starts, and nothing else does.

Tier: make test.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from labkit.bench import folders
from labkit.bench.bench import Bench
from labkit.bench.folders import RunFolders
from labkit.bench.temporary import OURS, TemporaryFolder, mounts_below, remove_folder, sweep
from tests.running import FAULTY, ended, open_below, removed

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


@pytest.mark.parametrize("mode", [0o755, 0o2775], ids=["usual", "set-gid"])
def test_the_folder_of_a_killed_process_is_swept_away_and_that_of_a_living_one_is_not(
    tmp_path: Path, mode: int
) -> None:
    tmp_path.chmod(mode)
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
    [
        "labkit-run-20261123",
        "labkit-exercise-solution",
        "labkit-run-12345678.zip",
        "my-labkit-run-12345678.tmp",
    ],
)
def test_a_folder_of_somebody_s_own_is_never_swept_away(tmp_path: Path, name: str) -> None:
    own = tmp_path / name
    own.mkdir(0o700)
    open_to_all = tmp_path / "labkit-run-12345678.tmp"
    open_to_all.mkdir(0o755)
    sweep([tmp_path])
    assert own.is_dir() and open_to_all.is_dir()


@pytest.mark.parametrize(("mode", "swept"), [(0o777, False), (0o2770, False), (0o1777, True)])
def test_where_others_may_rename_a_folder_its_name_does_not_make_it_ours(
    tmp_path: Path, mode: int, swept: bool
) -> None:
    """Recorded: a private folder that another account had renamed so was swept away."""
    renamed = tmp_path / "labkit-run-12345678.tmp"
    renamed.mkdir(0o700)
    if os.getuid() == 0:
        os.chown(tmp_path, 0, 65534)
    tmp_path.chmod(mode)
    sweep([tmp_path])
    assert renamed.exists() != swept


def test_what_was_put_in_the_place_of_a_folder_is_not_removed_with_it(tmp_path: Path) -> None:
    folder, thesis = TemporaryFolder("run", tmp_path), tmp_path / "thesis"
    thesis.mkdir(0o700)
    (thesis / "chapter").touch()
    folder.path.rename(tmp_path / "elsewhere")
    thesis.rename(folder.path)
    folder.remove()
    assert (folder.path / "chapter").exists()


def test_a_link_that_is_called_like_a_folder_of_ours_leads_the_sweep_nowhere(
    tmp_path: Path,
) -> None:
    target = tmp_path / "thesis"
    target.mkdir()
    (target / "chapter").touch()
    (tmp_path / "labkit-run-12345678.tmp").symlink_to(target)
    sweep([tmp_path])
    assert (target / "chapter").exists()


def test_a_link_in_the_place_of_a_folder_is_removed_and_leads_nowhere(tmp_path: Path) -> None:
    """Recorded: in a folder where others may put one, what it led to got other permissions."""
    target = tmp_path / "thesis"
    target.mkdir()
    (target / "key").touch(0o400)
    link = tmp_path / "labkit-scratch-12345678.tmp"
    link.symlink_to(target)
    remove_folder(link)
    assert not link.is_symlink() and (target / "key").stat().st_mode & 0o777 == 0o400


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_the_folder_of_another_user_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "labkit-run-12345678.tmp"
    other.mkdir(0o700)
    os.chown(other, 65534, 65534)
    sweep([tmp_path])
    assert other.is_dir()


def test_a_place_that_cannot_be_looked_into_costs_the_next_one_nothing(tmp_path: Path) -> None:
    abandoned = tmp_path / "labkit-run-12345678.tmp"
    abandoned.mkdir(0o700)
    sweep([tmp_path / "nowhere", tmp_path])
    assert not abandoned.exists()


def test_a_folder_is_gone_once_it_is_removed_and_its_name_is_one_of_ours(tmp_path: Path) -> None:
    with TemporaryFolder("cell", tmp_path) as folder:
        assert OURS.fullmatch(Path(folder).name)
        (Path(folder) / "file").touch()
        assert open_below(tmp_path)  # its lock
    assert not Path(folder).exists() and not open_below(tmp_path)


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
    assert removed(left, seconds=20)
    ended(session)
    bench.close()


def test_a_sweep_needs_no_folder_for_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded: where no file could be written, a thread's traceback stood beside the sentence."""

    def refuse() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(folders, "SHARED_MEMORY", tmp_path)
    monkeypatch.setattr(folders.tempfile, "gettempdir", refuse)
    with kernel_with_a_folder(tmp_path) as (killed, left):
        killed.kill()
    folders.sweep_abandoned()
    assert not left.exists()


def test_where_shared_memory_is_nearly_full_a_run_s_files_lie_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "LEAST_FREE_BYTES", 10**18)
    made = RunFolders.make()
    assert folders.SHARED_MEMORY not in made.steps.path.parents
    made.remove()
    assert not made.steps.path.exists() and not made.scratch.path.exists()


def test_what_is_mounted_in_a_folder_is_let_go_of_and_not_removed(tmp_path: Path) -> None:
    """In a mount namespace of its own, so that nothing stays mounted whatever happens."""
    data, folder = tmp_path / "data", tmp_path / "a folder" / "at"
    data.mkdir()
    folder.mkdir(parents=True)
    (data / "file").write_text("precious")
    code = (
        "import sys; from pathlib import Path; from labkit.bench.temporary import *\n"
        "folder = Path(sys.argv[1]); assert mounts_below(folder)\n"
        "remove_folder(folder); assert not folder.exists()"
    )
    mount = 'mount --bind "$1" "$2" && exec "$4" -c "$5" "$3"'
    words = (str(data), str(folder), str(folder.parent), sys.executable, code)
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh", *words],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    if "unshare" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    assert (data / "file").read_text() == "precious"


def test_a_folder_whose_name_is_no_text_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    (folder / "file").touch()
    assert mounts_below(folder) == []
    remove_folder(folder)
    assert not folder.exists()
