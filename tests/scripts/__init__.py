"""Whole training scripts of which the truth is known: `known`, and a set held out."""
