"""The commands: what each takes from a command line, runs, tells and saves.

In: arguments that click has read. Out: words, files and an exit status. Each file has one command,
and each ends with `labkit.cli.bench.CommandBench` and `labkit.cli.words.Words`, so that a signal or
a full disk takes nothing along. Read `running.py` first.
"""
