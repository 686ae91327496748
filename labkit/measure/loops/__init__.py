"""The loops of a script: where its steps are, found by itself.

In: the files of a training script, as their author wrote them. Out: the same program, whose loops
tell when a turn begins; and of each turn in which TensorFlow worked a row of numbers.

- `source`: compiles a file so that its loops tell. `imports`: does so with all files of the reader.
- `turns`: which loop is in which turn, and where one row ends and the next begins.
- `fitting`: the loop that is within Keras's ``fit``. `training`: which calls change weights.

Which loop's turns are *the* steps is decided later, from the rows
(`labkit.diagnosis.script.loops`). Read `turns.py` first.
"""
