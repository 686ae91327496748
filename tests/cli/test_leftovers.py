"""A command ends what it has started, and nothing that its shell had started before it.

Tier: make test.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_gate import written
from tests.running import came, gone

MODULE = ["-m", "labkit.cli"]
BASH = shutil.which("bash") or ""
LABKIT = f"{sys.executable} -m labkit.cli"


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=60, check=False
    )


needs_bash = pytest.mark.skipif(not BASH, reason="no bash here")


@needs_bash
def test_a_slow_reader_that_bash_has_made_a_child_of_the_command_reads_all_of_it(
    tmp_path: Path,
) -> None:
    kept = tmp_path / "kept.json"
    reader = f"sleep 0.5; cat > {kept}.part; mv {kept}.part {kept}"
    done = subprocess.run(
        [BASH, "-c", f"{LABKIT} list --json > >({reader})"], timeout=60, check=False
    )
    assert done.returncode == 0
    assert came(kept.exists), "the reader was ended"
    assert len(json.loads(kept.read_text())["causes"]) > 10


@needs_bash
def test_a_job_of_the_shell_that_became_the_command_goes_on() -> None:
    done = subprocess.run(
        [BASH, "-c", f"sleep 60 >&- 2>&- & echo $!; exec {LABKIT} list"],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    job = int(done.stdout.splitlines()[0])
    assert "graph_growth" in done.stdout and not gone(job, seconds=0)
    os.kill(job, signal.SIGKILL)


@pytest.mark.skipif(os.name != "posix", reason="no such signal here")
def test_a_file_is_loaded_where_who_started_us_ignores_the_end_of_children(tmp_path: Path) -> None:
    ignoring = "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
    become = f"os.execv(sys.executable, [sys.executable, *{MODULE!r}, *sys.argv[1:]])"
    done = python("-c", ignoring + become, "run", written(tmp_path), "--set", "none=on")
    assert done.returncode == 2 and "'none'" in done.stderr, done.stderr


def test_a_folder_that_a_file_names_for_matplotlib_is_the_user_s(tmp_path: Path) -> None:
    """Recorded: the current folder was removed, with the loop and all that lay beside it."""
    name = "import os; os.environ['MPLCONFIGDIR'] = os.path.dirname(__file__)"
    file = written(tmp_path, name)
    done = python(*MODULE, "run", file, "--set", "none=on")
    assert "none" in done.stderr and Path(file).exists()
