"""The clock and the probes: what is read beside every step, and what it costs to read it.

A probe that concerns TensorFlow is handed the module; nothing here imports it.
"""
