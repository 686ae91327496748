"""False alarms of tests of one's own on healthy loops, on a machine made busy on purpose.

For `lk.assert_steady` each loop has a process of its own, as a test file has, and is tested several
times in it. `labkit diagnose --fail-on` takes longer and is asked once of each loop.

Usage: python -m tools.bench.diagnosis.steady FILE TIMES     Tests one loop; a JSON line a test.
"""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from labkit.bench.bench import Bench
from labkit.lab.own_loop.alarms.confirmed import confirmed
from labkit.lab.own_loop.diagnose import diagnose
from labkit.lab.own_loop.request import KINDS
from tests.loops.expected import EVERY
from tools.bench.benchmarks.load import load
from tools.bench.figure import Figure

GROUP = "tests of one's own, with load beside them"
RUNS = 200
ROOT = Path(__file__).parents[3]
LONGEST_SECONDS = 150


def measure() -> list[Figure]:
    """Return the share of healthy loops that each of the two complained about."""
    healthy = [each.path for each in EVERY if each.healthy]
    times = -(-RUNS // len(healthy))
    with load(2):
        each = {path: tested(path, times) for path in healthy}
        said = [alarm for alarms in each.values() for alarm in alarms]
        # A loop of long steps uses up its time before it was tested that often; quick ones make up.
        for path in (path for path, alarms in each.items() if len(alarms) == times):
            if len(said) < RUNS:
                said += tested(path, min(times, RUNS - len(said)))
        with closing(Bench()) as bench:
            diagnosed = [failed_on(path, bench) for path in healthy]
    return [
        _figure("healthy loops that lk.assert_steady failed", said, len(healthy)),
        _figure("healthy loops that labkit diagnose --fail-on failed", diagnosed, len(healthy)),
    ]


def _figure(name: str, said: Sequence[str], loops: int) -> Figure:
    for alarm in filter(None, said):
        print(f"\n{alarm}", file=sys.stderr, flush=True)
    failed = sum(map(bool, said))
    note = f"{failed} of {len(said)} runs of {loops} loops"
    return Figure(GROUP, name, 100 * failed / len(said), "%", 0.0, note)


def failed_on(path: Path, bench: Bench) -> str:
    """Return what `labkit diagnose --fail-on slowdown,leaking` says of a loop; empty if nothing."""
    began = time.monotonic()
    last = confirmed(functools.partial(diagnose, path, on=bench), KINDS)
    failed = bool(last.raised or last.failed) or not last.said.run.state.completed
    told = f"{path.name}: --fail-on {'fired' if failed else 'quiet'}"
    print(f"{told}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return f"{told}: {last.said}" if failed else ""


def tested(path: Path, times: int) -> list[str]:
    """Return what each test of a loop complained about; empty where it passed."""
    began = time.monotonic()
    said = _said(path, times)
    lasted = time.monotonic() - began
    told = f"{path.name}: {sum(map(bool, said))} of {len(said)} failed, {lasted:.0f} s"
    print(told, file=sys.stderr, flush=True)
    return said


def _said(path: Path, times: int) -> list[str]:
    with subprocess.Popen(
        [sys.executable, "-m", "tools.bench.diagnosis.steady", str(path), str(times)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as test:  # fmt: skip
        try:
            out, complaint = test.communicate(timeout=LONGEST_SECONDS)
        except subprocess.TimeoutExpired:
            test.kill()
            out, _ = test.communicate()
        else:
            if test.returncode:
                return [f"{path.name}: {complaint[-2000:]}"] * times
    return [json.loads(line) for line in out.splitlines() if line.startswith('"')]


def _test(path: Path, times: int) -> None:
    import labkit
    from labkit.cause import run_file

    for _ in range(times):
        module = run_file(path, f"labkit_own_{path.stem}")
        try:
            labkit.assert_steady(module.make_step)
        except AssertionError as alarm:
            print(json.dumps(f"{path.name}: {alarm}"), flush=True)
        else:
            print(json.dumps(""), flush=True)


if __name__ == "__main__":
    _test(Path(sys.argv[1]), int(sys.argv[2]))
