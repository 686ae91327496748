"""Which runs a kernel remembers: all that go on, and of those that have ended the latest."""

from __future__ import annotations

import contextlib

from labkit.bench.session.session import Session

# What the steps of the ended runs may take; Binder gives a kernel, its launcher and a run 2 GB.
MOST_BYTES = 100_000_000


def forget_oldest(sessions: list[Session]) -> None:
    """Take out the ended runs after which others came that take more than `MOST_BYTES`.

    The latest of the ended ones stays, whatever it takes. Whoever holds one that is taken out still
    has its steps; if nobody does, their memory is free.

    Args:
        sessions: The runs, oldest first.
    """
    taken_bytes = 0
    for session in reversed(tuple(sessions)):
        if taken_bytes > MOST_BYTES and session.state.ended:
            with contextlib.suppress(ValueError):  # another thread starts a run, too
                sessions.remove(session)
        taken_bytes += session.links.kept_bytes
