"""The command line: the same bench, verdict and words as in a notebook, for a terminal.

``--json`` prints one JSON object on standard output and nothing else there. Exit status: 0 when
the run completed, whatever the verdict; 1 when the loop failed, nothing was measured, a run was
too short for what ``--fail-on`` asks or a file is no series; 2 for bad arguments, and for an answer
that could not be written; 3 when ``diagnose --fail-on`` fires; 130 after Ctrl-C, as 128 plus its
number after any other signal. A reader who leaves (``| head -1``) makes 141 of a 0, unless
``--out`` keeps it all.

The commands are in `labkit.cli.program`. They are loaded only once Ctrl-C is looked after, because
loading one takes up to a second.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program and end with its exit status; errors are one sentence on standard error."""
    _look_nowhere_relative()
    from labkit.cli.interrupt import leaving_at_once
    from labkit.cli.leftovers import Leftovers, tell_exit_statuses

    leftovers = Leftovers()
    with leaving_at_once(leftovers.clear_up):
        from labkit.cli.stream import fill_closed_descriptors

        fill_closed_descriptors()
        tell_exit_statuses()
        from labkit.bench.processes.process_tree import become_subreaper
        from labkit.cli.program import carry_out

        become_subreaper()
        status = carry_out(arguments)
        leftovers.clear_up()
        # Not sys.exit: a file of the reader's was loaded here, and a thread it has left would keep
        # the process for ever, or what it does at exit change the status. All words are written.
        os._exit(status)


def _look_nowhere_relative() -> None:
    """Import nothing from the current folder, where PYTHONPATH has an empty or relative entry.

    Many a start-up file leaves one behind, and a learner's own ``random.py`` lies in that folder.
    """
    entries = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    absolute = {entry for entry in entries if os.path.isabs(entry)}
    relative = {entry for entry in entries if not os.path.isabs(entry)}
    with contextlib.suppress(OSError):  # the folder was removed, and nothing is made whole by it
        relative = {os.path.abspath(entry) for entry in relative}
    sys.path[:] = [path for path in sys.path if path not in relative - absolute]
