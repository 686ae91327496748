# The line before is taken out of the chart.
import tensorflow as tf
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


def make_step():
    inputs = tf.random.stateless_normal([256, 128], [0, 0])
    weights = tf.Variable(tf.zeros([128, 1]))
    axes = FigureCanvasAgg(Figure(figsize=(2, 1))).figure.add_axes([0, 0, 1, 1])
    axes.set_axis_off()

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(inputs @ weights - 1.0))
        weights.assign_sub(0.01 * tape.gradient(loss, weights))

    def step():
        train()
        for line in list(axes.lines):
            line.remove()
        axes.plot(weights.numpy())
        axes.figure.canvas.draw()
        return axes.lines[-1].get_ydata().max()

    return step
