"""A learner on a hub: a kernel of their own, driven over the hub's proxy as a browser does."""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import Any

from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from tests.hub.hub import Hub

CELL_SECONDS = 300


def run_cell(hub: Hub, name: str, code: str) -> str:
    """Run code in a fresh kernel of a learner and return what it printed.

    Raises:
        AssertionError: If the code raised.
    """
    kernel = hub.ask(f"user/{name}/api/kernels", "POST", {"name": "python3"})["id"]
    address = f"{hub.url.replace('http', 'ws', 1)}/user/{name}/api/kernels/{kernel}/channels"
    return asyncio.run(asyncio.wait_for(_run(address, hub.token, code), CELL_SECONDS))


async def _run(address: str, token: str, code: str) -> str:
    # As long as learners come in crowds, a connection may take its time.
    request = HTTPRequest(
        address, headers={"Authorization": f"token {token}"}, connect_timeout=CELL_SECONDS
    )
    channels = await websocket_connect(request)
    asked = _execute(code)
    await channels.write_message(json.dumps(asked))
    printed = ""
    try:
        while True:
            text = await channels.read_message()
            assert text is not None, "the kernel's channels were closed"
            message = json.loads(text)
            if message["parent_header"].get("msg_id") != asked["header"]["msg_id"]:
                continue
            kind, content = message["header"]["msg_type"], message["content"]
            if kind == "stream" and content["name"] == "stdout":
                printed += content["text"]
            assert kind != "error", f"{content['ename']}: {content['evalue']}"
            if kind == "status" and content["execution_state"] == "idle":
                return printed
    finally:
        channels.close()


def _execute(code: str) -> dict[str, Any]:
    header = {
        "msg_id": secrets.token_hex(8), "session": secrets.token_hex(8), "username": "",
        "msg_type": "execute_request", "version": "5.3",
    }  # fmt: skip
    content = {"code": code, "silent": False, "store_history": False, "allow_stdin": False}
    return {
        "header": header, "parent_header": {}, "metadata": {}, "content": content,
        "channel": "shell", "buffers": [],
    }  # fmt: skip
