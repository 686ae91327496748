"""Session churn: every turn makes its variables anew, in one graph that keeps them all.

What goes wrong: in TensorFlow 1 style a variable is not a Python object that goes when its name
is used again. It is a few ops in the graph, and it stays. A loop that makes a layer, a session and
``global_variables_initializer()`` at every turn makes the graph larger at every turn, and that
initialiser means ALL variables of the graph: turn 100 initialises 200 of them to use two.

What to expect: a ramp. The larger half of it is the initialiser, the rest is what any growing
graph costs. Initialise only the new variables, and the ramp loses the larger half. Give each turn
a graph of its own, and every turn is expensive, but the hundredth costs what the first did. Build
once and keep the session, and a turn costs next to nothing. Page faults and holes in memory get the
blame for such loops. They are counted beside it.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from labkit.cause import Cause, Expectation, Loop, Mechanism, Size, Toggle
from labkit.record import Column


def initialise(session: Any, initialiser: Any) -> None:
    """Run the op that gives variables their first values."""
    session.run(initialiser)


def make_step(toggles: SimpleNamespace, *, size: int = 100, seed: int = 0) -> Loop:
    """Return a step that is one turn: variables, a session, an initialiser, one result.

    Args:
        toggles: ``new_session``, ``new_variables`` (of so many ``layers``), ``initialise``
            (``"all"`` or ``"new"``), ``fresh_graph`` and ``reuse``, read at every turn.
        size: The weights are ``size`` x ``size`` numbers.
        seed: Of the weights.
    """
    import tensorflow as tf

    tf1 = tf.compat.v1

    def layer() -> tuple[list[Any], Any]:
        weights = tf1.Variable(tf.random.normal([size, size], seed=seed))
        bias = tf1.Variable(tf.zeros([size]))
        return [weights, bias], tf.reduce_mean(tf.matmul(tf.ones([1, size]), weights) + bias)

    graph = tf.Graph()
    with graph.as_default():
        first_variables, first_result = layer()
        first_session = tf1.Session(graph=graph)
        first_session.run(tf1.global_variables_initializer())
    initialised = 0

    def step() -> object:
        nonlocal initialised

        if toggles.reuse:
            initialised = 0
            return first_session.run(first_result)

        variables, result, session = first_variables, first_result, first_session
        fresh = toggles.fresh_graph  # a graph of its own needs all the rest of its own, too
        with (tf.Graph() if fresh else graph).as_default():
            if toggles.new_variables or fresh:
                made = [layer() for _ in range(int(toggles.layers))]
                variables = [each for own, _ in made for each in own]
                result = made[-1][1]
            if toggles.new_session or fresh:
                session = tf1.Session()
            if toggles.initialise == "all":
                variables = tf1.global_variables()
            initialise(session, tf1.variables_initializer(variables))
        initialised = len(variables)
        answer = session.run(result)
        if session is not first_session:
            session.close()
        return answer

    return Loop(step, {"initialised": lambda: initialised})


CAUSE = Cause(
    slug="session_churn",
    title="Session churn",
    summary="Every turn makes new variables in one graph, and initialises all that were ever made.",
    make_step=make_step,
    toggles=(
        Toggle("new_variables", "new variables each turn", default="on"),
        Toggle(
            "layers", "layers made a turn", default="1", choices=("1", "2", "4", "8"), ordered=True
        ),
        Toggle("initialise", "initialise", default="all", choices=("all", "new")),
        Toggle("new_session", "a new session each turn", default="on"),
        Toggle("fresh_graph", "a fresh graph each turn", role="control"),
        Toggle("reuse", "reuse one session, built once", role="fix"),
    ),
    sizes=(Size("size", 100, 2, 1000, "rows and columns of the weights"),),
    expectation=Expectation(
        shape="ramp",
        steps=80,
        growth=1.2,
        per_step={"initialised": 2},
        places=("running the initialiser",),
    ),
    notebook="07_session_reuse.ipynb",
    lanes=("initialised", "holes", "page_faults"),
    counters=(Column("initialised", "variables initialised in the turn", "variables", "counter"),),
    functions={"initialise": "running the initialiser"},
    probes=("sessions", "page_faults", "holes"),
    mechanism=Mechanism(
        "initialised",
        "The initialiser makes every variable once more.",
        ("initialise_seconds",),
        done="made again",
    ),
)
