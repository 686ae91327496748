"""How the claims of source 4 are ruled on."""

from __future__ import annotations

from labkit.claims.claim import MORE, OPEN, Ruling, by_growth
from labkit.claims.played import FLAT_BELOW, Played
from labkit.claims.words import course, ending, times, usual
from labkit.record import quantity

# What two runs of one loop differ by at most, however unlucky their processes are.
APART = 1.25


def files_pile_up(played: Played) -> Ruling:
    played.check_ended()
    first, last = played.fifths("all", "seconds")
    index, listing = (
        played.fifths("all", f"checkpoint_{place}_seconds") for place in ("index", "listing")
    )
    told = f"All checkpoints kept: {course(played, 'all')}. Three kept: {course(played, 'three')}."
    slows, flat = played.slows("all"), played.slows("three") is False
    if slows is None or (slows and not flat):
        return Ruling(OPEN, told, to_decide=MORE)
    if slows:
        told += (
            f" Of the growth, {_share(index, last - first)} is the index file, which "
            f"is rewritten whole, and {_share(listing, last - first)} is listing the folder."
        )
    return by_growth(slows, told)


def _share(place: tuple[float, float], growth: float) -> str:
    """Return the share of a growth that a place has, from the place's first and last level."""
    return f"{max(0.0, place[1] - place[0]) / growth:.0%}" if growth > 0 else "nothing"


def tensors_stay(played: Played) -> Ruling:
    played.check_ended()
    told, stays = [], []
    for name in ("eager", "compiled"):
        after, peak = played.last(name, "tensor_bytes"), played.highest(name, "peak_bytes")
        rise = played.rise(name, "tensor_bytes")
        steps = len(played.runs[name].steps)
        told.append(
            f"{name.capitalize()}: up to {quantity.size(peak)} in use within a step and "
            f"{quantity.size(after)} after it; from step 1 to step {steps:,} that changes by "
            f"{quantity.size(rise)}."
        )
        # Less than what a single step needs is no pile of what all of them left.
        stays.append(rise > peak - after)
    return Ruling("holds" if any(stays) else "does not hold", " ".join(told))


def worker_traffic(played: Played) -> Ruling:
    played.check_ended()
    first, last = played.fifths("two", "loopback_bytes")
    told = (
        f"Two workers send {quantity.size(first)} per step at first and {quantity.size(last)} at "
        f"last. Two: {course(played, 'two')}; one: {usual(played, 'one')}."
    )
    if first <= 0:
        return Ruling(OPEN, told, to_decide="a system that counts what the workers send")
    return Ruling("holds" if last > APART * first else "does not hold", told)


def small_updates(played: Played) -> Ruling:
    played.check_ended()
    first, last = played.highest("training", "update"), played.last("training", "update")
    told = f"Updates fell from {first:.2g} to {last:.2g}. Meanwhile: {course(played, 'training')}."
    if last > 0.01 * first:
        return Ruling(OPEN, told, to_decide="a loop whose updates get small")
    return by_growth(played.slows("training"), told)


def saving_less_often(played: Played) -> Ruling:
    played.check_ended("each", "tenth")
    each, tenth = (played.mean_seconds(name) for name in ("each", "tenth"))
    saves = [played.last(name, "checkpoint_saves") for name in ("each", "tenth")]
    told = (
        f"{saves[0]:,.0f} saves: {quantity.duration(each)} per step on average; {saves[1]:,.0f} in "
        f"as many steps: {quantity.duration(tenth)}. With period=, as posted: "
        f"{ending(played, 'posted')}."
    )
    if each / APART <= tenth < each:
        return Ruling(OPEN, told, to_decide=MORE)
    return Ruling("holds" if tenth < each else "does not hold", told)


def weights_only(played: Played) -> Ruling:
    played.check_ended()
    kept = {
        name: played.rise(name, "checkpoint_bytes") / max(1, played.rise(name, "checkpoint_saves"))
        for name in played.runs
    }
    told = (
        f"Keras, compiled: {quantity.size(kept['keras_weights'])} with the weights only and "
        f"{quantity.size(kept['keras_whole'])} whole; never compiled, its weights take "
        f"{quantity.size(kept['keras_uncompiled'])}. tf.train.Checkpoint: "
        f"{quantity.size(kept['weights'])} and, with the optimizer, "
        f"{quantity.size(kept['optimizer'])}."
    )
    if not all(kept.values()):
        return Ruling(OPEN, told, to_decide="files whose size can be read")
    keras = kept["keras_weights"] * APART < kept["keras_whole"]
    plain = kept["weights"] * APART < kept["optimizer"]
    if keras and plain:
        return Ruling("holds", told)
    if plain:
        condition = "the optimizer's state stays out, which a compiled Keras model puts in"
        return Ruling("holds only if", told, condition)
    return Ruling("does not hold", told)


def clearing_up(played: Played) -> Ruling:
    played.check_ended()
    files, logs = (played.turns("turns", "condition", 0, other) for other in (1, 2))
    own, shared = (played.typical(name, "checkpoint_listing_seconds") for name in ("own", "shared"))
    told = (
        f"Files that TensorFlow left in its temporary folder: "
        f"{played.last('turns', 'left_files'):,.0f}. "
        f"A training step beside {played.last('turns', 'leftovers'):,.0f} such files takes "
        f"{times(files)}, with a quieter log {times(logs)}. In a checkpoint folder "
        f"of {played.highest('shared', 'folder_files'):,.0f} files a save spends "
        f"{quantity.duration(shared)} on listing them, in one of its own "
        f"{quantity.duration(own)}, and all the rest of a step there takes "
        f"{quantity.duration(played.usual_seconds('own') - own)}."
    )
    slower_beside = files.different and files.ratio > APART
    faster_quietly = logs.different and logs.ratio * APART < 1
    if slower_beside or faster_quietly:
        return Ruling("holds", told)
    if files.high > 1 + FLAT_BELOW or logs.low < 1 - FLAT_BELOW:
        return Ruling(OPEN, told, to_decide=MORE)
    if shared - own > (APART - 1) * played.usual_seconds("own"):
        return Ruling("holds only if", told, "the files lie in the folder that is saved to")
    return Ruling("does not hold", told)


def compiled_memory(played: Played) -> Ruling:
    played.check_ended()
    eager, compiled = (played.highest(name, "peak_bytes") for name in ("eager", "compiled"))
    told = (
        f"Eager: up to {quantity.size(eager)} in use, {usual(played, 'eager')}. As a tf.function: "
        f"up to {quantity.size(compiled)}, {usual(played, 'compiled')}."
    )
    return Ruling("holds" if compiled * APART < eager else "does not hold", told)


def graph_each_epoch(played: Played) -> Ruling:
    played.check_ended()
    told, grows = [], []
    for name, words in (("fit", "Epochs of fit"), ("function", "Epochs of a tf.function")):
        counters = ("traced_ops", "traces", "graph_ops")
        ops, traces, other_ops = (played.rise(name, counter) for counter in counters)
        told.append(
            f"{words}: {played.last(name, 'traced_ops'):,.0f} ops were traced in the first, and "
            f"{ops + other_ops:,.0f} more in {len(played.runs[name].steps) - 1:,} further ones "
            f"({traces:,.0f} new traces)."
        )
        grows.append(ops + traces + other_ops > 0)
    return Ruling("holds" if any(grows) else "does not hold", " ".join(told))
