"""Data are read at random places, and no longer fit into memory."""

import collections
import mmap
import os
import tempfile

import numpy as np
import tensorflow as tf

PAGEOUT = 21
BLOCK = 65_536


class SmallMachine:
    """A file in memory, with room for some of its blocks: as a full machine, it puts out others."""

    def __init__(self, blocks, room):
        random = np.random.default_rng(1)
        self.path = tempfile.mkdtemp() + "/data"
        with open(self.path, "w+b") as file:
            for _ in range(blocks):
                file.write(random.random(BLOCK // 4, "float32").tobytes())
            file.flush()
            os.fsync(file.fileno())
            self.memory = mmap.mmap(file.fileno(), 0)
        self.memory.madvise(PAGEOUT)
        self.room = room
        self.used = collections.OrderedDict()

    def read(self, block):
        begin = int(block) * BLOCK
        values = np.frombuffer(self.memory[begin : begin + BLOCK], "float32")
        self.used[begin] = None
        self.used.move_to_end(begin)
        while len(self.used) > self.room:
            oldest, _ = self.used.popitem(last=False)
            self.memory.madvise(PAGEOUT, oldest, BLOCK)
        return values


def before_1():
    """A table of pictures in one file, of which a batch takes those it likes."""
    table = SmallMachine(1_200, room=200)
    random = np.random.default_rng(2)
    kernel = tf.Variable(tf.random.stateless_normal([BLOCK // 4, 2], [2, 2]))
    reach = 100

    def step():
        nonlocal reach
        reach = min(reach + 1, 1_200)
        batch = np.stack([table.read(row) for row in random.integers(0, reach, 32)])
        return tf.reduce_mean(batch @ kernel)

    return step


def in_records(table, blocks):
    path = table.path + ".records"
    with tf.io.TFRecordWriter(path) as writer:
        for block in range(blocks):
            writer.write(table.read(block).tobytes())
    return [path]


def after_1():
    table = SmallMachine(1_200, room=200)
    kernel = tf.Variable(tf.random.stateless_normal([BLOCK // 4, 2], [2, 2]))
    files = in_records(table, 1_200)
    dataset = tf.data.TFRecordDataset(files).repeat().shuffle(100).batch(32)
    batches = iter(dataset.prefetch(tf.data.AUTOTUNE))

    def step():
        batch = tf.io.decode_raw(next(batches), tf.float32)
        return tf.reduce_mean(batch @ kernel)

    return step


def before_2():
    """A signal of many days, of which a window begins anywhere in the days so far."""
    signal = SmallMachine(1_000, room=150)
    random = np.random.default_rng(3)
    filters = tf.Variable(tf.random.stateless_normal([9, 1, 4], [3, 3]))
    days = 60

    def step():
        nonlocal days
        days = min(days + 1, 1_000)
        windows = [signal.read(day)[:4_096] for day in random.integers(0, days, 24)]
        return tf.reduce_max(tf.nn.conv1d(np.stack(windows)[..., None], filters, 4, "SAME"))

    return step


def after_2():
    signal = SmallMachine(1_000, room=150)
    filters = tf.Variable(tf.random.stateless_normal([9, 1, 4], [3, 3]))
    files = in_records(signal, 1_000)
    dataset = tf.data.TFRecordDataset(files).repeat().shuffle(100).batch(24)
    batches = iter(dataset.prefetch(tf.data.AUTOTUNE))

    def step():
        windows = tf.io.decode_raw(next(batches), tf.float32)[:, :4_096]
        return tf.reduce_max(tf.nn.conv1d(windows[..., None], filters, 4, "SAME"))

    return step
