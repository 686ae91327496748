"""Counts cells in microscope pictures."""
