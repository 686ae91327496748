"""Source 1: "Why does TensorFlow processing time increase with each iteration?" """

from __future__ import annotations

from labkit.claims.claim import MORE, OPEN, Claim, Play, Ruling, by_growth
from labkit.claims.played import Played, faster, interval


def ops_in_the_loop(played: Played) -> Ruling:
    told = f"Growing: {played.told('grow')}. Not growing: {played.told('rest')}."
    if played.slows("grow") and not played.slows("rest"):
        return Ruling("holds", f"{told} Ops added: {played.rise('grow', 'graph_ops'):,.0f}.")
    return Ruling(OPEN, told, to_decide=MORE)


def eager_loop(played: Played) -> Ruling:
    ops = played.rise("eager", "graph_ops")
    told = f"{played.told('eager')}; ops added to any graph: {ops:,.0f}."
    if played.slows("eager") and not ops:
        # Whatever made it slower, it is not what the claim says.
        return Ruling(OPEN, told, to_decide=MORE)
    return by_growth(played.slows("eager"), told)


def constants_beforehand(played: Played) -> Ruling:
    scalars = played.ratio("scalar_inside", "scalar_before")
    arrays = played.ratio("array_inside", "array_before")
    told = (
        f"With constants made beforehand a step takes {interval(scalars)} the time for scalars, "
        f"and {interval(arrays)} for arrays of 4 MB."
    )
    if faster(scalars) and faster(arrays):
        return Ruling("holds", told)
    if faster(arrays):
        return Ruling("holds only if", told, "the constants are large arrays")
    return Ruling("does not hold", told)


def tf_function(played: Played) -> Ruling:
    told = (
        f"As posted it ends in an error ({played.runs['posted'].state.error}). "
        f"Over a Python range that grows: {played.told('unrolled')}. Over a tensor range: "
        f"{played.told('fixed')}; if that grows: {played.told('growing')}, for the work grows."
    )
    if played.slows("unrolled") and played.slows("fixed") is False:
        return Ruling("holds only if", told, "it is traced once and the work stays the same")
    return Ruling(OPEN, told, to_decide=MORE)


def changing_shapes(played: Played) -> Ruling:
    told = (
        f"Changing shapes: {played.usual('varying')}, with "
        f"{played.rise('varying', 'traces'):,.0f} traces; traced once for all of them: "
        f"{played.usual('traced_once')}; one shape: {played.usual('fixed')}."
    )
    expensive = played.usual_seconds("varying") > 2 * played.usual_seconds("traced_once")
    if expensive and played.rise("varying", "traces") > played.rise("traced_once", "traces"):
        return Ruling("holds only if", told, "each shape is traced anew, whatever the memory")
    return Ruling("does not hold", told)


def host_copies(played: Played) -> Ruling:
    told = (
        f"No copies: {played.usual('none')}; copies of 4 KB: {played.usual('small')}, of 4 MB: "
        f"{played.usual('large')}. {played.told('large')}."
    )
    slows = played.slows("large")
    if slows is False:
        return Ruling("holds only if", told, "the arrays are large, as a constant cost")
    return by_growth(slows, told)


def gradients(played: Played) -> Ruling:
    told = (
        f"One tape that stays open: {played.told('open')}. A tape per step: "
        f"{played.told('per_step')}. TF1 gradients at each step: {played.told('tf1')}."
    )
    if played.slows("open") and played.slows("tf1") and not played.slows("per_step"):
        return Ruling("holds", told)
    return Ruling(OPEN, told, to_decide=MORE)


def constants_reused(played: Played) -> Ruling:
    ops = played.rise("constants", "graph_ops")
    steps = len(played.runs["constants"].steps) - 1
    told = (
        f"A constant in the loop adds {ops / steps:.3g} ops per step. {played.told('constants')}."
    )
    return Ruling("does not hold" if ops >= steps else "holds", told)


def grappler(played: Played) -> Ruling:
    contrived = played.ratio("default", "all_off")
    growing = played.told("growing_all_on")
    told = (
        "With all of grappler off, a step of many needless transposes takes "
        f"{interval(contrived)} the time. A growing graph with all of it on: {growing}."
    )
    if contrived.different and (contrived.ratio or 1.0) > 1 and played.slows("growing_all_on"):
        return Ruling("holds only if", told, "the graph has needless work; no growth is cured")
    return Ruling(OPEN, told, to_decide=MORE)


def tensors_reused(played: Played) -> Ruling:
    large = played.ratio("anew", "in_place")
    told = f"Changed in place, a step on a large variable takes {interval(large)} the time."
    if faster(large):
        return Ruling("holds only if", told, "the tensor is large, as a constant gain")
    return Ruling("does not hold", told)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="1.1", title="Ops added in the loop",
        says="Ops that are added during the loop make each step more expensive.",
        experiment="A loop in graph mode, with six new ops per step and with none.",
        plays={
            "grow": Play("graph_growth"), "rest": Play("graph_growth", settings={"grow": "off"}),
        },
        decide=ops_in_the_loop,
        fair="It speaks of TensorFlow 1's way of working, and there it is right.",
    ),
    Claim(
        id="1.2", title="An eager loop slows down",
        says="An eager loop adds a node to a graph at each step, and gets slower.",
        experiment="A thousand eager multiplications and additions, a step each.",
        plays={"eager": Play("eager_multiply", steps=1000)},
        decide=eager_loop,
        fair="In TensorFlow 1 the same lines would have added ops to the default graph.",
    ),
    Claim(
        id="1.3", title="Constants made beforehand",
        says="Creating the constants before the loop makes it notably faster.",
        experiment="The same step with its constant made inside and before: a scalar, and 4 MB.",
        plays={
            "scalar_inside": Play("constant_scalar_inside", steps=600),
            "scalar_before": Play("constant_scalar_before", steps=600),
            "array_inside": Play("constant_array_inside", steps=200),
            "array_before": Play("constant_array_before", steps=200),
        },
        decide=constants_beforehand,
    ),
    Claim(
        id="1.4", title="tf.function ends the growth",
        says="tf.function takes graph building out of the loop, and with it the growth.",
        experiment="As posted; with a Python range; with a tensor range, fixed and growing.",
        plays={
            "posted": Play("function_as_posted", steps=20),
            "unrolled": Play("retracing", settings={"argument": "tensor", "loop": "unrolled"}),
            "fixed": Play("retracing", settings={"argument": "tensor", "loop": "tensor_fixed"}),
            "growing": Play("retracing", settings={"argument": "tensor", "loop": "tensor_growing"}),
        },
        decide=tf_function,
        fair="For a step that is traced once it is the right advice.",
    ),
    Claim(
        id="1.5", title="Changing shapes",
        says="Shapes that change make the handling of memory more expensive.",
        experiment="One shape; a new shape at each step; the same, traced once for all shapes.",
        plays={
            "fixed": Play("retracing", settings={"argument": "tensor"}),
            "varying": Play("retracing", settings={"argument": "tensor", "shapes": "varying"}),
            "traced_once": Play(
                "retracing", settings={"argument": "tensor", "shapes": "input_signature"}
            ),
        },
        decide=changing_shapes,
    ),
    Claim(
        id="1.6", title="Copies between host and device",
        says="Copying between processor and graphics card at each step is a bottleneck.",
        experiment="Copies out of TensorFlow and back: none, 4 KB and 4 MB per step.",
        plays={
            "none": Play("host_transfer", settings={"copy_out": "off", "copy_in": "off"}),
            "small": Play("host_transfer", settings={"block": "4 KB"}),
            "large": Play("host_transfer"),
        },
        decide=host_copies,
        fair="With a graphics card the copies cross a bus; that is not measured without one.",
    ),
    Claim(
        id="1.7", title="Gradients of a growing graph",
        says="Gradients get more expensive as the graph grows.",
        experiment="One tape kept open, a tape per step, and TF1 gradients built at each step.",
        plays={
            "open": Play("open_tape"),
            "per_step": Play("open_tape", settings={"hold": "per_step"}),
            "tf1": Play("open_tape", settings={"tf1_gradients": "on"}),
        },
        decide=gradients,
    ),
    Claim(
        id="1.8", title="Constants are reused",
        says="With constants the same ops are used again.",
        experiment="A loop in graph mode that writes one number as a constant at each step.",
        plays={
            "constants": Play(
                "graph_growth", settings={"grow": "off", "constant_in_loop": "on", "size": 64}
            ),
        },
        decide=constants_reused,
    ),
    Claim(
        id="1.9", title="Grappler's options",
        says="Switching on grappler's optimizers helps.",
        experiment="Needless transposes with grappler's defaults and without; a growing graph "
        "with all of it on.",
        plays={
            "default": Play("remedies"),
            "all_off": Play("remedies", settings={"grappler": "all_off"}),
            "growing_all_on": Play("remedies", settings={"loop": "growing", "grappler": "all_on"}),
        },
        decide=grappler,
    ),
    Claim(
        id="1.10", title="Tensors used again",
        says="Using tensors again instead of making new ones helps.",
        experiment="A large variable, replaced at each step and changed in place.",
        plays={
            "anew": Play("remedies", settings={"loop": "update"}),
            "in_place": Play("remedies", settings={"loop": "update", "in_place": "on"}),
        },
        decide=tensors_reused,
    ),
)  # fmt: skip
