"""Tests of labkit.diagnosis.script."""
