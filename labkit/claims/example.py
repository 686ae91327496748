"""An example of the posts, a claim with two plays: as it was posted, and repaired."""

from __future__ import annotations

from dataclasses import dataclass

from labkit.claims.claim import Play


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
    def plays(self) -> dict[str, Play]:
        """The runs of its loops, ``posted`` and, where there is one, ``repaired``."""
        files = {"posted": self.posted}
        if self.repaired is not None:
            files["repaired"] = self.repaired
        return {
            name: Play(file, self.steps, seconds=self.seconds, folder="examples")
            for name, file in files.items()
        }

    def code(self, name: str) -> str:
        """Return a loop as a reader wants it: the function that makes the step.

        Args:
            name: ``"posted"`` or ``"repaired"``.
        """
        text = self.plays[name].file.read_text("utf-8")
        return text[text.index("def make_step") :].rstrip()
