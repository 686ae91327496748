"""The bench: runs a loop in a fresh process and keeps every step, whatever ends it.

In: a cause or a file, toggles, sizes and limits. Out: a session, and at its end a run.

- `bench`: starts runs and remembers them; `session`: one of them in progress, with its workers as
  the kernel sees them; `supervision`: the thread that watches it.
- `processes`: how workers are started, found again and ended. `worker`: what happens in one.
- `isolation`: how several workers are kept from everybody but each other.
- `step_file`, `folders`, `temporary`, `log`, `protocol`: where numbers and words go.

Read `bench.py` first, then `session.py` and `worker/recording.py`.
"""
