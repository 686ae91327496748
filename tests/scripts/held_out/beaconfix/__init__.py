"""Finds where a phone is from the beacons that it hears."""
