"""A real Jupyter server for the browser tests: its own port, token, folders and notebooks.

It serves both front ends: JupyterLab under ``lab``, and Notebook 7 under ``notebooks``.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import psutil

REPOSITORY = Path(__file__).parents[2]
START_SECONDS = 90
END_SECONDS = 20
# No news, no autosave: only what the test does happens. All cells stay in the page, as off-screen
# ones could not be clicked.
SETTINGS: Mapping[str, Mapping[str, object]] = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
}
OPTIONS = (
    "--no-browser",
    "--expose-app-in-browser",
    "--JupyterNotebookApp.expose_app_in_browser=True",
    "--allow-root",
    "--ServerApp.ip=127.0.0.1",
    "--ServerApp.port=0",
    "--ServerApp.open_browser=False",
    # Should the tests be killed, this ends by itself.
    "--ServerApp.shutdown_no_activity_timeout=300",
    "--MappingKernelManager.cull_idle_timeout=300",
)


class LabServer:
    """JupyterLab on a copy of the course's notebooks; a context that leaves no process behind."""

    def __init__(self) -> None:
        self.token = secrets.token_hex(16)
        self._home = Path(tempfile.mkdtemp(prefix="labkit-browser-"))
        self.root = self._home / "notebooks"
        shutil.copytree(
            REPOSITORY / "notebooks",
            self.root,
            ignore=shutil.ignore_patterns(".ipynb_checkpoints", "*.jsonl"),
        )
        overrides = self._home / "config" / "labconfig" / "default_setting_overrides.json"
        overrides.parent.mkdir(parents=True)
        overrides.write_text(json.dumps(SETTINGS))
        self._log = self._home / "server.log"
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "jupyterlab", *OPTIONS,
                 f"--IdentityProvider.token={self.token}", f"--ServerApp.root_dir={self.root}"],
                cwd=self.root, env=self._environment(), stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, start_new_session=True,
            )  # fmt: skip
        self.url = ""

    def __enter__(self) -> LabServer:
        try:
            self.url = self._wait_until_ready()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        left = self.close()
        if left and error is None:
            raise AssertionError(f"These outlived JupyterLab and were killed: {left}")

    def write_notebook(self, name: str, cells: Mapping[str, str]) -> str:
        """Write a notebook of code cells, by cell id, beside the course's, and return its name."""
        notebook = {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
            "cells": [
                {"cell_type": "code", "id": cell, "source": code, "metadata": {}, "outputs": [],
                 "execution_count": None}
                for cell, code in cells.items()
            ],
        }  # fmt: skip
        (self.root / name).write_text(json.dumps(notebook))
        return name

    def copy_notebook(self, name: str, as_name: str) -> str:
        """Copy one of the course's notebooks, so that two tests do not share a kernel."""
        shutil.copy(REPOSITORY / "notebooks" / name, self.root / as_name)
        return as_name

    def set_setting(self, plugin: str, values: Mapping[str, object]) -> None:
        """Set a JupyterLab plugin's settings for the pages opened from now on."""
        self.ask(f"lab/api/settings/{plugin}", "PUT", {"raw": json.dumps(values)})

    def ask(self, path: str, method: str = "GET", body: object = None) -> Any:
        """Call the server's REST interface and return its JSON."""
        request = urllib.request.Request(
            f"{self.url}{path}",
            headers={"Authorization": f"token {self.token}"},
            method=method,
            data=None if body is None else json.dumps(body).encode(),
        )
        with urllib.request.urlopen(request, timeout=END_SECONDS) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def kernel_process(self, notebook: str) -> psutil.Process:
        """Return the process of a notebook's kernel."""
        kernels = {session["path"]: session["kernel"]["id"] for session in self.ask("api/sessions")}
        return next(
            process
            for process in self.processes()
            if "ipykernel_launcher" in (line := " ".join(process.cmdline()))
            and kernels[notebook] in line
        )

    def processes(self) -> list[psutil.Process]:
        """Return every process that stems from this server, reparented ones too."""
        ours = []
        for process in psutil.process_iter():
            try:
                if process.environ().get("JUPYTER_RUNTIME_DIR") == str(self._home / "runtime"):
                    ours.append(process)
            except psutil.Error:
                continue
        return ours

    def close(self) -> list[str]:
        """End the server with all its kernels; return what did not end by itself."""
        if self.url and self._process.poll() is None:
            try:
                self.ask("api/shutdown", "POST")
            except OSError:
                self._process.terminate()
        else:
            self._process.terminate()
        # Not `processes()` alone: a process that is ending hides its environment.
        _, alive = psutil.wait_procs(self.processes(), timeout=END_SECONDS)
        left = [" ".join(process.cmdline()) for process in alive if process.is_running()]
        for process in alive:
            process.kill()
        self._process.wait(END_SECONDS)
        shutil.rmtree(self._home, ignore_errors=True)
        return left

    def _environment(self) -> dict[str, str]:
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("JUPYTER", "LABKIT"))
        }
        folders = {
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
            "IPYTHONDIR": "ipython",
            "MPLCONFIGDIR": "matplotlib",
        }
        own = {name: str(self._home / folder) for name, folder in folders.items()}
        path = os.pathsep.join(filter(None, [str(REPOSITORY), os.environ.get("PYTHONPATH", "")]))
        return {**environment, **own, "PYTHONPATH": path}

    def _wait_until_ready(self) -> str:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            for file in (self._home / "runtime").glob("jpserver-*.json"):
                try:
                    self.url = str(json.loads(file.read_text())["url"])
                    self.ask("api/status")
                    return self.url
                except (OSError, ValueError):
                    continue  # half written, or not listening yet
            time.sleep(0.1)
        raise RuntimeError(f"JupyterLab did not start:\n{self._log.read_text()[-4_000:]}")
