"""A cluster of workers on this machine: who is who, as TensorFlow reads it from TF_CONFIG."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack

from labkit.record import LabkitError


def cluster_variables(workers: int) -> list[dict[str, str]]:
    """Return the environment variables that join some workers to a cluster; empty for one.

    Args:
        workers: How many processes.

    Raises:
        LabkitError: If this machine has no free port left.

    Source: ``tf.distribute.cluster_resolver.TFConfigClusterResolver``.
    """
    if workers == 1:
        return [{}]
    addresses = [f"127.0.0.1:{port}" for port in _free_ports(workers)]
    return [
        {
            "TF_CONFIG": json.dumps(
                {"cluster": {"worker": addresses}, "task": {"type": "worker", "index": number}}
            )
        }
        for number in range(workers)
    ]


def _free_ports(count: int) -> list[int]:
    """Return ports that were free a moment ago; if one is taken since, TensorFlow says so."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        try:
            for each in sockets:
                each.bind(("127.0.0.1", 0))
        except OSError as error:
            raise LabkitError(
                f"No free port was found for {count} workers ({error.strerror}); "
                "end other servers on this machine, or run with one worker."
            ) from error
        return [each.getsockname()[1] for each in sockets]
