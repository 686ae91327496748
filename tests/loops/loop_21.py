import tensorflow as tf


class Transition:
    def __init__(self, state, reward):
        self.state = state
        self.reward = reward


def make_step():
    kernel = tf.Variable(tf.random.stateless_normal([6, 3], [1, 2]))
    bias = tf.Variable(tf.zeros([3]))

    @tf.function
    def act(transition):
        logits = tf.matmul(transition.state, kernel) + bias
        return tf.argmax(logits * transition.reward, axis=1)

    state = tf.random.stateless_normal([2, 6], [3, 4])

    def step():
        transition = Transition(state, tf.constant(1.0))
        return act(transition)

    return step
