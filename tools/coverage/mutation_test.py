# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""For each program on the command line, 200 tests fail without their checks."""

import sys
import unittest

from tools.coverage import mutation

_SAMPLE = 200
_PROGRAMS = []


class MutationTest(unittest.TestCase):

    def test_sample(self):
        self.assertEqual(mutation.sample("dcba", 2), ["a", "c"])
        self.assertEqual(mutation.sample("ba", 5), ["a", "b"])

    def test_each_test_needs_its_check(self):
        self.assertTrue(_PROGRAMS)
        for program in _PROGRAMS:
            ids = mutation.sample(mutation.passing(mutation.run(program)), _SAMPLE)
            self.assertGreaterEqual(len(ids), 1, program)
            self.assertEqual(mutation.survivors(program, ids), [], program)


if __name__ == "__main__":
    _PROGRAMS += sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
