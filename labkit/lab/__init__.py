"""Joins bench, stats, diagnosis and show for a notebook."""
