"""How the workers of a run are kept from everybody but each other.

TensorFlow's server asks nobody who they are: whoever reaches its port can have it read and write
files as the learner. So it stands in a network of its own; where that is forbidden, it listens on
the loopback interface alone, and other accounts are hung up; where both are, the run is refused,
unless somebody insists.
"""

from __future__ import annotations

import socket
import subprocess
from dataclasses import dataclass
from functools import cached_property

from labkit.bench.isolation.private_network import PrivateNetwork, join_network
from labkit.bench.processes.search_path import child_environment, python_command
from labkit.bench.protocol import Job
from labkit.record import LabkitError

READY = "ready"


class ExposedError(LabkitError):
    """A run of several workers that others could reach, on a system where nothing prevents it."""


@dataclass(frozen=True)
class Isolation:
    """What keeps the workers of one run to themselves.

    Args:
        kind: ``"own network"``, ``"loopback"`` for this machine's, or ``"exposed"`` for nothing.
        network: The network of their own, which must be closed at the end.
    """

    kind: str
    network: PrivateNetwork | None = None

    @property
    def process_id(self) -> int | None:
        """The process whose network the workers join; None if they join none."""
        return self.network.process_id if self.network is not None else None

    def leave_to_parent(self) -> None:
        """Close what holds the network, in a forked process."""
        if self.network is not None:
            self.network.leave_to_parent()

    def close(self) -> None:
        """Let go of the network."""
        if self.network is not None:
            self.network.close()


class Isolator:
    """Isolates one run after the other; what this system does not allow is asked once."""

    def isolate(self, exposed: bool) -> Isolation:
        """Return what keeps the workers of a new run to themselves.

        Args:
            exposed: Whether they may run where nothing does.

        Raises:
            ExposedError: If nothing does, and they may not.
        """
        try:
            return Isolation("own network", PrivateNetwork())
        except OSError as error:
            why = f"no network of their own: {error.strerror or error}"
        if self._loopback == READY:
            return Isolation("loopback")
        if exposed:
            return Isolation("exposed")
        raise ExposedError(
            "Two workers would open ports here through which anybody who reaches this machine can "
            f"read and change your files, and nothing prevents it ({why}; no sockets of this "
            f"machine's alone: {self._loopback}); play the recording, or say exposed=True (in a "
            "terminal --exposed) if nobody else can reach this machine."
        )

    @cached_property
    def _loopback(self) -> str:
        try:
            done = subprocess.run(
                python_command("labkit.bench.isolation.loopback_only"), stdin=subprocess.DEVNULL,
                capture_output=True, text=True, env=child_environment({}), timeout=20, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        return "".join((done.stdout or done.stderr).strip().splitlines()[-1:]) or "no answer"


def keep_to_itself(job: Job, reaper: socket.socket | None) -> None:
    """Move this worker to where its run's workers are; while it has one thread.

    Args:
        job: Says where that is.
        reaper: Leads to the process that makes its sockets, where it must not make them itself.

    Raises:
        LabkitError: If that cannot be done.
    """
    try:
        if job.network is not None:
            join_network(job.network)
        elif job.loopback_only:
            from labkit.bench.isolation.loopback_only import hand_over_sockets

            assert reaper is not None
            with open(hand_over_sockets(), closefd=True) as asking:
                socket.send_fds(reaper, [b"\n"], [asking.fileno()])
    except OSError as error:
        raise LabkitError(
            f"The worker could not be kept from others ({error.strerror or error}); run again, or "
            "run with one worker."
        ) from error
