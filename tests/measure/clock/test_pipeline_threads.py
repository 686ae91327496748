"""The lines that TensorFlow's own threads run, found from outside. Tier: make test, in turn."""

from __future__ import annotations

import _thread
import os
import threading
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest

from labkit.measure.clock.pipeline_threads import PipelineThreads
from tests.causes.curves import assert_clock

pytestmark = pytest.mark.in_turn

tf: ModuleType = pytest.importorskip("tensorflow")
MATRIX = np.random.default_rng(1).random((400, 400))
HERE = __file__


def line_of(words: str) -> int:
    with open(HERE, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, start=1) if words in line)


def generated() -> Iterator[float]:
    while True:
        np.linalg.svd(MATRIX)  # the long line
        yield 1.0


def found_while_taken(feed: object, count: int) -> dict[str, float]:
    sampler = PipelineThreads()
    sampler.start()
    for _ in range(count):
        next(feed)  # type: ignore[call-overload]
    return sampler.stop(count)


def test_the_line_of_a_generator_that_takes_long_is_found() -> None:
    dataset = tf.data.Dataset.from_generator(generated, output_signature=tf.TensorSpec([]))
    found = found_while_taken(iter(dataset), 20)
    most = max(found, key=found.__getitem__)
    assert most == f"line/pipeline_python/{HERE}:{line_of('# the long line')}"


def test_nothing_is_found_where_tensorflow_makes_the_data_itself() -> None:
    dataset = tf.data.Dataset.range(10**6).map(lambda n: n + 1).batch(1000)
    assert found_while_taken(iter(dataset), 50) == {}


def test_other_threads_of_the_readers_are_none_of_the_pipelines() -> None:
    over = threading.Event()

    def work() -> None:
        while not over.is_set():
            np.linalg.svd(MATRIX)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert found_while_taken(iter(tf.data.Dataset.range(10)), 5) == {}
    finally:
        over.set()
        thread.join()


def test_the_sampler_is_no_thread_that_a_loop_would_wait_for() -> None:
    sampler = PipelineThreads()
    before = threading.enumerate()
    sampler.start()
    assert threading.enumerate() == before
    sampler.stop()
    named = threading.Thread(target=int).name
    sampler.start()
    sampler.stop()
    number = int(named.partition("-")[2].split()[0])
    assert threading.Thread(target=int).name.startswith(f"Thread-{number + 1} ")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_process_that_is_forked_while_it_samples_does_not_wait_for_it() -> None:
    sampler = PipelineThreads()
    sampler.start()
    if (child := os.fork()) == 0:
        os._exit(len(sampler.stop()))
    assert os.waitpid(child, 0)[1] == 0
    sampler.stop()


def test_the_sampler_leaves_no_thread_behind_and_can_be_used_again() -> None:
    before = _thread._count()
    dataset = tf.data.Dataset.from_generator(generated, output_signature=tf.TensorSpec([]))
    first = found_while_taken(iter(dataset), 5)
    second = found_while_taken(iter(dataset), 5)
    assert _thread._count() == before
    assert_clock(sum(second.values()) < 3 * sum(first.values()), first, second)
