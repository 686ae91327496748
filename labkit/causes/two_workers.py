"""Two workers: every step waits until both have exchanged their gradients.

What goes wrong: nothing, and that is the lesson. Two processes train one model, each on its own
batches. After each step they send each other their gradients, and go on only when both have the
sum. That is expensive: the bytes have to travel, and the slower worker sets the pace. It is
tempting to blame it when a long training slows down, with more and more traffic as the epochs go
by.

What to expect: two workers are many times more expensive per step than one, more so the larger the
weights, and the curve is flat. The bytes sent per step follow from the number of weights alone, and
step 1 sends as many as step 1,000. To exchange only every tenth step sends a tenth: a comb, and
cheaper. With the exchange off two processes cost little more than one, so it is the exchange that
is expensive.

Here the workers talk over the loopback interface of one machine. A real network is slower.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from labkit.cause import Cause, Expectation, Explanation, Loop, Meeting, Size, Toggle
from labkit.record import Column

ROWS = 32
EVERY = {"every step": 1, "every tenth step": 10, "never": 0}


def make_step(toggles: SimpleNamespace, *, size: int = 512, seed: int = 0) -> Loop:
    """Return a step that computes a gradient, and exchanges it with the other worker.

    Args:
        toggles: ``workers`` and ``exchange``, which hold for the whole run: both workers must meet
            at the same steps.
        size: The weights are ``size`` x ``size`` numbers of four bytes.
        seed: Of this worker's batch. The weights start alike everywhere.
    """
    import tensorflow as tf

    if toggles.workers == "2":  # who the other is stands in the variable TF_CONFIG
        ring = tf.distribute.experimental.CommunicationImplementation.RING
        strategy = tf.distribute.MultiWorkerMirroredStrategy(
            communication_options=tf.distribute.experimental.CommunicationOptions(
                implementation=ring
            )
        )
    else:
        strategy = tf.distribute.get_strategy()

    with strategy.scope():
        weights = tf.Variable(tf.random.stateless_normal([size, size], [0, 0]) / size)
    gradients = tf.Variable(tf.zeros([size, size]))  # this worker's own
    batch = tf.random.stateless_normal([ROWS, size], [seed, 1])

    @tf.function
    def compute() -> object:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ weights - batch))
        gradients.assign_add(tape.gradient(loss, weights))
        return loss

    def update() -> None:
        replica = tf.distribute.get_replica_context()
        together = replica.all_reduce(tf.distribute.ReduceOp.SUM, tf.identity(gradients))
        weights.assign_sub(together)
        gradients.assign(tf.zeros_like(gradients))

    @tf.function
    def exchange() -> None:
        strategy.run(update)

    every = EVERY[toggles.exchange]
    steps = 0

    def step() -> object:
        nonlocal steps
        steps += 1
        loss = compute()
        if every and steps % every == 0:
            meet(exchange)
        return loss

    counters = {
        "replicas": lambda: strategy.num_replicas_in_sync,
        "weight": lambda: float(weights.read_value()[0, 0]),
    }
    return Loop(step, counters)


def meet(exchange: Callable[[], object]) -> None:
    """Wait for the other worker, and exchange gradients with it; a function of its own is timed."""
    exchange()


CAUSE = Cause(
    slug="two_workers",
    title="Two workers",
    summary="Each step waits until two processes have exchanged gradients: expensive, and flat.",
    make_step=make_step,
    toggles=(
        Toggle(
            "workers",
            "workers",
            default="2",
            choices=("1", "2"),
            kind="launch",
            workers={"2": 2},
        ),
        Toggle(
            "exchange",
            "exchange gradients",
            default="every step",
            choices=tuple(EVERY),
            kind="launch",
            role="fix",
        ),
    ),
    sizes=(Size("size", 512, 2, 4096, "rows and columns of the weights", small=256),),
    expectation=Expectation(
        shape="flat",
        steps=300,
        growth=0.0,
        holds={"replicas": 2},
    ),
    notebook="11_two_workers.ipynb",
    lanes=("loopback_bytes",),
    counters=(
        Column("replicas", "replicas in sync", "replicas", "counter"),
        Column("weight", "one of the weights", "", "counter"),
    ),
    functions={"meet": "exchanging gradients"},
    probes=("network",),
    mechanism=Meeting(
        "meet_seconds",
        "The one that comes first waits.",
        rest="They do not meet in this step.",
    ),
    explanations=(
        Explanation(
            "UnknownError",
            "Could not start gRPC server",
            "Another program has taken the worker's port since it was found free: run again, each "
            "run looks for new ports; one worker needs none.",
        ),
        Explanation(
            "UnavailableError",
            "",
            "The connection to the other worker was lost: run again, or run with one worker.",
        ),
    ),
)
