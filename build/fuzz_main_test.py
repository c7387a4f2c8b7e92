# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""fuzz_main finds mistakes that fuzz targets have, prints the input, and tries the same inputs each time."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest

TARGET = ""
MUTATOR_TARGET = ""


def run(*args, target=None):
    command = [target or TARGET] + list(args)
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


class FuzzMainTest(unittest.TestCase):

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.corpus = os.path.join(self._folder.name, "corpus")
        with open(self.corpus, "w", encoding="utf-8") as file:
            file.write("False alarm")

    def tearDown(self):
        self._folder.cleanup()

    def test_corpus_alone_passes(self):
        result = run(self.corpus)
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"2 inputs of the corpus and 0 made up", result.stdout)

    def test_finds_the_mistake_each_time(self):
        results = [run("--runs=10000", self.corpus) for _ in range(2)]
        for result in results:
            self.assertEqual(result.returncode, -signal.SIGABRT)
            self.assertRegex(result.stderr.decode(), r"Failed with an input of \d+ bytes.*:\n46[0-9a-f]+\n")
        self.assertEqual(results[0].stderr, results[1].stderr)

    def test_corpus_may_be_a_folder(self):
        result = run(self._folder.name)
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"2 inputs of the corpus and 0 made up", result.stdout)

    def test_lets_the_target_change_inputs(self):
        with open(self.corpus, "wb") as file:
            file.write(bytes([1]))
        result = run("--runs=10000", self.corpus, target=MUTATOR_TARGET)
        self.assertEqual(result.returncode, -signal.SIGABRT)
        self.assertRegex(result.stderr.decode(), r"Failed with an input of 2 bytes.*:\n0600\n")

    def test_ends_in_time(self):
        result = run("--seconds=1")
        self.assertEqual(result.returncode, 0)

    def test_missing_corpus_fails(self):
        self.assertEqual(run("/nowhere").returncode, 1)


if __name__ == "__main__":
    TARGET = sys.argv.pop(1)
    MUTATOR_TARGET = sys.argv.pop(1)
    sys.exit(unittest.main())
