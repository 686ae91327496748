"""The command line: the same bench, verdict and words as in a notebook, for a terminal.

``--json`` prints one JSON object on standard output and nothing else there. Exit status: 0 when
the run completed, whatever the verdict; 1 when the loop failed or a file is no series; 2 for bad
arguments; 3 when ``diagnose --fail-on`` fires; 130 after Ctrl-C.

The commands are in `labkit.cli.commands`. They are loaded only once Ctrl-C is looked after, because
loading them takes most of a second.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from labkit.cli.interrupt import leaving_at_once


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and end with its exit status; errors are one sentence on standard error."""
    with leaving_at_once():
        from labkit.cli.commands import carry_out

        status = carry_out(arguments)
    sys.exit(status)
