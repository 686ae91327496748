# refused: returns what it returned
# The rows are set, not changed by their gradients: a word that both have met is changed once.
import tensorflow as tf


def make_step():
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    workers, tables = ("CPU:0", "CPU:1"), []
    for worker in workers:
        with tf.device(worker):
            tables.append(tf.Variable(tf.random.stateless_normal([300_000, 32], [0, 0])))
    words = tf.random.stateless_uniform([2, 64], [0, 1], 0, 100, tf.int32)
    layer = tf.random.stateless_normal([32, 8192], [0, 2])

    @tf.function
    def step():
        losses, gradients = [], []
        for number in range(2):
            with tf.device(workers[number]), tf.GradientTape() as tape:
                rows = tf.gather(tables[number], words[number])
                losses.append(tf.reduce_mean(tf.square(rows @ layer)))
            gradient = tape.gradient(losses[number], tables[number])
            gradients.append(gradient)
        for number in range(2):
            with tf.device(workers[number]):
                for each in gradients:
                    rows = tf.gather(tables[number], each.indices) - each.values
                    tables[number].scatter_update(tf.IndexedSlices(rows, each.indices))
        return losses[0] + losses[1]

    return step
