# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""docs/tour.md does what it says: with its check its tests pass, and without it the negative test fails, alone."""

import os
import re
import subprocess
import sys
import unittest

from testing.tour import tour

WITH_CHECK, WITHOUT_CHECK, TOUR = sys.argv[1:4]
del sys.argv[1:4]


def results(program):
    """(exit status, {test: "OK" or "FAILED"}) of a GoogleTest program."""
    done = subprocess.run([os.path.abspath(program)], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = done.stdout.decode("utf-8", "replace")
    found = re.findall(r"^\[ +(OK|FAILED) +\] (\w+\.\w+) \(", output, re.MULTILINE)
    return done.returncode, {test: result for result, test in found}


class TourTest(unittest.TestCase):

    def test_the_tests_pass_with_the_check(self):
        status, tests = results(WITH_CHECK)
        self.assertEqual(tests, {
            "NegativeMemoryBinds.Again": "OK",
            "PositiveMemoryBinds.Once": "OK"
        })
        self.assertEqual(status, 0)

    def test_the_negative_test_fails_without_it(self):
        status, tests = results(WITHOUT_CHECK)
        self.assertEqual(tests, {
            "NegativeMemoryBinds.Again": "FAILED",
            "PositiveMemoryBinds.Once": "OK"
        })
        self.assertNotEqual(status, 0)

    def test_it_is_short(self):
        with open(TOUR, encoding="utf-8") as file:
            self.assertLessEqual(len(file.readlines()), 150)

    def test_a_change_must_fit(self):
        self.assertEqual(tour.change("a\nb\nc\n", " a\n+x\n@@\n-c\n", "f"), "a\nx\nb\n")
        for text in ("b\n", "a\na\n"):
            with self.assertRaises(ValueError):
                tour.change(text, " a\n+x\n", "f")
        with self.assertRaises(ValueError):
            tour.follow([("diff", "f", " a\n+b\n")], {})


if __name__ == "__main__":
    unittest.main()
