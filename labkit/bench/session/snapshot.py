"""A run in progress as a plain value: what its workers recorded and said so far."""

from __future__ import annotations

from collections.abc import Mapping

from labkit.bench.session.messages import Messages
from labkit.bench.session.worker_group import WorkerGroup
from labkit.cause import Cause
from labkit.record import Plain, Run, State


def recorded_so_far(
    cause: Cause, links: WorkerGroup, messages: Messages, state: State,
    settings: Mapping[str, Plain], environment: Mapping[str, Plain], log: str,
) -> Run:  # fmt: skip
    """Return the run.

    Args:
        cause: What is run.
        links: Its workers; the first one's steps are the run's.
        messages: What that one has said.
        state: How far it has come.
        settings: Sizes, seed, steps and so on.
        environment: Versions and machine.
        log: What the loop printed.
    """
    first, *others = links.recorded()
    return Run(
        cause=cause.slug, title=cause.title, state=state, columns=links[0].columns, steps=first,
        toggles=links[0].job.toggles, settings=settings, events=messages.events(len(first)),
        evidence=messages.evidence(), environment=environment, log=log, others=tuple(others),
    )  # fmt: skip
