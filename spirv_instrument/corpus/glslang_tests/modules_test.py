# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""How many of glslang's own shaders the corpus has. Each of them was accepted by the validator when it was compiled."""

import collections
import os
import re
import struct
import sys
import unittest

# glslang 15.1 has 1,388 shaders in its tests. Most of those that are left out have errors on purpose, or are not for
# Vulkan.
MINIMUM = 870

FOLDER = None
MAGIC = 0x07230203


class ModulesTest(unittest.TestCase):

    def modules(self):
        """Yields (name, content) of all modules."""
        for name in sorted(os.listdir(FOLDER)):
            if name.endswith(".spv"):
                with open(os.path.join(FOLDER, name), "rb") as module:
                    yield name, module.read()

    def test_count(self):
        with open(os.path.join(FOLDER, "left_out.txt"), encoding="utf-8") as text:
            left_out = text.read().splitlines()
        count = sum(1 for _ in self.modules())
        print("%d modules; %d shaders are left out." % (count, len(left_out)))
        self.assertGreaterEqual(count, MINIMUM)

    def test_nothing_is_left_out_for_want_of_a_reason(self):
        with open(os.path.join(FOLDER, "left_out.txt"), encoding="utf-8") as text:
            for line in text:
                self.assertRegex(line, r"^[^ ]+\.\w+: \S")
                self.assertIsNone(re.search(r"did not end|wrote no module|glslang returned", line), line)

    def test_every_module_is_spirv_of_some_version(self):
        versions = collections.Counter()
        for name, content in self.modules():
            magic, version = struct.unpack_from("<2I", content)
            self.assertEqual(magic, MAGIC, name)
            versions[version] += 1
        print(dict(versions))
        self.assertLessEqual({0x10000, 0x10300, 0x10400, 0x10600}, set(versions))


if __name__ == "__main__":
    FOLDER = sys.argv.pop(1)
    unittest.main()
