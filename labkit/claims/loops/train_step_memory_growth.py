"""Source 2's second example, in substance: the memory growth option is set before the first op."""

import tensorflow as tf
from train_step_compiled import make_step as make_same_step


def make_step():
    for card in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(card, True)
    return make_same_step()
