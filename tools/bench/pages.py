"""The pages of docs that a measurement writes: which groups, and what is said of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.bench.figure import Figure
from tools.bench.table import markdown

# Facts without which two figures are not of one kind.
TELLING = ("date", "processor", "cores", "TensorFlow", "Python")
SPEED = """# Benchmarks

What labkit promises of its own speed and of its verdicts, measured by `make bench` ({command}) on
the machine named below. Rivals run in the same process on the same curve. A figure without a goal
is there to compare with. Figures from a busy machine are worse; measure on a quiet one.

In a table of verdicts an alarm is the word slowdown, shift or unsteady, and a growth is found if it
raises one. Every noise counts the same; the last column names the worst. Rivals judge as their
users let them: OLS and Mann-Kendall at 1 %, the Theil-Sen bootstrap at 1 % and for 5 % of growth or
more, asv and Otava by a last level that lies 5 % above the lowest. A gap is a word that a rival
does not have, or a length that it does not bear.
"""
DIAGNOSIS = """# How right a diagnosis is

Measured by `make bench` ({command})
on the machine named below. The known loops are those of `tests/loops`, written anew after public
reports; the rules were made looking at them. The held-out loops in `tests/loops/held_out` were
written by somebody who did not see the rules. A first run over them showed one fault that was then
mended (a counter was read too seldom in long runs). Three expectations were wrong, because the
steps do take longer: those of 238, of 240, whose collections grow, and of 243, where thousands of
threads wait in the end. Known loop 28 compiled shapes that grew, and its steps took 1.5 times as
long after 600; it draws its shapes in no order now. Later three rules were made for what the
held-out loops had missed (log handlers, 236; words printed at every step, 242; growth that came
early in a long run, 252), and one for what was claimed falsely (233: less than 10 % needs a cause);
so of these they are no test any more. What is expected of each is in `tests/loops/expected.py`.

In the tables a row holds a loop under its plainest cause or label; where more than one answer was
accepted beforehand, another column counts as right, and `machine` says that the loop is sound. What
counts as wrong stands under *Misses*. Injected faults make a real training step more expensive by a
known share; what they missed was looked at, and rules were mended, so they are no test of loops
unseen. Healthy loops are tested with another program computing beside them. Time labels suffer on a
busy machine, counters do not. One loop more or less is 2 to 3 %, and no two measurements are alike:
in the eight before this one, on two machines and with rules that were mended in between, time
labels were right in 94 to 100 % of the known and in 91 to 96 % of the held-out loops, and of each a
slowdown was claimed falsely of none, one or two.

What watching costs is all that `lk.watch` does around a step and its hooks within it, in the time
of the step's own thread, where all of it is done. TensorFlow has one thread there and Python's
collector rests, for chance in either would hide what is looked for. `lk.Watch` in a Keras training
uses the same hooks and was not measured apart. Every step is read by itself. Not in it are the
looks that keep to a share of the time of their own: the canary to a hundredth, the expensive looks
together to about a tenth, and up to half in the first seconds. The steps they touch are marked and
not judged.
"""


@dataclass(frozen=True)
class Page:
    """A page of docs.

    Args:
        text: What stands above the figures; ``{command}`` is what measures them.
        groups: The groups of figures on it, in order.
        appendix: A file that measuring leaves, to stand below them; empty for none.
    """

    text: str
    groups: tuple[str, ...]
    appendix: str = ""

    def written(
        self,
        figures: Sequence[Figure],
        machines: Mapping[str, Mapping[str, str]],
        folder: Path,
    ) -> str:
        """Return the page in Markdown.

        Args:
            figures: Those of its groups.
            machines: Of each group that was measured, where that was: facts by name.
            folder: Where the appendix lies.
        """
        command = f"`python -m tools.bench {' '.join(self.groups)}`"
        parts = [self.text.format(command=command).rstrip(), *self._where(machines)]
        parts.append(markdown(figures))
        if self.appendix:
            parts.append((folder / self.appendix).read_text().rstrip())
        return "\n\n".join(parts) + "\n"

    def _where(self, machines: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
        """Return the machine of the newest figures, and which groups were measured elsewhere."""
        newest = max(machines.values(), key=lambda facts: facts["date"])
        yield "\n".join(f"- {name}: {value}" for name, value in newest.items())
        for group, facts in machines.items():
            if any(facts[name] != newest[name] for name in TELLING):
                told = ", ".join(f"{name} {facts[name]}" for name in TELLING)
                yield f"The figures of `{group}` come from another day or machine: {told}."
        missing = [group for group in self.groups if group not in machines]
        if missing:
            yield f"Not measured so far: {', '.join(missing)}."
