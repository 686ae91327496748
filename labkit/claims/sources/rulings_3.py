"""What the runs say of the claims of source 3."""

from __future__ import annotations

from statistics import median

from labkit.claims.claim import MORE, OPEN, Ruling, by_growth
from labkit.claims.played import Played, faster
from labkit.claims.words import course, ending, times, usual
from labkit.record import quantity

OPTIMIZERS = ("sgd", "momentum", "rmsprop", "adam", "amsgrad")
# Peaks that differ by less are called the same, and this much of a peak is called its half.
LESS, HALF = 0.95, 0.6
# What a pipeline may take by itself, for its buffers and threads, of the 100 MB it reads.
BUFFERS = 50e6
# And what a loop of 100 steps and more may hold at last more than at first, and pile nothing up.
PILE = 20e6
FEW_FAULTS = 20
# On one core a step may still gain its small waits; only more than this hides the producer's work.
HIDES = 0.8


def graph_grows(played: Played) -> Ruling:
    played.check_ended()
    ops = {name: played.rise(name, "graph_ops") for name in played.runs}
    traces = played.rise("compiled", "traces")
    told = (
        f"Ops added after the first step: {ops['eager']:,.0f} by an eager loop, "
        f"{ops['compiled']:,.0f} by a compiled Keras model ({traces:,.0f} new traces), "
        f"{ops['tf1']:,.0f} by a TensorFlow 1 style loop that builds at each step, "
        f"{ops['tf1_once']:,.0f} by one that builds before."
    )
    piles = {name: more_memory(played, name) for name in played.runs}
    told += (
        f" Memory rises by {quantity.size(max(piles['eager'], piles['compiled'], 0.0))} at most in "
        f"the first two, by {quantity.size(max(piles['tf1'], 0.0))} in the third."
    )
    modern = max(ops["eager"], ops["compiled"], traces)
    if modern > 2 or max(piles["eager"], piles["compiled"]) > PILE:
        return Ruling("holds", told)
    if ops["tf1"] > 2 >= ops["tf1_once"]:
        return Ruling("holds only if", told, "the loop builds ops as it runs, TensorFlow 1 style")
    return Ruling("does not hold", told)


def full_memory(played: Played) -> Ruling:
    played.check_ended("file")
    file = played.runs["file"]
    knee = played.reached("file", "disk_faults", FEW_FAULTS)
    swap = course(played, "swap") if len(played.runs["swap"].steps) else ending(played, "swap")
    told = (
        f"Data in a file, of which {file.settings['budget']} blocks may be in memory: "
        f"{course(played, 'file')}. NumPy arrays: {course(played, 'arrays')}; then "
        f"{ending(played, 'arrays')}. Tensors in a pool: {ending(played, 'tensors')}. Swap space: "
        f"{swap}."
    )
    if knee is not None:
        held = file.steps.column("held")[knee]
        told = f"Blocks came from the disk again once {held:,.0f} were used. {told}"
    slower = played.slows("file")
    ends = played.failed("arrays") and played.failed("tensors")
    if slower and knee is not None and ends and not played.slows("arrays"):
        return Ruling(
            "holds only if", told, "there is a disk to put memory out to, as swap or a file"
        )
    return by_growth(False, told) if slower is False else Ruling(OPEN, told, to_decide=MORE)


def optimizer_state(played: Played) -> Ruling:
    played.check_ended()
    later = max(played.rise(name, "slot_bytes") for name in OPTIMIZERS)
    copies = {
        name: played.last(name, "slot_bytes") / played.last(name, "weight_bytes")
        for name in OPTIMIZERS
    }
    said = ", ".join(f"{name} {each:.3g}" for name, each in copies.items())
    told = (
        f"Slots, in copies of the weights: {said}. Bytes added to them after the first step: "
        f"{later:,.0f}. Adam: {course(played, 'adam')}."
    )
    return Ruling("holds" if later > 0 else "does not hold", told)


def rereading(played: Played) -> Ruling:
    played.check_ended()
    again = {name: played.slows(name) for name in ("array", "records", "csv")}
    skips = played.slows("skip")
    memory = max(more_memory(played, name) for name in again)
    told = (
        f"One iterator: {usual(played, 'iterator')}. All read again: an array "
        f"{course(played, 'array')}; records {course(played, 'records')}; CSV "
        f"{course(played, 'csv')}; memory rises by {quantity.size(memory)} at most. Skipping to "
        f"the batch: {course(played, 'skip')}."
    )
    if any(again.values()) or memory > PILE:
        return Ruling("holds", told)
    if None in again.values() or skips is None:
        return Ruling(OPEN, told, to_decide=MORE)
    if skips:
        return Ruling("holds only if", told, "each step skips all records before its own")
    return Ruling("does not hold", told)


def more_memory(played: Played, name: str) -> float:
    """Return how many bytes more a run holds in its last fifth of steps than in its second."""
    values = played.runs[name].values("memory_bytes")
    fifth = max(1, len(values) // 5)
    return median(values[-fifth:]) - median(values[fifth : 2 * fifth])


def hidden_input(played: Played) -> Ruling:
    played.check_ended()
    ahead, parallel, unasked = (
        played.pairs("plain", name) for name in ("prefetch", "parallel", "tuned")
    )
    computed = played.pairs("one_core", "one_core_prefetch")
    told = (
        f"Where the producer waits, a step takes {times(ahead)} with prefetch, {times(parallel)} "
        f"with a parallel map, {times(unasked)} with tf.data's own tuning alone. Where it "
        f"computes, on one core: {times(computed)} with prefetch."
    )
    if faster(ahead) and faster(parallel) and computed.high < HIDES:
        return Ruling("holds", told)
    if faster(ahead) and faster(parallel) and computed.low > HIDES:
        return Ruling("holds only if", told, "the producer waits, or a core is spare")
    if ahead.low > LESS and parallel.low > LESS:
        return Ruling("does not hold", told)
    return Ruling(OPEN, told, to_decide=MORE)


def peaks(played: Played, first: str, second: str) -> str:
    """Say what two runs hold at most in a step."""
    one, other = (quantity.size(played.typical(name, "peak_bytes")) for name in (first, second))
    return f"{one} to {other}"


def peak_share(played: Played, first: str, second: str) -> float:
    """Return what the second run holds at most in a step, over what the first does."""
    return played.typical(second, "peak_bytes") / played.typical(first, "peak_bytes")


def accumulation(played: Played) -> Ruling:
    played.check_ended()
    activations = peak_share(played, "whole", "pieces")
    weights = peak_share(played, "weights_whole", "weights_pieces")
    whole, posted = (played.last(name, "examples_in_update") for name in ("pieces", "posted"))
    told = (
        "From whole batches to eight pieces, the most memory in a step goes from "
        f"{peaks(played, 'whole', 'pieces')} where activations weigh most, and from "
        f"{peaks(played, 'weights_whole', 'weights_pieces')} where weights do. As posted, an "
        f"update has {posted:,.0f} of its {whole:,.0f} examples."
    )
    if activations < LESS and weights < LESS:
        return Ruling("holds", told)
    if activations < LESS:
        return Ruling("holds only if", told, "activations outweigh the weights")
    return Ruling("does not hold", told)


def half_memory(played: Played) -> Ruling:
    played.check_ended()
    pairs = {
        "bfloat16": ("float32", "bfloat16"),
        "bfloat16, heavy with weights": ("weights_float32", "weights_bfloat16"),
        "float16, a smaller batch": ("small_float32", "small_float16"),
    }
    said = ", ".join(f"{peaks(played, *pair)} ({what})" for what, pair in pairs.items())
    told = f"On this device, from 32 to 16 bits the most memory in a step goes from {said}."
    if all(
        played.last(whole, "weight_bytes") == played.last(half, "weight_bytes")
        for whole, half in pairs.values()
    ):
        told += " The weights are kept in 32 bits all the same."
    activations, weights, small = (peak_share(played, *pair) < HALF for pair in pairs.values())
    if activations and weights and small:
        return Ruling("holds", told)
    if activations:
        return Ruling("holds only if", told, "activations outweigh the weights")
    return Ruling("does not hold", told)


def handled_by_itself(played: Played) -> Ruling:
    played.check_ended()
    gradients, lost, scaled = (
        played.last("own_loop", name) for name in ("gradients", "zero_gradients", "zero_if_scaled")
    )
    scales, moved, weights = (
        played.last("compiled", name) for name in ("scales_loss", "weights_moved", "weights")
    )
    told = (
        f"In a loop of one's own {lost:,.0f} of {gradients:,.0f} gradients are zero, with a scaled "
        f"loss {scaled:,.0f}. compile() {'scales' if scales else 'does not scale'} the loss by "
        f"itself, and a step moves {moved:,.0f} of {weights:,.0f} weights."
    )
    if lost == 0:
        return Ruling("holds", told)
    if scales and moved:
        return Ruling("holds only if", told, "compile() prepares the training")
    return Ruling("does not hold", told)


def sliced_array(played: Played) -> Ruling:
    played.check_ended()
    array, file = (played.rise(name, "memory_bytes") for name in ("array", "file"))
    told = (
        f"A pipeline over an array of 100 MB takes {quantity.size(array)} more memory, one over "
        f"a file of 100 MB {quantity.size(file)}."
    )
    if array < BUFFERS:
        return Ruling("holds", told)
    if file < BUFFERS:
        return Ruling("holds only if", told, "the records come from a file, not from an array")
    return Ruling("does not hold", told)
