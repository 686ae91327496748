"""A real hub on loopback, with the documented configuration, and five learners on it at once.

Tier: make test-full. `pytest -m full -s tests/hub` shows what each learner took of the machine.
"""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest

from labkit.causes import load
from tests.hub.hub import CONFIG, REPOSITORY, Hub
from tests.hub.learner import run_cell

MISSING = "There is no JupyterHub here; install it with  pip install -e .[hub]  and try again."
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(find_spec("jupyterhub") is None, reason=MISSING),
]

LEARNERS = [f"learner-{n}" for n in range(1, 6)]
STEPS = 300
LAB = f"""
import json
import labkit as lk
run = lk.run("graph_growth", steps={STEPS})
ops = run.steps.column("graph_ops")
told = {{"state": run.state.name, "why": run.state.reason, "ops": [float(ops[0]), float(ops[-1])]}}
print(json.dumps(told))
"""
LAST_LINE = re.compile(r"^\{.*\}$", re.MULTILINE)


@pytest.fixture(scope="module")
def hub() -> Iterator[Hub]:
    with closing(Hub()) as started:
        yield started


def test_five_learners_run_a_lab_at_once_within_their_limit(hub: Hub) -> None:
    began = time.monotonic()
    most = dict.fromkeys(LEARNERS, 0.0)
    with ThreadPoolExecutor(len(LEARNERS)) as pool:
        list(pool.map(hub.let_in, LEARNERS))
        let_in = time.monotonic()
        print(f"\nall let in after {let_in - began:.0f} s")
        labs = {name: pool.submit(run_cell, hub, name, LAB) for name in LEARNERS}
        while wait(labs.values(), timeout=0.5).not_done:
            now = megabytes(hub)
            most = {name: max(most[name], now.get(name, 0.0)) for name in LEARNERS}
    print(f"all labs done {time.monotonic() - let_in:.0f} s later")
    for lab in labs.values():
        assert_the_graph_grew(lab.result())
    left = megabytes(hub)
    print("MB at most, and afterwards:", {n: (round(most[n]), round(left[n])) for n in LEARNERS})
    print("MB of the hub and its proxy:", round(left[""]))
    assert all(0 < most[name] < limit_megabytes() for name in LEARNERS), most
    owned = [{each.pid for each in hub.processes()[name]} for name in LEARNERS]
    assert len(set.union(*owned)) == sum(map(len, owned)), "learners share no process"


def test_a_link_puts_the_notebooks_into_a_learners_home_and_again_what_is_new(
    hub: Hub, tmp_path: Path
) -> None:
    name = "notebooks/00_read_the_curve.ipynb"
    text = (REPOSITORY / name).read_text()
    (tmp_path / "notebooks").mkdir()
    (tmp_path / name).write_text(text)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-C", str(tmp_path)]

    def commit(first: bool) -> None:
        create = [["init", "-q", "-b", "main"]] if first else []
        for command in (*create, ["add", "."], ["commit", "-q", "-m", "notebooks"]):
            subprocess.run([*git, *command], check=True)

    commit(first=True)
    hub.let_in("latecomer")
    asked = f"repo=file://{tmp_path}&branch=main&targetpath=labkit"
    assert '"finished"' in hub.read(f"user/latecomer/git-pull/api?{asked}")
    fetched = hub.home / "homes" / "latecomer" / "labkit"
    assert (fetched / name).read_text() == text
    own = fetched / "notebooks" / "own.txt"
    own.write_text("mine")
    (tmp_path / "new.txt").write_text("new")
    commit(first=False)
    assert '"finished"' in hub.read(f"user/latecomer/git-pull/api?{asked}")
    assert (fetched / "new.txt").read_text() == "new" and own.read_text() == "mine"


def test_a_stranger_is_let_in_nowhere(hub: Hub) -> None:
    with pytest.raises(OSError, match="403"):
        hub.read("hub/api/users", token="guessed")


def assert_the_graph_grew(printed: str) -> None:
    lines = LAST_LINE.findall(printed)
    assert len(lines) == 1, printed
    told = json.loads(lines[0])
    assert told["state"] == "done", printed
    first, last = told["ops"]
    assert last - first == load("graph_growth").expectation.per_step["graph_ops"] * (STEPS - 1)


def megabytes(hub: Hub) -> dict[str, float]:
    """Return the memory of each learner's processes; what several share is split among them."""
    found: dict[str, float] = {}
    for name, processes in hub.processes().items():
        for process in processes:
            try:
                found[name] = found.get(name, 0.0) + process.memory_full_info().pss / 1e6
            except psutil.Error:  # it has just ended
                continue
    return found


def limit_megabytes() -> float:
    """Return the limit of memory that the documented configuration sets for a learner."""
    found = re.search(r'^c\.Spawner\.mem_limit = "(\d+)G"$', CONFIG.read_text(), re.MULTILINE)
    assert found
    return 1_000 * float(found[1])
