"""What happens inside a step of a cause, as its columns count it."""

from __future__ import annotations

from dataclasses import dataclass

# Stands for a column among those of `Mechanism.walked`: the steps whose events tell of one.
FULL_COLLECTION = "full collection"


@dataclass(frozen=True)
class Mechanism:
    """Things that a step finds, adds to and goes through; each drawn as a dot.

    Args:
        items: The column that counts them.
        caption: What happens, in eight words at most.
        walked: The columns that tell whether a step goes through them. A place's seconds: through
            all of them in a step in which it took time. A counter: through as many as it says.
            `FULL_COLLECTION`: through all where Python's oldest generation was collected. None
            where nothing counts it.
        done: What is done with each, as in "all read anew".
        rest: What is said of a step that goes through none.
        when_new: Whether that is so only of a step in which new ones came: a session is asked to
            read its graph at every run, and returns at once where nothing changed.
        backwards: Whether a step begins with the newest.
    """

    items: str
    caption: str
    walked: tuple[str, ...] = ()
    done: str = "gone through"
    rest: str = "This step leaves them alone."
    when_new: bool = False
    backwards: bool = False


@dataclass(frozen=True)
class Meeting:
    """A place in a step where several workers meet; drawn as a bar for each of them.

    They go on from it together, which tells how far their clocks are apart; who comes first waits.

    Args:
        column: The place whose seconds a worker spends there.
        caption: What happens, in eight words at most.
        rest: What is said of a step in which they do not meet.
    """

    column: str
    caption: str
    rest: str
