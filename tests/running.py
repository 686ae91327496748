"""One bench for every test that runs loops, and what such tests wait for.

``tests/conftest.py`` makes the fixtures known; a folder whose tests must leave nothing behind
uses ``nothing_left`` in its own conftest.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from labkit.bench import folders
from labkit.bench.bench import Bench
from labkit.bench.isolation import isolation
from labkit.bench.isolation.isolation import Isolator
from labkit.bench.isolation.private_network import PrivateNetwork
from labkit.bench.processes.process_tree import become_subreaper
from labkit.bench.session.session import Session
from labkit.bench.temporary import lock_folder, temporary_folders

FAULTY = str(Path(__file__).parent / "bench" / "faulty_loop.py")


@pytest.fixture(scope="session")
def bench() -> Iterator[Bench]:
    """A bench with a warm launcher, or with plain starts where LABKIT_START says so."""
    made = Bench(os.environ.get("LABKIT_START", "auto"))
    made.warm()
    if made.launcher is not None:
        assert made.launcher.wait_until_ready(120)
    yield made
    made.close()


@pytest.fixture
def plain_bench() -> Iterator[Bench]:
    """A bench that starts every worker as a fresh interpreter."""
    made = Bench("plain")
    yield made
    made.close()


@pytest.fixture
def warm_commands(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that this process carries out has the warm launcher for its own, and leaves it."""
    if bench.launcher is not None:
        monkeypatch.setattr(bench.launcher, "close", lambda: None)
    monkeypatch.setattr("labkit.bench.bench.ForkStarter", lambda: bench.launcher)


def forbidden(*_: object) -> PrivateNetwork:
    raise PermissionError(1, "Operation not permitted")


@pytest.fixture
def without_networks(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container that forbids them."""
    monkeypatch.setattr(isolation, "PrivateNetwork", forbidden)
    monkeypatch.setattr(bench, "_isolator", Isolator())


@pytest.fixture(scope="session")
def own_places() -> Iterator[None]:
    """Where this process and its children make folders, nobody else does: another test process
    leaves some for a while as well, and nobody can tell whose an abandoned folder was.

    A child that is a kernel of its own has its scratch folder here, and its steps where all have
    them: its test asks for these by name.
    """
    with contextlib.ExitStack() as kept, pytest.MonkeyPatch.context() as patch:
        temporary, *in_memory = (
            kept.enter_context(_place(parent))
            for parent in (Path(tempfile.gettempdir()), folders.SHARED_MEMORY)
            if parent.is_dir()
        )
        patch.setenv("TMPDIR", str(temporary))
        patch.setattr(tempfile, "tempdir", str(temporary))
        for place in in_memory:
            patch.setattr(folders, "SHARED_MEMORY", place)
        yield


@contextlib.contextmanager
def _place(parent: Path) -> Iterator[Path]:
    # A short name: sockets lie below it, and their paths have 107 characters at most.
    place = Path(tempfile.mkdtemp(prefix="tests-", dir=parent))
    place.chmod(0o1777)  # as /tmp: some tests become another user
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


@pytest.fixture
def nothing_left(own_places: None, bench: Bench) -> Iterator[None]:
    """No process but the launcher and its spare worker, and no folder, may be left after a test."""
    # Whatever loses its parent becomes our child, or it would be nobody's and be seen by nobody.
    become_subreaper()
    # A learner's own bench, of a test that ran before this one, is none of this test's. Its
    # launcher may be importing still, and fork its spare worker later.
    there, before = set(psutil.Process().children(recursive=True)), left_folders()
    launcher = None if bench.launcher is None else bench.launcher.process_id
    # Our own children alone: what a launcher forks has its words, and may be this test's.
    others = {
        each for each in psutil.Process().children() if each.pid != launcher and _is_launcher(each)
    }
    yield
    for session in bench.sessions:
        assert session.wait(30), f"{session.name} never ended"
    deadline = time.monotonic() + 10
    while left := [*strangers(bench, there, others), *(left_folders(*bench.sessions) - before)]:
        assert time.monotonic() < deadline, [*map(_told, left)]
        time.sleep(0.05)


def _told(left: psutil.Process | Path) -> object:
    """Return what is known of what was left, so that a failure says whose it is."""
    if isinstance(left, Path):
        return left
    with contextlib.suppress(psutil.Error):
        return left, left.cmdline(), left.parents()
    return left


def _is_launcher(process: psutil.Process) -> bool:
    try:
        return any("labkit.bench.processes.launcher" in word for word in process.cmdline())
    except psutil.Error:
        return False


def strangers(
    bench: Bench, there: set[psutil.Process], others: set[psutil.Process]
) -> list[psutil.Process]:
    """Return all processes below this one but those that may be there, whatever their names.

    Args:
        bench: The bench of the tests.
        there: What was there before.
        others: Launchers of other benches, whose workers are none of ours.
    """
    launcher = bench.launcher
    ours = {launcher.process_id, launcher.spare_process_id} if launcher is not None else set()
    return [
        each
        for each in psutil.Process().children(recursive=True)
        if each not in there
        and living(each)
        and not ours & {each.pid, _parent(each)}
        and not others & _above(each)
    ]


def _above(process: psutil.Process) -> set[psutil.Process]:
    try:
        return set(process.parents())
    except psutil.Error:
        return set()


def living(process: psutil.Process) -> bool:
    """Return whether a process does anything still; one that only waits to be reaped does not."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def came(true: Callable[[], object], seconds: float = 10) -> bool:
    """Wait until something is true, and return whether it came to that."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def gone(process_id: object, seconds: float = 10) -> bool:
    """Wait for the end of a process, and return whether it has come."""
    return came(lambda: _gone(int(str(process_id))), seconds)


def removed(folder: object, seconds: float = 10) -> bool:
    """Wait until a folder is removed, and return whether it was.

    A reaper removes its run's folders after it has ended the worker, so a folder may outlive it.
    """
    return came(lambda: not Path(str(folder)).exists(), seconds)


def descriptors_settle(most: int, seconds: float = 10) -> bool:
    """Wait until this process has no more than so many files open; return whether that came.

    A run's thread forks the spare worker when its run has ended already, and holds the worker's
    ends of both pipes for a moment; what a leak leaves open does not go.
    """
    return came(lambda: len(os.listdir("/proc/self/fd")) <= most, seconds)


def open_below(folder: Path) -> set[str]:
    """Return which files below a folder this process has open, whatever its other threads do."""
    files = set()
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # closed meanwhile: the one that lists, for instance
            files.add(os.readlink(f"/proc/self/fd/{number}"))
    return {each for each in files if each.startswith(f"{folder.resolve()}/")}


def _gone(process_id: int) -> bool:
    try:
        return not living(psutil.Process(process_id))
    except psutil.Error:
        return True


def _parent(process: psutil.Process) -> int | None:
    try:
        return int(process.ppid())
    except psutil.Error:
        return None


def left_folders(*sessions: Session) -> set[Path]:
    """Return the folders of ended runs, and those whose process has ended, that are still there."""
    own = {
        folder.path
        for session in sessions
        if session.state.ended
        for folder in (session.folders.steps, session.folders.scratch)
    }
    abandoned = set()
    for folder in temporary_folders({folders.SHARED_MEMORY, Path(tempfile.gettempdir())}):
        with contextlib.suppress(OSError):  # in use
            os.close(lock_folder(folder))
            abandoned.add(folder)
    return {folder for folder in own if folder.exists()} | abandoned


def ended(session: Session, seconds: float = 90) -> Session:
    """Wait for the end of a run that must end by itself."""
    assert session.wait(seconds), f"still {session.state} after {seconds} s"
    return session


def stepped(session: Session, count: int, seconds: float = 90) -> Session:
    """Wait until a run has recorded this many steps."""
    deadline = time.monotonic() + seconds
    while session.count < count:
        assert not session.state.ended, session.state
        assert time.monotonic() < deadline, f"only {session.count} steps after {seconds} s"
        time.sleep(0.005)
    return session


@contextlib.contextmanager
def descriptors_left(count: int) -> Iterator[None]:
    """Let this process open so many files more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(map(int, os.listdir("/dev/fd")))
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + count + 2, hard))
    held = []
    try:
        with contextlib.suppress(OSError):
            while True:
                held.append(os.open(os.devnull, os.O_RDONLY))
        for _ in range(count):
            os.close(held.pop())
        yield
    finally:
        for each in held:
            os.close(each)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
