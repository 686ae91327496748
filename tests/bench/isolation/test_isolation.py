"""Workers that open ports are reached by each other and by nobody else. Tier: make test."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import psutil
import pytest

from labkit.bench.bench import Bench
from labkit.bench.isolation.isolation import ExposedError, Isolator
from labkit.bench.isolation.private_network import PrivateNetwork
from labkit.bench.session.session import Session
from tests.running import ended, gone, stepped

COLLECTIVE = str(Path(__file__).parents[1] / "collective_loop.py")
LOOPBACK = "127.0.0.1"


@pytest.fixture
def without_anything(without_networks: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a system other than Linux."""
    monkeypatch.setattr(Isolator, "_loopback", "only Linux has them")


def ports(session: Session) -> list[int]:
    told = json.loads(session.job.environment["TF_CONFIG"])["cluster"]["worker"]
    return [int(address.partition(":")[2]) for address in told]


def reached(session: Session) -> set[str]:
    """Return the addresses of this machine at which any worker answers."""
    found = set()
    addresses = [each for all_of in psutil.net_if_addrs().values() for each in all_of]
    for address in addresses:
        if address.family in (socket.AF_INET, socket.AF_INET6):
            for port in ports(session):
                try:
                    socket.create_connection((address.address, port), timeout=5).close()
                except OSError:
                    continue
                found.add(address.address)
    return found


def network_of(session: Session) -> object:
    session.stop()
    return ended(session).snapshot().environment["network"]


def test_nobody_outside_the_workers_network_reaches_them(bench: Bench) -> None:
    session = stepped(bench.start(COLLECTIVE, steps=1_000_000), 5)
    assert reached(session) == set()
    assert network_of(session) == "own network"


def test_where_networks_are_forbidden_no_other_machine_reaches_them(
    bench: Bench, without_networks: None
) -> None:
    session = stepped(bench.start(COLLECTIVE, steps=1_000_000), 5)
    assert reached(session) == {LOOPBACK}
    assert network_of(session) == "loopback"


# What begins a connection of gRPC's; the server answers with settings of its own.
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
NOBODY = 65534


def answered(port: int, user: int) -> bool:
    """Tell whether a server on this machine answers a process of that user, or hangs it up."""
    importlib.import_module("encodings.idna")  # the other user may not read it
    child = os.fork()
    if child == 0:
        status = 2  # nothing was tried
        try:
            os.setuid(user)
            connection = socket.create_connection((LOOPBACK, port), timeout=20)
            with contextlib.suppress(ConnectionError):
                status = 1
                connection.sendall(GREETING)
                status = 0 if connection.recv(9) else 1
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, 1)
    return status == 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="cannot be another")
def test_where_networks_are_forbidden_other_accounts_of_this_machine_are_hung_up(
    bench: Bench, without_networks: None
) -> None:
    """Seen: through the port another account read a file of mode 0600, and wrote one."""
    session = stepped(bench.start(COLLECTIVE, steps=1_000_000), 5)
    for port in ports(session):
        assert not answered(port, NOBODY)
        assert answered(port, os.getuid()), "the learner's own are let in"
        assert not answered(port, NOBODY)
    stepped(session, session.count + 5)
    assert network_of(session) == "loopback"


def test_where_nothing_prevents_it_the_run_is_refused_in_one_sentence(
    bench: Bench, without_anything: None
) -> None:
    before = len(bench.sessions)
    with pytest.raises(ExposedError) as caught:
        bench.start(COLLECTIVE, steps=5)
    sentence = str(caught.value)
    assert "\n" not in sentence and "Operation not permitted" in sentence
    assert "play the recording" in sentence and "exposed=True" in sentence
    assert len(bench.sessions) == before


def test_who_insists_runs_it_all_the_same(bench: Bench, without_anything: None) -> None:
    session = stepped(bench.start(COLLECTIVE, steps=1_000_000, exposed=True), 5)
    assert LOOPBACK in reached(session)
    assert network_of(session) == "exposed"


def test_who_insists_is_isolated_where_that_can_be_done(bench: Bench) -> None:
    session = ended(bench.start(COLLECTIVE, steps=5, exposed=True))
    assert session.environment["network"] == "own network"


def test_one_worker_opens_no_port_and_is_never_refused(
    bench: Bench, without_anything: None
) -> None:
    session = ended(bench.start("two_workers", toggles={"workers": "1"}, steps=5))
    assert session.state.name == "done" and session.environment["network"] is None


def test_a_worker_in_its_own_network_is_the_same_user(bench: Bench, tmp_path: Path) -> None:
    loop, file = tmp_path / "loop.py", tmp_path / "written"
    loop.write_text(
        "import getpass, os, time\n"
        "def make_step():\n"
        "    print(os.getuid(), getpass.getuser())\n"
        f"    open({str(file)!r}, 'a').write('x')\n"
        "    return lambda: time.sleep(0.001)\n"
    )
    run = ended(bench.start(str(loop), steps=3, workers=2)).snapshot()
    assert run.state.name == "done" and file.read_text() == "xx"
    assert file.stat().st_uid == os.getuid()
    assert run.log.split()[0] == str(os.getuid())


@pytest.fixture
def traffic() -> Iterator[None]:
    """Send many bytes over this machine's own loopback interface."""
    over = threading.Event()
    with socket.create_server((LOOPBACK, 0)) as server:
        sending = socket.create_connection(server.getsockname())
        receiving, _ = server.accept()

    def send() -> None:
        while not over.wait(0.001):
            sending.sendall(bytes(200_000))

    def receive() -> None:
        while receiving.recv(1_000_000):
            pass

    threads = [threading.Thread(target=each) for each in (send, receive)]
    for thread in threads:
        thread.start()
    yield
    over.set()
    threads[0].join()
    sending.close()
    threads[1].join()
    receiving.close()


def test_what_others_send_is_not_counted_as_the_workers(bench: Bench, traffic: None) -> None:
    run = ended(bench.start("two_workers", sizes={"size": 256}, steps=30)).snapshot()
    assert run.state.name == "done"
    weights = 4 * 256**2
    assert 2 * weights < median(run.steps.column("loopback_bytes")[2:]) < 2.3 * weights


# What a process does that has handed its sockets over, and what it then prints.
BOUND = {
    "s = socket.socket(); s.bind(('', 0))": "127.0.0.1",
    "s = socket.socket(socket.AF_INET6); s.bind(('::1', 0))": "::ffff:127.0.0.1",
    "s = socket.socket(socket.AF_INET6); s.setsockopt(41, 26, 1); s.bind(('::', 0))": "::1",
    "s = socket.socket(type=socket.SOCK_DGRAM); s.bind(('0.0.0.0', 0))": "127.0.0.1",
    "s = socket.socket(socket.AF_UNIX); s.bind('named'); s.listen()": "n",
    "[socket.socket() for _ in range(30)]; s = socket.socket(); s.bind(('', 0))": "127.0.0.1",
}


@pytest.mark.parametrize("does", BOUND)
def test_a_process_that_has_handed_its_sockets_over_listens_on_loopback_alone(
    tmp_path: Path, does: str
) -> None:
    program = (
        "import os, socket\n"
        "from labkit.bench.isolation import loopback_only\n"
        "def serve(*_):\n"
        f"    {does}\n"
        "    print(s.getsockname()[0], flush=True)\n"
        "    os._exit(0)\n"
        "socket.create_server = serve\n"  # what main() tries in its process
        "loopback_only.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == BOUND[does], done.stdout + done.stderr


@pytest.fixture
def network() -> PrivateNetwork:
    try:
        return PrivateNetwork()
    except OSError as error:
        pytest.skip(f"no network namespaces here: {error}")


def test_a_network_whose_process_was_stopped_holds_no_end_up(network: PrivateNetwork) -> None:
    os.kill(network.process_id, signal.SIGSTOP)
    network.close()
    assert gone(network.process_id, seconds=0)


def test_a_network_is_let_go_of_while_a_fork_of_ours_still_has_its_ends(
    network: PrivateNetwork,
) -> None:
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(0)
    try:
        began = time.monotonic()
        network.close()
        assert time.monotonic() - began < 30
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_what_python_prints_when_it_starts_costs_no_network(
    network: PrivateNetwork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network.close()
    (tmp_path / "sitecustomize.py").write_text("print('Welcome to the cluster', flush=True)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    welcomed = PrivateNetwork()
    try:
        ours, its = (os.readlink(f"/proc/{each}/ns/net") for each in ("self", welcomed.process_id))
        assert ours != its
    finally:
        welcomed.close()
