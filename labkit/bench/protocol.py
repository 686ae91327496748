"""What the kernel and a worker say to each other: JSON, one object a line.

To the worker, on its standard input: first a job, then ``{"do": "set", "name", "value"}``,
``{"do": "pause", "on"}``, to wait before the next step or to go on, ``{"do": "stop"}``,
``{"do": "finish"}``, which is a stop because enough is known, and for a reader's own loop
``{"do": "interrupt", "state"}``: it is to end now, as by Ctrl-C, and this is how
it ended. End of file means that the kernel is gone.

From the worker, on its words pipe: ``{"say": "ready", "columns", "environment"}``,
``{"say": "event", ...}``, ``{"say": "evidence", "name", "step", "value"}`` and, last,
``{"say": "ended", "state"}``. Of a reader's own loop the last word is ``{"say": "finishing",
"state"}``, for then Python's own end is gone through; the exit status tells whether it was. Steps
are no words; they are in the step file.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from labkit.record import ToggleValue

# Bound now: a loop may put a function of its own in their place.
_dumps, _loads = json.dumps, json.loads


@dataclass(frozen=True)
class Job:
    """Everything a worker needs to know before it begins.

    Args:
        source: A cause's slug, or the path of a file with a cause.
        toggles: Every toggle's value at the start.
        sizes: Every size's value.
        steps: How many steps to run at most.
        steps_path: Where the worker makes its step file.
        more_steps_path: Where the steps go on when there is no more room there.
        log_path: Where descriptors 1 and 2 go.
        scratch_path: A folder on disk that is the run's own; removed when the run has ended.
        seed: Seed of the loop's random numbers.
        device: ``"cpu"`` or ``"gpu"``.
        folder: The current folder of the loop; empty where there is none.
        umask: Which permissions the loop's files do not get; None to leave it as it is.
        environment: Variables to set before the loop is loaded; None for one to remove.
        wall_seconds: End the run after this time, counted from the first step.
        memory_bytes: End the run when its loop has added more than this to the resident memory;
            None for no limit.
        worker: This worker's number, from 0.
        workers: How many workers the run has.
        network: The process whose network they join; None to stay in this machine's.
        loopback_only: Whether their sockets there are to be reached from this machine alone.
        diagnosing: Whether everything is to be measured that can tell why a loop gets slower.
        arguments: What a script finds behind its name in ``sys.argv``; it is run whole. None for a
            source that has a loop to be built.
        module: Whether the script is named as after ``python -m``.
        streams: The descriptors that are the script's standard input, output and error, and after
            them those that it has under their own numbers; empty where it reads nothing and writes
            to the log.
        end_seconds: By when after its start a script must have ended that nobody has ended.
        thin_after_seconds: Of a script: from then on it is looked at closely ever less often.
        place: The file and a line of a script's loop whose turns are recorded in any case.
    """

    source: str
    toggles: Mapping[str, ToggleValue]
    sizes: Mapping[str, int]
    steps: int
    steps_path: str = ""
    more_steps_path: str = ""
    log_path: str = ""
    scratch_path: str = ""
    seed: int = 0
    device: str = "cpu"
    folder: str = ""
    umask: int | None = None
    environment: Mapping[str, str | None] = field(default_factory=dict)
    wall_seconds: float = 60.0
    memory_bytes: int | None = None
    worker: int = 0
    workers: int = 1
    network: int | None = None
    loopback_only: bool = False
    diagnosing: bool = False
    arguments: Sequence[str] | None = None
    module: bool = False
    streams: Sequence[int] = ()
    end_seconds: float = 0.0
    thin_after_seconds: float = 30.0
    place: tuple[str, int] | None = None

    @property
    def is_readers(self) -> bool:
        """Whether it is a loop or a script of the reader's, and none of labkit's causes."""
        return self.arguments is not None or self.source.endswith(".py")

    def line(self) -> bytes:
        """Return the job as the first line of a worker's input."""
        return encode(asdict(self))

    @classmethod
    def from_line(cls, line: bytes) -> Job:
        """Read a job back."""
        read: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in _loads(line).items()
        }
        return cls(**read)


def encode(words: Mapping[str, Any]) -> bytes:
    """Return one message as a line."""
    return _dumps(words).encode() + b"\n"


class Lines:
    """Cuts a stream of bytes into messages; a line may arrive in several pieces."""

    def __init__(self) -> None:
        self._rest = b""

    def take(self, data: bytes) -> Iterator[dict[str, Any]]:
        """Add bytes and yield the messages that are now complete.

        What is no message is passed over: a loop may write to any descriptor it finds.
        """
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            with contextlib.suppress(ValueError):
                message = _loads(line)
                if isinstance(message, dict) and message.keys() & {"do", "say", "folders"}:
                    yield message
