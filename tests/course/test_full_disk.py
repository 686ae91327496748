"""Predictions on a disk that is full for a moment: the latest answer counts. Tier: make test."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from labkit.course.predictions.diary import FILE

# In a process of its own, for the limit holds for every file of a process.
PROGRAM = """
import resource, signal
import labkit as lk

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, hard))
lk.predict("graph_growth.shape", answer="flat", sure=90)
print(lk.predict("graph_growth.shape").said)
lk.predict("graph_growth.shape", answer="stairs", sure=70)
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
lk.predict("graph_growth.shape", answer="ramp", sure=50)
print(lk.predict("graph_growth.shape").said)
lk.reveal("graph_growth.shape", ["ramp"])
"""


@pytest.mark.parametrize("room", [0, 40], ids=["no room", "room for half a line"])
def test_once_the_disk_has_room_again_the_latest_answer_counts_and_all_are_in_the_file(
    tmp_path: Path, room: int
) -> None:
    done = subprocess.run(
        # No bytecode: cut off at the limit it would break every later import.
        [sys.executable, "-B", "-c", PROGRAM.format(room=room)],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        "You said flat, 90 % sure.",
        f"1 of 1 kept while this kernel lives: {FILE} cannot be written",
        "You said stairs, 70 % sure.",
        "You said ramp, 50 % sure.",
        "1 of 1 kept in labkit-predictions.jsonl",
        "You said ramp, 50 % sure. Measured: ramp. Right.",
    ], done.stdout + done.stderr
    # Half a line stays where it is, and counts for nothing.
    whole = [line for line in (tmp_path / FILE).read_text().splitlines() if line.endswith("}")]
    lines = [json.loads(line) for line in whole]
    assert [each.get("answer") for each in lines] == ["flat", "stairs", "ramp", None]
    assert lines[-1]["right"] is True
