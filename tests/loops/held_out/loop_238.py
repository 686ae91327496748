import tensorflow as tf


class Hooks:
    def __init__(self):
        self.after = []

    def register(self, hook):
        self.after.append(hook)

    def run(self, value):
        for hook in self.after:
            hook(value)


def make_step():
    hooks = Hooks()
    weights = tf.Variable(tf.random.stateless_normal([12, 12], [38, 1]))
    seen = {"lowest": float("inf")}

    @tf.function
    def train():
        weights.assign(weights * 0.999)
        return tf.reduce_sum(tf.square(weights))

    def step():
        hooks.register(lambda value: seen.update(lowest=min(seen["lowest"], float(value))))
        loss = train()
        hooks.run(loss)
        return loss

    return step
