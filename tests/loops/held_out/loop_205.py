import keras
import tensorflow as tf

ACCUMULATE = 4


def make_step():
    keras.utils.set_random_seed(4)
    model = keras.Sequential(
        [keras.Input([16]), keras.layers.Dense(64, activation="relu"), keras.layers.Dense(4)]
    )
    optimizer = keras.optimizers.Adam(1e-3)
    optimizer.build(model.trainable_variables)
    sums = [tf.Variable(tf.zeros(v.shape), trainable=False) for v in model.trainable_variables]
    x = tf.random.stateless_normal([64, 16], [1, 1])
    y = tf.random.stateless_uniform([64], [1, 2], 0, 4, tf.int32)
    entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def accumulate():
        with tf.GradientTape() as tape:
            loss = entropy(y, model(x, training=True)) / ACCUMULATE
        for total, gradient in zip(
            sums, tape.gradient(loss, model.trainable_variables), strict=True
        ):
            total.assign_add(gradient)
        return loss

    @tf.function
    def apply():
        optimizer.apply([tf.identity(total) for total in sums], model.trainable_variables)
        for total in sums:
            total.assign(tf.zeros_like(total))

    micro_batch = 0

    def step():
        nonlocal micro_batch
        loss = accumulate()
        micro_batch += 1
        if micro_batch % ACCUMULATE == 0:
            apply()
        return loss

    return step
