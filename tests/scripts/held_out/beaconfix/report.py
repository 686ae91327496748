"""Times and losses, for the log and for the screen."""

import collections
import functools
import logging
import time


def get_logger(level=logging.INFO):
    logger = logging.getLogger("beaconfix")
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
        logger.addHandler(handler)
        logger.setLevel(level)
        logger.propagate = False
    return logger


class Stopwatch:
    """Wraps functions, and knows how long their latest calls took."""

    def __init__(self, keep=100):
        self.taken = collections.defaultdict(lambda: collections.deque(maxlen=keep))

    def timed(self, function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            began = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self.taken[function.__name__].append(time.perf_counter() - began)

        return inner

    def line(self):
        means = {name: sum(times) / len(times) for name, times in self.taken.items()}
        return "  ".join(f"{name} {1e3 * mean:.2f} ms" for name, mean in means.items())


def note(step, losses, watch):
    recent = losses[-100:]
    get_logger().info("step %4d  loss %.5f  %s", step, sum(recent) / len(recent), watch.line())
