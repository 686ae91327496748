"""What a program sets before it imports NumPy or TensorFlow is in force when these are imported.

Tier: make test.
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from labkit.bench.bench import Bench
from labkit.bench.early_settings import early_settings, settings_of_job
from labkit.bench.folders import RunFolders
from labkit.bench.processes.start import PlainStarter
from labkit.bench.processes.workers import When, start_workers
from labkit.bench.protocol import Job
from labkit.cause import names_defined
from labkit.record import LabkitError
from tests.running import ended

ONE = 'os.environ["OMP_NUM_THREADS"] = "1"'
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
        'os.environ |= {"OMP_NUM_THREADS": "1"}',
        'old = os.environ.setdefault("OMP_NUM_THREADS", "1")',
        'from os import environ\nenviron["OMP_NUM_THREADS"] = "1"',
        'from os import environ as e\ne |= {}\ne |= {"OMP_NUM_THREADS": "1"}',
        'from os import putenv\nputenv("OMP_NUM_THREADS", "1")',
        'import os as system\nsystem.environ["OMP_NUM_THREADS"] = "1"',
        'import os.path\nos.environ["OMP_NUM_THREADS"] = "1"',
        'env = os.environ\nenv["OMP_NUM_THREADS"] = "1"',
        'del os.environ["OMP_NUM_THREADS"]\nos.environ.setdefault("OMP_NUM_THREADS", "1")',
        'def train():\n    import numpy\nos.environ["OMP_NUM_THREADS"] = "1"\ntrain()',
        'os.environ["OMP_A"] = "a\\0b"\nos.environ["OMP_NUM_THREADS"] = "1"',
    ],
)
def test_a_line_that_sets_a_variable_before_the_imports_is_found(tmp_path: Path, line: str) -> None:
    assert read(tmp_path, f"import os\n{line}\nimport numpy\n") == {"OMP_NUM_THREADS": "1"}


OTHERS = {
    "too late": f"import numpy\n{ONE}",
    "what is printed": 'os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"',
    "not of a library": 'os.environ["PATH"] = "elsewhere"',
    "reckoned": 'os.environ["OMP_NUM_THREADS"] = str(cores)',
    "reckoned in the end": f'{ONE}\nos.environ["OMP_NUM_THREADS"] = str(cores)',
    "reckoned before a default": 'os.environ["OMP_NUM_THREADS"] = str(cores)\n'
    'os.environ.setdefault("OMP_NUM_THREADS", "1")',
    "under a condition": f"if slow:\n    {ONE}",
    "of another dict": 'settings["OMP_NUM_THREADS"] = "1"',
    "of a copy": 'environ = dict(os.environ)\nenviron["OMP_NUM_THREADS"] = "1"',
    "of a copy that has taken the name": "from os import environ\nenviron = dict(environ)\n"
    'environ["OMP_NUM_THREADS"] = "1"',
    "of another object": 'job.environ["OMP_NUM_THREADS"] = "1"',
    "put elsewhere": 'job.putenv("OMP_NUM_THREADS", "1")',
    "too late within a try": f"try:\n    import numpy\nexcept ImportError:\n    pass\n{ONE}",
    "too late within a with": f"with quiet:\n    if True:\n        from numpy import ones\n{ONE}",
    "too late by a function": f"def load():\n    import numpy\nload()\n{ONE}",
    "too late by name": f"import importlib\nimportlib.import_module('numpy')\n{ONE}",
    "too late by a module beside": f"from .json import first\n{ONE}",
    "deleted": f'{ONE}\ndel os.environ["OMP_NUM_THREADS"]',
    "taken out": f'{ONE}\nold = os.environ.pop("OMP_NUM_THREADS", None)',
    "perhaps deleted": f'{ONE}\nif slow:\n    del os.environ["OMP_NUM_THREADS"]',
    "unset": 'os.putenv("OMP_NUM_THREADS", "1")\nos.unsetenv("OMP_NUM_THREADS")',
    "a zero byte": 'os.environ["OMP_NUM_THREADS"] = "a\\0b"',
    "half a character": 'os.environ["OMP_NUM_THREADS"] = "\\ud800"',
    "no name": 'os.environ.update({"OMP_A=B": "1", "OMP_\\0": "1", **others})',
    "no program": "this is no Python",
    "empty": "",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS.keys())
def test_other_lines_set_nothing(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, f"import os\n{text}\nimport numpy\n") == {}


def test_what_is_deep_is_looked_through_as_well(tmp_path: Path) -> None:
    text = f"import os\nfar = os{'.path' * 1500}\n{ONE}\nimport numpy\n"
    assert read(tmp_path, text) == {"OMP_NUM_THREADS": "1"}


def test_what_python_warns_of_neither_prints_nor_hides_a_setting(tmp_path: Path) -> None:
    text = f"import os\nword = '\\d'\n{ONE}\nimport numpy\n"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(tmp_path, text) == {"OMP_NUM_THREADS": "1"}
        assert "word" in names_defined(tmp_path / "program.py")


def test_a_default_leaves_alone_what_is_there(tmp_path: Path) -> None:
    line = 'os.environ.setdefault("OMP_NUM_THREADS", "1")\n'
    assert read(tmp_path, line, {"OMP_NUM_THREADS": "4"}) == {}


def test_a_file_that_is_not_there_sets_nothing(tmp_path: Path) -> None:
    assert early_settings(tmp_path / "gone.py") == {}


def test_a_package_s_settings_come_before_those_of_its_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made(tmp_path, "course/__init__.py", f"open('run', 'w')\nimport os\n{ONE}\n")
    made(tmp_path, "course/inner/train.py", f"import os\n{ONE.replace('OMP', 'MKL')}\n")
    made(tmp_path, "course/inner/__main__.py", "import numpy\n")
    both = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    assert settings_of_job(module("course.inner.train")) == both
    assert settings_of_job(module("course.inner")) == {"OMP_NUM_THREADS": "1"}
    assert "course" not in sys.modules and not (tmp_path / "run").exists()


def test_what_a_package_imports_is_imported_before_its_module_sets_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made(tmp_path, "course/__init__.py", "import numpy\n")
    made(tmp_path, "course/train.py", f"import os\n{ONE}\n")
    assert settings_of_job(module("course.train")) == {}


def test_a_module_is_looked_for_where_the_program_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path, "here/train.py", f"import os\n{ONE}\n")
    made(tmp_path, "path/train.py", "")
    made(tmp_path, "path/other.py", f"import os\n{ONE}\n")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "path"))
    assert settings_of_job(module("train")) == settings_of_job(module("other")) != {}
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    assert settings_of_job(module("train")) == {}


@pytest.mark.parametrize("name", ["", "gone", "json.gone", "a..b", ".a", "a\0", "\ud800", "json"])
def test_a_module_that_is_not_there_or_not_the_reader_s_sets_nothing(name: str) -> None:
    assert settings_of_job(module(name)) == {}


@pytest.mark.parametrize("value", ["a\0b", "\ud800"])
def test_a_variable_that_no_environment_can_hold_is_told_in_a_sentence(value: str) -> None:
    job = Job("graph_growth", toggles={}, sizes={}, steps=3)
    read: dict[When, dict[str, str]] = {"import": {"OMP_NUM_THREADS": value}, "first_op": {}}
    folders = RunFolders.make()
    try:
        with pytest.raises(LabkitError, match=r"^The run's process cannot be started \(.*\); give"):
            start_workers(job, folders, PlainStarter(), read)
    finally:
        folders.remove()


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
    (tmp_path / "script.py").write_text(THREADS)
    for program in (["script.py"], ["-m", "script"]):
        for command in ([], ["-m", "labkit", "diagnose", "--whole"]):
            said = run([*command, *program], tmp_path)
            assert "before None" in said.stdout and "after 1 threads 1" in said.stdout, said.stderr


def test_a_script_that_sets_what_cannot_be_set_ends_at_its_own_line(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text('import os\nos.environ["OMP_NUM_THREADS"] = "a\\0b"\n')
    for command in ([], ["-m", "labkit", "diagnose"]):
        said = run([*command, "script.py"], tmp_path).stderr
        assert "line 2" in said and "embedded null byte" in said and "Popen" not in said


def run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=folder, check=False
    )


def made(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def module(name: str) -> Job:
    return Job(name, toggles={}, sizes={}, steps=1, arguments=(), module=True)


def read(folder: Path, text: str, present: dict[str, str] | None = None) -> dict[str, str]:
    file = folder / "program.py"
    file.write_text(text)
    return early_settings(file, present=present or {})
