"""An actor and a critic learn to steer a point to a moving goal, eagerly, from a replay memory."""

import argparse
import collections
import random

import numpy as np
import tensorflow as tf

Transition = collections.namedtuple("Transition", "obs action reward next_obs")


class Reach:
    """A point in the plane is pushed towards a goal that jumps every now and then."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.reset()

    def reset(self):
        self.place, self.speed = self.rng.uniform(-1, 1, size=(2, 2))
        self.goal = self.rng.uniform(-1, 1, size=2)
        self.left = int(self.rng.integers(20, 60))
        return self.observe()

    def observe(self):
        return np.concatenate([self.place, self.speed, self.goal]).astype("float32")

    def step(self, action):
        self.speed = 0.9 * self.speed + 0.1 * action
        self.place = np.clip(self.place + 0.1 * self.speed, -2, 2)
        self.left -= 1
        reward = -float(np.linalg.norm(self.place - self.goal))
        return self.observe(), reward, self.left <= 0


def mlp(inputs, outputs, activation=None):
    return tf.keras.Sequential(
        [
            tf.keras.Input((inputs,)),
            tf.keras.layers.Dense(64, activation="relu"),
            tf.keras.layers.Dense(outputs, activation=activation),
        ]
    )


class Agent:
    def __init__(self, gamma=0.95, memory=1000):
        self.gamma = gamma
        self.actor = mlp(6, 2, "tanh")
        self.critic = mlp(8, 1)
        self.target = mlp(8, 1)
        self.target.set_weights(self.critic.get_weights())
        self.actor_optimizer = tf.keras.optimizers.SGD(1e-3)
        self.critic_optimizer = tf.keras.optimizers.SGD(5e-3)
        self.memory = collections.deque(maxlen=memory)

    def act(self, obs, noise):
        action = self.actor(obs[None]).numpy()[0] + np.random.normal(scale=noise, size=2)
        return np.clip(action, -1, 1).astype("float32")

    def learn(self, batch_size):
        batch = Transition(
            *map(np.array, zip(*random.sample(self.memory, batch_size), strict=True))
        )
        reward = batch.reward.astype("float32")[:, None]
        next_action = self.actor(batch.next_obs)
        goal = reward + self.gamma * self.target(tf.concat([batch.next_obs, next_action], 1))
        with tf.GradientTape(persistent=True) as tape:
            value = self.critic(tf.concat([batch.obs, batch.action], 1))
            critic_loss = tf.reduce_mean(tf.square(goal - value))
            actor_loss = -tf.reduce_mean(
                self.critic(tf.concat([batch.obs, self.actor(batch.obs)], 1))
            )
        for model, loss, optimizer in (
            (self.critic, critic_loss, self.critic_optimizer),
            (self.actor, actor_loss, self.actor_optimizer),
        ):
            grads = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables, strict=True))
        del tape
        return float(critic_loss)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=900)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--seed", type=int, default=12)
    args = parser.parse_args()

    tf.keras.utils.set_random_seed(args.seed)
    env, agent = Reach(args.seed), Agent()
    obs = env.reset()
    while len(agent.memory) < 200:
        action = np.random.uniform(-1, 1, size=2).astype("float32")
        next_obs, reward, done = env.step(action)
        agent.memory.append(Transition(obs, action, reward, next_obs))
        obs = env.reset() if done else next_obs

    step, total, returns, losses = 0, 0.0, [], []
    obs = env.reset()
    while step < args.steps:
        action = agent.act(obs, noise=0.3 * (1 - step / args.steps))
        next_obs, reward, done = env.step(action)
        agent.memory.append(Transition(obs, action, reward, next_obs))
        losses.append(agent.learn(args.batch_size))
        total, obs, step = total + reward, next_obs, step + 1
        if step % 50 == 0:
            agent.target.set_weights(agent.critic.get_weights())
        if done:
            returns.append(total)
            total, obs = 0.0, env.reset()
            print(f"step {step}: return {returns[-1]:.1f} loss {np.mean(losses[-50:]):.4f}")
    print(f"{len(returns)} episodes, mean return {np.mean(returns[-10:]):.1f}")


if __name__ == "__main__":
    main()
