"""The documented hub on this machine alone: free ports, no accounts, no systemd."""

import os

c = get_config()  # noqa: F821  JupyterHub hands both to this file
load_subconfig(os.environ["LABKIT_HUB_CONFIG"])  # noqa: F821

c.JupyterHub.bind_url = os.environ["LABKIT_HUB_URL"]
c.JupyterHub.hub_bind_url = os.environ["LABKIT_HUB_INNER_URL"]
c.ConfigurableHTTPProxy.api_url = os.environ["LABKIT_HUB_PROXY_URL"]
c.JupyterHub.authenticator_class = "dummy"
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = os.path.join(os.getcwd(), "homes", "{username}")
if os.getuid() == 0:
    c.Spawner.args = [*c.Spawner.args, "--allow-root"]
c.JupyterHub.services = [{"name": "test", "api_token": os.environ["LABKIT_HUB_TOKEN"]}]
c.JupyterHub.load_roles = [
    {
        "name": "test",
        "services": ["test"],
        "scopes": ["admin:users", "admin:servers", "access:servers"],
    }
]
