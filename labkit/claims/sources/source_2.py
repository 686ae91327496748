"""Source 2: "Why does TensorFlow GPU training time increase so rapidly after a few iterations?" """

from __future__ import annotations

from labkit.claims.claim import Claim, Play
from labkit.claims.sources import rulings_2 as rulings

# The same holes as with the cause's own sizes, in a fifth of the steps.
FAST: dict[str, object] = {"pairs": 5, "layers": 10, "epoch": 10}
STEPS = 620
# As many holes again, in more and shorter steps: two growths are told apart more sharply.
SHORT: dict[str, object] = {"pairs": 2, "layers": 10, "epoch": 25}
SHORT_STEPS = 1_550
CIRCLES: dict[str, object] = {"collect_every": "never", "cycles": "on", "pool": "on"}

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="2.1", title="Fragmentation",
        says="As training goes on, free memory falls to pieces, and allocating gets slower.",
        experiment="Holes in TensorFlow's own pool, with blocks that get larger and that do not; "
        "and a small pool.",
        plays={
            "growing": Play("fragmentation", STEPS, FAST),
            "fixed": Play("fragmentation", STEPS, {**FAST, "sizes": "fixed"}),
            "small_pool": Play("fragmentation", STEPS, {**FAST, "memory_limit": "64 MB"}),
        },
        decide=rulings.growing_holes,
        fair="It says that the pieces pile up; it does not say how many it takes.",
    ),
    Claim(
        id="2.2", title="The driver searches",
        says="It is the driver of the graphics card that looks for free memory, longer each time.",
        experiment="The same holes, where no driver takes part: TensorFlow's own pool, and none.",
        plays={
            "pool": Play("fragmentation", STEPS, FAST),
            "malloc": Play("fragmentation", STEPS, {**FAST, "allocator": "malloc"}),
        },
        decide=rulings.who_searches,
        fair="TensorFlow asks the driver for the pool itself, and can be told to use the driver's "
        "own pool; that was not tried here.",
    ),
    Claim(
        id="2.3", title="Badly placed memory",
        says="Tensors that lie badly in memory make the kernels slower that read them.",
        experiment="Small matrices, multiplied side by side and scattered among 10,000 holes.",
        plays={
            "new_pool": Play("matmul_new_pool", steps=400),
            "among_holes": Play("matmul_among_holes", steps=400),
        },
        decide=rulings.placement,
        fair="It speaks of graphics cards, and only says that the place may be a bad one.",
    ),
    Claim(
        id="2.4", title="An ordinary step slows down",
        says="An ordinary compiled training step takes longer epoch by epoch.",
        experiment="The posted model and step for ten epochs of 150 batches, with two allocators.",
        plays={
            "default": Play("train_step_compiled", steps=1_500),
            "pool": Play("train_step_in_pool", steps=1_500),
        },
        decide=rulings.ordinary_step,
        fair="It says so for the case that allocations fall to pieces; this model's do not.",
    ),
    Claim(
        id="2.5", title="The memory growth option",
        says="Letting TensorFlow take memory as it is needed makes training slow down less.",
        experiment="The posted step, with the option and without.",
        plays={
            "without": Play("train_step_compiled", steps=600),
            "with": Play("train_step_memory_growth", steps=600),
        },
        decide=rulings.memory_growth,
    ),
    Claim(
        id="2.6", title="Garbage that holds tensors",
        says="Python objects that wait to be collected keep their tensors from being freed.",
        experiment="A circle with a tensor of 1 MB per step in a pool of 96 MB: left to Python, "
        "with a thread that collects, and with gc.collect() every 10 steps.",
        plays={
            "alone": Play("garbage", 400, CIRCLES),
            "rescued": Play("garbage", 150, {**CIRCLES, "rescuer": "on"}),
            "collected": Play("garbage", 150, {**CIRCLES, "collect_every": "10"}),
        },
        decide=rulings.uncollected,
        fair="It needs objects that refer to each other in a circle; all others go at once.",
    ),
    Claim(
        id="2.7", title="Collecting every ten steps",
        says="gc.collect() every 10 steps keeps the step time even, at a small cost.",
        experiment="A short step without, with, and with it after gc.freeze().",
        plays={
            "never": Play("garbage", 200, {"collect_every": "never"}),
            "often": Play("garbage", 200),
            "frozen": Play("garbage", 200, {"freeze": "on"}),
        },
        decide=rulings.collecting,
        fair="It calls this an illustration rather than good practice. Where garbage holds tensors "
        "(2.6), a collection does give the memory back.",
    ),
    Claim(
        id="2.8", title="Depth and batch size",
        says="The slowdown is worse with deeper models and larger batches.",
        experiment="As many holes for each: 10 and 40 ops deep, and a batch twice as large.",
        plays={
            "shallow": Play("fragmentation", SHORT_STEPS, SHORT),
            "deep": Play("fragmentation", SHORT_STEPS, {**SHORT, "layers": 40}),
            "small_batch": Play("holes_small_batch", SHORT_STEPS),
            "large_batch": Play("holes_large_batch", SHORT_STEPS),
        },
        decide=rulings.larger_models,
        fair="In milliseconds a deeper model loses more, as it allocates more often; compared is "
        "the factor. And a pool is full sooner, but that ends in an error (2.1).",
    ),
)  # fmt: skip
