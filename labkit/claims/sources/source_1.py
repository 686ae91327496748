"""Source 1: "Why does TensorFlow processing time increase with each iteration?" """

from __future__ import annotations

from labkit.claims.claim import Claim, Play
from labkit.claims.sources import rulings_1 as rulings

# Processes of a close comparison: where six of them differ by 5 %, their mean is known to 5 %.
ROUNDS = 6
NO_COPIES: dict[str, object] = {"copy_out": "off", "copy_in": "off"}


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="1.1", title="Ops added in the loop",
        says="Ops that are added during the loop make each step more expensive.",
        experiment="A loop in graph mode, with six new ops per step and with none.",
        plays={
            "grow": Play("graph_growth"), "rest": Play("graph_growth", settings={"grow": "off"}),
        },
        decide=rulings.ops_in_the_loop,
        fair="It speaks of TensorFlow 1's way of working, and there it is right.",
    ),
    Claim(
        id="1.2", title="An eager loop slows down",
        says="An eager loop adds a node to a graph at each step, and gets slower.",
        experiment="A thousand eager multiplications and additions, a step each.",
        plays={"eager": Play("eager_multiply", steps=1000, rounds=2)},
        decide=rulings.eager_loop,
        fair="In TensorFlow 1 the same lines would have added ops to the default graph.",
    ),
    Claim(
        id="1.3", title="Constants made beforehand",
        says="Creating the constants before the loop makes it notably faster.",
        experiment="The posted step, by turns with its 2.0 in the line and made before, and the "
        "same with an array of 4 MB; in six processes.",
        plays={
            "turns": Play("constants_by_turns", rounds=ROUNDS),
        },
        decide=rulings.constants_beforehand,
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
        decide=rulings.tf_function,
        fair="For a step that is traced once it is the right advice.",
    ),
    Claim(
        id="1.5", title="Changing shapes",
        says="Shapes that change make the handling of memory more expensive.",
        experiment="A new shape at each step, traced for each and once for all; tensors of one "
        "size and of growing sizes, by turns, in TensorFlow's pool.",
        plays={
            "memory": Play("shapes_in_pool", rounds=4),
            "varying": Play("retracing", settings={"argument": "tensor", "shapes": "varying"}),
            "traced_once": Play(
                "retracing", settings={"argument": "tensor", "shapes": "input_signature"}
            ),
        },
        decide=rulings.changing_shapes,
    ),
    Claim(
        id="1.6", title="Copies between host and device",
        says="Copying between processor and graphics card at each step is a bottleneck.",
        experiment="Copies out of TensorFlow and back: none, 4 KB and 4 MB per step.",
        plays={
            "none": Play("host_transfer", settings=NO_COPIES, rounds=3),
            "small": Play("host_transfer", settings={"block": "4 KB"}, rounds=3),
            "large": Play("host_transfer", rounds=3),
        },
        decide=rulings.host_copies,
        fair="With a graphics card the copies cross a bus: run it on one, where there is one.",
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
        decide=rulings.gradients,
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
        decide=rulings.constants_reused,
    ),
    Claim(
        id="1.9", title="Grappler's options",
        says="Switching on grappler's optimizers helps.",
        experiment="Needless transposes with grappler's defaults and without; a growing graph "
        "with all of it on.",
        plays={
            "default": Play("remedies", rounds=ROUNDS),
            "all_off": Play("remedies", settings={"grappler": "all_off"}, rounds=ROUNDS),
            "growing_all_on": Play("remedies", settings={"loop": "growing", "grappler": "all_on"}),
        },
        decide=rulings.grappler,
    ),
    Claim(
        id="1.10", title="Tensors used again",
        says="Using tensors again instead of making new ones helps.",
        experiment="A variable of 16 MB and one of 4 kB, by turns replaced at each step and "
        "changed in place; in six processes.",
        plays={
            "turns": Play("updates_by_turns", rounds=ROUNDS),
        },
        decide=rulings.tensors_reused,
    ),
)  # fmt: skip
