"""Learn to stop a harbour crane's load from swinging, through a differentiable simulator."""

import argparse

import numpy as np
import tensorflow as tf

DT = 0.08


class Policy(tf.Module):
    def __init__(self, width=32, seed=3):
        super().__init__()
        g = tf.random.Generator.from_seed(seed)
        self.w1 = tf.Variable(g.normal([4, width], stddev=0.4))
        self.b1 = tf.Variable(tf.zeros([width]))
        self.w2 = tf.Variable(g.normal([width, 1], stddev=0.2))
        self.moments = [tf.Variable(tf.zeros_like(v), trainable=False) for v in self.weights()]

    def weights(self):
        return [self.w1, self.b1, self.w2]

    def __call__(self, state):
        return 3.0 * tf.tanh(tf.tanh(state @ self.w1 + self.b1) @ self.w2)


def swing(state, force):
    """Trolley place and speed, angle and angular speed of the load, one tick on."""
    place, speed, angle, turn = tf.split(state, 4, axis=1)
    accel = force - 0.2 * speed
    bend = -9.81 / 6.0 * tf.sin(angle) - accel / 6.0 * tf.cos(angle) - 0.05 * turn
    speed = speed + DT * accel
    turn = turn + DT * bend
    return tf.concat([place + DT * speed, speed, angle + DT * turn, turn], axis=1)


def price(state, force):
    place, speed, angle, turn = tf.split(state, 4, axis=1)
    bad = tf.square(place) + 0.1 * tf.square(speed) + 4.0 * tf.square(angle) + tf.square(turn)
    return tf.reduce_mean(bad + 0.02 * tf.square(force))


class Planner:
    """Looks further ahead once the policy copes with what it sees now."""

    def __init__(self, start=10, stride=1):
        self.ahead = start
        self.stride = stride
        self.usual = None

    def horizon(self):
        return tf.constant(self.ahead, tf.int32)

    def judge(self, cost):
        self.usual = cost if self.usual is None else 0.8 * self.usual + 0.2 * cost
        if cost < 1.5 * self.usual:
            self.ahead += self.stride


def make_step(policy, rate):
    @tf.function
    def step(state, horizon):
        with tf.GradientTape() as tape:
            total = tf.constant(0.0)
            for _ in tf.range(horizon):
                force = policy(state)
                state = swing(state, force)
                total += price(state, force)
            loss = total / tf.cast(horizon, tf.float32)
        grads, norm = tf.clip_by_global_norm(tape.gradient(loss, policy.weights()), 1.0)
        for v, m, g in zip(policy.weights(), policy.moments, grads):
            m.assign(0.9 * m + g)
            v.assign_sub(rate * m)
        return loss, norm

    return step


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=250)
    parser.add_argument("--cranes", type=int, default=64)
    args = parser.parse_args()

    rng = np.random.default_rng(14)
    policy, planner = Policy(), Planner()
    step = make_step(policy, rate=0.004)
    spread = np.array([1.5, 0.3, 0.2, 0.1])
    done = 0
    while done < args.updates:
        start = (rng.normal(size=(args.cranes, 4)) * spread).astype(np.float32)
        loss, norm = step(tf.constant(start), planner.horizon())
        planner.judge(float(loss))
        done += 1
        if done % 50 == 0:
            print(f"{done:4d}  cost {float(loss):.3f}  gradient {float(norm):.2f}")
    left = tf.constant([[0.0, 0.0, -0.2, 0.0]])
    print("force when the load hangs to the left:", policy(left).numpy())


if __name__ == "__main__":
    main()
