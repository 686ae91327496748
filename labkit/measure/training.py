"""Keras training: what fit, evaluate and predict add around their compiled steps.

The names are private ones of Keras 3 on TensorFlow (``src/backend/tensorflow/trainer.py``,
``src/trainers``, ``src/callbacks/callback_list.py``), declared here and nowhere else, and hooked in
once the loop has imported Keras; one that is missing leaves its place unmeasured.

Not seen is the waiting for a batch: Keras asks for it within the compiled step, so it is booked on
running that function.
"""

from __future__ import annotations

from labkit.measure.choke import PrivateName
from labkit.measure.counting import CountingProbe
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places
from labkit.record import Column

TRAINER = "keras.src.backend.tensorflow.trainer"
FITTING = ("keras_fitting", "the rest of Keras fit, evaluate and predict")
CALLBACKS = ("keras_callbacks", "Keras callbacks")
COMPILING = ("keras_compiling", "Keras compile and its functions")
FEEDING = ("input_building", "building the input")

AROUND = tuple(
    PrivateName(TRAINER, "TensorFlowTrainer", name, *FITTING)
    for name in ("fit", "evaluate", "predict", "train_on_batch", "test_on_batch",
                 "predict_on_batch")
)  # fmt: skip
CALLS = tuple(
    PrivateName("keras.src.callbacks.callback_list", "CallbackList", f"on_{what}_{when}",
                *CALLBACKS)
    for what in ("train", "test", "predict", "epoch", "train_batch", "test_batch",
                 "predict_batch")
    for when in ("begin", "end")
)  # fmt: skip
OTHERS = (
    PrivateName("keras.src.callbacks.callback_list", "CallbackList", "__init__", *CALLBACKS),
    *(PrivateName(TRAINER, "TensorFlowTrainer", f"make_{name}_function", *COMPILING)
      for name in ("train", "test", "predict")),
    PrivateName("keras.src.trainers.trainer", "Trainer", "compile", *COMPILING),
    # It chooses the adapter for the reader's arrays and makes a dataset of them.
    PrivateName(TRAINER, "TFEpochIterator", "__init__", *FEEDING),
)  # fmt: skip


class TrainingProbe(CountingProbe):
    """Books callbacks, data adapters and compiling apart from the rest of a Keras training.

    Args:
        places: The stopwatch.
    """

    columns = (Column("keras_trainings", "calls of fit, evaluate and predict", "calls", "counter"),)

    def __init__(self, places: Places) -> None:
        super().__init__(places)
        self.late.hook(AROUND, after=self.count, around=True)
        self.late.hook(CALLS)
        self.late.hook(OTHERS)


def probe(hooks: Hooks) -> TrainingProbe:
    """Return the probe for a worker; costs about 1 us a batch."""
    return TrainingProbe(hooks.places)
