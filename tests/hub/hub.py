"""A real JupyterHub on loopback for tests: its own ports, token and folder, and its learners."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

REPOSITORY = Path(__file__).parents[2]
CONFIG = REPOSITORY / "docs" / "hub" / "jupyterhub_config.py"
LOOPBACK = Path(__file__).with_name("loopback_config.py")
START_SECONDS = 90
SPAWN_SECONDS = 180
ANSWER_SECONDS = 90
END_SECONDS = 30


class Hub:
    """JupyterHub with the documented configuration; once closed it leaves no process behind."""

    def __init__(self) -> None:
        self.token = secrets.token_hex(16)
        self.home = Path(tempfile.mkdtemp(prefix="labkit-hub-"))
        self.url, inner, proxy = (f"http://127.0.0.1:{port}" for port in _free_ports(3))
        kept = ((key, value) for key, value in os.environ.items() if not key.startswith("JUPYTER"))
        environment = {
            **dict(kept), "LABKIT_HUB_CONFIG": str(CONFIG), "LABKIT_HUB_TOKEN": self.token,
            "LABKIT_HUB_URL": self.url, "LABKIT_HUB_INNER_URL": inner,
            "LABKIT_HUB_PROXY_URL": proxy, "LABKIT_HUB_HOME": str(self.home),
        }  # fmt: skip
        self._log = self.home / "hub.log"
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "jupyterhub", "-f", str(LOOPBACK)],
                cwd=self.home, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        try:
            self._wait(lambda: "version" in self.ask("hub/api/"), START_SECONDS)
        except BaseException:
            self.close()
            raise

    def ask(self, path: str, method: str = "GET", body: object = None) -> Any:
        """Call the hub, or a learner's server, and return its JSON."""
        text = self.read(path, method, None if body is None else json.dumps(body).encode())
        return json.loads(text) if text else None

    def read(
        self, path: str, method: str = "GET", body: bytes | None = None, *, token: str = ""
    ) -> str:
        """Call the hub, or a learner's server, and return all it says.

        Raises:
            OSError: If it refuses, or says nothing.
        """
        headers = {"Authorization": f"token {token or self.token}"}
        request = urllib.request.Request(
            f"{self.url}/{path}", headers=headers, method=method, data=body
        )
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
            return str(answer.read().decode())

    def let_in(self, name: str) -> None:
        """Start a learner's server and wait until it answers."""
        self.ask(f"hub/api/users/{name}", "POST")
        self.ask(f"hub/api/users/{name}/server", "POST")
        self._wait(lambda: self._is_up(name), SPAWN_SECONDS)

    def processes(self) -> dict[str, list[psutil.Process]]:
        """Return what stems from this hub, by learner; under no name the hub and its proxy."""
        found: dict[str, list[psutil.Process]] = {}
        for process in psutil.process_iter():
            try:
                environment = process.environ()
            except psutil.Error:
                continue
            # The hub hands on little of its environment, but a learner's home lies in its own.
            if any(str(self.home) in value for value in environment.values()):
                found.setdefault(environment.get("JUPYTERHUB_USER", ""), []).append(process)
        return found

    def close(self) -> None:
        """End the hub, and with it the servers of all learners."""
        left = [process for each in self.processes().values() for process in each]
        self._process.terminate()
        _, alive = psutil.wait_procs(left, timeout=END_SECONDS)
        for process in alive:
            process.kill()
        self._process.wait(END_SECONDS)
        shutil.rmtree(self.home, ignore_errors=True)

    def _is_up(self, name: str) -> bool:
        servers = self.ask(f"hub/api/users/{name}")["servers"]
        return bool(servers) and bool(servers[""]["ready"])

    def _wait(self, there: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                if there():
                    return
            except OSError:  # not listening yet, or busy
                pass
            time.sleep(0.2)
        raise RuntimeError(f"The hub did not get ready:\n{self._log.read_text()[-6_000:]}")


def _free_ports(count: int) -> list[int]:
    """Return ports that are free now; all are taken at once, so that they differ."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [int(each.getsockname()[1]) for each in sockets]
    for each in sockets:
        each.close()
    return ports
