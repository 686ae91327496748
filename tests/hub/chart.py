"""What the JupyterHub chart makes of its values, as far as labkit's file of values goes.

The names and defaults are those of the chart (`jupyterhub/files/hub/jupyterhub_config.py`,
`values.yaml` and `values.schema.yaml` in jupyterhub/zero-to-jupyterhub-k8s, versions before 4.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from traitlets.config import Config

NUMBER = (int, float)
# Each setting that the file may have: what it must be, and the trait that gets it as it is.
KNOWN: dict[str, tuple[type | tuple[type, ...], str]] = {
    "cull.enabled": (bool, ""),
    "cull.every": (int, ""),
    "cull.timeout": (int, ""),
    "hub.activeServerLimit": (int, "JupyterHub.active_server_limit"),
    "hub.config": (dict, ""),
    "proxy.https.enabled": (bool, ""),
    "proxy.https.hosts": (list, ""),
    "proxy.https.letsencrypt.contactEmail": (str, ""),
    "singleuser.cmd": (str, "Spawner.cmd"),
    "singleuser.cpu.guarantee": (NUMBER, "KubeSpawner.cpu_guarantee"),
    "singleuser.cpu.limit": (NUMBER, "KubeSpawner.cpu_limit"),
    "singleuser.defaultUrl": (str, "Spawner.default_url"),
    "singleuser.extraFiles": (dict, ""),
    "singleuser.fsGid": (int, "KubeSpawner.fs_gid"),
    "singleuser.image.name": (str, ""),
    "singleuser.image.tag": (str, ""),
    "singleuser.memory.guarantee": ((str, int, float), "KubeSpawner.mem_guarantee"),
    "singleuser.memory.limit": ((str, int, float), "KubeSpawner.mem_limit"),
    "singleuser.profileList": (list, "KubeSpawner.profile_list"),
    "singleuser.startTimeout": (int, "KubeSpawner.start_timeout"),
    "singleuser.storage.capacity": (str, "KubeSpawner.storage_capacity"),
    "singleuser.storage.homeMountPath": (str, ""),
    "singleuser.uid": (int, "KubeSpawner.uid"),
}
DEFAULTS = {
    "singleuser.cmd": "jupyterhub-singleuser",
    "singleuser.fsGid": 100,
    "singleuser.storage.homeMountPath": "/home/jovyan",
    "singleuser.uid": 1000,
}
# For pods of learners, on nodes that are kept for them.
TOLERATIONS = [
    {"key": key, "operator": "Equal", "value": "user", "effect": "NoSchedule"}
    for key in ("hub.jupyter.org/dedicated", "hub.jupyter.org_dedicated")
]
HOME = "volume-{username}{servername}"


def config_of(values: Mapping[str, Any]) -> Config:
    """Return what JupyterHub and its parts are configured with.

    Raises:
        ValueError: If the chart knows no such setting, or not with such a value.
    """
    settings = DEFAULTS | dict(_settings(values))
    config = Config()
    for path, value in settings.items():
        if trait := KNOWN[path][1]:
            section, _, name = trait.partition(".")
            config[section][name] = value
    spawner = config.KubeSpawner
    spawner.image = f"{settings['singleuser.image.name']}:{settings['singleuser.image.tag']}"
    spawner.tolerations = TOLERATIONS
    spawner.storage_pvc_ensure = True
    claim = {"claimName": spawner.get("pvc_name_template", "claim-{username}{servername}")}
    files = settings.get("singleuser.extraFiles", {})
    spawner.volumes = [{"name": HOME, "persistentVolumeClaim": claim}]
    spawner.volume_mounts = [
        {"name": HOME, "mountPath": settings["singleuser.storage.homeMountPath"]}
    ]
    if files:
        items = [{"key": key, "path": key} for key in files]
        secret = {"secretName": "singleuser", "items": items}  # pragma: allowlist secret
        spawner.volumes.append({"name": "files", "secret": secret})
        spawner.volume_mounts += [
            {"name": "files", "mountPath": file["mountPath"], "subPath": key}
            for key, file in files.items()
        ]
    config.merge(settings.get("hub.config", {}))
    return config


def _settings(values: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each setting with its whole name."""
    for name, value in values.items():
        path = f"{above}{name}"
        if path in KNOWN:
            if not isinstance(value, KNOWN[path][0]):
                raise ValueError(f"The chart does not take {value!r} as {path}.")
            yield path, value
        elif isinstance(value, dict):
            yield from _settings(value, f"{path}.")
        else:
            raise ValueError(
                f"The chart has no setting {path}, as far as tests/hub/chart.py knows."
            )
