"""TensorFlow's build for CUDA on a machine without a graphics card, as ``make lab TENSORFLOW=gpu``
installs it: labs run on the processor, and nothing that TensorFlow says of the card is shown.

Tier: make test-full, which makes the environment; it takes 7 GB of disk.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from labkit.course.check.setup import graphics_card
from labkit.record import load_run

ROOT = Path(__file__).parent.parent
ENVIRONMENT = ROOT / ".venv-gpu"
MISSING = (
    "There is no .venv-gpu here; make it with  "
    "make .venv-gpu/labkit-gpu-lab VENV=.venv-gpu TENSORFLOW=gpu  and try again."
)
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not (ENVIRONMENT / "labkit-gpu-lab").exists(), reason=MISSING),
    pytest.mark.skipif(graphics_card() is not None, reason="There is a graphics card here."),
]
# Begins with `lk.setup()`, shows a panel, and runs loops; 15 seconds.
NOTEBOOK = "05_garbage.ipynb"
OF_A_CARD = re.compile(r"cuda|cuinit|driver|dlopen|tensorrt|gpu|graphics card", re.IGNORECASE)


def in_environment(
    program: str, *arguments: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a program of the environment as a learner's terminal would."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LABKIT_")}
    return subprocess.run(
        [str(ENVIRONMENT / "bin" / program), *arguments],
        env=kept | variables, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


def test_tensorflow_itself_complains_of_the_missing_driver() -> None:
    """Else the tests below would show nothing."""
    code = (
        "import tensorflow as tf\n"
        "print(tf.test.is_built_with_cuda(), tf.config.list_physical_devices('GPU'))"
    )
    done = in_environment("python", "-c", code)
    assert done.stdout == "True []\n"
    assert OF_A_CARD.search(done.stderr), done.stderr


@pytest.mark.parametrize("device", ["auto", "cpu"])
def test_a_run_is_forked_and_on_the_processor_and_says_nothing_of_a_card(
    tmp_path: Path, device: str
) -> None:
    file = tmp_path / "run.jsonl"
    asked = ["--steps", "60", "--device", device, "--out", str(file), "--json"]
    done = in_environment("labkit", "run", "graph_growth", *asked)
    assert (done.returncode, done.stderr) == (0, f"saved to {file}\n")
    told = json.loads(done.stdout)
    assert (told["state"], told["steps"]) == ("done", 60)
    environment = told["environment"]
    assert environment["start"] == "fork"
    assert environment["tensorflow_build"].startswith("CUDA")
    assert (environment["device"], environment["gpu"], environment["no_gpu"]) == ("cpu", None, None)
    assert load_run(file).log == ""


def test_a_notebook_shows_nothing_of_a_card_and_no_warning(tmp_path: Path) -> None:
    file = shutil.copy(ROOT / "notebooks" / NOTEBOOK, tmp_path)
    asked = ["nbconvert", "--to", "notebook", "--execute", "--inplace", str(file)]
    # A kernel that the reader has installed elsewhere under the same name would be another Python.
    done = in_environment("jupyter", *asked, JUPYTER_DATA_DIR=str(tmp_path / "data"))
    assert done.returncode == 0, done.stderr
    outputs = {
        cell["id"]: cell["outputs"]
        for cell in json.loads(Path(file).read_text())["cells"]
        if cell["cell_type"] == "code"
    }
    setup = "".join(map(text, outputs["setup"]))
    assert setup.startswith("labkit ") and "ready: labs open as live panels" in setup
    shown = [each for cell in outputs.values() for each in cell]
    assert [each for each in shown if each.get("name") == "stderr"] == []
    assert [said for said in map(text, shown) if OF_A_CARD.search(said)] == []
    assert any("per step" in said for said in map(text, shown)), "no run was told"


def text(output: dict[str, Any]) -> str:
    """Return what a cell's output says in words."""
    said = output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
    return "".join(said)
