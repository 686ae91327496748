"""Measures what the kit promises of its own speed; a benchmark measures, a test decides."""
