"""What Python makes of an error that ends a program: its exit status, and the traceback."""

from __future__ import annotations

from types import TracebackType

from labkit.measure.clock.source_names import KIT

LONG = 2**63  # Python gives -1 for a status that no long of C's can hold


def exit_status(code: object) -> int:
    """Return the status that ``sys.exit(code)`` ends a process with.

    Args:
        code: A number, of which the system passes on the lowest eight bits, or None; anything else
            is a message, with the status 1.
    """
    if isinstance(code, int):
        return (code if -LONG <= code < LONG else -1) & 0xFF
    return int(code is not None)


def of_program(traceback: TracebackType | None) -> TracebackType | None:
    """Return a traceback from the program's first line on."""
    while traceback is not None and traceback.tb_frame.f_code.co_filename.startswith(KIT):
        traceback = traceback.tb_next
    return traceback
