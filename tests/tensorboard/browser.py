"""What a browser shows of a page: Chromium without a window, steered by the DevTools protocol over a WebSocket.

with Browser() as browser:
    browser.open("http://localhost:6006/")
    browser.wait("document.querySelectorAll('scalar-card').length > 0")
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import time
import urllib.request
from typing import Any


def executable() -> str | None:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class WebSocket:
    """As much of RFC 6455 as a client needs that trusts its server."""

    def __init__(self, host: str, port: int, path: str) -> None:
        self.socket = socket.create_connection((host, port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.socket.recv(1)
        assert b" 101 " in answer, answer

    def send(self, message: str) -> None:
        data, mask = message.encode(), os.urandom(4)
        size = len(data)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        self.socket.sendall(b"\x81" + length + mask + masked)

    def _bytes(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            assert piece, "the browser has hung up"
            data += piece
        return data

    def receive(self) -> str:
        message = b""
        while True:
            first, size = self._bytes(2)
            size = struct.unpack(">H", self._bytes(2))[0] if size == 126 else size
            size = struct.unpack(">Q", self._bytes(8))[0] if size == 127 else size
            message += self._bytes(size)
            if first & 0x80:
                return message.decode()


class Browser:
    def __init__(self, profile: str) -> None:
        command = [executable(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        command += ["--no-first-run", "--disable-background-networking", "--remote-debugging-port=0"]
        command += ["--window-size=1400,1000", f"--user-data-dir={profile}", "about:blank"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        address = next(line.split()[-1] for line in self.process.stderr if line.startswith("DevTools listening on"))
        host, port = address.split("/")[2].split(":")
        with urllib.request.urlopen(f"http://{host}:{port}/json/list", timeout=60) as answer:
            page = next(target for target in json.load(answer) if target["type"] == "page")
        self.socket = WebSocket(host, int(port), "/" + page["webSocketDebuggerUrl"].split("/", 3)[3])
        self.count = 0

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: Any) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()

    def call(self, method: str, **params: Any) -> Any:
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": params}))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get("id") == self.count:
                return answer["result"]

    def open(self, url: str) -> None:
        self.call("Page.navigate", url=url)

    def value(self, expression: str) -> Any:
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def wait(self, expression: str, seconds: float = 120) -> Any:
        """The value of an expression once it is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.value(expression)
            if found:
                return found
            time.sleep(0.1)
        raise AssertionError(f"{expression}: {self.value('document.body.innerText')[:1000]}")

    def screenshot(self, path: str) -> None:
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
