# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Other projects' programs draw and print the same, bit by bit, without the layer and with all of its checks.

So instrumented shaders compute what the originals do. The layer reports only real mistakes of the programs.
"""

import re
import time
import unittest

from testing.frames import programs


def fnv1a(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return value


class FramesTest(unittest.TestCase):

    def expect_truth(self, program, checked):
        """The program ends as expected, its shaders check themselves, and only known mistakes are reported."""
        self.assertEqual(checked.status, 0, checked.output + checked.messages)
        self.assertGreaterEqual(checked.instrumented(), program.instrumented, checked.messages)
        self.assertLessEqual(set(checked.ids()), program.known, checked.messages)

    def compare(self, name, program):
        """Runs a program without the layer and with it. Returns what each draws and prints."""
        start = time.monotonic()
        original = programs.run(program)
        middle = time.monotonic()
        checked = programs.run(program, programs.OPTIONS.layer)
        print("%s: %.1f s, %.1f s with checks; %d frames, %d instrumented shaders; %s" %
              (name, middle - start, time.monotonic() - middle, len(checked.frames), checked.instrumented(),
               ", ".join(checked.ids())))
        self.assertEqual(original.status, 0, original.output)
        self.assertEqual(original.messages, "")
        self.expect_truth(program, checked)
        # One that goes on may present more than that.
        count = program.frames if program.goes_on else None
        hashes = {line.split()[-1] for line in original.frames[:count]}
        self.assertGreaterEqual(len(hashes), program.frames, original.frames)
        if program.frames == 0:
            self.assertEqual(len(re.findall(r"(?m)^0, .* [0-9a-f]{32}$", original.output)), 4, original.output)
        return (original.frames[:count], original.output), (checked.frames[:count], checked.output)

    def test_programs(self):
        for name, program in programs.PROGRAMS.items():
            with self.subTest(program=name):
                for _ in range(programs.ATTEMPTS if program.is_racy else 1):
                    original, checked = self.compare(name, program)
                    if checked == original:
                        break
                self.assertEqual(checked, original)

    def test_ffmpeg_out_of_bounds(self):
        """A real mistake, which crashes lavapipe. The checks keep the program alive and name it."""
        checked = programs.run(programs.NLMEANS, programs.OPTIONS.layer)
        self.expect_truth(programs.NLMEANS, checked)
        self.assertIn(programs.OUT_OF_BOUNDS, checked.ids())
        self.assertRegex(
            checked.messages, r"A shader accesses 16 bytes at the device address 0x\w+, which is in no buffer; it is 0 "
            r"bytes behind the end of VkBuffer 0x\w+ of 2359296 bytes")

    def test_hash_is_of_the_texels(self):
        scene = "clear:color=1.0,0.0,1.0,1.0:duration=0.1"
        result = programs.run(programs.Program(["vkmark", "--winsys", "headless", "--size", "16x8", "-b", scene]))
        self.assertEqual(result.status, 0, result.output)
        self.assertGreaterEqual(len(result.frames), 2)
        expected = "16x8 VK_FORMAT_R8G8B8A8_UNORM %016x" % fnv1a(b"\xff\x00\xff\xff" * 16 * 8)
        self.assertEqual(result.frames, ["frame %d %s" % (i, expected) for i in range(len(result.frames))])


if __name__ == "__main__":
    programs.main()
