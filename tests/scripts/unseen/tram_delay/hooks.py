"""What is done at the end of a step: hooks announce themselves with a decorator."""
import collections
import gc
import logging

import numpy as np

HOOKS = []
log = logging.getLogger(__name__)


def hook(every=1):
    def announce(function):
        HOOKS.append((every, function))
        return function
    return announce


class Run:
    def __init__(self, model, rate):
        self.model = model
        self.rate = rate
        self.step = 0
        self.losses = []
        self.past = collections.deque(maxlen=8)

    def after(self, loss):
        self.step += 1
        self.losses.append(float(loss))
        for every, function in HOOKS:
            if self.step % every == 0:
                function(self)


@hook()
def slow_down(run):
    run.model.optimizer.learning_rate.assign(run.rate / (1 + run.step / 2000))


@hook()
def keep_weights(run):
    run.past.append(run.model.get_weights())


@hook(every=100)
def report(run):
    late = np.mean(run.losses[-100:])
    logging.getLogger(f"{__name__}.report").info("step %d loss %.4f", run.step, late)


@hook(every=400)
def collect(run):
    log.debug("collected %d", gc.collect())
