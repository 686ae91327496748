import keras
import numpy as np


class Games(keras.utils.PyDataset):
    def __init__(self, seed):
        super().__init__()
        random = np.random.default_rng(seed)
        self.boards = random.random((1200, 6)).astype("float32")
        self.results = self.boards[:, :1]

    def __len__(self):
        return 3

    def __getitem__(self, index):
        rows = slice(index * 8, index * 8 + 8)
        return self.boards[rows], self.results[rows]


def make_step():
    keras.utils.set_random_seed(0)
    player = keras.Sequential([keras.Input([6]), keras.layers.Dense(1)])
    player.compile(optimizer="sgd", loss="mae")
    generation = 0

    def step():
        nonlocal generation
        generation += 1
        return player.fit(Games(generation), verbose=0).history["loss"][0]

    return step
