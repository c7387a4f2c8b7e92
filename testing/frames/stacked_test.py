# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Other projects' programs run under Assay with all of its checks, and the Khronos layer below it.

That layer checks what Assay makes of their calls. It has nothing to say but what it says of the programs themselves.
"""

import unittest

from testing.frames import programs


class StackedTest(unittest.TestCase):

    def test_programs(self):
        for name in ("vkcube", "vkmark", "vkd3d-triangle", "libplacebo", "ffmpeg_one_input"):
            program = programs.PROGRAMS[name]
            with self.subTest(program=name):
                result = programs.run(program, programs.OPTIONS.layer, programs.OPTIONS.khronos)
                print("%s: %s" % (name, ", ".join(result.khronos_ids())))
                self.assertEqual(result.status, 0, result.output)
                self.assertGreaterEqual(result.instrumented(), program.instrumented)
                self.assertLessEqual(set(result.khronos_ids()), program.known, result.khronos_messages)

    def test_khronos_layer_is_there(self):
        """Alone, it says of a program what Assay says."""
        result = programs.run(programs.PROGRAMS["vkd3d-triangle"], programs.OPTIONS.khronos)
        self.assertEqual(result.status, 0, result.output)
        self.assertEqual(result.khronos_ids(), ["SYNC-HAZARD-PRESENT-AFTER-WRITE"])


if __name__ == "__main__":
    programs.main()
