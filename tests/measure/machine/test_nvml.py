"""NVML is asked through its own package, and may be missing in part or whole. Tier: make test.

The package is the real one, the library a stand-in (``tests/card/nvml``). It is loaded once for a
process, so each check has one of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.card.build import NO_COMPILER
from tests.card.nvml_build import NAME, nvml_environment, nvml_folder

ROOT = Path(__file__).parents[3]
TELL = """
import json, sys
from labkit.measure.machine.nvml import driver_version, nvidia_card

name, cuda = sys.argv[1:]
card = nvidia_card(name, cuda)
told = None
if card is not None:
    asked = ("name", "clock_mhz", "celsius", "watts", "limit_watts", "reasons", "processes")
    told = {each: getattr(card, each)() for each in asked}
    card.close()
print(json.dumps([told, driver_version()]))
"""
# As the loop's own process sees it: nothing may be imported that the loop has no need of.
QUIETLY = """
import sys
from labkit.measure.machine import nvml
assert "pynvml" not in sys.modules and "ctypes.util" not in sys.modules
"""


@pytest.fixture
def library() -> Path:
    """The folder of the stand-in; skips where it cannot be built."""
    if sys.platform != "linux":
        pytest.skip("The stand-in for NVML is for Linux.")
    if shutil.which("g++") is None and os.environ.get("CI") != "true":
        pytest.skip(NO_COMPILER)
    return nvml_folder()


@pytest.fixture
def clock_file(tmp_path: Path) -> Path:
    """A card of 1,005 MHz that is hot: 93 degrees, 66 W of 70 W."""
    file = tmp_path / "clock"
    file.write_text("1005 93 66500 70000 64")
    return file


def told(
    variables: dict[str, str], name: str = "Tesla T4", cuda: str = "none.so", code: str = TELL
) -> tuple[dict[str, Any] | None, str | None]:
    """Return what NVML tells of the card of this name, and of the driver, to a fresh process."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, name, cuda],
        capture_output=True, text=True, cwd=ROOT, env={**os.environ, **variables},
    )  # fmt: skip
    assert done.returncode == 0 and done.stderr == "", done.stderr
    card, driver = json.loads(done.stdout)
    return card, driver


def test_a_card_is_found_by_its_name_and_tells_all(library: Path, clock_file: Path) -> None:
    card, driver = told(nvml_environment(clock_file=clock_file, cards="Tesla T4", others=2))
    assert card == {
        "name": "Tesla T4", "clock_mhz": 1005, "celsius": 93, "watts": 66.5, "limit_watts": 70,
        "reasons": 64, "processes": 3,
    }  # fmt: skip
    assert driver == "550.54.15"


def test_cuda_says_which_of_several_cards_is_tensorflows_first(library: Path) -> None:
    variables = {**nvml_environment(cards="Tesla T4,Tesla T4,Tesla P4"), "STAND_IN_CUDA_FIRST": "2"}
    cuda = str(library / NAME)
    card, _ = told(variables, "Tesla P4", cuda)
    assert card is not None and card["name"] == "Tesla P4"
    assert told(variables, "Tesla T4", cuda)[0] is None, "CUDA's is another"


def test_of_several_cards_of_one_name_none_is_guessed_without_cuda(library: Path) -> None:
    assert told(nvml_environment(cards="Tesla T4,Tesla T4"))[0] is None
    card, _ = told(nvml_environment(cards="Tesla T4,Tesla P4"))
    assert card is not None and card["name"] == "Tesla T4"


def test_a_part_of_a_card_is_told_of_by_the_whole(library: Path) -> None:
    card, _ = told(nvml_environment(cards="NVIDIA A100-SXM4-40GB"), "NVIDIA A100-SXM4-40GB MIG 3g")
    assert card is not None and card["name"] == "NVIDIA A100-SXM4-40GB"


def test_a_card_of_another_maker_is_none_of_nvmls(library: Path) -> None:
    assert told(nvml_environment(cards="Tesla T4"), "another maker's") == (None, "550.54.15")
    refused = nvml_environment(cards="Tesla T4", refuses="nvmlDeviceGetName")
    assert told(refused)[0] is None, "nobody knows"


NUMBERS = {
    "nvmlDeviceGetClockInfo": "clock_mhz",
    "nvmlDeviceGetTemperature": "celsius",
    "nvmlDeviceGetPowerUsage": "watts",
    "nvmlDeviceGetEnforcedPowerLimit": "limit_watts",
    "nvmlDeviceGetComputeRunningProcesses_v3": "processes",
}


@pytest.mark.parametrize("refused", NUMBERS)
def test_a_call_that_a_card_refuses_costs_its_own_number_only(
    library: Path, clock_file: Path, refused: str
) -> None:
    card, _ = told(nvml_environment(clock_file=clock_file, cards="Tesla T4", refuses=refused))
    assert card is not None and card.pop("reasons") == 64
    assert {name for name, value in card.items() if value != value} == {NUMBERS[refused]}


def test_older_drivers_call_the_reasons_by_another_name(library: Path, clock_file: Path) -> None:
    older = "nvmlDeviceGetCurrentClocksEventReasons"
    variables = nvml_environment(clock_file=clock_file, cards="Tesla T4", refuses=older)
    card, _ = told(variables)
    assert card is not None and card["reasons"] == 64
    both = f"{older},nvmlDeviceGetCurrentClocksThrottleReasons"
    card, _ = told({**variables, "STAND_IN_NVML_REFUSES": both})
    assert card is not None and card["reasons"] is None


def test_a_card_that_tells_nothing_costs_nothing(library: Path) -> None:
    card, driver = told(nvml_environment(cards="Tesla T4", refuses="nvmlSystemGetDriverVersion"))
    assert card is not None and card["clock_mhz"] != card["clock_mhz"] and driver is None


def test_without_the_drivers_library_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("no library")
    assert told({"LD_LIBRARY_PATH": str(tmp_path)}) == (None, None)


def test_a_library_that_does_not_begin_tells_nothing(library: Path) -> None:
    assert told(nvml_environment(cards="Tesla T4", refuses="nvmlInitWithFlags")) == (None, None)


@pytest.mark.parametrize("module", ["raise ImportError", "1 / 0", "import warnings\nNAME = 1"])
def test_without_the_package_nothing_is_told(library: Path, tmp_path: Path, module: str) -> None:
    """Nor with another module of that name."""
    (tmp_path / "pynvml.py").write_text(module)
    variables = nvml_environment(cards="Tesla T4")
    assert told({**variables, "PYTHONPATH": str(tmp_path)}) == (None, None)


def test_a_package_that_warns_of_itself_is_not_heard(library: Path, tmp_path: Path) -> None:
    (tmp_path / "pynvml.py").write_text("import warnings\nwarnings.warn('old', FutureWarning)\n")
    variables = {**nvml_environment(cards="Tesla T4"), "PYTHONPATH": str(tmp_path)}
    assert told(variables) == (None, None)


def test_the_package_is_imported_only_where_a_card_is_asked_for() -> None:
    done = subprocess.run([sys.executable, "-c", QUIETLY], cwd=ROOT)
    assert done.returncode == 0
