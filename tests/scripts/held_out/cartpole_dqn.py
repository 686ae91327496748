"""Deep Q-learning on a small cart-pole, with TensorFlow 1 graphs and sessions."""

import argparse
import collections
import math
import random

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
tf1.disable_eager_execution()


class CartPole:
    """The classic balancing task, without rendering."""

    def __init__(self, rng):
        self.rng = rng
        self.reset()

    def reset(self):
        self.state = self.rng.uniform(-0.05, 0.05, size=4)
        return self.state.copy()

    def step(self, action):
        _, x_dot, theta, theta_dot = self.state
        force = 10.0 if action == 1 else -10.0
        cos, sin = math.cos(theta), math.sin(theta)
        push = (force + 0.05 * theta_dot**2 * sin) / 1.1
        theta_acc = (9.8 * sin - cos * push) / (0.5 * (4.0 / 3.0 - 0.1 * cos**2 / 1.1))
        x_acc = push - 0.05 * theta_acc * cos / 1.1
        move = np.array([x_dot, x_acc, theta_dot, theta_acc])
        self.state = self.state + 0.02 * move
        done = abs(self.state[0]) > 2.4 or abs(self.state[2]) > 0.2095
        return self.state.copy(), 1.0, done


def dense(x, size, name, activation=tf.identity):
    with tf1.variable_scope(name):
        w = tf1.get_variable("w", [x.shape[-1], size])
        b = tf1.get_variable("b", [size], initializer=tf1.zeros_initializer())
    return activation(tf.matmul(x, w) + b)


class DQNAgent:
    def __init__(self, hidden=64, gamma=0.99, tau=0.01, lr=1e-3):
        self.obs, self.next_obs = (tf1.placeholder(tf.float32, [None, 4]) for _ in range(2))
        self.reward, self.done = (tf1.placeholder(tf.float32, [None]) for _ in range(2))
        self.action = tf1.placeholder(tf.int32, [None])
        self.q = self.network(self.obs, hidden, "online")
        next_q = self.network(self.next_obs, hidden, "target")
        goal = self.reward + gamma * (1.0 - self.done) * tf.reduce_max(next_q, axis=1)
        chosen = tf.reduce_sum(self.q * tf.one_hot(self.action, 2), axis=1)
        self.loss = tf.reduce_mean(tf.square(tf.stop_gradient(goal) - chosen))
        self.online_vars = tf1.trainable_variables("online")
        self.target_vars = tf1.trainable_variables("target")
        optimizer = tf1.train.AdamOptimizer(lr)
        self.train_op = optimizer.minimize(self.loss, var_list=self.online_vars)
        pairs = zip(self.online_vars, self.target_vars, strict=True)
        self.follow = [t.assign(tau * w + (1.0 - tau) * t) for w, t in pairs]
        self.sess = tf1.Session()
        self.sess.run(tf1.global_variables_initializer())

    def network(self, x, hidden, scope):
        with tf1.variable_scope(scope):
            x = dense(x, hidden, "fc1", tf.nn.relu)
            x = dense(x, hidden, "fc2", tf.nn.relu)
            return dense(x, 2, "out")

    def act(self, obs, epsilon):
        if random.random() < epsilon:
            return random.randrange(2)
        return int(np.argmax(self.sess.run(self.q, {self.obs: obs[None]})[0]))

    def learn(self, batch):
        obs, action, reward, next_obs, done = (np.array(part) for part in zip(*batch, strict=True))
        feed = {self.obs: obs, self.action: action, self.reward: reward}
        feed.update({self.next_obs: next_obs, self.done: done})
        loss, _ = self.sess.run([self.loss, self.train_op], feed)
        self.sess.run(self.follow)
        best = self.sess.run(tf.reduce_max(self.q, axis=1), feed)
        return loss, best.mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    random.seed(args.seed)
    tf1.set_random_seed(args.seed)
    env = CartPole(np.random.default_rng(args.seed))
    agent = DQNAgent()
    replay = collections.deque(maxlen=5000)

    obs, episode, score, epsilon = env.reset(), 0, 0.0, 1.0
    while len(replay) < 500:
        action = random.randrange(2)
        next_obs, reward, done = env.step(action)
        replay.append((obs, action, reward, next_obs, float(done)))
        obs = env.reset() if done else next_obs

    for step in range(1, args.steps + 1):
        action = agent.act(obs, epsilon)
        next_obs, reward, done = env.step(action)
        replay.append((obs, action, reward, next_obs, float(done)))
        loss, value = agent.learn(random.sample(replay, 64))
        epsilon = max(0.05, epsilon * 0.995)
        score += reward
        obs = next_obs
        if done:
            if episode % 5 == 0:
                print(f"step {step} score {score:.0f} loss {loss:.4f} value {value:.2f}")
            obs, score, episode = env.reset(), 0.0, episode + 1


if __name__ == "__main__":
    main()
