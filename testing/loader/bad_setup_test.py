# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Without a driver, or with broken files of the driver or the layer, a program reports the error and does not crash."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from testing import vulkan_program

OPTIONS = None


def run(**variables):
    """(exit status, output) of the example under the layer."""
    program = vulkan_program.VulkanProgram(OPTIONS.run, layer=OPTIONS.layer)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("VK_")}
    environment.update(program.variables)
    environment.update(variables)
    done = subprocess.run([program.launcher, os.path.abspath(OPTIONS.binary)], env=environment, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return done.returncode, done.stdout.decode("utf-8", "replace")


class BadSetupTest(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as text:
            text.write(content)
        return path

    def expect_failure(self, status, output, pattern):
        print(output)
        # A signal's number is negative, or above 128 through a shell.
        self.assertIn(status, range(1, 128), output)
        self.assertRegex(output, pattern)

    def test_no_driver(self):
        self.expect_failure(*run(VK_DRIVER_FILES=os.path.join(self.folder, "none.json"), VK_LOADER_DEBUG="error"),
                            r"(?i)incompatible|no drivers|could not be made|VK_ERROR|driver")

    def test_driver_manifest_that_is_none(self):
        path = self.write("driver.json", "{ this is no JSON")
        self.expect_failure(*run(VK_DRIVER_FILES=path, VK_LOADER_DEBUG="error"), r"(?i)json|incompatible|driver")

    def test_driver_that_is_not_there(self):
        path = self.write(
            "driver.json",
            '{"file_format_version": "1.0.0", "ICD": {"library_path": "./no.so", "api_version": "1.4.0"}}')
        self.expect_failure(*run(VK_DRIVER_FILES=path, VK_LOADER_DEBUG="error"), r"no\.so")

    def test_layer_without_its_library(self):
        manifest, _ = vulkan_program.find_manifest(OPTIONS.layer, "layer")
        shutil.copy(manifest, os.path.join(self.folder, "layer.json"))
        status, output = run(VK_LAYER_PATH=self.folder, VK_LOADER_DEBUG="error")
        print(output)
        self.assertIn(status, range(0, 128))
        self.assertRegex(output, r"libVkLayer_assay\.so")

    def test_layer_manifest_that_is_none(self):
        self.write("layer.json", "\x00\x01 garbage")
        status, output = run(VK_LAYER_PATH=self.folder, VK_LOADER_DEBUG="error,warn")
        print(output)
        self.assertIn(status, range(0, 128))
        self.assertRegex(output, r"(?i)json|VK_LAYER_ASSAY_validation")


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser()
    PARSER.add_argument("--run", required=True)
    PARSER.add_argument("--binary", required=True)
    PARSER.add_argument("--layer", nargs="+", required=True)
    OPTIONS, REST = PARSER.parse_known_args()
    sys.exit(unittest.main(argv=sys.argv[:1] + REST))
