"""An example of the posts: what it was shown for, and what it does today."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path


@dataclass(frozen=True)
class Example:
    """A code example of a post, rewritten: the same substance in other words, and small.

    Args:
        id: The source and a letter, e.g. ``"1.a"``.
        title: A few words.
        says: What the post shows it for.
        today: What happens today, whatever the clock says, and what the repair is.
        posted: The file in ``claims/examples`` with the loop as it was posted, without its ending.
        repaired: The file with the loop repaired; None where there is nothing to repair.
        steps: How many steps are run.
        error: The class of the error that ends it today; empty where none does.
        seconds: How long a run may take.
    """

    id: str
    title: str
    says: str
    today: str
    posted: str
    repaired: str | None
    steps: int
    error: str = ""
    seconds: float = 30.0

    @property
    def source(self) -> int:
        """The number of the post it comes from."""
        return int(self.id.partition(".")[0])

    @property
    def loops(self) -> dict[str, str]:
        """The files of its loops, by ``"posted"`` and ``"repaired"``."""
        found = {"posted": self.posted}
        return found if self.repaired is None else {**found, "repaired": self.repaired}


def loop_file(name: str) -> Path:
    """Return the path of an example's loop.

    Args:
        name: As in `Example.posted` and `Example.repaired`.
    """
    return Path(str(resources.files("labkit.claims").joinpath("examples", f"{name}.py")))


def loop_code(name: str) -> str:
    """Return an example's loop as a reader wants it: the function that makes the step."""
    text = loop_file(name).read_text("utf-8")
    return text[text.index("def make_step") :]
