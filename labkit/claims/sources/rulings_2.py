"""What the runs say of the claims of source 2."""

from __future__ import annotations

from labkit.claims.claim import Ruling
from labkit.claims.played import FLAT_BELOW, Played, interval
from labkit.claims.sources.by_growth import MORE, OPEN, by_growth
from labkit.record import quantity

CARD = "a graphics card, and a trial that uses it"


def growing_holes(played: Played) -> Ruling:
    played.check_ended("growing", "fixed")
    grown, filled = played.slows("growing"), played.slows("fixed")
    alone = not filled and played.outgrows("fixed", "growing")
    told = (
        f"Up to {played.last('growing', 'holes'):,.0f} holes, each too small for what comes next: "
        f"{played.told('growing')}. All blocks of one size: {played.told('fixed')}. Growing, in a "
        f"pool of 64 MB: {played.ending('small_pool')}."
    )
    if grown and alone:
        return Ruling("holds only if", told, "thousands of holes are too small for new blocks")
    return by_growth(grown if filled or not grown else None, told)


def who_searches(played: Played) -> Ruling:
    played.check_ended()
    ops = "as many" if not played.rise("pool", "ops_run") else "not as many"
    told = (
        f"TensorFlow's own pool: {played.told('pool')}, with {ops} ops in the last step as in the "
        f"first. No pool: {played.told('malloc')}."
    )
    if played.on_gpu("pool"):
        return Ruling(OPEN, told, to_decide="the same with cuda_malloc_async, the driver's pool")
    if played.slows("pool") and not played.slows("malloc") and played.outgrows("malloc", "pool"):
        return Ruling("does not hold", f"{told} No driver had a part in it, so none is needed.")
    return Ruling(OPEN, told, to_decide=MORE)


def placement(played: Played) -> Ruling:
    played.check_ended()
    found = played.ratio("new_pool", "among_holes")
    told = f"Among 10,000 holes a step takes {interval(found)} the time of one in a new pool."
    if not played.on_gpu("among_holes"):
        return Ruling(OPEN, f"On this processor, not on a graphics card: {told}", to_decide=CARD)
    if found.ratio is None:
        return Ruling(OPEN, told, to_decide=MORE)
    return Ruling("holds" if found.different and found.ratio > 1 else "does not hold", told)


def ordinary_step(played: Played) -> Ruling:
    played.check_ended()
    slower = [played.slows(name) for name in ("default", "pool")]
    told = (
        f"With the processor's allocator: {played.told('default')}. In TensorFlow's own pool, the "
        f"kind a graphics card has: {played.told('pool')}."
    )
    return by_growth(True if any(slower) else None if None in slower else False, told)


def memory_growth(played: Played) -> Ruling:
    told = f"Without the option: {played.told('without')}. With it: {played.told('with')}."
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
        f"and the run ends: {played.ending('alone')}. With a thread that collects: steps of up to "
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
        f"{played.told('often')}."
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
        f"10 ops deep: {played.told('shallow')}; 40 deep: {played.told('deep')}. A batch: "
        f"{played.told('small_batch')}; one twice as large: {played.told('large_batch')}. As many "
        "holes in all of them."
    )
    if deeper is None or larger is None or not all(map(played.slows, played.runs)):
        return Ruling(OPEN, told, to_decide=MORE)
    if deeper and larger:
        return Ruling("holds", told)
    if deeper or larger:
        which = "the model gets deeper" if deeper else "the batch gets larger"
        return Ruling("holds only if", told, f"{which}, measured as a share of the step")
    return Ruling("does not hold", f"{told} As a share of the step none grows clearly more.")
