"""What the machine did to the steps, and the verdict on steps corrected for that.

In: step times, and what was recorded beside them (`readings`).
Out: a verdict (`adjusted`), or step times that two runs can be compared by (`cross_run`).

- `contention`: what other programs took, as the scheduler counted it; two bounds for each step.
- `drift`: the machine itself became slower, as a canary shows, or went to and fro.
- `throttling`: heat or its power limit held a graphics card's clock back, as the card says.
- `clocks_apart`: the same between two runs.
- `lasting_trend`: a line that one change of level and neighbours do not explain.
- `common_growth`: all parts of the steps grew alike.

Read `adjusted.py` first: it states the model.
"""
