"""A process whose sockets can be reached from this machine alone.

For a run of several workers where it may have no network of its own. TensorFlow's servers listen on
every interface and cannot be told otherwise. So the process hands two system calls over to another
one (Linux, ``man 2 seccomp_unotify``): the other makes its internet sockets, and when it wants to
bind one to an address, binds it to the loopback interface instead.

Other accounts of the same machine can still reach such a socket.
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

from labkit.bench.processes.process_tree import prctl

# Of a machine: AUDIT_ARCH, and the numbers of the system calls seccomp, socket and bind.
NUMBERS = {"x86_64": (0xC000003E, 317, 41, 49), "aarch64": (0xC00000B7, 277, 198, 200)}
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER = 1, 8
SECCOMP_RET_ALLOW, SECCOMP_RET_USER_NOTIF = 0x7FFF0000, 0x7FC00000
NOTIF_RECV, NOTIF_SEND, NOTIF_ADDFD = 0xC0502100, 0xC0182101, 0x40182103
SECCOMP_USER_NOTIF_FLAG_CONTINUE = 1
# What is asked: its number, the process, the call, then the call's first three arguments.
REQUEST, REQUEST_BYTES = struct.Struct("QI4xi12xQQQ"), 80
ANSWER, NEW_FILE = struct.Struct("QqiI"), struct.Struct("QIIII")
# Of a filter's instructions: load a word, compare, return.
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
# A socket is bound right after it was made; those that are not are connected.
MOST_UNBOUND = 16


def main() -> None:
    """Try it in a process of its own, and print "ready" or why not: it cannot be undone."""
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        try:
            with theirs, open(hand_over_sockets(), closefd=True) as asking:
                socket.send_fds(theirs, [b"."], [asking.fileno()])
            with socket.create_server(("", 0)) as server:
                print("ready" if server.getsockname()[0] == "127.0.0.1" else "not bound as asked")
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
    architecture, seccomp, socket_call, bind_call = NUMBERS[machine]
    # Operation, instructions to skip if it holds and if not, number.
    instructions = [
        (LOAD, 0, 0, 4),
        (EQUAL, 0, 6, architecture),
        (LOAD, 0, 0, 0),
        (EQUAL, 5, 0, bind_call),
        (EQUAL, 0, 3, socket_call),
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
        ctypes.c_long(seccomp), ctypes.c_uint(SECCOMP_SET_MODE_FILTER),
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
            number, process, call, *arguments = REQUEST.unpack_from(request)
            value = failed = flags = 0
            try:
                if call == NUMBERS[platform.machine()][2]:
                    value = self._make(number, *arguments)
                elif not self._bind(process, *arguments):
                    flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE
            except OSError as error:
                failed = -(error.errno or errno.EACCES)
            answer = ANSWER.pack(number, value, failed, flags)
            fcntl.ioctl(self._descriptor, NOTIF_SEND, answer)

    def _make(self, number: int, family: int, kind: int, protocol: int) -> int:
        """Make a socket and return its number in the other process."""
        import fcntl

        made = socket.socket(family, kind & ~socket.SOCK_CLOEXEC, protocol)
        flags = os.O_CLOEXEC if kind & socket.SOCK_CLOEXEC else 0
        file = bytearray(NEW_FILE.pack(number, 0, made.fileno(), 0, flags))
        given = fcntl.ioctl(self._descriptor, NOTIF_ADDFD, file)
        inode = os.fstat(made.fileno()).st_ino
        self._made.add(inode)
        self._unbound[inode] = made
        while len(self._unbound) > MOST_UNBOUND:
            self._unbound.popitem(last=False)[1].close()
        return int(given)

    def _bind(self, process: int, file: int, address_at: int, length: int) -> bool:
        """Bind a socket to the loopback interface; return False if it is none of the internet."""
        inode = os.stat(f"/proc/{process}/fd/{file}").st_ino
        if inode not in self._made:
            return False
        made = self._unbound.pop(inode, None)
        if made is None:
            raise OSError(errno.EACCES, "it is bound already, or was made too long ago")
        with made, open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
            memory.seek(address_at)
            # Family, then the port as the network writes it.
            _, port = struct.unpack_from("=H2s", memory.read(min(length, 28)))
            made.bind((_loopback(made), int.from_bytes(port, "big")))
        return True


def _loopback(made: socket.socket) -> str:
    if made.family == socket.AF_INET:
        return "127.0.0.1"
    if made.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY):
        return "::1"
    return "::ffff:127.0.0.1"
