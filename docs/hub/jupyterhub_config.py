"""A JupyterHub that serves labkit to a class: `jupyterhub -f docs/hub/jupyterhub_config.py`.

docs/hub.md says how to set the machine up, how large it must be, and what each limit is for.
"""

import sys
from pathlib import Path

c = get_config()  # noqa: F821  JupyterHub hands it to this file
programs = Path(sys.executable).parent

# A web server in front of it (Caddy, nginx) adds https; the hub itself is not open to the network.
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
# The proxy in Python, from PyPI. With Node.js there is JupyterHub's own, of the same name.
c.ConfigurableHTTPProxy.command = [str(programs / "configurable-http-proxy")]

# Learners log in with their accounts on the machine; whoever has one may come in.
c.JupyterHub.authenticator_class = "pam"
c.Authenticator.allow_all = True
c.Authenticator.admin_users = {"teacher"}

# Each learner's server is a unit of systemd, which holds it to its limits.
c.JupyterHub.spawner_class = "systemdspawner.SystemdSpawner"
c.Spawner.cmd = [str(programs / "jupyterhub-singleuser")]
c.Spawner.mem_limit = "2G"
c.Spawner.cpu_limit = 2.0
c.Spawner.default_url = "/lab"
# A server starts within seconds, but not when forty start at once.
c.Spawner.start_timeout = 180
c.Spawner.http_timeout = 120
c.JupyterHub.concurrent_spawn_limit = 10
c.JupyterHub.active_server_limit = 45

# What nobody uses goes: a kernel after half an hour, a server half an hour after its last kernel.
c.Spawner.args = [
    "--MappingKernelManager.cull_idle_timeout=1800",
    "--MappingKernelManager.cull_interval=300",
    "--ServerApp.shutdown_no_activity_timeout=1800",
]
