"""A cluster of workers on this machine: who is who, as TensorFlow reads it from TF_CONFIG.

It starts nothing: each worker's TensorFlow opens its port when the loop makes a strategy, on every
interface there is; `labkit.bench.isolation.isolation` sees to it that nobody else can reach it.
"""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack

from labkit.record import LabkitError

HERE = "127.0.0.1"


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
    addresses = [f"{HERE}:{port}" for port in free_ports(workers)]
    return [
        {
            "TF_CONFIG": json.dumps(
                {"cluster": {"worker": addresses}, "task": {"type": "worker", "index": number}}
            ),
            # Where a proxy is set, gRPC would ask it for a port of this very machine, and the
            # workers would wait for each other until their time is up.
            "no_grpc_proxy": HERE,
        }
        for number in range(workers)
    ]


def free_ports(count: int) -> list[int]:
    """Return ports that were free a moment ago; if one is taken since, TensorFlow says so.

    Raises:
        LabkitError: If there are none.
    """
    with ExitStack() as stack:
        # All are held until the last is found, so that no two are the same.
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        try:
            for held in sockets:
                held.bind((HERE, 0))
        except OSError as error:
            raise LabkitError(
                f"No free port was found for {count} workers ({error.strerror}); "
                "end other servers on this machine, or run with one worker."
            ) from error
        return [held.getsockname()[1] for held in sockets]
