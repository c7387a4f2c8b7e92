# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Programs of others run under the layer, on the software GPU, as they run without it, and the layer has nothing to say of them."""

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

from testing import vulkan_program

OPTIONS = None


def run(*command, **variables):
    """(exit status, output) of a program of the packages under the layer."""
    program = vulkan_program.VulkanProgram(OPTIONS.run, layer=OPTIONS.layer)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("VK_")}
    environment.update(program.variables, **variables)
    # Where programs keep caches.
    environment["HOME"] = environment["XDG_RUNTIME_DIR"] = tempfile.gettempdir()
    done = subprocess.run([program.launcher, *command], env=environment, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=60)
    return done.returncode, done.stdout.decode("utf-8", "replace")


@contextlib.contextmanager
def x_server():
    """The DISPLAY of an X server that nobody sees."""
    reading, writing = os.pipe()
    command = [os.path.abspath(OPTIONS.run), "Xvfb", "-displayfd", str(writing), "-screen", "0", "640x480x24", "-nolisten", "tcp"]
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


class ProgramsTest(unittest.TestCase):

    def expect_silence(self, status, output):
        print(output[-4000:])
        self.assertEqual(status, 0, output)
        self.assertNotRegex(output, r"VUID-|SYNC-HAZARD|ASSAY-|Validation (Error|Warning)")
        # What the loader says of a layer that it cannot use, or whose functions it cannot place.
        self.assertNotRegex(output, r"(?i)exhausted the unknown|assay.*(fail|error|wrong|invalid)|(fail|error).*assay")

    def test_vulkaninfo(self):
        status, output = run("vulkaninfo", VK_LOADER_DEBUG="error,warn")
        self.expect_silence(status, output)
        self.assertIn("llvmpipe", output)
        self.assertRegex(output, r"VK_LAYER_ASSAY_validation \(Assay validation layer\) Vulkan version 1\.4\.309, layer version 1")

    def test_loader_finds_the_layer_and_calls_it(self):
        _, output = run("vulkaninfo", "--summary", VK_LOADER_DEBUG="layer,error,warn")
        self.assertTrue(re.search(r"Insert instance layer \"?VK_LAYER_ASSAY_validation", output), output[-4000:])

    def test_vkcube(self):
        with x_server() as display:
            self.expect_silence(*run("vkcube", "--c", "60", "--wsi", "xcb", DISPLAY=display, VK_LOADER_DEBUG="error,warn"))

    def test_vkmark(self):
        status, output = run("vkmark", "--winsys", "headless", "-b", "clear:duration=1", VK_LOADER_DEBUG="error,warn")
        self.expect_silence(status, output)
        self.assertIn("vkmark Score", output)


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser()
    PARSER.add_argument("--run", required=True)
    PARSER.add_argument("--layer", nargs="+", required=True)
    OPTIONS, REST = PARSER.parse_known_args()
    sys.exit(unittest.main(argv=sys.argv[:1] + REST))
