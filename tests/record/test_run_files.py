"""Saved runs of a folder, whatever else lies there.

Tier: make test.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from labkit.record import RunFileError, save_run
from labkit.record.run_files import load_found, run_files
from tests.record.example import full_run

pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


@pipes
def test_a_pipe_in_a_folder_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    """Recorded: a report of such a folder never came."""
    os.mkfifo(tmp_path / "a\x07.jsonl")
    save_run(full_run(), tmp_path / "b.jsonl")
    pipe, run = run_files(tmp_path)
    released = threading.Timer(5, pipe.write_text, ("no run",))  # so that a failure comes to an end
    released.daemon = True
    released.start()
    with pytest.raises(RunFileError, match=r"^a\\x07.jsonl is a pipe or a device; put a saved run"):
        load_found(pipe, tmp_path)
    released.cancel()
    assert load_found(run, tmp_path) == full_run()


@pipes
def test_a_pipe_that_was_named_is_read(tmp_path: Path) -> None:
    text = save_run(full_run(), tmp_path / "run.jsonl").read_text()
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    assert [load_found(file, str(pipe)) for file in run_files(str(pipe))] == [full_run()]
    writer.join()
