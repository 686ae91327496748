"""Viewers of a run: the panel, its fallbacks, figures and words. They know nothing of processes."""
