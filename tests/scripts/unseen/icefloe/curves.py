"""Curves over the steps of a training, and a decorator that hands their values on."""
import functools
import itertools
import math


def cosine(start, end, length):
    def curve(turn):
        share = min(turn / length, 1.0)
        return end + (start - end) * 0.5 * (1.0 + math.cos(math.pi * share))
    return curve


def ramp(end, length):
    return lambda turn: end * min(1.0, turn / length)


def scheduled(**curves):
    """Fill keyword arguments of a step from curves of the number of its calls."""
    def wrap(step):
        turns = itertools.count()

        @functools.wraps(step)
        def call(*args):
            turn = next(turns)
            values = {name: curve(turn) for name, curve in curves.items()}
            return step(*args, **values)
        return call
    return wrap
