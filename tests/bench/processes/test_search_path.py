"""A learner's own files run in their loop, and nowhere else in a run. Tier: make test, in turn."""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from labkit.bench.bench import Bench
from labkit.bench.processes.search_path import ROOT, child_environment, is_safe
from tests.running import ended

pytestmark = pytest.mark.in_turn

# Of Python's own, of what TensorFlow needs, TensorFlow, and what a diagnosis looks with.
TAKEN_NAMES = (
    "json", "random", "calendar", "statistics", "numpy", "psutil", "tensorflow", "pyinstrument",
)  # fmt: skip
KERNEL = """
import sys
from labkit.bench.bench import Bench
bench = Bench(sys.argv[2])
session = bench.start(sys.argv[1], steps=5, diagnosing=True)
print(session.wait(90), session.state.name, session.state.reason, session.snapshot().log)
bench.close()
"""
# As a kernel does; `tqdm.auto` is what shows a run's progress.
COMPARING = """
import sys
import labkit as lk
runs = [lk.run("healthy", steps=40) for _ in range(2)]
svg = lk.compare(*runs).picture.svg
print(b"<svg" in svg, "and", sys.modules["tqdm.auto"].__package__, end=", ")
print("with", repr(sys.path[0]), "still first")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as a learner may have it: with files called like modules, and with one of theirs."""
    for name in TAKEN_NAMES:
        (tmp_path / f"{name}.py").write_text(f"raise RuntimeError('{name}.py of the learner')\n")
    (tmp_path / "my_model.py").write_text("STEPS_PER_SECOND = 1_000\n")
    (tmp_path / "my_loop.py").write_text(
        "import json, random, time\n"
        "import tensorflow as tf\n"
        "import my_model\n"
        "def make_step():\n"
        "    import calendar  # not imported before\n"
        "    print(json.dumps(tf.__version__), random.random(), calendar.MONDAY)\n"
        "    return lambda: time.sleep(1 / my_model.STEPS_PER_SECOND)\n"
    )
    return tmp_path


@pytest.mark.parametrize("start", ["auto", "plain"])
@pytest.mark.parametrize("loop", ["healthy", "my_loop.py"])
def test_a_run_ignores_files_that_are_called_like_modules(
    folder: Path, loop: str, start: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", KERNEL, loop, start],
        cwd=folder,
        # As many a start-up file leaves it: an empty entry stands for the current folder.
        env={**os.environ, "PYTHONPATH": os.pathsep.join(["", *path_entries()])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("True done"), done.stdout + done.stderr


def test_a_kernel_draws_and_counts_beside_files_that_are_called_like_its_libraries(
    tmp_path: Path,
) -> None:
    """Seen: the first bar ran ``tqdm.py``, the first picture ``matplotlib.py``."""
    for name in ("anywidget", "matplotlib", "numpy", "psutil", "scipy", "tqdm"):
        (tmp_path / f"{name}.py").write_text(f"open('ran', 'a').write('{name} ')")
    done = subprocess.run(
        [sys.executable, "-c", COMPARING],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *path_entries()])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.endswith("True and tqdm, with '' still first\n"), done.stdout + done.stderr
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()


def path_entries() -> list[str]:
    return [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]


def test_other_entries_of_the_python_path_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, other = tmp_path / "here", tmp_path / "other"
    here.mkdir()
    monkeypatch.chdir(here)
    entries = ["", ".", "sub", str(here), str(other)]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(entries))
    assert child_environment({"A": "b"})["PYTHONPATH"] == str(other)
    assert child_environment({"A": "b"})["A"] == "b"
    monkeypatch.setenv("PYTHONPATH", "")
    assert "PYTHONPATH" not in child_environment({})


@pytest.mark.parametrize(
    ("mode", "ours"), [(0o755, True), (0o700, True), (0o1777, False), (0o757, False)]
)
def test_a_folder_that_others_can_write_to_is_not_ours(
    tmp_path: Path, mode: int, ours: bool
) -> None:
    loop = tmp_path / "loop.py"
    loop.touch()
    tmp_path.chmod(mode)
    assert is_safe(tmp_path, loop) == ours
    assert not is_safe(tmp_path / "missing", loop) and not is_safe(tmp_path, tmp_path / "missing")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_teacher_s_folder_is_safe_for_the_loops_that_are_the_teacher_s(tmp_path: Path) -> None:
    theirs, ours = tmp_path / "theirs.py", tmp_path / "ours.py"
    theirs.touch()
    ours.touch()
    for path in (tmp_path, theirs):
        os.chown(path, 65534, 65534)
    assert is_safe(tmp_path, theirs) and not is_safe(tmp_path, ours)


@contextlib.contextmanager
def account(user: int, group: int) -> Iterator[None]:
    """Let this process be another account's."""
    os.setresgid(group, group, 0)
    os.setresuid(user, user, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another account")
def test_a_folder_of_a_group_is_safe_only_where_nobody_else_belongs_to_that_group() -> None:
    """Recorded: where a class has one primary group, a classmate's module was imported."""
    accounts = pwd.getpwall()
    members = Counter(each.pw_gid for each in accounts)
    shared = next(each for each in accounts if members[each.pw_gid] > 1 and each.pw_uid)
    alone = next(
        each
        for each in accounts
        if each.pw_uid and members[each.pw_gid] == 1 and not grp.getgrgid(each.pw_gid).gr_mem
    )
    for one, safe in ((shared, False), (alone, True)):
        with tempfile.TemporaryDirectory() as made:  # above tmp_path only root may look
            folder = Path(made)
            (folder / "loop.py").touch()
            os.chown(folder, one.pw_uid, one.pw_gid)
            folder.chmod(0o2775)
            with account(one.pw_uid, one.pw_gid):
                assert is_safe(folder, folder / "loop.py") == safe, one.pw_name
                folder.chmod(0o2755)
                assert is_safe(folder, folder / "loop.py")


@pytest.mark.parametrize("mode", [0o755, 0o1777])
@pytest.mark.parametrize("where", ["shared", "own"])
def test_from_where_others_can_write_a_loop_imports_nothing(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, where: str
) -> None:
    """Else whoever puts a tqdm.py into /tmp has it run by all who stand or keep a loop there."""
    shared, own = tmp_path / "shared", tmp_path / "own"
    shared.mkdir()
    own.mkdir()
    (shared / "planted_here.py").write_text("")
    shared.chmod(mode)
    loop = tmp_path / where / "loop.py"
    loop.write_text("import planted_here\ndef make_step():\n    return lambda: None\n")
    monkeypatch.chdir(shared if where == "own" else own)
    session = ended(bench.start(str(loop), steps=3))
    assert session.state.completed == (mode == 0o755), session.state.reason
    if mode != 0o755:
        assert "planted_here" in session.state.reason and str(shared) in session.state.reason
        assert session.state.reason.endswith("and start it there.")
