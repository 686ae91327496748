"""A command from a folder that somebody has removed does what it is asked. Tier: make test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(os.name != "posix", reason="elsewhere no folder in use can be removed")
def test_a_script_with_a_whole_name_runs_as_with_python(tmp_path: Path) -> None:
    """Recorded: the script raised FileNotFoundError, it was said, and had never begun."""
    script = tmp_path / "train.py"
    script.write_text("import sys\nprint('begun', file=sys.stderr)\n")
    (tmp_path / "gone").mkdir()
    done = subprocess.run(
        ["sh", "-c", 'rmdir ../gone && exec "$@"', "sh",
         sys.executable, "-P", "-m", "labkit", "diagnose", "--json", str(script)],
        cwd=tmp_path / "gone", env={**os.environ, "PYTHONPATH": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "begun" in done.stderr and "Traceback" not in done.stderr
    assert json.loads(done.stdout)["state"] == "done"
