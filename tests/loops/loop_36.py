import tensorflow as tf


def make_step():
    tf.random.set_seed(2024)
    image = tf.ones([12, 12, 3])

    def augment(picture):
        picture = picture * tf.random.uniform([], 0.8, 1.2)
        picture = picture + tf.random.uniform([1, 1, 3], -0.1, 0.1)
        return picture + tf.random.normal([12, 12, 3], stddev=0.01)

    def step():
        return [augment(image) for _ in range(6)][-1]

    return step
