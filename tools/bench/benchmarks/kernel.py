"""A real IPython kernel, driven as a browser drives it: cells, widget messages, answers."""

from __future__ import annotations

import json
import os
import subprocess
import time
from ast import literal_eval
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import run_kernel

ANSWER_SECONDS = 60.0
ROOT = Path(__file__).parents[3]


@contextmanager
def fresh_kernel() -> Iterator[Kernel]:
    """Start a kernel, and end it."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "PYTHONPATH": path}
    with run_kernel(env=environment, stderr=subprocess.DEVNULL) as client:
        yield Kernel(client)


class Kernel:
    """A kernel that runs already.

    Args:
        client: What it is spoken to by.
    """

    def __init__(self, client: BlockingKernelClient) -> None:
        self._client = client

    def run(self, code: str) -> None:
        """Run a cell.

        Raises:
            RuntimeError: If it raised.
        """
        answer = self._execute(code)
        if answer["status"] != "ok":
            raise RuntimeError("\n".join(answer["traceback"]))

    def value(self, expression: str) -> Any:
        """Return the value of an expression that JSON can carry."""
        asked = {"value": f"_json.dumps({expression})"}
        told = self._execute("import json as _json", user_expressions=asked)["user_expressions"]
        value = told["value"]
        if value["status"] != "ok":
            raise RuntimeError(f"{expression}: {value['ename']}: {value['evalue']}")
        # What IPython tells of a text is its repr.
        return json.loads(literal_eval(value["data"]["text/plain"]))

    def _execute(self, code: str, **asked: Any) -> dict[str, Any]:
        answer = self._client.execute_interactive(
            code, timeout=120, output_hook=lambda _message: None, **asked
        )
        content: dict[str, Any] = answer["content"]
        return content

    def ask(self, widget: str, content: dict[str, Any]) -> int:
        """Send a widget a custom message and wait for its answer with the same ``id``.

        Args:
            widget: Its model's id.
            content: The message.

        Returns:
            How many bytes went to the browser meanwhile, status messages left out.

        Raises:
            TimeoutError: If no answer comes.
        """
        session = self._client.session
        data = {"method": "custom", "content": content}
        self._client.shell_channel.send(session.msg("comm_msg", {"comm_id": widget, "data": data}))
        size = 0
        deadline = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < deadline:
            message = self._client.get_iopub_msg(timeout=ANSWER_SECONDS)
            if message["msg_type"] != "comm_msg":
                continue
            size += len(json.dumps(message["content"])) + sum(map(len, message["buffers"]))
            sent = message["content"]["data"].get("content", {})
            if message["content"]["comm_id"] == widget and sent.get("id") == content["id"]:
                return size
        raise TimeoutError(f"The widget gave no answer within {ANSWER_SECONDS:g} s.")
