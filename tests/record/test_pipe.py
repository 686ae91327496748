"""A named pipe to which nobody writes is waited for a while only. Tier: make test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import labkit as lk
from labkit.lab.json_output import file_json
from labkit.record import LabkitError, load_run, save_run
from labkit.record.pipe import open_to_read
from tests.record.example import full_run

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe.jsonl")
    return tmp_path / "pipe.jsonl"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("labkit.record.pipe.LONGEST_WAIT_SECONDS", 0.1)


def verdict(pipe: Path) -> None:
    raise LabkitError(file_json(pipe)["error"])


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("opened", [False, True], ids=["not opened", "nothing written"])
@pytest.mark.parametrize("read", [load_run, lk.replay, verdict])
def test_a_pipe_from_which_nothing_comes_is_an_error(
    pipe: Path, opened: bool, read: Callable[[Path], object]
) -> None:
    """Recorded: all of these waited for ever, and so did ``labkit report``."""
    writer = os.open(pipe, os.O_RDWR) if opened else None
    # So that a failure comes to an end.
    released = threading.Timer(5, pipe.write_text, ("no run",))
    released.daemon = True
    released.start()
    with pytest.raises(
        LabkitError, match=r"^pipe.jsonl cannot be read \(nothing came from it in [\d.]+ s\); "
    ):
        read(pipe)
    released.cancel()
    if writer is not None:
        os.close(writer)


def test_what_comes_late_and_in_parts_is_read(pipe: Path, tmp_path: Path) -> None:
    """Only the first byte is waited for no longer than so: a program may compute for a while."""
    text = save_run(full_run(), tmp_path / "run.jsonl").read_bytes()

    def write() -> None:
        time.sleep(0.2)
        with pipe.open("wb", buffering=0) as file:
            for part in (text[:5], text[5:]):
                time.sleep(0.2)
                file.write(part)

    writer = threading.Thread(target=write)
    writer.start()
    assert load_run(pipe) == full_run()
    writer.join()


@pytest.mark.usefixtures("short")
def test_a_pipe_of_the_shell_is_waited_for_while_its_program_runs() -> None:
    reader, writer = os.pipe()
    late = threading.Timer(0.4, lambda: (os.write(writer, b"late"), os.close(writer)))
    late.start()
    with open_to_read(f"/dev/fd/{reader}") as file:
        assert file.read() == b"late"
    os.close(reader)
    late.join()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here")
def test_what_the_kernel_makes_up_is_no_file_that_is_read(tmp_path: Path) -> None:
    """Recorded: a link to /proc/kmsg in a class's folder held a chart and a report for ever."""
    link = tmp_path / "a.jsonl"
    link.symlink_to("/proc/self/status")
    with open_to_read(link) as file:
        assert file.read() == b""
    with pytest.raises(LabkitError, match=r"^a\.jsonl "):
        load_run(link)


def test_ctrl_c_ends_the_wait_at_once(pipe: Path) -> None:
    code = "import sys, labkit; print(labkit, flush=True); labkit.load_run(sys.argv[1])"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(pipe)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as waiting:
        assert waiting.stdout is not None and waiting.stdout.readline()
        time.sleep(1)
        pressed = time.monotonic()
        waiting.send_signal(signal.SIGINT)
        _, said = waiting.communicate(timeout=20)
    assert time.monotonic() - pressed < 5 and said.endswith(b"KeyboardInterrupt\n")
