import tensorflow as tf


def make_step():
    generator = tf.Variable(tf.random.stateless_normal([8, 16], [11, 1]))
    critic = tf.Variable(tf.random.stateless_normal([16, 1], [11, 2]) * 0.1)
    noise = tf.random.Generator.from_seed(11)
    real = tf.random.stateless_normal([64, 16], [11, 3])

    @tf.function
    def train_critic():
        fake = noise.normal([64, 8]) @ generator
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(fake @ critic) - tf.reduce_mean(real @ critic)
        critic.assign_sub(0.001 * tape.gradient(loss, critic))
        critic.assign(tf.clip_by_value(critic, -0.1, 0.1))
        return loss

    @tf.function
    def train_generator():
        z = noise.normal([64, 8])
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean((z @ generator) @ critic)
        generator.assign_sub(0.001 * tape.gradient(loss, generator))
        return loss

    def step():
        for _ in range(3):
            train_critic()
        return train_generator()

    return step
