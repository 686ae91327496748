"""Changing: which functions change trainable variables without a gradient or an optimizer's op.

So do expectation-maximisation, moving averages of weights, and evolution strategies: they read a
variable and then assign to it. A metric and a counter of steps only add to what they have, an
initialiser reads nothing, and what Keras keeps beside its weights is not trainable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

READ = "ReadVariableOp"
ASSIGN = ("AssignVariableOp", "AssignAddVariableOp")
# Ops that call functions, and at which of their inputs those of the functions begin.
CALLS: Mapping[str, int] = {
    "PartitionedCall": 0, "StatefulPartitionedCall": 0, "While": 0, "StatelessWhile": 0,
    "If": 1, "StatelessIf": 1, "Case": 1, "StatelessCase": 1,
}  # fmt: skip


def changes_what_it_reads(graph: Any) -> bool:
    """Tell whether a function assigns to a trainable variable that it has read before.

    Args:
        graph: The function's, of TensorFlow 2.19-2.21.

    Raises:
        AttributeError: If the graph is another TensorFlow's.
    """
    trainable = {id(each.handle) for each in graph.trainable_variables if each.dtype.is_floating}
    own = {within.op.name for outer, within in graph.captures if id(outer) in trainable}
    # Only these: an op is told as a node in 20 us, and a graph may have thousands.
    telling = {READ, *ASSIGN, *CALLS} if own else set()
    nodes = [op.node_def for op in graph.get_operations() if op.type in telling]
    return any(_reads_and_assigns(graph, nodes, name, set()) for name in own)


def _reads_and_assigns(graph: Any, nodes: Iterable[Any], name: str, seen: set[str]) -> bool:
    """Tell whether a variable is read and then assigned to, by nodes in the order of a graph."""
    read = False
    for node in nodes:
        inputs = [each.partition(":")[0] for each in node.input if not each.startswith("^")]
        if name not in inputs:
            continue
        if node.op == READ:
            read = True
        elif node.op in ASSIGN:
            if read:
                return True
        elif node.op in CALLS and _called(graph, node, inputs.index(name), seen):
            return True
    return False


def _called(graph: Any, node: Any, place: int, seen: set[str]) -> bool:
    for each in called_by(node):
        inner = graph._get_function(each)
        if inner is None or each in seen:
            continue
        definition = getattr(inner, "definition", inner)
        arguments = definition.signature.input_arg
        at = place - CALLS[node.op]
        if 0 <= at < len(arguments) and _reads_and_assigns(
            graph, definition.node_def, arguments[at].name, {*seen, each}
        ):
            return True
    return False


def called_by(node: Any) -> list[str]:
    """Return the names of the functions that a node calls, whatever its attributes are called."""
    values = node.attr.values()
    functions = [
        *(each.func for each in values),
        *(one for each in values for one in each.list.func),
    ]
    return [function.name for function in functions if function.name]
