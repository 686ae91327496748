"""Who is at the other end of a connection within this machine, and sockets of another process's.

Linux tells the user of each connection in ``/proc/net/tcp`` (``man 5 proc``).
"""

from __future__ import annotations

import ctypes
import os
import socket
import struct

PIDFD_GETFD = 438  # on every machine
TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
# One that was closed already has neither a file nor a user any more; what it sent may lie there.
ESTABLISHED, NO_FILE = "01", "0"


def is_ours(connection: socket.socket) -> bool:
    """Tell whether a connection's other end, on this machine, is a process of our own user."""
    try:
        ends = connection.getpeername()[1], connection.getsockname()[1]
    except OSError:  # hung up already
        return False
    rows = [row for table in TABLES for row in _rows(table) if _ports(row) == ends]
    ours = [
        (state, user) == (ESTABLISHED, str(os.getuid())) and inode != NO_FILE
        for _, _, _, state, _, _, _, user, _, inode, *_ in rows
    ]
    return bool(ours) and all(ours)


def _rows(table: str) -> list[list[str]]:
    try:
        with open(table, encoding="ascii") as file:
            return [line.split() for line in file][1:]
    except OSError:
        return []


def _ports(row: list[str]) -> tuple[int, int]:
    own, other = (int(address.rpartition(":")[2], 16) for address in row[1:3])
    return own, other


def taken_from(thread: int, file: int) -> socket.socket:
    """Return a process's socket, as one of our own; the process keeps it.

    Args:
        thread: Any of its threads.
        file: Its number there.

    Raises:
        OSError: If there is none, or it must not be taken.
    """
    with open(f"/proc/{thread}/status", encoding="utf-8", errors="replace") as status:
        process = next(int(line.split()[1]) for line in status if line.startswith("Tgid:"))
    holder = os.pidfd_open(process)
    try:
        library = ctypes.CDLL(None, use_errno=True)
        taken = library.syscall(
            ctypes.c_long(PIDFD_GETFD), ctypes.c_int(holder), ctypes.c_int(file), ctypes.c_uint(0)
        )
        if taken < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    finally:
        os.close(holder)
    return socket.socket(fileno=taken)


def write_address(thread: int, connection: socket.socket, at: int, length_at: int) -> None:
    """Write the address of a connection's other end where a process wants to read it."""
    address, port, *more = connection.getpeername()
    packed = socket.inet_pton(connection.family, address)
    if connection.family == socket.AF_INET:
        whole = struct.pack("=H2s4s8x", socket.AF_INET, port.to_bytes(2, "big"), packed)
    else:
        flow, scope = more
        whole = struct.pack(
            "=H2sI16sI", socket.AF_INET6, port.to_bytes(2, "big"), socket.htonl(flow), packed, scope
        )
    with open(f"/proc/{thread}/mem", "r+b", buffering=0) as memory:
        memory.seek(length_at)
        (room,) = struct.unpack("=I", memory.read(4))
        memory.seek(at)
        memory.write(whole[:room])
        memory.seek(length_at)
        memory.write(struct.pack("=I", len(whole)))
