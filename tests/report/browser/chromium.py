"""The system's chromium, spoken to over a pipe with its own protocol: no driver is needed.

Commands and events are JSON with a zero byte at the end; chromium reads file descriptor 3 and
writes file descriptor 4 (``--remote-debugging-pipe``).
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_PATIENCE = 60.0  # Seconds; a browser that is silent for longer has failed to start.
# Moves the ends of two pipes to 3 and 4; copies first, as one of them may be 3 or 4 already.
_SHIM = (
    "import os, sys; a, b = (os.dup(int(n)) for n in sys.argv[1:3]); "
    "c, d = os.dup(a), os.dup(b); os.dup2(c, 3); os.dup2(d, 4); os.execv(sys.argv[3], sys.argv[3:])"
)


def find_chromium() -> str | None:
    """Return the path of the browser: ``NONET_CHROMIUM``, or one of its names on the path."""
    return next(
        filter(None, map(shutil.which, (os.environ.get("NONET_CHROMIUM", ""), *NAMES))), None
    )


class Chromium:
    """A browser without a window; use it in a ``with`` statement."""

    def __init__(self, path: str) -> None:
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read_end, self._out = os.pipe()
        self._in, write_end = os.pipe()
        options = [
            "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars",
            "--no-first-run", "--force-color-profile=srgb", f"--user-data-dir={self._profile.name}",
        ]  # fmt: skip
        if os.geteuid() == 0:
            options.append("--no-sandbox")  # Its sandbox refuses the super-user.
        command = [sys.executable, "-c", _SHIM, str(read_end), str(write_end), path, *options]
        self._process = subprocess.Popen(
            command, pass_fds=(read_end, write_end), stderr=subprocess.DEVNULL
        )
        os.close(read_end)
        os.close(write_end)
        self._rest, self._number = b"", 0

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._out)
        os.close(self._in)
        self._process.terminate()
        self._process.wait()
        self._profile.cleanup()

    def send(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Send a command and return its result; events before it go to ``self.events``."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        while True:
            reply = self._receive()
            if reply.get("id") == self._number:
                if "error" in reply:
                    raise RuntimeError(f"{method}: {reply['error']['message']}")
                result: dict[str, Any] = reply["result"]
                return result
            self.events.append(reply)

    events: list[dict[str, Any]] = []

    def wait_for(self, method: str) -> None:
        """Wait for an event."""
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self._receive())

    def _receive(self) -> dict[str, Any]:
        end = time.monotonic() + _PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(end - time.monotonic(), 0))
            data = os.read(self._in, 1 << 20) if ready else b""
            if not data:
                raise RuntimeError("chromium closed the pipe, or was silent for a minute.")
            self._rest += data
        message, self._rest = self._rest.split(b"\0", 1)
        reply: dict[str, Any] = json.loads(message)
        return reply


class Tab:
    """A page that is open in the browser, at a width, in a colour scheme, on screen or paper."""

    def __init__(
        self, browser: Chromium, path: Path, *, width: int, scheme: str = "light", media: str = ""
    ) -> None:
        self._browser = browser
        browser.events = []
        target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        attached = browser.send("Target.attachToTarget", targetId=target, flatten=True)
        self._target, self._session = target, attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self.send("Emulation.setDeviceMetricsOverride", **metrics)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.send("Emulation.setEmulatedMedia", media=media, features=features)
        browser.events = []
        self.url = path.resolve().as_uri()
        self.send("Page.navigate", url=self.url)
        browser.wait_for("Page.loadEventFired")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command to this page."""
        return self._browser.send(method, self._session, **params)

    def reload(self) -> None:
        """Load the page again, and wait until it is there."""
        self._browser.events = []
        self.send("Page.reload")
        self._browser.wait_for("Page.loadEventFired")

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression of JavaScript, waiting for a promise."""
        found = self.send(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in found:
            raise RuntimeError(str(found["exceptionDetails"]))
        return found["result"].get("value")

    def complaints(self) -> list[str]:
        """Return what the console shows: messages, errors, and warnings of the browser."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
        kinds = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [str(e["params"]) for e in self._browser.events if e.get("method") in kinds]

    def requests(self) -> list[str]:
        """Return the addresses that were requested, but for the page itself."""
        events = [e for e in self._browser.events if e.get("method") == "Network.requestWillBeSent"]
        addresses = [event["params"]["request"]["url"] for event in events]
        return [address for address in addresses if address != self.url]

    def screenshot(self, path: Path, *, height: int | None = None) -> None:
        """Write a picture of the whole page, or of its top, as a PNG file."""
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": height or size["height"]}
        picture = self.send(
            "Page.captureScreenshot", captureBeyondViewport=True, clip={**clip, "scale": 1}
        )
        path.write_bytes(base64.b64decode(picture["data"]))

    def print_to(self, path: Path) -> None:
        """Write the page as a PDF file."""
        printed = self.send("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        path.write_bytes(base64.b64decode(printed["data"]))

    def close(self) -> None:
        """Close the page."""
        self._browser.send("Target.closeTarget", targetId=self._target)
