"""Patches: functions of TensorFlow, Keras and Python that are timed and counted while a loop runs.

In: the names of functions, most of them private, each declared in one place.
Out: seconds by place and counts by column, in the step's row.

`patch` replaces one function until it is closed, `patches` a `group` of them, if need be once their
modules have been imported. `timed_functions` lists all that is only timed and counted; what needs
code of its own has a file, and a `counting_probe`. Read `patch.py` first, then
`timed_functions.py`.
"""
