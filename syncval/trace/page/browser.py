# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""A page in Chromium, driven through its DevTools protocol over a pipe, without a port or a driver program."""

import base64
import json
import os
import select
import subprocess
import tempfile
import time


class BrowserError(Exception):
    """An error that the browser or the page answered instead of a result."""


class Page:
    """An open page; to be used in a `with` statement.

    Args:
      program: @chromium's run.sh.
      url: of the page.
      width, height: of the view, in CSS pixels.
      dark: whether the user likes dark pages.
    """

    def __init__(self, program, url, width=1280, height=720, dark=False):
        self.program = os.path.abspath(program)
        self.url = url
        self.size = (width, height)
        self.dark = dark
        self.events = []
        self._next = 0
        self._received = b""

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        to_read, self._out = os.pipe()
        self._in, to_write = os.pipe()
        # The browser reads commands from descriptor 3 and answers on 4.
        shell = 'exec "$0" "$@" 3<&%d 4>&%d' % (to_read, to_write)
        command = [
            "sh", "-c", shell, self.program, "--remote-debugging-pipe", "--user-data-dir=" + self._folder.name,
            "--window-size=%d,%d" % self.size
        ]
        self._process = subprocess.Popen(command,
                                         pass_fds=[to_read, to_write],
                                         stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL,
                                         env=dict(os.environ, HOME=self._folder.name))
        os.close(to_read)
        os.close(to_write)
        self._session = None
        try:
            self._navigate()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _navigate(self):
        target = self.command("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.command("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.command(domain + ".enable")
        width, height = self.size
        self.command("Emulation.setDeviceMetricsOverride",
                     width=width,
                     height=height,
                     deviceScaleFactor=1,
                     mobile=False)
        self.command("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}])
        self.command("Page.navigate", url=self.url)
        self.wait_for("document.readyState === 'complete'")

    def __exit__(self, *_):
        try:
            self._session = None
            self.command("Browser.close")
        except (BrowserError, OSError):
            pass
        os.close(self._out)
        os.close(self._in)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        try:
            self._folder.cleanup()
        except OSError:
            # A process of the browser was slow to leave.
            pass

    def command(self, method, timeout=60, **parameters):
        """The result of a command of the protocol."""
        self._next += 1
        message = {"id": self._next, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + timeout
        while True:
            answer = self._receive(deadline, method)
            if answer.get("id") != self._next:
                self.events.append(answer)
                continue
            if "error" in answer:
                raise BrowserError("%s: %s" % (method, answer["error"]))
            return answer["result"]

    def _receive(self, deadline, method):
        while b"\0" not in self._received:
            ready, _, _ = select.select([self._in], [], [], max(0, deadline - time.monotonic()))
            more = os.read(self._in, 1 << 20) if ready else b""
            if not more:
                raise BrowserError("no answer to " + method)
            self._received += more
        message, self._received = self._received.split(b"\0", 1)
        return json.loads(message)

    def evaluate(self, expression):
        """The value of a JavaScript expression, awaited if it is a promise."""
        answer = self.command("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError("%s: %s" % (expression, answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait_for(self, condition, timeout=60):
        """Waits until a JavaScript expression is true."""
        deadline = time.monotonic() + timeout
        while not self.evaluate("Boolean(%s)" % condition):
            if self.errors() or time.monotonic() > deadline:
                raise BrowserError("never true: %s; %s" % (condition, self.errors()))
            time.sleep(0.02)

    def settle(self):
        """Waits until pending drawing is done."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def click_on(self, selector):
        """Scrolls an element into view and clicks its middle."""
        box = self.evaluate("(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'nearest'});"
                            "const b = e.getBoundingClientRect();"
                            "return [b.x + Math.min(b.width / 2, 40), b.y + b.height / 2]; })()" % json.dumps(selector))
        self.click(*box)

    def move(self, x, y):
        self.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.settle()

    def wheel(self, x, y, delta):
        self.command("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=delta)
        self.settle()

    def key(self, key):
        """Presses a key: "a", "ArrowLeft", "Enter"."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        code = {"Enter": 13}.get(key, 0)
        self.command("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.command("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)
        self.settle()

    def type(self, text):
        self.command("Input.insertText", text=text)
        self.settle()

    def screenshot(self, path):
        """Writes the visible part of the page as a PNG file."""
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.command("Page.captureScreenshot", format="png")["data"]))

    def requests(self):
        """The addresses of all requests."""
        sent = [event for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]

    def errors(self):
        """Exceptions of the page and errors that the browser logged."""
        found = [event["params"] for event in self.events if event.get("method") == "Runtime.exceptionThrown"]
        found += [
            event["params"]["entry"]["text"] for event in self.events
            if event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error"
        ]
        return found
