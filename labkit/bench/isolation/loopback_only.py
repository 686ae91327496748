"""A process whose sockets can be reached from this machine and by its own user alone.

For a run of several workers where it may have no network of its own. TensorFlow's servers listen on
every interface and take whoever comes, and cannot be told otherwise. So the process hands some
system calls over to another one (Linux, ``man 2 seccomp_unotify``): the other makes its internet
sockets; when it wants to bind one to an address, binds it to the loopback interface instead; and
accepts connections for it, of which it hangs up those of other accounts (`peers`).

A blocking accept is left to the process, for nobody could wait in its stead; TensorFlow's servers
have none.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import select
import socket
import struct
import sys
from collections import OrderedDict
from typing import NamedTuple

from labkit.bench.isolation.peers import is_ours, taken_from, write_address
from labkit.bench.processes.process_tree import prctl
from labkit.record.saving.user_namespace import shared_number

LOOPBACK = "127.0.0.1"


class Numbers(NamedTuple):
    """AUDIT_ARCH of a machine, and the numbers of its system calls."""

    architecture: int
    seccomp: int
    socket: int
    bind: int
    accept: int
    accept4: int


NUMBERS = {
    "x86_64": Numbers(0xC000003E, 317, 41, 49, 43, 288),
    "aarch64": Numbers(0xC00000B7, 277, 198, 200, 202, 242),
}
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER = 1, 8
SECCOMP_RET_ALLOW, SECCOMP_RET_USER_NOTIF = 0x7FFF0000, 0x7FC00000
NOTIF_RECV, NOTIF_SEND, NOTIF_ADDFD = 0xC0502100, 0xC0182101, 0x40182103
SECCOMP_USER_NOTIF_FLAG_CONTINUE = 1
# What is asked: its number, the thread, the call, then the call's first four arguments.
REQUEST, REQUEST_BYTES = struct.Struct("QI4xi12xQQQQ"), 80
ANSWER, NEW_FILE = struct.Struct("QqiI"), struct.Struct("QIIII")
# Of a filter's instructions: load a word, compare, return.
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
# A socket is bound right after it was made; those that are not are connected.
MOST_UNBOUND = 16


def main() -> None:
    """Try it in a process of its own, and print "ready" or why not: it cannot be undone."""
    if os.getuid() == shared_number():
        print("other accounts have the same number here")
        return
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        try:
            with theirs, open(hand_over_sockets(), closefd=True) as asking:
                socket.send_fds(theirs, [b"."], [asking.fileno()])
            with socket.create_server(("", 0)) as server:
                server.setblocking(False)
                with socket.create_connection(server.getsockname()):
                    connection, (address, _) = server.accept()
                connection.close()
                print("ready" if address == LOOPBACK else "not bound as asked")
        except OSError as error:
            print(error.strerror or error)
        sys.stdout.flush()
        os._exit(0)
    theirs.close()
    _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
    if descriptors:
        maker, poll = SocketMaker(descriptors[0]), select.poll()
        poll.register(descriptors[0], select.POLLIN)
        # It hangs up when the process has ended.
        while any(event & select.POLLIN for _, event in poll.poll()):
            maker.serve()


def hand_over_sockets() -> int:
    """Have this process ask for its internet sockets; return the descriptor it asks on.

    It cannot be undone. Once nobody holds the descriptor, there are no more sockets.

    Raises:
        OSError: If this system has no such thing, or does not allow it.
    """
    machine = platform.machine()
    if machine not in NUMBERS:
        raise OSError(f"sockets cannot be handed over on {machine}")
    calls = NUMBERS[machine]
    # Operation, instructions to skip if it holds and if not, number.
    instructions = [
        (LOAD, 0, 0, 4),
        (EQUAL, 0, 8, calls.architecture),
        (LOAD, 0, 0, 0),
        (EQUAL, 7, 0, calls.bind),
        (EQUAL, 6, 0, calls.accept),
        (EQUAL, 5, 0, calls.accept4),
        (EQUAL, 0, 3, calls.socket),
        (LOAD, 0, 0, 16),
        (EQUAL, 2, 0, socket.AF_INET),
        (EQUAL, 1, 0, socket.AF_INET6),
        (RETURN, 0, 0, SECCOMP_RET_ALLOW),
        (RETURN, 0, 0, SECCOMP_RET_USER_NOTIF),
    ]
    packed = b"".join(struct.pack("HBBI", *each) for each in instructions)
    held = ctypes.create_string_buffer(packed, len(packed))
    program = struct.pack("HP", len(instructions), ctypes.addressof(held))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    library = ctypes.CDLL(None, use_errno=True)
    descriptor = library.syscall(
        ctypes.c_long(calls.seccomp), ctypes.c_uint(SECCOMP_SET_MODE_FILTER),
        ctypes.c_uint(SECCOMP_FILTER_FLAG_NEW_LISTENER), program,
    )  # fmt: skip
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return int(descriptor)


class SocketMaker:
    """Makes and binds the sockets of a process that has handed them over.

    Args:
        descriptor: What `hand_over_sockets` returned there; `serve` whenever it is readable.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._made: set[int] = set()  # their inodes
        self._unbound: OrderedDict[int, socket.socket] = OrderedDict()

    def serve(self) -> None:
        """Carry out one call that the process waits for."""
        import fcntl

        request = bytearray(REQUEST_BYTES)
        with contextlib.suppress(OSError):  # the process has ended meanwhile
            fcntl.ioctl(self._descriptor, NOTIF_RECV, request)
            number, thread, call, *arguments = REQUEST.unpack_from(request)
            value: int | None = 0
            failed, calls = 0, NUMBERS[platform.machine()]
            try:
                if call == calls.socket:
                    value = self._make(number, *arguments[:3])
                elif call == calls.bind:
                    value = self._bind(thread, *arguments[:3])
                else:
                    file, *where, flags = arguments
                    asked = flags if call == calls.accept4 else 0
                    value = self._accept(number, thread, file, where, asked)
            except OSError as error:
                failed = -(error.errno or errno.EACCES)
            goes_on = SECCOMP_USER_NOTIF_FLAG_CONTINUE if value is None else 0
            answer = ANSWER.pack(number, value or 0, failed, goes_on)
            fcntl.ioctl(self._descriptor, NOTIF_SEND, answer)

    def _make(self, number: int, family: int, kind: int, protocol: int) -> int:
        """Make a socket and return its number in the other process."""
        made = socket.socket(family, kind & ~socket.SOCK_CLOEXEC, protocol)
        given = self._give(number, made, kind)
        inode = os.fstat(made.fileno()).st_ino
        self._made.add(inode)
        self._unbound[inode] = made
        while len(self._unbound) > MOST_UNBOUND:
            self._unbound.popitem(last=False)[1].close()
        return given

    def _give(self, number: int, made: socket.socket, kind: int) -> int:
        """Give the process that waits a socket; return its number there."""
        import fcntl

        flags = os.O_CLOEXEC if kind & socket.SOCK_CLOEXEC else 0
        file = bytearray(NEW_FILE.pack(number, 0, made.fileno(), 0, flags))
        return int(fcntl.ioctl(self._descriptor, NOTIF_ADDFD, file))

    def _bind(self, process: int, file: int, address_at: int, length: int) -> int | None:
        """Bind a socket to the loopback interface; return None if it is none of the internet."""
        inode = os.stat(f"/proc/{process}/fd/{file}").st_ino
        if inode not in self._made:
            return None
        made = self._unbound.pop(inode, None)
        if made is None:
            raise OSError(errno.EACCES, "it is bound already, or was made too long ago")
        with made, open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
            memory.seek(address_at)
            # Family, then the port as the network writes it.
            _, port = struct.unpack_from("=H2s", memory.read(min(length, 28)))
            made.bind((_loopback(made), int.from_bytes(port, "big")))
        return 0

    def _accept(
        self, number: int, thread: int, file: int, where: list[int], flags: int
    ) -> int | None:
        """Accept a connection of our own user's, and hang up all others before it.

        Returns:
            Its number in the other process; None if the call is to go on there.
        """
        if os.stat(f"/proc/{thread}/fd/{file}").st_ino not in self._made:
            return None
        with taken_from(thread, file) as server:
            if os.get_blocking(server.fileno()):
                return None
            while True:
                connection, _ = server.accept()  # raises EAGAIN where there is none
                with connection:
                    if not is_ours(connection):
                        continue
                    connection.setblocking(not flags & socket.SOCK_NONBLOCK)
                    if where[0]:
                        write_address(thread, connection, *where)
                    return self._give(number, connection, flags)


def _loopback(made: socket.socket) -> str:
    if made.family == socket.AF_INET:
        return LOOPBACK
    if made.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY):
        return "::1"
    return f"::ffff:{LOOPBACK}"
