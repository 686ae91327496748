"""A classifier of the mood of sentences."""
