# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""The capturing layer: every way to hand modules to a driver, and the modules of other projects' programs."""

import argparse
import os
import re
import struct
import sys
import tempfile
import unittest

from spirv_instrument.corpus.capture import captured_programs

OPTIONS = None
MAGIC = 0x07230203

# How many different modules each program hands over at least.
EXPECTED = {"vkmark": 10, "vkcube": 2, "libplacebo": 12, "ffmpeg": 6, "vkd3d": 14}


class CaptureTest(unittest.TestCase):

    def test_every_way(self):
        with tempfile.TemporaryDirectory() as folder:
            command = [os.path.abspath(OPTIONS.every_way)]
            status, output = captured_programs.run_under_layer(OPTIONS.run, OPTIONS.layer, folder, command)
            self.assertEqual(status, 0, output)
            sizes = sorted(re.findall(r"(?m)^module (\d+)$", output))
            self.assertEqual(len(sizes), 5, output)
            self.assertEqual(sorted(re.findall(r"_(\d+)\.spv", " ".join(os.listdir(folder)))), sizes)

    def test_programs(self):
        total = set()
        for name, expected in EXPECTED.items():
            with self.subTest(program=name), tempfile.TemporaryDirectory() as folder:
                modules = captured_programs.capture(OPTIONS.run, OPTIONS.layer, name, folder)
                print("%s: %d modules" % (name, len(modules)))
                self.assertGreaterEqual(len(modules), expected)
                for module in modules:
                    with open(os.path.join(folder, module), "rb") as content:
                        self.assertEqual(struct.unpack("<I", content.read(4)), (MAGIC,), module)
                total |= set(modules)
        print("%d different modules" % len(total))
        self.assertGreaterEqual(len(total), sum(EXPECTED.values()) - 4)


if __name__ == "__main__":
    PARSER = argparse.ArgumentParser()
    PARSER.add_argument("--run", required=True)
    PARSER.add_argument("--every_way", required=True)
    PARSER.add_argument("--layer", nargs="+", required=True)
    OPTIONS, REST = PARSER.parse_known_args()
    sys.exit(unittest.main(argv=sys.argv[:1] + REST))
