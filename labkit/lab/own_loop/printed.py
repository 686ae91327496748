"""What a script prints, passed on to the cell or the program that diagnoses it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from labkit.bench.log import LARGEST_BYTES
from labkit.bench.session.session import Session

# A saved notebook holds all of it, and a browser draws it.
MOST_LETTERS = LARGEST_BYTES
NO_MORE = (
    f"\n[labkit: The script prints more than {MOST_LETTERS:,} letters; the rest is not shown. The "
    "command labkit diagnose shows all.]\n"
)


class Printed:
    """Prints here what a script prints, as often as it is asked to.

    Args:
        session: The script's run.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._log = session.links[0].read_log_on()
        self._left = MOST_LETTERS

    def pass_on(self) -> None:
        """Print what the script has printed since."""
        self._show(self._log.more())

    def close(self) -> None:
        """Print the rest; the run has ended."""
        self.pass_on()
        if not self._log.opened:  # it ended before anybody looked
            self._show(self._session.log())
        self._log.close()

    def _show(self, text: str) -> None:
        if not text or not self._left:
            return
        shown = text[: self._left]
        self._left -= len(shown)
        # Nobody may listen, or a stream of the reader's own raise: no reason to lose a run.
        with contextlib.suppress(Exception):
            from tqdm.auto import tqdm

            # Beside a bar in a terminal, which is taken away and drawn anew.
            tqdm.write(shown if self._left else shown + NO_MORE, end="")
            sys.stdout.flush()


@contextlib.contextmanager
def printed(session: Session) -> Iterator[Printed]:
    """Yield what passes on what a script prints; the rest is printed when its run has ended."""
    passing = Printed(session)
    try:
        yield passing
    finally:
        passing.close()
