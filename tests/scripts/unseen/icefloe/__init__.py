"""Drift of sea ice from wind and current."""
