# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""An X server without a screen, for programs that draw to a window, and keys for them."""

import contextlib
import os
import socket
import struct
import subprocess
import time

# In the keyboard layouts of X servers on Linux.
_ESCAPE = 9


@contextlib.contextmanager
def x_server(launcher):
    """The DISPLAY of an X server, while the context lasts. `launcher` is @vulkan_runtime's run.sh."""
    reading, writing = os.pipe()
    command = [os.path.abspath(launcher), "Xvfb", "-displayfd", str(writing), "-screen", "0", "640x480x24"]
    command += ["-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        try:
            with os.fdopen(reading) as display:
                yield ":" + display.readline().strip()
        finally:
            server.terminate()
            # Its socket goes with it.
            for _ in range(50):
                if server.poll() is not None:
                    break
                time.sleep(0.1)


class _Connection:
    """A client of an X server: as much of the X11 protocol as it takes to press a key."""

    def __init__(self, display):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect("/tmp/.X11-unix/X" + display.lstrip(":"))
        self.socket.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
        succeeded, length = struct.unpack("<BxxxxxH", self.receive(8))
        if succeeded != 1:
            raise ConnectionError("the X server %s refuses a client" % display)
        setup = self.receive(4 * length)
        # The screens come after the vendor's name and the formats of pixmaps; a screen begins with its root window.
        vendor_length, formats = struct.unpack_from("<16xHxxxB", setup)
        self.root, = struct.unpack_from("<I", setup, 32 + (vendor_length + 3) // 4 * 4 + 8 * formats)

    def receive(self, size):
        received = b""
        while len(received) < size:
            more = self.socket.recv(size - len(received))
            if not more:
                raise ConnectionError("the X server is gone")
            received += more
        return received

    def top_windows(self):
        """QueryTree of the root window."""
        self.socket.sendall(struct.pack("<BxHI", 15, 2, self.root))
        length, count = struct.unpack("<xxxxIxxxxxxxxH14x", self.receive(32))
        return struct.unpack("<%dI" % count, self.receive(4 * length))

    def press(self, window, key):
        """SendEvent of a KeyPress to the client that made the window."""
        event = struct.pack("<BBHIIIIhhhhHBx", 2, key, 0, 0, self.root, window, 0, 0, 0, 0, 0, 0, 1)
        self.socket.sendall(struct.pack("<BBHII", 25, 0, 11, window, 0) + event)


def press_escape(display):
    """Presses the Escape key in every window."""
    connection = _Connection(display)
    with connection.socket:
        for window in connection.top_windows():
            connection.press(window, _ESCAPE)
        # Once there is a reply, the server has handled what was sent before.
        connection.top_windows()
