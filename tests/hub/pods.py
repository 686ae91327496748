"""What the values for a class on Kubernetes come to: the pods that KubeSpawner makes of them.

There is no cluster: a manifest is made without asking one.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from unittest.mock import patch

import yaml
from traitlets.config import Config

ROOT = Path(__file__).parents[2]
VALUES = ROOT / "docs" / "kubernetes" / "values.yaml"
MISSING = "There is no KubeSpawner here; install it with  pip install -e .[hub]  and try again."
GIB = 2**30
CARD = "nvidia.com/gpu"


def read_values() -> dict[str, Any]:
    """Return what the file says, anew each time."""
    told: dict[str, Any] = yaml.safe_load(VALUES.read_text(encoding="utf-8"))
    return told


def pod(config: Config, **chosen: str) -> dict[str, Any]:
    """Return the specification of the pod of a learner who has chosen so.

    Raises:
        ValueError: If there is no such profile.
    """
    from kubernetes_asyncio.client import ApiClient
    from kubespawner import KubeSpawner

    async def made() -> dict[str, Any]:
        # As in KubeSpawner's own tests: a learner and a hub that are names only.
        spawner = KubeSpawner(config=config, _mock=True)
        client = ApiClient()
        try:
            spawner.user_options = chosen
            await spawner.load_user_options()
            manifest = await spawner.get_pod_manifest()
            plain: dict[str, Any] = client.sanitize_for_serialization(manifest)["spec"]
            return plain
        finally:
            await client.close()
            await spawner.api.api_client.close()

    with patch("kubespawner.spawner.load_config"):  # it would look for a cluster
        return asyncio.run(made())


def server(pod: dict[str, Any]) -> dict[str, Any]:
    """Return the one container of a pod."""
    (container,) = pod["containers"]
    return dict(container)
