"""Firefox, as the system has it: started without a window and spoken to in WebDriver BiDi."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from tornado.ioloop import IOLoop
from tornado.websocket import WebSocketClientConnection, websocket_connect

NAMES = ("firefox-esr", "firefox")
PATIENCE = 60  # seconds


def firefox_program() -> str | None:
    """Return the Firefox of this machine."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Firefox:
    """One window."""

    def __init__(self, loop: IOLoop, connection: WebSocketClientConnection) -> None:
        self._loop, self._connection, self._asked = loop, connection, 0
        self.ask("session.new", capabilities={})
        self._window = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.errors: list[str] = []

    def ask(self, method: str, **params: Any) -> Any:
        """Send a command and return its answer; errors of the page that come meanwhile are kept."""
        self._asked += 1
        self._connection.write_message(json.dumps({"id": self._asked, "method": method, "params": params}))
        while True:
            said = json.loads(self._loop.run_sync(self._connection.read_message, timeout=PATIENCE))
            if said.get("method") == "log.entryAdded" and said["params"]["level"] == "error":
                self.errors.append(said["params"]["text"])
            if said.get("id") == self._asked:
                if said["type"] == "error":
                    raise RuntimeError(said["message"])
                return said["result"]

    def open(self, address: str, *, width: int = 1280, height: int = 900) -> None:
        """Open a page in a window of some size, and wait until it is loaded."""
        size = {"width": width, "height": height}
        self.ask("browsingContext.setViewport", context=self._window, viewport=size)
        self.ask("browsingContext.navigate", context=self._window, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """Return what an expression is worth on the page."""
        script = f"(async () => JSON.stringify(await ({expression})))()"
        said = self.ask(
            "script.evaluate", expression=script, target={"context": self._window}, awaitPromise=True
        )
        if said["type"] == "exception":
            raise RuntimeError(said["exceptionDetails"]["text"])
        return json.loads(said["result"].get("value", "null"))

    def wait_for(self, expression: str) -> None:
        """Wait until an expression is true on the page; a busy machine is no reason to fail."""
        until = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            if time.monotonic() > until:
                raise TimeoutError(f"not true within {PATIENCE} seconds: {expression}")
            time.sleep(0.1)

    def press(self, key: str) -> None:
        """Press a key where the focus is."""
        keys = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        keyboard = {"type": "key", "id": "keyboard", "actions": keys}
        self.ask("input.performActions", context=self._window, actions=[keyboard])


@contextmanager
def started() -> Iterator[Firefox]:
    """Start Firefox with a fresh profile, and end it."""
    program = firefox_program()
    with (
        socket.create_server(("127.0.0.1", 0)) as free,
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
    ):
        port = free.getsockname()[1]
        free.close()
        options = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", str(port)]
        process = subprocess.Popen(
            [str(program), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        loop = IOLoop(make_current=False)
        connection = None
        until = time.monotonic() + PATIENCE
        while connection is None and time.monotonic() < until:
            with suppress(OSError):
                connection = loop.run_sync(lambda: websocket_connect(f"ws://127.0.0.1:{port}/session"))
            time.sleep(0.2)
        assert connection is not None, "Firefox does not answer"
        try:
            yield Firefox(loop, connection)
        finally:
            connection.close()
            process.terminate()
            process.wait()
            loop.close()
