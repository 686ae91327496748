"""Loops of the reader's own: diagnosed in a fresh process, watched in this one, or held to a test.

In: a file, a dataset, a Keras training or a function. Out: a run, and what is thought of it.

`diagnose` runs a file until enough is known (`early_stopping`), as `request` allows; `watch` and
`callback` record what runs in this kernel (`watching`); `steady` fails a test (`alarm`). Read
`diagnose.py` first.
"""
