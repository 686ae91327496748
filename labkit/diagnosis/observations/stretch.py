"""The stretches of a run, where toggles were flipped in between, and other parts of it.

Before and after a flip the loop is another one: counters, typical steps and spikes of both
together would say something of neither.
"""

from __future__ import annotations

from dataclasses import replace

from labkit.record import Run


def stretch_runs(run: Run) -> tuple[Run, ...]:
    """Return each stretch between two flips as a run of its own.

    Args:
        run: Any run; one in which no toggle was flipped is returned as it is.

    Returns:
        The stretches, in order; their events and evidence count from their start, and the title
        says which steps they are.
    """
    stretches = run.stretches()
    if len(stretches) < 2:
        return (run,)
    return tuple(
        replace(
            part_of(run, each.start, each.end),
            title=f"{run.title}, steps {each.start:,}-{each.end - 1:,}",
            toggles=each.toggles,
        )
        for each in stretches
    )


def part_of(run: Run, start: int, end: int) -> Run:
    """Return the steps from `start` to `end - 1` as a run of its own.

    Args:
        run: Any run.
        start: The first step of the part; its events and evidence count from there.
        end: One past its last step.
    """
    return replace(
        run,
        steps=run.steps[start:end],
        events=tuple(
            replace(event, step=event.step - start)
            for event in run.events
            if start <= event.step < end and event.kind != "toggle"
        ),
        evidence={
            name: tuple((step - start, value) for step, value in pairs if start <= step <= end)
            for name, pairs in run.evidence.items()
        },
        others=tuple(other[start:end] for other in run.others),
    )


def until(run: Run, steps: int) -> Run:
    """Return the run as if it had ended earlier; what was counted at its end alone is kept.

    Args:
        run: Any run.
        steps: How many of its steps are kept, from the first.
    """
    return replace(
        run,
        steps=run.steps[:steps],
        events=tuple(event for event in run.events if event.step < steps),
        evidence={
            name: tuple((min(step, steps), value) for step, value in pairs if step <= steps or once)
            for name, pairs in run.evidence.items()
            for once in (len(pairs) == 1,)
        },
        others=tuple(other[:steps] for other in run.others),
    )
