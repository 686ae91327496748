"""Lessons broken on purpose: a notebook must fail where its lesson does."""
