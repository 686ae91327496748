"""A network of a run's own: workers that talk to each other are reached by nobody else.

TensorFlow's servers listen on every interface and ask nobody who they are; whoever reaches the port
of one can have it read and write files as the learner (TensorFlow, SECURITY.md). So the workers of
a run share a network namespace that holds a loopback interface and nothing else (Linux, ``man 7
network_namespaces``). It is made by a user namespace, which needs no privileges, but which a
container or a hub may forbid.

The namespace is held open by a process of its own, started with ``main``: it says on its output
whether there is one, and ends when its input does. A worker joins it while it has one thread.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import socket
import struct
import subprocess
import sys
import time

from labkit.bench.processes.search_path import child_environment, python_command

CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
# Of the ioctls of an interface, ``man 7 netdevice``.
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
READY = b"ready\n"
LONGEST_SECONDS = 5.0


class PrivateNetwork:
    """A network namespace that lasts until it is closed and its last process has ended.

    Raises:
        OSError: If this system has none, or does not allow it.
    """

    def __init__(self) -> None:
        if sys.platform != "linux":
            raise OSError("only Linux has network namespaces")
        self._holder = subprocess.Popen(
            python_command("labkit.bench.isolation.private_network"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=child_environment({}),
            start_new_session=True,
        )
        assert self._holder.stdout is not None
        with self._holder.stdout:
            answer = _answer(self._holder.stdout.fileno())
        if answer != READY:
            self.close()
            raise OSError(answer.decode(errors="replace").strip() or "its process has ended")

    @property
    def process_id(self) -> int:
        """A process that is in it, for `join_network`."""
        return self._holder.pid

    def leave_to_parent(self) -> None:
        """Close our copy of what holds it, in a forked process."""
        assert self._holder.stdin is not None
        self._holder.stdin.close()

    def close(self) -> None:
        """Let go of it; the processes in it keep it as long as they live."""
        assert self._holder.stdin is not None
        self._holder.stdin.close()
        # It would end by itself, but not if somebody has stopped it, or has forked us meanwhile.
        self._holder.kill()
        self._holder.wait()


def _answer(descriptor: int) -> bytes:
    """Return the last line of a process; a start-up file of Python's may have printed before it."""
    answer, deadline = b"", time.monotonic() + LONGEST_SECONDS
    while not answer.endswith(READY):
        # It answers within a tenth of a second, unless somebody has stopped it.
        patience = max(0.0, deadline - time.monotonic())
        if not select.select([descriptor], [], [], patience)[0]:
            return b"its process does not answer"
        if not (piece := os.read(descriptor, 4096)):
            break
        answer += piece
    return answer.splitlines(keepends=True)[-1] if answer else b""


def join_network(process_id: int) -> None:
    """Move this process into the network of another one, as a user who is nobody else's master.

    Args:
        process_id: Of the process that holds it.

    Raises:
        OSError: If that cannot be done, for one because this process has more threads than one.
    """
    for kind, flag in (("user", CLONE_NEWUSER), ("net", CLONE_NEWNET)):
        namespace = os.open(f"/proc/{process_id}/ns/{kind}", os.O_RDONLY)
        try:
            _call("setns", namespace, flag)
        finally:
            os.close(namespace)


def main() -> None:
    """Make the namespace, say so, and hold it until the input ends."""
    user, group = os.getuid(), os.getgid()
    try:
        _call("unshare", CLONE_NEWUSER | CLONE_NEWNET)
        # Without these we would be nobody there, and programs that ask for a name would fail.
        _write("setgroups", "deny")
        _write("uid_map", f"{user} {user} 1")
        _write("gid_map", f"{group} {group} 1")
        _raise_loopback()
    except OSError as error:
        print(f"{error.strerror or error}", flush=True)
        return
    os.write(1, READY)
    with contextlib.suppress(OSError):
        os.close(1)
    sys.stdin.buffer.read()


def _call(name: str, *numbers: int) -> None:
    # os.unshare and os.setns came with Python 3.12.
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*map(ctypes.c_int, numbers)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _write(name: str, text: str) -> None:
    with open(f"/proc/self/{name}", "w") as file:
        file.write(text)


def _raise_loopback() -> None:
    import fcntl  # not on Windows

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        request = struct.pack("16sh22x", b"lo", 0)
        (flags,) = struct.unpack_from("16xh", fcntl.ioctl(asking, SIOCGIFFLAGS, request))
        fcntl.ioctl(asking, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", flags | IFF_UP))
