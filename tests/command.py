"""The command line in a process of its own, forked from one that has loaded labkit already.

Arguments, streams, folder, environment, what is started and the exit status are those of any
process; only the two seconds of loading are saved. Tests of loading itself, of an interrupt while
it loads, and of streams that are closed from the beginning start Python afresh.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NoReturn

MOST_BYTES = 1 << 20


def labkit(
    *arguments: str,
    stdout: int | None = None,
    seconds: float = 120,
    meanwhile: Callable[[int], None] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run one command to its end, with Ctrl-C and a hang-up heard, as in a shell.

    Args:
        arguments: What follows the program's name.
        stdout: The descriptor of its standard output; None for one that is read here.
        seconds: How long it may take, and whatever has its streams.
        meanwhile: Is called with its process id once it has begun.
    """
    out, theirs = os.pipe()
    err, their_err = os.pipe()
    handles = [theirs if stdout is None else stdout, their_err]
    order = {"arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}
    asked = _server()
    with open(out, encoding="utf-8") as printed, open(err, encoding="utf-8") as told:
        socket.send_fds(asked, [json.dumps(order).encode()], handles)
        os.close(theirs)
        os.close(their_err)
        process_id = int(asked.recv(64))
        with ThreadPoolExecutor(2) as readers:
            streams = [readers.submit(printed.read), readers.submit(told.read)]
            try:
                if meanwhile is not None:
                    meanwhile(process_id)
                output, errors = (stream.result(seconds) for stream in streams)
            except BaseException:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process_id, signal.SIGKILL)
                raise
        return subprocess.CompletedProcess(
            ["labkit", *arguments], int(asked.recv(64)), output, errors
        )


@cache
def _server() -> socket.socket:
    """Start the process that all commands of this one are forked from; it ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.command", str(theirs.fileno())],
            cwd=Path(__file__).parents[1], pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )  # fmt: skip
    ours.settimeout(300)
    atexit.register(_end, ours, process)
    return ours


def _end(ours: socket.socket, process: subprocess.Popen[bytes]) -> None:
    ours.close()
    process.wait(10)


def _serve(asked: socket.socket) -> NoReturn:
    from labkit.cli.program import COMMANDS

    for file, _ in COMMANDS.values():
        import_module(f"labkit.cli.commands.{file}")
    import_module("labkit.cli.diagnosed")

    while data := (received := socket.recv_fds(asked, MOST_BYTES, 2))[0]:
        handles = received[1]
        process_id = os.fork()
        if process_id == 0:
            asked.close()
            _become(json.loads(data), handles)
        for handle in handles:
            os.close(handle)
        asked.send(str(process_id).encode())
        _, status = os.waitpid(process_id, 0)
        asked.send(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def _become(order: dict[str, object], handles: list[int]) -> NoReturn:
    import labkit.cli

    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    for number, handle in enumerate(handles, start=1):
        os.dup2(handle, number)
        os.close(handle)
    os.chdir(str(order["folder"]))
    environment, arguments = order["environment"], order["arguments"]
    assert isinstance(environment, dict) and isinstance(arguments, list)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [str(Path(labkit.cli.__file__).with_name("__main__.py")), *arguments]
    labkit.cli.main()


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
