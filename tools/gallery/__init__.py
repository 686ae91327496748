"""The gallery: all recordings that come with labkit, on one page that needs nothing else."""
