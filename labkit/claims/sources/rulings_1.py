"""What the runs say of the claims of source 1."""

from __future__ import annotations

from labkit.claims.claim import MORE, OPEN, Ruling, by_growth
from labkit.claims.played import FLAT_BELOW, Played, faster
from labkit.claims.words import course, times, usual

# What spares less than this nobody would notice.
NOTABLY = 0.9
# In place saves two nodes whatever the size, so that small tensors gain a little as well: 4 to 16 %
# of a step in eight trials. A number that is made beforehand saves 3 to 8 %. A claim that is to
# hold for them ("notably faster") needs more than a fifth.
WORTH, UNKNOWN = 0.8, 0.65
# What copies are called that take more of a step than all the rest of it.
BOTTLENECK = 2.0


def ops_in_the_loop(played: Played) -> Ruling:
    told = f"Growing: {course(played, 'grow')}. Not growing: {course(played, 'rest')}."
    if played.slows("grow") and not played.slows("rest"):
        return Ruling("holds", f"{told} Ops added: {played.rise('grow', 'graph_ops'):,.0f}.")
    return Ruling(OPEN, told, to_decide=MORE)


def eager_loop(played: Played) -> Ruling:
    ops = played.rise("eager", "graph_ops")
    told = f"{course(played, 'eager')}; ops added to any graph: {ops:,.0f}."
    if played.slows("eager") and not ops:
        # Whatever made it slower, it is not what the claim says.
        return Ruling(OPEN, told, to_decide=MORE)
    return by_growth(played.slows("eager"), told)


def constants_beforehand(played: Played) -> Ruling:
    scalars = played.turns("turns", "condition", 0, 1)
    arrays = played.turns("turns", "condition", 2, 3)
    told = (
        f"With a scalar made beforehand a step takes {times(scalars)}; with an array of 4 MB, "
        f"{times(arrays)}."
    )
    notably = [faster(each) and each.high < WORTH for each in (scalars, arrays)]
    hardly = [each.low > UNKNOWN for each in (scalars, arrays)]
    if all(notably):
        return Ruling("holds", told)
    if hardly[0] and notably[1]:
        return Ruling("holds only if", told, "the constants are large arrays")
    if all(hardly):
        return Ruling("does not hold", told)
    return Ruling(OPEN, told, to_decide=MORE)


def tf_function(played: Played) -> Ruling:
    told = (
        f"As posted it ends in an error ({played.runs['posted'].state.error}). Over a Python range "
        f"that grows: {course(played, 'unrolled')}. Over a tensor range: "
        f"{course(played, 'fixed')}; if that grows, so does the work: {course(played, 'growing')}."
    )
    if played.slows("unrolled") and played.slows("fixed") is False:
        return Ruling("holds only if", told, "it is traced once and the work stays the same")
    return Ruling(OPEN, told, to_decide=MORE)


def changing_shapes(played: Played) -> Ruling:
    memory = played.turns("memory", "condition", 0, 1)
    told = (
        f"Changing shapes: {usual(played, 'varying')} with "
        f"{played.rise('varying', 'traces'):,.0f} traces; traced once for all: "
        f"{usual(played, 'traced_once')}. In TensorFlow's pool a step that only makes tensors "
        f"takes {times(memory)} where their sizes grow."
    )
    if memory.different and memory.ratio > 1 + FLAT_BELOW:
        return Ruling("holds", told)
    if memory.high > 1 + FLAT_BELOW:
        return Ruling(OPEN, told, to_decide=MORE)
    expensive = played.usual_seconds("varying") > 2 * played.usual_seconds("traced_once")
    if expensive and played.rise("varying", "traces") > played.rise("traced_once", "traces"):
        return Ruling("holds only if", told, "each shape is traced anew, whatever the memory")
    return Ruling("does not hold", told)


def host_copies(played: Played) -> Ruling:
    where = "graphics card" if played.on_gpu("large") else "processor, where no bus is crossed"
    told = (
        f"On the {where}, a step without copies: {usual(played, 'none')}; with copies of 4 KB: "
        f"{usual(played, 'small')}; of 4 MB: {course(played, 'large')}."
    )
    if played.slows("large"):
        return by_growth(True, told)
    small, large = (played.pairs("none", name) for name in ("small", "large"))
    if small.low > BOTTLENECK and large.low > BOTTLENECK:
        return Ruling("holds", told)
    if small.high < BOTTLENECK < large.low:
        return Ruling("holds only if", told, "the arrays are large, as a constant cost")
    if small.high < BOTTLENECK and large.high < BOTTLENECK:
        return Ruling("does not hold", told)
    return Ruling(OPEN, told, to_decide=MORE)


def gradients(played: Played) -> Ruling:
    told = (
        f"One tape that stays open: {course(played, 'open')}. A tape per step: "
        f"{course(played, 'per_step')}. TF1 gradients at each step: {course(played, 'tf1')}."
    )
    if played.slows("open") and played.slows("tf1") and not played.slows("per_step"):
        return Ruling("holds", told)
    return Ruling(OPEN, told, to_decide=MORE)


def constants_reused(played: Played) -> Ruling:
    ops = played.rise("constants", "graph_ops")
    steps = len(played.runs["constants"].steps) - 1
    said = course(played, "constants")
    told = f"A constant in the loop adds {ops / steps:.3g} ops per step: {said}."
    return Ruling("does not hold" if ops >= steps else "holds", told)


def grappler(played: Played) -> Ruling:
    contrived = played.pairs("default", "all_off")
    growing = course(played, "growing_all_on")
    told = (
        f"With all of grappler off, a step of needless transposes takes {times(contrived)}. "
        f"A growing graph with all of it on: {growing}."
    )
    if contrived.different and contrived.ratio > 1 and played.slows("growing_all_on"):
        return Ruling("holds only if", told, "the graph has needless work; no growth is cured")
    return Ruling(OPEN, told, to_decide=MORE)


def tensors_reused(played: Played) -> Ruling:
    large, small = (played.turns("turns", "condition", *two) for two in ((0, 1), (2, 3)))
    told = (
        f"Changed in place, a step on a variable of 16 MB takes {times(large)}; on one of 4 kB, "
        f"{times(small)}."
    )
    if faster(large) and small.high < WORTH:
        return Ruling("holds", told)
    if faster(large) and small.low > UNKNOWN:
        return Ruling("holds only if", told, "the tensor is large, as a constant gain")
    if large.different or large.low > NOTABLY:
        return Ruling("does not hold", told)
    return Ruling(OPEN, told, to_decide=MORE)
