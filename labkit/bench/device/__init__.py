"""Where a run computes when it is left to labkit: on the graphics card, if that works.

In: what the system shows of a card, and a short check in a worker. Out: a device, and where a card
is not used, one sentence that says why.

`signs` tells whether there may be a card at all, without TensorFlow; `answer` has a worker run the
check, `answering_loop`; `faults` reads why it failed; `choice` puts them together. Read `choice`
first.
"""
