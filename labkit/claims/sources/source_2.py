"""Source 2: "Why does TensorFlow GPU training time increase so rapidly after a few iterations?" """

from __future__ import annotations

from labkit.claims.claim import MORE, OPEN, Claim, Play, Ruling, by_growth
from labkit.claims.played import FLAT_BELOW, Played
from labkit.claims.words import course, ending, times
from labkit.record import quantity

CARD = "a graphics card, and a trial that uses it"
# The same holes as with the cause's own sizes, in a fifth of the steps.
FAST: dict[str, object] = {"pairs": 5, "layers": 10, "epoch": 10}
STEPS = 620
# As many holes again, in more and shorter steps: two growths are told apart more sharply.
SHORT: dict[str, object] = {"pairs": 2, "layers": 10, "epoch": 25}
SHORT_STEPS = 1_550
CIRCLES: dict[str, object] = {"collect_every": "never", "cycles": "on", "pool": "on"}


def growing_holes(played: Played) -> Ruling:
    played.check_ended("growing", "fixed")
    grown, filled = played.slows("growing"), played.slows("fixed")
    alone = not filled and played.outgrows("fixed", "growing")
    told = (
        f"Up to {played.last('growing', 'holes'):,.0f} holes, each too small for what comes next: "
        f"{course(played, 'growing')}. All blocks of one size: "
        f"{course(played, 'fixed')}. Growing, in a pool of 64 MB: {ending(played, 'small_pool')}."
    )
    if grown and alone:
        return Ruling("holds only if", told, "thousands of holes are too small for new blocks")
    return by_growth(grown if filled or not grown else None, told)


def who_searches(played: Played) -> Ruling:
    played.check_ended()
    ops = "as many" if not played.rise("pool", "ops_run") else "not as many"
    told = (
        f"TensorFlow's pool: {course(played, 'pool')}, with {ops} ops in the last step as in the "
        f"first. No pool: {course(played, 'malloc')}."
    )
    if "driver" not in played.runs:
        return Ruling(OPEN, f"{told} Here no driver took part.", to_decide=CARD)
    told += f" The driver's pool: {course(played, 'driver')}."
    pool, driver = played.slows("pool"), played.slows("driver")
    if pool is None or driver is None or played.slows("malloc") is not False:
        return Ruling(OPEN, told, to_decide=MORE)
    if pool and not driver:
        return Ruling("does not hold", f"{told} It is TensorFlow's pool that searches.")
    if driver:
        return Ruling("holds only if", told, "TensorFlow is told to use the driver's own pool")
    return Ruling(OPEN, told, to_decide="a card on which these holes slow a loop")


def placement(played: Played) -> Ruling:
    played.check_ended()
    found = played.turns("turns", "condition", 0, 1)
    told = f"Scattered among 10,000 holes, a step takes {times(found)}, compared with side by side."
    if not played.on_gpu("turns"):
        return Ruling(OPEN, f"On this processor, not on a card: {told}", to_decide=CARD)
    if found.different:
        return Ruling("holds" if found.ratio > 1 else "does not hold", told)
    if found.high > 1 + FLAT_BELOW / 2:
        return Ruling(OPEN, told, to_decide=MORE)
    return Ruling("does not hold", told)


def ordinary_step(played: Played) -> Ruling:
    played.check_ended()
    where = "On the card" if played.on_gpu("default") else "With the processor's allocator"
    told = (
        f"{where}: {course(played, 'default')}. In TensorFlow's own pool, the kind a card has: "
        f"{course(played, 'pool')}."
    )
    slower = [played.slows(name) for name in ("default", "pool")]
    return by_growth(True if any(slower) else None if None in slower else False, told)


def memory_growth(played: Played) -> Ruling:
    told = f"Without the option: {course(played, 'without')}. With it: {course(played, 'with')}."
    if not played.on_gpu("with"):
        told = f"The posted lines find no graphics card here, so they change nothing. {told}"
        return Ruling(OPEN, told, to_decide=f"{CARD}, with a loop that gets slower on it")
    return Ruling(
        OPEN, f"This kit always runs a card with the option on. {told}",
        to_decide="the card with the option off, and a loop that gets slower on it",
    )  # fmt: skip


def uncollected(played: Played) -> Ruling:
    played.check_ended("collected", "rescued")
    late, kept = (played.highest(name, "circles") for name in ("alone", "collected"))
    longest = quantity.duration(played.highest("rescued", "seconds"))
    told = (
        f"Python left to itself: up to {late:,.0f} tensors of 1 MB lie unused in a pool of 96 MB, "
        f"and the run ends: {ending(played, 'alone')}. With a thread that collects: steps of up to "
        f"{longest}. With gc.collect() every 10 steps: up to {kept:,.0f} such tensors."
    )
    return Ruling("holds" if late > 2 * max(kept, 1.0) else "does not hold", told)


def collecting(played: Played) -> Ruling:
    played.check_ended()
    mean = {name: played.mean_seconds(name) for name in ("never", "often", "frozen")}
    ratio = mean["often"] / mean["never"]
    told = (
        f"The mean step takes {quantity.duration(mean['never'])} without, "
        f"{quantity.duration(mean['often'])} with gc.collect() every 10 steps ({ratio:.3g}x), "
        f"{quantity.duration(mean['frozen'])} with it after gc.freeze(). With it: "
        f"{course(played, 'often')}."
    )
    if ratio > 2:
        return Ruling("does not hold", told)
    if ratio < 1 + FLAT_BELOW and played.slows("often") is False:
        return Ruling("holds", told)
    return Ruling(OPEN, told, to_decide=MORE)


def larger_models(played: Played) -> Ruling:
    played.check_ended()
    deeper = played.outgrows("shallow", "deep")
    larger = played.outgrows("small_batch", "large_batch")
    told = (
        f"With as many holes, 10 ops deep: {course(played, 'shallow')}; 40 deep: "
        f"{course(played, 'deep')}. A batch: {course(played, 'small_batch')}; one twice as large: "
        f"{course(played, 'large_batch')}."
    )
    if deeper is None or larger is None or not all(map(played.slows, played.runs)):
        return Ruling(OPEN, told, to_decide=MORE)
    if deeper and larger:
        return Ruling("holds", told)
    if deeper or larger:
        which = "the model gets deeper" if deeper else "the batch gets larger"
        return Ruling("holds only if", told, f"{which}, measured as a share of the step")
    return Ruling("does not hold", f"{told} As a share of the step none grows clearly more.")


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
        decide=growing_holes,
        fair="It says that the pieces pile up; it does not say how many it takes.",
    ),
    Claim(
        id="2.2", title="The driver searches",
        says="It is the driver of the graphics card that looks for free memory, longer each time.",
        experiment="The same holes in TensorFlow's own pool, with no pool at all, and, on a "
        "graphics card, in the driver's own pool.",
        plays={
            "pool": Play("fragmentation", STEPS, FAST),
            "malloc": Play("fragmentation", STEPS, {**FAST, "allocator": "malloc"}, device="cpu"),
            "driver": Play(
                "fragmentation", STEPS, {**FAST, "allocator": "cuda_malloc_async"}, device="gpu"
            ),
        },
        decide=who_searches,
        fair="TensorFlow does ask the driver for the pool itself, once, and for more of it when it "
        "is full.",
    ),
    Claim(
        id="2.3", title="Badly placed memory",
        says="Tensors that lie badly in memory make the kernels slower that read them.",
        experiment="Small matrices, by turns those side by side and those among 10,000 holes, "
        "multiplied in six processes.",
        plays={
            "turns": Play("products_by_turns", rounds=6),
        },
        decide=placement,
        fair="It speaks of graphics cards, and only says that the place may be a bad one.",
    ),
    Claim(
        id="2.4", title="An ordinary step slows down",
        says="An ordinary compiled training step takes longer epoch by epoch.",
        experiment="The posted model and step for ten epochs of 150 batches, with two allocators.",
        plays={
            "default": Play("train_step_compiled", 1_500, rounds=2),
            "pool": Play("train_step_in_pool", 1_500, rounds=2, device="cpu"),
        },
        decide=ordinary_step,
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
        decide=memory_growth,
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
        decide=uncollected,
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
        decide=collecting,
        fair="It calls this an illustration rather than good practice. Where garbage holds tensors "
        "(2.6), a collection does give the memory back.",
    ),
    Claim(
        id="2.8", title="Depth and batch size",
        says="The slowdown is worse with deeper models and larger batches.",
        experiment="As many holes for each, in two runs: 10 and 40 ops deep, and a batch twice as "
        "large.",
        plays={
            "shallow": Play("fragmentation", SHORT_STEPS, SHORT, rounds=2),
            "deep": Play("fragmentation", SHORT_STEPS, {**SHORT, "layers": 40}, rounds=2),
            "small_batch": Play("holes_small_batch", SHORT_STEPS, rounds=2),
            "large_batch": Play("holes_large_batch", SHORT_STEPS, rounds=2),
        },
        decide=larger_models,
        fair="In milliseconds a deeper model loses more, as it allocates more often; compared is "
        "the factor. And a pool is full sooner, but that ends in an error (2.1).",
    ),
)  # fmt: skip
