"""What is read beside every step, and what it costs to read it.

In: TensorFlow's module, handed over (nothing here imports it), and a place for numbers.
Out: one row of numbers a step, events, and now and then a reading that is too expensive for every
step.

- `clock`: times a step and lets the probes fill its row.
- `patches`: functions of TensorFlow, Keras and Python that are timed and counted.
- `memory`: what is alive, what is kept, pools and heaps.
- `machine`: the processors and the memory that the loop shares with other programs.

`registry` names the probes. Read `clock/recorder.py` first, then `patches/timed_functions.py`.
"""
