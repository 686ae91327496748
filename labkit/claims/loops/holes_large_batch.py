"""As many holes as with the small batch, but each result is twice as large."""

from holes_small_batch import make_step as make_step_of


def make_step():
    return make_step_of(numbers=2 * 4096)
