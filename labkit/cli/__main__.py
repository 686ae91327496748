"""``python -m labkit.cli`` is the same as ``labkit``."""

from labkit.cli import main

main()
