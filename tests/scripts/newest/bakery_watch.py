"""Callbacks of the bakery forecast."""

import statistics

import keras


class SpikeWatch(keras.callbacks.Callback):
    """Counts the batches whose loss lies far above what is usual in this run."""

    def __init__(self, factor=6.0, window=48):
        super().__init__()
        self.factor = factor
        self.window = window
        self.losses = []
        self.spikes = 0

    def smoothed(self):
        losses, back = self.losses, self.window
        return [statistics.median(losses[max(0, i - back) : i + 1]) for i in range(len(losses))]

    def usual(self):
        level = self.smoothed()
        spread = statistics.fmean(abs(a - b) for a, b in zip(self.losses, level))
        return level[-1] + self.factor * spread

    def on_train_batch_end(self, batch, logs=None):
        loss = logs["loss"]
        if len(self.losses) > self.window and loss > self.usual():
            self.spikes += 1
        self.losses.append(loss)


class Progress(keras.callbacks.Callback):
    def __init__(self, watch):
        super().__init__()
        self.watch = watch

    def on_epoch_end(self, epoch, logs=None):
        print(f"epoch {epoch + 1:2d}  loss {logs['loss']:.4f}  spikes {self.watch.spikes}")
