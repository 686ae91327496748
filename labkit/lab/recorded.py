"""What holds a recorded run of the reader's own loop, ready to be diagnosed."""

from __future__ import annotations

from labkit.record import Run


class Recorded:
    """Base of what records a loop in this process: a watched dataset, a Keras callback."""

    @property
    def run(self) -> Run:
        """What was recorded.

        Raises:
            LabkitError: If nothing was recorded yet.
        """
        raise NotImplementedError
