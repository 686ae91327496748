"""What a program sets before it imports NumPy or TensorFlow is in force when these are imported.

Tier: make test.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from labkit.bench.bench import Bench
from labkit.bench.early_settings import early_settings
from tests.running import ended

# Says how many threads NumPy's linear algebra has.
THREADS = """
import os
print("before", os.environ.get("OPENBLAS_NUM_THREADS"))
os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy
import ctypes, re
(library, *_) = re.findall(r"/\\S*openblas\\S*", open("/proc/self/maps").read())
threads = getattr(ctypes.CDLL(library), "scipy_openblas_get_num_threads64_")
print("after", os.environ["OPENBLAS_NUM_THREADS"], "threads", threads())
"""


@pytest.mark.parametrize(
    "line",
    [
        'os.environ["OMP_NUM_THREADS"] = "1"',
        'os.environ.setdefault("OMP_NUM_THREADS", "1")',
        'os.environ.update({"OMP_NUM_THREADS": "1"})',
        'os.environ.update(OMP_NUM_THREADS="1")',
        'os.putenv("OMP_NUM_THREADS", "1")',
        'environ["OMP_NUM_THREADS"] = "1"',
    ],
)
def test_a_line_that_sets_a_variable_before_the_imports_is_found(tmp_path: Path, line: str) -> None:
    assert read(tmp_path, f"import os\n{line}\nimport numpy\n") == {"OMP_NUM_THREADS": "1"}


@pytest.mark.parametrize(
    "text",
    [
        'import numpy\nos.environ["OMP_NUM_THREADS"] = "1"\n',
        'os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"\n',
        'os.environ["PATH"] = "elsewhere"\n',
        'os.environ["OMP_NUM_THREADS"] = str(cores)\n',
        'if slow:\n    os.environ["OMP_NUM_THREADS"] = "1"\n',
        'settings["OMP_NUM_THREADS"] = "1"\n',
        "this is no Python\n",
        "",
    ],
    ids=["too late", "what is printed", "not of a library", "reckoned", "under a condition",
         "of another dict", "no program", "empty"],
)  # fmt: skip
def test_other_lines_set_nothing(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) == {}


def test_a_default_leaves_alone_what_is_there(tmp_path: Path) -> None:
    line = 'os.environ.setdefault("OMP_NUM_THREADS", "1")\n'
    assert read(tmp_path, line, {"OMP_NUM_THREADS": "4"}) == {}


def test_a_file_that_is_not_there_sets_nothing(tmp_path: Path) -> None:
    assert early_settings(tmp_path / "gone.py") == {}


def test_a_loop_of_ones_own_has_the_settings_that_it_wants(bench: Bench, tmp_path: Path) -> None:
    """oneDNN is what TensorFlow decides on while it is imported, once."""
    loop = tmp_path / "loop.py"
    loop.write_text(
        "import os\n"
        'os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"\n'
        "import tensorflow as tf\n"
        "from tensorflow.python.framework import test_util\n"
        "def make_step():\n"
        "    print('onednn', test_util.IsMklEnabled())\n"
        "    return lambda: tf.zeros([1])\n"
    )
    run = ended(bench.start(str(loop), steps=3)).snapshot()
    assert "onednn False" in run.log and run.environment["start"] == "plain"


def test_a_loop_without_settings_starts_as_quickly_as_before(bench: Bench, tmp_path: Path) -> None:
    loop = tmp_path / "loop.py"
    loop.write_text("import tensorflow as tf\ndef make_step():\n    return lambda: tf.zeros([1])\n")
    run = ended(bench.start(str(loop), steps=3)).snapshot()
    assert run.environment["start"] == ("plain" if bench.launcher is None else "fork")


def test_a_script_s_linear_algebra_has_as_many_threads_as_it_says(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(THREADS)
    diagnosed = [sys.executable, "-m", "labkit", "diagnose", "--whole", str(script)]
    for command in ([sys.executable, str(script)], diagnosed):
        said = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert "before None" in said.stdout and "after 1 threads 1" in said.stdout, said.stderr


def read(folder: Path, text: str, present: dict[str, str] | None = None) -> dict[str, str]:
    file = folder / "program.py"
    file.write_text(text)
    return early_settings(file, present or {})
