"""No room and no descriptors: nothing is lost, and it is said. Tier: make test, in turn."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from labkit.bench.bench import Bench
from labkit.record import LabkitError, Run, State, Steps, load_run, save_run
from tests.running import FAULTY, descriptors_left, ended

pytestmark = pytest.mark.in_turn

# A user's own mount of a small shared memory, as a container has it.
IN_SMALL_MEMORY = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c")
DIAGNOSES = """
import sys
import labkit as lk
from labkit.bench.bench import Bench
bench = Bench()
sessions = [bench.start(sys.argv[1], steps=int(sys.argv[2]), diagnosing=True) for _ in range(2)]
for session in sessions:
    session.wait()
    print(session.state.name, session.count, session.state.reason)
bench.close()
"""


@pytest.mark.parametrize("left", [0, 1, 2, 3, 4, 6, 8, 10])
def test_with_few_descriptors_left_a_run_is_refused_or_ends_and_the_next_one_works(
    bench: Bench, left: int
) -> None:
    ended(bench.start(FAULTY, steps=2))
    with descriptors_left(left):
        try:
            session = bench.start(FAULTY, steps=2)
        except LabkitError as error:
            assert "\n" not in str(error)
        else:
            ended(session, 60)
            assert session.state.name == "done" or session.state.reason
    assert ended(bench.start(FAULTY, steps=2)).state.name == "done"


def test_what_is_looked_up_without_a_descriptor_left_is_one_sentence(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen once in a hundred runs of the test above: another thread had just taken the last one."""

    def none_left() -> str:
        raise OSError(errno.EMFILE, "Too many open files", "/proc/meminfo")

    monkeypatch.setattr("labkit.bench.bench.small_machine", none_left)
    with pytest.raises(LabkitError, match=r"cannot be started: no file descriptor is left here"):
        bench.start(FAULTY, steps=2)


def test_two_diagnoses_go_on_where_shared_memory_is_full(tmp_path: Path) -> None:
    loop = tmp_path / "loop.py"
    loop.write_text("def make_step():\n    return lambda: sum(range(100))\n")
    program = tmp_path / "program.py"
    program.write_text(DIAGNOSES)
    steps = 40_000
    command = (
        "mount -t tmpfs -o size=10m tmpfs /dev/shm && "
        f'exec "{sys.executable}" "{program}" "{loop}" {steps}'
    )
    done = subprocess.run([*IN_SMALL_MEMORY, command], capture_output=True, text=True, check=False)
    if "unshare" in done.stderr:
        pytest.skip(f"no mounts of one's own here: {done.stderr}")
    assert done.stdout.splitlines() == [f"done {steps} "] * 2, done.stdout + done.stderr


def test_a_disk_that_fills_while_a_run_is_saved_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    small = Run("mine", "Mine", State("done"), (), Steps({"start_seconds": [0], "seconds": [1]}))
    save_run(small, path)
    program = (
        "import resource, sys\n"
        "from labkit.record import LabkitError, Run, State, Steps, save_run\n"
        "n = 10_000\n"
        "run = Run('big', 'Big', State('done'), (), "
        "Steps({'start_seconds': range(n), 'seconds': [1] * n}))\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "try:\n"
        "    save_run(run, sys.argv[1])\n"
        "except LabkitError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        # No bytecode: cut off at the limit it would break every later import.
        [sys.executable, "-B", "-c", program, str(path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "could not be saved" in done.stdout and done.stdout.count("\n") == 1
    assert load_run(path) == small
    assert os.listdir(tmp_path) == ["run.jsonl"]
