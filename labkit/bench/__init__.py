"""The bench: runs a loop in a fresh process and keeps every step, whatever ends it.

Two sides of a process boundary: `session`, `start` and `bench` live in the kernel, which never
imports TensorFlow; `launcher` and `worker` live in child processes.
"""
