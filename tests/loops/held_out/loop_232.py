import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import tensorflow as tf


def make_step():
    weights = tf.Variable(tf.random.stateless_normal([60], [32, 1]))
    figure, axes = plt.subplots(figsize=(3, 2))

    def step():
        weights.assign(weights * 0.98 + 0.01)
        axes.plot(weights.numpy(), alpha=0.3)
        figure.canvas.draw()

    return step
