"""The launcher's process: how it is started, so that the system ends it as soon as we go."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
from collections.abc import Mapping
from typing import BinaryIO

from labkit.bench.processes.search_path import python_command


def start_launcher(
    control: socket.socket, variables: Mapping[str, str], errors: BinaryIO
) -> subprocess.Popen[bytes]:
    """Start a launcher, which ends with us from now until it takes its standard input away.

    Nobody writes to that pipe, so the first signal of it (``man 2 fcntl``, O_ASYNC) is its end.
    The launcher could ask for it itself, but only when Python has started, which takes a second on
    a busy machine.

    Args:
        control: The end of the socket that is the launcher's.
        variables: Its environment.
        errors: What takes its standard error.

    Raises:
        OSError: There is no descriptor or no process to be had.
    """
    import fcntl  # not on Windows, which has no launcher

    with contextlib.ExitStack() as undo:
        its_end, ours = os.pipe()
        undo.callback(os.close, ours)
        try:
            process = subprocess.Popen(
                [*python_command("labkit.bench.processes.launcher"), str(control.fileno())],
                stdin=its_end,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=variables,
                pass_fds=[control.fileno()],
                start_new_session=True,
            )
            with contextlib.suppress(OSError):  # it has ended already
                fcntl.fcntl(its_end, fcntl.F_SETOWN, process.pid)
                fcntl.fcntl(its_end, fcntl.F_SETFL, os.O_ASYNC)
        finally:
            os.close(its_end)
        undo.pop_all()
    process.stdin = open(ours, "wb", buffering=0)  # noqa: SIM115 - as Popen itself would have it
    return process
